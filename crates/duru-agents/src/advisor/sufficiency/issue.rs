//! What speaks against using data again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What speaks against using data again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Issue {
    NoPrevious,
    MissingType,
    NoResults,
    FewItems,
    #[serde(rename = "market_3_to_7d")]
    MarketAging,
    #[serde(rename = "market_over_7d")]
    MarketOld,
    #[serde(rename = "loan_over_1d")]
    LoanOld,
    NoTimestamp,
    RegionMismatch,
    RegionSuperset,
    RegionSubset,
    RegionUnknown,
    AmountNear,
    AmountMismatch,
    ConditionPartial,
    ConditionUnchecked,
    ConditionMismatch,
    PeriodMismatch,
    BorrowerMismatch,
    BorrowerUnknown,
    DocumentMismatch,
    DocumentUnknown,
    TopicMismatch,
    TopicUnknown,
    AmbiguousReference,
    WordsUnread,
    UserDoubtsFreshness,
    AsksLatest,
}

/// Who can settle an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// A look at the data.
    Data,
    /// Only the person.
    Person,
    /// Nobody: a new search.
    Search,
}

impl Issue {
    pub(super) fn weight(self) -> Weight {
        match self {
            Self::FewItems
            | Self::MarketAging
            | Self::NoTimestamp
            | Self::RegionSuperset
            | Self::ConditionUnchecked
            | Self::TopicUnknown
            | Self::RegionUnknown => Weight::Data,
            Self::RegionSubset
            | Self::AmountNear
            | Self::ConditionPartial
            | Self::BorrowerUnknown
            | Self::DocumentUnknown
            | Self::AmbiguousReference
            | Self::WordsUnread
            | Self::UserDoubtsFreshness => Weight::Person,
            Self::NoPrevious
            | Self::MissingType
            | Self::NoResults
            | Self::MarketOld
            | Self::LoanOld
            | Self::RegionMismatch
            | Self::AmountMismatch
            | Self::ConditionMismatch
            | Self::PeriodMismatch
            | Self::BorrowerMismatch
            | Self::DocumentMismatch
            | Self::TopicMismatch
            | Self::AsksLatest => Weight::Search,
        }
    }

    /// In words, Korean and English.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::NoPrevious => ("이전 검색 결과가 없습니다", "there is no earlier search"),
            Self::MissingType => ("필요한 종류의 데이터가 없습니다", "a needed kind of data is missing"),
            Self::NoResults => ("이전 검색 결과가 비어 있습니다", "the earlier search found nothing"),
            Self::FewItems => ("결과가 3건보다 적습니다", "there are fewer than 3 items"),
            Self::MarketAging => ("시세가 3일을 넘었습니다", "the prices are more than 3 days old"),
            Self::MarketOld => ("시세가 7일을 넘었습니다", "the prices are more than 7 days old"),
            Self::LoanOld => ("대출 정보가 하루를 넘었습니다", "the loan data are more than a day old"),
            Self::NoTimestamp => {
                ("언제 찾은 데이터인지 알 수 없습니다", "nobody knows when the data were found")
            }
            Self::RegionMismatch => ("다른 지역의 데이터입니다", "the data are about another region"),
            Self::RegionSuperset => ("더 넓은 지역의 데이터입니다", "the data are about a wider region"),
            Self::RegionSubset => ("더 좁은 지역의 데이터입니다", "the data are about a narrower region"),
            Self::RegionUnknown => ("데이터의 지역이 적혀 있지 않습니다", "the data do not say their region"),
            Self::AmountNear => ("금액 조건이 조금 다릅니다", "the amount is slightly different"),
            Self::AmountMismatch => ("금액 조건이 다릅니다", "the amount is another"),
            Self::ConditionPartial => {
                ("새 조건으로 거르면 건수가 줄어듭니다", "a new condition leaves fewer of the items")
            }
            Self::ConditionUnchecked => (
                "조건이 적혀 있지 않아 건별로 봐야 합니다",
                "the condition was not stated: each item must be looked at",
            ),
            Self::ConditionMismatch => ("조건이 다른 데이터입니다", "the data are for other conditions"),
            Self::PeriodMismatch => ("다른 시기의 데이터입니다", "the data are of another time"),
            Self::BorrowerMismatch => ("다른 사람의 조건입니다", "the data are for somebody else"),
            Self::BorrowerUnknown => {
                ("누구의 조건인지 분명하지 않습니다", "it is not clear whose conditions they are")
            }
            Self::DocumentMismatch => (
                "다른 계약서이거나 그사이 고쳐졌습니다",
                "it is another contract, or it has been changed since",
            ),
            Self::DocumentUnknown => {
                ("어느 계약서인지 분명하지 않습니다", "it is not clear which contract is meant")
            }
            Self::TopicUnknown => {
                ("같은 주제인지 확인이 필요합니다", "it is not known to be about the same subject")
            }
            Self::TopicMismatch => ("다른 주제의 법률입니다", "the law is about another subject"),
            Self::AmbiguousReference => {
                ("무엇을 가리키는지 분명하지 않습니다", "it is not clear what is meant")
            }
            Self::WordsUnread => {
                ("읽지 못한 말이 조건일 수 있습니다", "a word that was not understood may be a condition")
            }
            Self::UserDoubtsFreshness => ("그사이 바뀌었을 수 있습니다", "it may have changed since"),
            Self::AsksLatest => ("최신 정보를 요청했습니다", "the newest data are asked for"),
        }
    }
}
