//! Which plain sums a question asks for, by its words.

use super::Sum;
use crate::advisor::tools::Parameters;

/// A sum, and the words that ask for it: all groups must be there, of each one.
type Asked = (Sum, &'static [&'static [&'static str]]);

const HOW_MUCH: &[&str] =
    &["얼마", "몇", "how much", "how far", "?", "어느정도", "어느 정도", "다시", "again", "알려", "계산"];
const SHARE: &[&str] = &[
    "몇 프로",
    "몇프로",
    "몇 퍼",
    "몇퍼",
    "몇 %",
    "퍼센트",
    "비율",
    "몇프",
    "대비",
    "what share",
    "ratio",
    "percent",
];

#[rustfmt::skip]
const ASKED: &[Asked] = &[
    (Sum::Ltv, &[&["ltv", "엘티비", "담보인정", "loan-to-value", "loan to value"]]),
    (Sum::OwedShare, &[&["남은 대출", "대출이", "갚을 돈", "what i owe", "the loan is"], &["집값의", "of the price", "of the value"], SHARE]),
    (Sum::Dti, &[&["dti", "두 비율", "both ratios"]]),
    (Sum::DsrLimit, &[&["dsr"], &["얼마까지", "총 얼마", "얼마나 빌", "얼마 빌", "빌려져", "dsr만", "dsr 만", "how much can", "how much could"]]),
    (Sum::DsrRoom, &[&["여유", "더 낼", "얼마나 더", "얼마 더", "headroom", "room left", "how much more"], &["원리금", "dsr", "repay", "상환", "프로까지", "%까지"]]),
    (Sum::DsrYear, &[&["dsr", "마지노선"], &["낼 수 있", "낼수", "마지노선", "한 달 원리금", "can pay", "may pay"]]),
    (Sum::Dsr, &[&["dsr", "두 비율", "both ratios"]]),
    (Sum::LeftOfLoan, &[&["손에 쥐", "갚고 나면", "갚고나면", "상환하고 나면", "left after paying", "left over"], &["대출", "loan", "mortgage"]]),
    (Sum::OwnPart, &[&["통장에서", "내 돈으로", "제 돈으로", "직접 내", "직접 낼", "실제로 내", "own pocket", "out of my account"]]),
    (Sum::DownPayment, &[&["계약금", "잔금", "down payment", "balance to pay"], &["얼마", "how much", "?", "급해", "냈음", "냈고", "냈어"]]),
    (Sum::Interest, &[&["늦게", "지연", "연체", "이자", "late", "interest"], &["개월", "달치", "달 ", "달치면", "months", "month's", "석 달", "석달", "두달", "두 달"]]),
    (Sum::ConvertedDeposit, &[&["환산보증금", "환산 보증금", "converted deposit"]]),
    (Sum::TaxOfPrice, &[&["취득세 4", "취득세 1", "취득세 2", "취득세 3", "취득세율", "% acquisition tax", "acquisition tax of"], &["프로", "퍼", "%"], &["잡", "얼마", "in won", "넣", "포함"]]),
    (Sum::Yield, &[&["수익률", "yield", "내 돈 기준", "내돈 대비", "내 돈 대비", "own cash", "own money", "cash i actually"]]),
    (Sum::Invested, &[&["내돈 얼마", "내 돈 얼마", "실투자금", "묶이", "내돈이 얼마", "own money do i need", "tied up"]]),
    (Sum::YearOfRent, &[&["일년이면", "1년이면", "일 년이면", "a year is that", "per year is that"], &["월", "rent"]]),
    (Sum::JeonseRatio, &[&["전세가율", "jeonse ratio"]]),
    (Sum::Auction, &[&["낙찰", "경매", "auction"], &["저한테", "나한테", "못 받", "못받", "떼이", "돌아오", "돌아옵", "come back", "do i get", "lose"]]),
    (Sum::Gain, &[&["번거", "벌었", "번 거", "차익이 얼마", "몇프로 번", "산 값 대비", "profit did", "gain did", "내 돈 대비로"], &["팔", "판", "대비", "sold", "sell"]]),
    (Sum::GainByYear, &[&["연평균", "한 해 평균", "a year on average", "per year on average"]]),
    (Sum::Halves, &[&["반씩", "한사람", "한 사람", "절반씩", "half each", "each of us", "split"], &["나누", "당", "몫", "each", "split"]]),
    (Sum::Arrears, &[&["보증금"], &["얼마 남", "남죠", "남는", "남나", "까고", "빼고 나면"], &["밀린", "월세", "관리비", "안 낸", "안낸"]]),
    (Sum::Arrears, &[&["deposit"], &["left", "remains"], &["unpaid", "arrears", "missed"]]),
    (Sum::Threshold, &[&["terminate", "evict", "해지", "계약 깨", "내보낼"], &["how much", "in won", "얼마"], &["unpaid", "missed", "밀린", "연체"]]),
    (Sum::RentTotal, &[&["번 내면", "달 내면", "개월 내면", "months of that rent", "months of rent", "개월치 월세"], HOW_MUCH]),
    (Sum::RentOrLoan, &[&["어느쪽", "어느 쪽", "차이", "뭐가 싸", "어떤게 싸", "which is cheaper", "which costs less", "cheaper"], &["월세", "매달", "rent", "monthly"]]),
    (Sum::BreakEven, &[&["같아지", "똑같", "break even", "break-even"], &["금리", "rate"]]),
    (Sum::AsRent, &[&["월세로 돌리", "월세로 돌려", "월세로 내", "as monthly rent", "as rent"], HOW_MUCH]),
    (Sum::RenewalWindow, &[&["만기", "계약 끝", "lease ends", "expires"], &["며칠", "언제부터", "언제까지", "from when", "by when"]]),
    (Sum::WithTax, &[&["부가세", "vat"], &["얹", "포함", "더하", "with 10", "with vat", "including", "plus"]]),
];

/// The sums that a question asks for. Of those that say the same with more or less, the narrower.
pub(in crate::advisor) fn wanted(text: &str, said: &Parameters, all: &Parameters) -> Vec<Sum> {
    let text = text.to_lowercase();
    let has = |groups: &[&[&str]]| groups.iter().all(|words| words.iter().any(|word| text.contains(word)));
    let mut found: Vec<Sum> = ASKED.iter().filter(|(_, groups)| has(groups)).map(|(sum, _)| *sum).collect();
    // 보증금, 집값 and what ranks before it: whenever one of the three is said and all are known.
    let prior = |with: &Parameters| with.prior_claims.or(with.other_deposits).is_some();
    let known = prior(all) && all.deposit.is_some() && all.price.is_some();
    if known && (prior(said) || said.deposit.is_some() || said.price.is_some()) {
        found.push(Sum::Claims);
    }
    let narrower = [
        (Sum::DsrLimit, Sum::Dsr),
        (Sum::DsrRoom, Sum::Dsr),
        (Sum::DsrYear, Sum::Dsr),
        (Sum::DsrLimit, Sum::DsrYear),
        (Sum::DsrRoom, Sum::DsrYear),
        (Sum::DsrRoom, Sum::DsrLimit),
        (Sum::Gain, Sum::Yield),
        (Sum::Arrears, Sum::Interest),
        (Sum::Auction, Sum::Claims),
        (Sum::OwnPart, Sum::DownPayment),
    ];
    for (narrow, wide) in narrower {
        if found.contains(&narrow) {
            found.retain(|sum| *sum != wide);
        }
    }
    found.dedup();
    found
}
