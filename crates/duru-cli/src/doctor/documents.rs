//! Whether documents can be searched.

use super::finding::Finding;
use crate::args::DocsPlace;
use crate::docs::{self, DocsProblem};
use crate::lang::Lang;
use crate::settings;
use crate::store::Place;

const CHECK: (&str, &str) = ("문서", "documents");

pub(super) async fn check(lang: Lang) -> Vec<Finding> {
    let place = DocsPlace {
        index: settings::get("DURU_DOCUMENTS").map(Place::named),
        thesaurus: settings::get("DURU_THESAURUS").map(Into::into),
        collection: None,
    };
    if !matches!(place.index, Some(Place::Url(_))) && !docs::folder(&place).exists() {
        return vec![Finding::good(
            CHECK,
            lang.pick(
                "아직 문서가 없습니다; 처음 물으면 견본 문서가 들어갑니다".to_owned(),
                "there are no documents yet; the first question takes samples in".to_owned(),
            ),
        )];
    }
    vec![match count(&place).await {
        Ok(count) => Finding::good(
            CHECK,
            lang.pick(format!("{count}건을 찾을 수 있습니다"), format!("{count} can be searched")),
        ),
        Err(problem) => Finding::bad(CHECK, problem.what(lang), problem.advice(lang)),
    }]
}

async fn count(place: &DocsPlace) -> Result<usize, DocsProblem> {
    let opened = docs::Opened::of(place).await?;
    Ok(opened.index.documents(None).await.map_err(DocsProblem::Index)?.len())
}
