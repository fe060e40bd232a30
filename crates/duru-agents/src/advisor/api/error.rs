//! Why there are no deals.

use std::time::Duration;

use duru_sql::guard::Lang;

/// Why the service gave no deals. No error holds the key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Nobody has set a key.
    #[error("the service is not configured: set {variable}")]
    NotConfigured { variable: &'static str },
    #[error("{variable} can't be used: {reason}")]
    Setting { variable: &'static str, reason: String },
    /// The service counts by district, and this one is not in our table.
    #[error("there is no district code for {region}")]
    UnknownDistrict { region: String },
    #[error("{server} can't be reached: {reason}")]
    Unreachable { server: String, reason: String },
    #[error("{server} did not answer within {after:?}")]
    Timeout { server: String, after: Duration },
    #[error("{server} answered with status {status}")]
    Status { server: String, status: u16 },
    #[error("{server} does not accept the key: {message}")]
    WrongKey { server: String, message: String },
    #[error("{server} has had enough requests for today: {message}")]
    Quota { server: String, message: String },
    #[error("{server} refused with code {code}: {message}")]
    Refused { server: String, code: String, message: String },
    #[error("what {server} answered can't be read: {reason}")]
    BadReply { server: String, reason: String },
    #[error("{server} answered with more than {limit}")]
    TooMuch { server: String, limit: String },
}

impl Error {
    /// For a person: what happened and what to do.
    pub fn say(&self, lang: Lang) -> String {
        let (ko, en) = match self {
            Self::NotConfigured { variable } => (
                format!("실거래가 서비스를 쓰려면 {variable}에 인증키를 넣으세요."),
                format!("To use real deals, set {variable} to your key."),
            ),
            Self::Setting { variable, reason } => (
                format!("{variable} 값을 쓸 수 없습니다 (자세히: {reason})"),
                format!("{variable} can't be used: {reason}"),
            ),
            Self::UnknownDistrict { region } => (
                format!("{region}의 법정동 코드를 모릅니다. 구 단위로 물어보세요."),
                format!("There is no district code for {region}; ask about a district."),
            ),
            Self::Unreachable { .. } | Self::Timeout { .. } | Self::Status { .. } => (
                "실거래가 서비스가 응답하지 않습니다. 잠시 뒤 다시 시도하세요.".to_owned(),
                "The service of real deals does not answer; try again later.".to_owned(),
            ),
            Self::WrongKey { .. } => (
                "실거래가 서비스가 인증키를 받지 않습니다. 등록과 기한을 확인하세요.".to_owned(),
                "The service does not accept the key; check that it is registered and not expired."
                    .to_owned(),
            ),
            Self::Quota { .. } => (
                "오늘의 요청 한도를 넘었습니다. 내일 다시 시도하세요.".to_owned(),
                "Today's requests are used up; try again tomorrow.".to_owned(),
            ),
            Self::Refused { code, message, .. } => (
                format!("실거래가 서비스가 거절했습니다 ({code}, 자세히: {message})"),
                format!("The service refused ({code}): {message}"),
            ),
            Self::BadReply { .. } | Self::TooMuch { .. } => (
                "실거래가 서비스의 응답을 읽을 수 없습니다.".to_owned(),
                "What the service answered can't be read.".to_owned(),
            ),
        };
        lang.pick(ko, en)
    }

    /// Whether another try may help.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::Timeout { .. } => true,
            Self::Status { status, .. } => *status >= 500 || *status == 429,
            _ => false,
        }
    }
}
