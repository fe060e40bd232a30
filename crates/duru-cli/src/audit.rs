//! `duru audit`: who did what, as a server wrote it down.

use anyhow::Context as _;
use duru_server::{Audit, People};
use serde_json::{Value, json};

use crate::args::Args;
use crate::output::{Form, Output};
use crate::problem::Problem;
use crate::serve::audit::FILE;
use crate::store::{self, Place};
use crate::text::clean;

/// The last lines, of one person if one is named: also under the name that they have since they were erased.
pub(crate) async fn run(
    who: Option<&str>,
    limit: usize,
    args: &Args,
    output: &Output,
) -> Result<(), Problem> {
    let mut lines = Vec::new();
    if let Some(opened) = store::open_existing(args.store.as_ref()).await? {
        // Of one person, the last lines of all may be few.
        let most = if who.is_some() { usize::MAX } else { limit };
        let read = match &opened.place {
            Place::Url(_) | Place::Bucket(_) => Audit::last_in(&*opened.stores.catalog, most).await,
            Place::File(file) => Audit::last(&file.with_file_name(FILE), most).await,
        };
        lines = read.context("the audit log").map_err(Problem::Unexpected)?;
        if let Some(who) = who {
            let erased = People::new(opened.stores).pseudonym(who).await.map_err(Problem::Store)?;
            let is = |value: &Value| *value == who || *value == erased.as_str();
            lines.retain(|line| is(&line["who"]) || is(&line["author"]) || is(&line["user"]));
            lines = lines.split_off(lines.len().saturating_sub(limit));
        }
    }
    if lines.is_empty() {
        output.progress(output.lang.pick("적힌 것이 없습니다", "Nothing is written down"));
    }
    if output.form == Form::Text {
        return output
            .text(&lines.iter().map(|line| format!("{}\n", clean(&line.to_string()))).collect::<String>());
    }
    output.json(json!({ "lines": lines }))
}
