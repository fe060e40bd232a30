//! Why a public service gave nothing.

use std::time::Duration;

use duru_sql::guard::Lang;

/// Why a service gave nothing. No error holds the key.
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
                format!("서비스를 쓰려면 {variable}에 인증키를 넣으세요."),
                format!("To use the service, set {variable} to your key."),
            ),
            Self::Setting { variable, reason } => (
                format!("{variable} 값을 쓸 수 없습니다 (자세히: {reason})"),
                format!("{variable} can't be used: {reason}"),
            ),
            Self::UnknownDistrict { region } => (
                format!("{region}의 법정동 코드를 모릅니다. 구 단위로 물어보세요."),
                format!("There is no district code for {region}; ask about a district."),
            ),
            Self::Unreachable { server, .. } | Self::Timeout { server, .. } | Self::Status { server, .. } => {
                (
                    format!("서비스({server})가 응답하지 않습니다. 잠시 뒤 다시 시도하세요."),
                    format!("The service ({server}) does not answer; try again later."),
                )
            }
            Self::WrongKey { server, .. } => (
                format!("서비스({server})가 인증키를 받지 않습니다. 등록과 기한을 확인하세요."),
                format!(
                    "The service ({server}) does not accept the key; check that it is registered and not expired."
                ),
            ),
            Self::Quota { server, .. } => (
                format!("서비스({server})의 오늘 요청 한도를 넘었습니다. 내일 다시 시도하세요."),
                format!("Today's requests to the service ({server}) are used up; try again tomorrow."),
            ),
            Self::Refused { server, code, message } => (
                format!("서비스({server})가 거절했습니다 ({code}, 자세히: {message})"),
                format!("The service ({server}) refused ({code}): {message}"),
            ),
            Self::BadReply { server, .. } | Self::TooMuch { server, .. } => (
                format!("서비스({server})의 응답을 읽을 수 없습니다."),
                format!("What the service ({server}) answered can't be read."),
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
