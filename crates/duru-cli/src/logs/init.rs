//! `duru logs init`.

use duru_sql::postgres::PostgresLogs;
use serde_json::json;

use super::problem::Problem;
use crate::output::Output;
use crate::store::Place;

/// Makes the store's tables in a database, where they are missing.
pub(super) async fn run(url: &str, output: &Output) -> Result<(), crate::problem::Problem> {
    let place = Place::named(url.to_owned());
    let Place::Url(url) = &place else {
        let text = output.lang.pick(
            "폴더와 버킷은 준비할 것이 없습니다; postgres:// URL을 쓰세요",
            "folders and buckets need no preparation; write a postgres:// URL",
        );
        return Err(crate::problem::Problem::Usage(text.to_owned()));
    };
    PostgresLogs::connect(url).await.map_err(Problem::Store)?;
    output.text(&output.lang.pick(
        format!("{place}에 로그 저장소가 있습니다. `duru logs ingest --logs …`로 로그를 넣으세요.\n"),
        format!("{place} has a log store. `duru logs ingest --logs …` takes in logs.\n"),
    ))?;
    output.json(json!({ "store": place.to_string() }))
}
