//! How servers on one store tell each other what is new.

use std::sync::Arc;

use duru::store::Hints;
use duru_nats::{Address, Error, NatsHints};

use crate::problem::Problem;
use crate::settings;

/// As the setting says; none where nothing is set.
pub(super) async fn connect() -> Result<Option<Arc<dyn Hints>>, Problem> {
    let Some(given) = settings::get("DURU_HINTS").filter(|given| !given.trim().is_empty()) else {
        return Ok(None);
    };
    let address: Address = given.trim().parse().map_err(|error| Problem::Setting {
        ko: "DURU_HINTS: nats://사용자:비밀번호@호스트:4222 처럼 쓰세요. 여럿이면 쉼표로 나눕니다."
            .to_owned(),
        en: format!("DURU_HINTS: {error}"),
    })?;
    match NatsHints::connect(&address).await {
        Ok(hints) => Ok(Some(Arc::new(hints))),
        Err(error) => Err(Problem::Setting { ko: in_korean(&error), en: format!("DURU_HINTS: {error}") }),
    }
}

fn in_korean(error: &Error) -> String {
    match error {
        Error::Refused { address, reason } => format!(
            "DURU_HINTS: NATS({address})가 접속을 받아 주지 않습니다. 주소에 사용자와 비밀번호를 넣거나 \
             ?credentials=파일로 인증 파일을 적으세요. (자세히: {reason})"
        ),
        Error::Credentials { file, reason } => {
            format!(
                "DURU_HINTS: 인증 파일 {file}을 읽을 수 없습니다. 파일과 권한을 확인하세요. (자세히: {reason})"
            )
        }
        Error::Tls { address, reason } => {
            format!(
                "DURU_HINTS: NATS({address})에 암호화된 연결을 할 수 없습니다. 인증서를 확인하세요. (자세히: {reason})"
            )
        }
        other => format!("DURU_HINTS: {other}"),
    }
}
