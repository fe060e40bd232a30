//! What tools work out: taxes, fees, loans, leases.

use super::Formula;
use super::answers::Answer::{self, Amount, Choice, Date, Share};
use crate::advisor::ledger::What;
use crate::advisor::sums::Sum;
use crate::advisor::tools::Calculation;

const ANY: &[Answer] = &[Amount, Share, Choice, Date];
const SUM: &[Answer] = &[Amount, Choice];

/// A calculation that its subject alone asks for; what it lacks, the tool says.
const fn by_name(
    yields: Calculation,
    subject: &'static [&'static [&'static str]],
    answers: &'static [Answer],
) -> Formula<Calculation> {
    Formula { yields, subject, topic: &[], needs: &[], shape: &[], answers }
}

/// Whoever brokers, and that it is about what they take.
const BROKER: &[&str] = &["agent", "realtor", "broker", "중개사", "부동산 아저씨", "공인중개"];
const TAKES: &[&str] = &[
    "most",
    "max",
    "cap",
    "charge",
    "take at",
    "fee",
    "commission",
    "줘야",
    "얼마까지",
    "상한",
    "수수료",
    "최대",
    "줘요",
];
const TAX: &[&str] = &["tax", "세금"];

#[rustfmt::skip]
pub(super) const CALCULATIONS: &[Formula<Calculation>] = &[
    by_name(Calculation::Returns, &[&["수익률", "공실", "임대 수익", "임대수익", "투자 수익", "roi", "yield", "rate of return", "갭투자", "수익이", "현금 흐름", "현금흐름"]], ANY),
    by_name(Calculation::LoanLimit, &[&["한도", "얼마까지", "얼마나 빌", "얼마 빌", "얼마나 대출", "대출 얼마", "ltv", "dsr", "dti", "can i borrow", "could i borrow", "may i borrow", "able to borrow"]], ANY),
    by_name(Calculation::LoanLimit, &[&["담보대출", "주담대", "mortgage"], &["몇 프로까지", "몇프로까지", "몇 퍼센트까지", "what share", "can cover", "얼마나 나", "얼마까지"]], ANY),
    by_name(Calculation::Repayment, &[&["월 상환", "월상환", "원리금", "상환액", "월 납입", "월납입", "납입액", "달에 얼마", "한달에?", "한 달에?", "다달이", "매월 얼마", "이자만", "월이자", "만기일시", "level payment", "equal monthly", "interest only", "interest-only", "monthly interest", "payment?", "매달 얼마", "월 이자", "한 달에 얼마", "한달에 얼마", "이자가 얼마", "이자는 얼마", "이자 얼마", "월 얼마", "얼마씩 갚", "갚으면", "monthly payment", "per month", "a month", "repay"]], ANY),
    // A loan that is said with its rate is paid back, in whatever words that is asked.
    Formula {
        yields: Calculation::Repayment,
        subject: &[],
        topic: &[],
        needs: &[&[What::Loan], &[What::Rate]],
        shape: &[&[What::Loan], &[What::Rate]],
        answers: SUM,
    },
    // A part of a loan that is said while the rest is known asks what it costs by the month.
    Formula {
        yields: Calculation::Repayment,
        subject: &[&["한달", "한 달", "매달", "매월", "달마다", "달에", "다달이", "monthly", "a month", "per month", "each month", "every month"]],
        topic: &[],
        needs: &[&[What::Loan], &[What::Rate]],
        shape: &[&[What::Loan]],
        answers: SUM,
    },
    by_name(Calculation::AcquisitionTax, &[&["취득세", "acquisition tax"]], ANY),
    // Of what is bought, the tax is that of buying.
    by_name(Calculation::AcquisitionTax, &[TAX, &["buy", "purchas"]], ANY),
    by_name(Calculation::CapitalGains, &[&["양도소득세", "양도세", "capital gains", "gains tax", "tax on the gain", "gain taxed"]], &[Amount, Share, Choice]),
    by_name(Calculation::CapitalGains, &[&["팔 때", "팔면", "파는", "차익", "when i sell", "on selling", "on the sale"], TAX], &[Amount, Share, Choice]),
    by_name(Calculation::CapitalGains, &[&["장기보유", "long-term holding", "long term holding", "holding deduction", "과세되는", "과세 대상", "과세대상", "세금 매기는", "taxable part", "taxable gain", "part is taxed", "is taxable"]], &[Amount, Share, Choice]),
    // The tax after what was gained is the tax on that.
    Formula {
        yields: Calculation::CapitalGains,
        subject: &[&["양도"], TAX],
        topic: &[Sum::Gain],
        needs: &[&[What::Price], &[What::Resale]],
        shape: &[],
        answers: &[Amount, Share, Choice],
    },
    by_name(Calculation::PropertyTax, &[&["재산세", "보유세", "property tax", "holding tax"]], ANY),
    by_name(Calculation::ComprehensiveTax, &[&["종합부동산세", "종부세", "보유세", "comprehensive real estate", "comprehensive real-estate", "comprehensive property", "holding tax"]], ANY),
    by_name(Calculation::Registration, &[&["등기비", "등기 비용", "등기비용", "등기 수수료", "법무사", "부대비용", "부대 비용", "registration cost", "registration fee", "cost of registration", "closing cost"]], ANY),
    by_name(Calculation::Brokerage, &[&["중개보수", "중개수수료", "중개 수수료", "복비", "보수 상한", "부동산에 줘", "부동산에 내", "부동산에 주는", "중개사한테", "brokerage", "broker's fee", "broker fee", "agent's fee", "agent fee", "commission", "our fee", "the fee", "fee again"]], ANY),
    by_name(Calculation::Brokerage, &[BROKER, TAKES], ANY),
    by_name(Calculation::Brokerage, &[&["max fee", "maximum fee", "highest fee", "fee cap", "cap on the fee", "fee at most", "fee for selling", "fee for buying"]], ANY),
    by_name(Calculation::Conversion, &[&["전환", "월세로 바꾸", "월세로 바꿔", "월세로 돌리", "월세로 돌려", "전세로 바꾸", "전세로 바꿔", "convert"]], ANY),
    // What a rent or a deposit that is known may rise to.
    Formula {
        yields: Calculation::Increase,
        subject: &[&["올린다면", "올리면", "올릴 수", "올릴수", "올려 받", "올려받", "인상", "더 받", "더 달", "더 줘", "raise", "increase", "bump", "more deposit", "more rent", "to add", "add on top", "renews", "i renew", "we renew", "renewal"], &["얼마", "최대", "the most", "how far", "how much", "come to", "legal", "allowed", "만 올"]],
        topic: &[],
        needs: &[&[What::Deposit, What::MonthlyRent]],
        shape: &[],
        answers: SUM,
    },
];
