//! `duru db …`: the database refuses by itself.

use duru_sql::Catalog;
use duru_sql::guard::Lang;
use duru_sql::postgres::{self, Foreign, Options, harden};
use serde::Deserialize;
use serde_json::json;

use crate::args::{DbAction, DbArgs};
use crate::logs::{self, Problem, ingest::config};
use crate::output::Output;
use crate::text::clean;

/// The file of `--tables`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    /// The schema of our own lines; null: there are none.
    #[serde(default = "public")]
    logs: Option<String>,
    #[serde(default)]
    tables: Vec<Foreign>,
}

// The signature is serde's.
#[allow(clippy::unnecessary_wraps)]
fn public() -> Option<String> {
    Some("public".to_owned())
}

pub(crate) async fn run(args: &DbArgs, output: &Output) -> Result<(), crate::problem::Problem> {
    let catalog = catalog(args).await?;
    let url = || args.database.as_deref().ok_or(Problem::NoPlace);
    match args.action {
        DbAction::Print => {
            let sql = harden::script(&catalog, &args.role);
            output.text(&sql)?;
            output.json(json!({ "sql": sql }))
        }
        DbAction::Apply => {
            harden::apply(url()?, &catalog, &args.role).await.map_err(Problem::Store)?;
            verify(url()?, &catalog, args, output).await
        }
        DbAction::Verify => verify(url()?, &catalog, args, output).await,
    }
}

async fn verify(
    url: &str,
    catalog: &Catalog,
    args: &DbArgs,
    output: &Output,
) -> Result<(), crate::problem::Problem> {
    let findings = harden::verify(url, catalog, &args.role).await.map_err(Problem::Store)?;
    for finding in &findings {
        let what = finding.text(logs::lang(output.lang));
        let fix = output.lang.pick("해결", "fix");
        output.text(&format!("✗ {}\n  {fix}: {}\n", clean(&what), clean(&finding.fix)))?;
    }
    if findings.is_empty() {
        let role = &args.role;
        output.text(&output.lang.pick(
            format!("✓ 역할 {role}은(는) 물어볼 수 있는 테이블만 읽을 수 있습니다\n"),
            format!("✓ the role {role} may read the tables that may be asked, and nothing else\n"),
        ))?;
    }
    let listed: Vec<_> = findings
        .iter()
        .map(|finding| json!({"what": finding.text(Lang::En), "what_ko": finding.text(Lang::Ko), "fix": finding.fix}))
        .collect();
    let answer = json!({ "findings": listed });
    match findings.len() {
        0 => output.json(answer),
        count => Err(crate::problem::Problem::from(Problem::Gaps { count }).after(answer, output)),
    }
}

/// What may be asked. Only tables of others need a look into the database.
async fn catalog(args: &DbArgs) -> Result<Catalog, Problem> {
    let Some(file) = &args.tables else { return Ok(Catalog::logs()) };
    let Tables { logs, tables } = config(file)?;
    let url = args.database.as_deref().ok_or(Problem::NoPlace)?;
    let options = Options { logs, tables, ..Options::default() };
    postgres::catalog(url, &options).await.map_err(Problem::Store)
}
