//! Plain sums: what is reckoned from what was said, without a tool.

use super::Formula;
use super::answers::Answer::{self, Amount, Choice, Date, Share};
use crate::advisor::ledger::What;
use crate::advisor::sums::Sum;

const ANY: &[Answer] = &[Amount, Share, Choice, Date];
const SUM: &[Answer] = &[Amount, Choice];
const PART: &[Answer] = &[Share, Choice];

const fn plain(
    yields: Sum,
    subject: &'static [&'static [&'static str]],
    needs: &'static [&'static [What]],
    answers: &'static [Answer],
) -> Formula<Sum> {
    Formula { yields, subject, topic: &[], needs, shape: &[], answers }
}

/// What may be borrowed by an income was spoken of.
const BY_INCOME: &[Sum] = &[Sum::Dsr, Sum::DsrYear, Sum::DsrLimit, Sum::DsrRoom];
const DSR: &[&str] = &["dsr", "마지노선"];
const RENT: &[&[What]] = &[&[What::MonthlyRent]];
const DEPOSIT_AND_PRICE: &[&[What]] = &[&[What::Deposit], &[What::Price, What::Resale]];
const LENT: &[&str] = &[
    "대출",
    "빌리",
    "빌린",
    "빌릴",
    "빚",
    "갚을 돈",
    "what i owe",
    "what we owe",
    "debt",
    "loan",
    "borrow",
    "mortgage",
];
const FILES: &[&str] = &["신고", "filing", "file ", "file?", "declare", "tax return"];
const EARNED: &[&[What]] = &[&[What::Income]];

#[rustfmt::skip]
pub(super) const PLAIN: &[Formula<Sum>] = &[
    plain(Sum::Ltv, &[&["ltv", "엘티비", "담보인정", "loan-to-value", "loan to value"]], &[&[What::Price], &[What::Loan, What::SaidLtv]], ANY),
    plain(Sum::OwedShare, &[LENT, &["집값의", "집값에서", "집값에 비", "집값 대비", "집값대비", "of the price", "of the value"]], &[&[What::Price, What::Resale], &[What::Loan, What::Debt]], PART),
    plain(Sum::Dti, &[&["dti", "두 비율", "both ratios"]], EARNED, ANY),
    Formula { yields: Sum::DsrLimit, subject: &[DSR, &["빌려", "빌리", "빌릴", "얼마까지", "총 얼마", "dsr만", "dsr 만", "borrow", "lend"]], topic: BY_INCOME, needs: &[&[What::Income], &[What::Rate], &[What::Years]], shape: &[], answers: SUM },
    Formula { yields: Sum::DsrRoom, subject: &[&["원리금", "dsr", "repay", "상환", "프로까지", "%까지"], &["여유", "더 낼", "얼마나 더", "얼마 더", "headroom", "room left", "how much more"]], topic: BY_INCOME, needs: &[&[What::Income], &[What::LoanPayments, What::Loan]], shape: &[], answers: SUM },
    Formula { yields: Sum::DsrYear, subject: &[DSR, &["낼 수 있", "낼수", "마지노선", "한 달 원리금", "갚는 돈", "갚을 수", "can pay", "may pay", "can we pay", "can i pay", "pay on loans"]], topic: BY_INCOME, needs: EARNED, shape: &[], answers: SUM },
    plain(Sum::Dsr, &[&["dsr", "두 비율", "both ratios"]], &[&[What::Income], &[What::LoanPayments, What::Loan]], ANY),
    plain(Sum::LeftOfLoan, &[&["대출", "loan", "mortgage"], &["손에 쥐", "갚고 나면", "갚고나면", "상환하고 나면", "left after paying", "left over"]], &[&[What::Debt]], SUM),
    plain(Sum::OwnPart, &[&["통장에서", "내 돈으로", "제 돈으로", "직접 내", "직접 낼", "실제로 내", "내 돈은 얼마", "내 돈이 얼마", "내돈은 얼마", "내돈이 얼마", "own pocket", "out of my account", "of my own", "of our own", "own cash", "own money do", "how much cash", "cash do we", "cash do i"]], &[&[What::Deposit, What::Price], &[What::Loan]], SUM),
    plain(Sum::DownPayment, &[&["계약금", "잔금", "down payment", "balance to pay"], &["얼마", "how much", "?", "다시", "again", "급해", "냈음", "냈고", "냈어"]], &[&[What::Price, What::Deposit], &[What::PaidDown, What::DownShare]], SUM),
    plain(Sum::Forfeit, &[&["계약금", "contract deposit", "down payment", "earnest", "깨", "깰", "깬", "엎", "파기", "해제", "pull out", "back out", "backing out", "walk away", "hand me", "give back", "안 판", "안판", "받을 돈", "in total"], &["깨", "깰", "깬", "엎", "날리", "날려", "파기", "해제", "안 판", "안판", "무르", "포기", "받아야", "받을", "배액", "pull", "back out", "backs out", "backing out", "walk away", "lose", "hand me", "in total", "owe me"]], &[&[What::PaidDown]], SUM),
    plain(Sum::Interest, &[&["늦게", "지연", "연체", "이자", "late", "interest"], &["개월", "달치", "달 ", "달치면", "months", "month's", "석 달", "석달", "두달", "두 달"]], &[&[What::Rate], &[What::Term]], SUM),
    plain(Sum::ConvertedDeposit, &[&["환산보증금", "환산 보증금", "converted deposit"]], &[&[What::Deposit], &[What::MonthlyRent]], SUM),
    plain(Sum::TaxOfPrice, &[&["취득세 4", "취득세 1", "취득세 2", "취득세 3", "취득세율", "% acquisition tax", "acquisition tax of"], &["프로", "퍼", "%"], &["잡", "얼마", "in won", "넣", "포함"]], &[&[What::Price], &[What::TaxShare]], SUM),
    plain(Sum::Yield, &[&["수익률", "yield", "내 돈 기준", "내돈 대비", "내 돈 대비", "own cash", "own money", "cash i actually"]], RENT, ANY),
    plain(Sum::Invested, &[&["내돈 얼마", "내 돈 얼마", "실투자금", "묶이", "내돈이 얼마", "own money do i need", "tied up"]], &[&[What::Price]], SUM),
    plain(Sum::NetRent, &[&["월세", "rent"], &["이자 낸", "이자 내고", "이자 빼", "이자 뺀", "after interest", "left of the rent", "interest-only", "interest only", "after the interest"], &["남", "손에", "left", "keep", "net"]], &[&[What::MonthlyRent], &[What::Loan], &[What::Rate]], SUM),
    plain(Sum::YearOfRent, &[&["월", "rent"], &["일년이면", "1년이면", "일 년이면", "a year is that", "per year is that"]], RENT, SUM),
    plain(Sum::JeonseRatio, &[&["전세가율", "jeonse ratio"]], DEPOSIT_AND_PRICE, ANY),
    plain(Sum::JeonseRatio, &[&["ratio", "비율", "전세", "보증금", "jeonse", "deposit"], &["비율", "몇 프로", "몇프로", "ratio"]], DEPOSIT_AND_PRICE, &[Share]),
    plain(Sum::Claims, &[&["위험", "안전", "risk", "safe"], &["비율", "몇 프로", "몇프로", "몇 퍼", "몇퍼", "ratio", "percent"]], CLAIMS, &[Share]),
    plain(Sum::Insurable, &[&["보증보험", "반환보증", "허그", "hug", "126", "insure", "guarantee"], &["공시", "official", "126", "얼마까지", "up to what", "얼마"]], &[&[What::OfficialPrice]], SUM),
    plain(Sum::Auction, &[&["낙찰", "경매", "auction"], &["저한테", "나한테", "못 받", "못받", "떼이", "떼여", "떼일", "돌아오", "돌아옵", "come back", "do i get", "lose"]], DEPOSIT_AND_PRICE, ANY),
    plain(Sum::Gain, &[&["팔", "판", "대비", "sold", "sell"], &["번거", "벌었", "번 거", "차익이 얼마", "몇프로 번", "산 값 대비", "차익은", "차익이랑", "남는게", "남는 게", "profit", "gain did", "my gain", "the gain", "gain after", "gain and", "내 돈 대비로"]], &[&[What::Price], &[What::Resale]], ANY),
    plain(Sum::GainByYear, &[&["연평균", "한 해 평균", "a year on average", "per year on average"]], &[&[What::Price], &[What::Resale]], ANY),
    plain(Sum::Halves, &[&["반씩", "한사람", "한 사람", "절반씩", "half each", "each of us", "split"], &["나누", "당", "몫", "each", "split"]], &[&[What::Price, What::Resale]], SUM),
    plain(Sum::Arrears, &[&["보증금"], &["얼마 남", "남죠", "남는", "남나", "까고", "빼고 나면"], &["밀린", "월세", "관리비", "안 낸", "안낸"]], &[&[What::Deposit], &[What::MonthlyRent], &[What::Term]], SUM),
    plain(Sum::Arrears, &[&["deposit"], &["left", "remains"], &["unpaid", "arrears", "missed"]], &[&[What::Deposit], &[What::MonthlyRent], &[What::Term]], SUM),
    plain(Sum::Threshold, &[&["terminate", "evict", "해지", "계약 깨", "내보낼"], &["how much", "in won", "얼마"], &["unpaid", "missed", "밀린", "연체"]], RENT, SUM),
    plain(Sum::SaleLeft, &[&["팔", "매도", "sell", "sold", "갚고", "pay off"], &["손에", "쥐", "남는", "남나", "남아", "남지", "내면", "left", "walk away with", "pocket", "net"]], &[&[What::Resale], &[What::Debt, What::Loan]], SUM),
    Formula { yields: Sum::RentAfter, subject: &[&["월세", "월 ", "rent", "pay"]], topic: &[], needs: &[&[What::Deposit], &[What::Keep], &[What::PaidRent], &[What::ConversionRate]], shape: &[&[What::Keep], &[What::PaidRent], &[What::ConversionRate]], answers: SUM },
    plain(Sum::RentShare, &[&["방값", "월세", "주거비", "집세", "rent", "housing"], &["번거", "번 거", "번 돈", "버는", "벌", "소득", "월급", "연봉", "수입", "income", "earn", "i make", "we make", "salary", "of my", "of our"]], &[&[What::MonthlyRent], &[What::Income]], &[Share]),
    Formula { yields: Sum::YearOfInterest, subject: &[&["일년", "1년", "한 해", "연 이자", "a year", "per year", "yearly", "annual"], &["이자", "interest"], &["예금", "빌려주", "빌려준", "넣으면", "이자가", "이자는", "deposit it", "in the bank", "interest"]], topic: &[Sum::YearOfInterest], needs: &[&[What::Loan, What::Price, What::Deposit]], shape: &[], answers: SUM },
    plain(Sum::RentTotal, &[&["월세", "다달이", "매달", "rent"], &["총", "모두", "다 합", "in total", "altogether", "in all"], &["년", "개월", "달", "year", "month"]], &[&[What::MonthlyRent], &[What::Term, What::Years]], SUM),
    plain(Sum::RentTotal, &[&["번 내면", "달 내면", "개월 내면", "months of that rent", "months of rent", "개월치 월세"]], &[&[What::MonthlyRent], &[What::Term]], SUM),
    plain(Sum::RentOrLoan, &[&["월세", "매달", "rent", "monthly", "월 "], &["어느쪽", "어느 쪽", "차이", "뭐가 싸", "뭐가 나", "어떤게 싸", "which is cheaper", "which costs less", "cheaper", "which is better", "아끼", "절약", "do i save", "do we save"]], &[&[What::MonthlyRent], &[What::Loan], &[What::Rate]], ANY),
    plain(Sum::BreakEven, &[&["금리", "rate"], &["같아지", "똑같", "break even", "break-even"]], &[&[What::MonthlyRent], &[What::Loan]], ANY),
    plain(Sum::ImpliedRate, &[&["월세", "rent", "전세", "jeonse"], &["전환", "돌린", "바꾼", "convert", "conversion"], &["몇 프로", "몇프로", "몇 퍼", "몇퍼", "셈", "what rate", "implied", "works out"]], &[&[What::MonthlyRent], &[What::Deposit], &[What::Keep]], ANY),
    plain(Sum::ImpliedRate, &[&["쳐준", "쳐주는", "셈", "몇프로로", "몇 프로로", "what rate", "yearly rate", "annual rate", "implied"]], &[&[What::MonthlyRent], &[What::Deposit], &[What::Keep], &[What::PaidRent]], ANY),
    plain(Sum::AsRent, &[&["월세로 돌리", "월세로 돌려", "월세로 내", "as monthly rent", "as rent", "into rent"]], &[], SUM),
    plain(Sum::RenewalWindow, &[&["만기", "계약 끝", "계약이 끝", "lease ends", "lease is up", "expires"], &["며칠", "언제", "from when", "by when", "when ", "latest"]], &[], &[Date]),
    plain(Sum::NoticeEnds, &[&["문자", "카톡", "통보", "알렸", "내용증명", "해지", "나간다고", "notice", "told him", "told her", "texted"], &["보냈", "읽", "봤", "받았", "알렸", "문자하", "sent", "read", "heard", "gave", "give", "giving", "told"]], &[], &[Date]),
    plain(Sum::RentCredit, &[&["세액공제", "세액 공제", "tax credit", "off my tax"], &["월세", "rent"]], &[&[What::MonthlyRent], &[What::Income]], SUM),
    plain(Sum::FilingGift, &[FILES], &[&[What::Gift]], &[Date]),
    plain(Sum::FilingGains, &[FILES, &["양도", "팔", "잔금", "매도", "기한", "sale", "sell", "sold", "gain", "completion"]], &[&[What::Resale]], &[Date]),
    plain(Sum::FilingAcquisition, &[FILES, &["취득세", "acquisition"]], &[], &[Date]),
    Formula { yields: Sum::GiftTax, subject: &[&["증여", "gift"], &["세", "얼마", "tax", "how much", "change"]], topic: &[Sum::GiftTax], needs: &[&[What::Gift]], shape: &[], answers: SUM },
    plain(Sum::WithTax, &[&["부가세", "vat"], &["얹", "포함", "더하", "with 10", "with vat", "including", "plus"]], &[&[What::Price, What::Deposit]], SUM),
    // 보증금, 집값 and what ranks before it: whenever one of the three is said and all are known.
    Formula { yields: Sum::Claims, subject: &[], topic: &[], needs: CLAIMS, shape: &[&[What::PriorClaims, What::OtherDeposits, What::Deposit, What::Price]], answers: ANY },
];

const CLAIMS: &[&[What]] =
    &[&[What::PriorClaims, What::OtherDeposits], &[What::Deposit], &[What::Price, What::Resale]];

/// Of two that say the same, the first with more.
pub(super) const NARROWER: &[(Sum, Sum)] = &[
    (Sum::DsrLimit, Sum::Dsr),
    (Sum::DsrRoom, Sum::Dsr),
    (Sum::DsrYear, Sum::Dsr),
    (Sum::DsrYear, Sum::DsrLimit),
    (Sum::DsrRoom, Sum::DsrYear),
    (Sum::DsrRoom, Sum::DsrLimit),
    (Sum::Gain, Sum::Yield),
    (Sum::Arrears, Sum::Interest),
    (Sum::Auction, Sum::Claims),
    (Sum::OwnPart, Sum::DownPayment),
    (Sum::Forfeit, Sum::DownPayment),
    (Sum::NetRent, Sum::Yield),
    (Sum::Yield, Sum::JeonseRatio),
    (Sum::ImpliedRate, Sum::JeonseRatio),
    (Sum::OwedShare, Sum::JeonseRatio),
    (Sum::NetRent, Sum::Interest),
    (Sum::Claims, Sum::JeonseRatio),
    (Sum::ImpliedRate, Sum::AsRent),
    (Sum::RentAfter, Sum::AsRent),
    (Sum::RentAfter, Sum::ImpliedRate),
    (Sum::Claims, Sum::OwedShare),
    (Sum::FilingAcquisition, Sum::FilingGains),
    (Sum::SaleLeft, Sum::LeftOfLoan),
    (Sum::YearOfInterest, Sum::Interest),
    (Sum::RentShare, Sum::JeonseRatio),
    (Sum::RentCredit, Sum::RentShare),
    (Sum::RentCredit, Sum::YearOfRent),
];
