//! `duru tables add|list|show|check|describe|forget`.

use std::path::PathBuf;

use duru_sql::Knowledge;
use duru_sql::domain::{Description, Domain, Misfit};
use serde_json::{Value, json};

use super::describe::describe;
use super::examples;
use super::open::{self, OpenTables};
use super::problem::TablesProblem;
use super::registry::{self, Registered};
use crate::args::{TablesAction, TablesPlace};
use crate::lang::Lang;
use crate::logs;
use crate::output::Output;
use crate::problem::Problem;
use crate::store::Place;
use crate::text::{clean, shorten};

pub(crate) async fn run(action: &TablesAction, output: &Output) -> Result<(), Problem> {
    match action {
        TablesAction::Add { place, name } => add(place, name.as_deref(), output).await,
        TablesAction::List => list(output),
        TablesAction::Show { name } => show(name, output).await,
        TablesAction::Check { name } => check(name.as_deref(), output).await,
        TablesAction::Describe { name, model } => describe(name, model.as_deref(), output).await,
        TablesAction::Forget { name } => {
            let file = registry::remove(name)?;
            output.text(&output.lang.pick(
                format!("{name}을(를) 잊었습니다 ({}). 데이터베이스는 그대로입니다.\n", file.display()),
                format!("{name} is forgotten ({}). The database is as it was.\n", file.display()),
            ))?;
            output.json(json!({ "forgotten": name }))
        }
    }
}

/// Names a source, and says what can be asked of it.
async fn add(place: &TablesPlace, name: Option<&str>, output: &Output) -> Result<(), Problem> {
    let named = place.named.clone().unwrap_or_default();
    let url = match open::are_files(&named) {
        true => std::path::absolute(&named).map_or_else(|_| named.clone(), |path| path.display().to_string()),
        false => without_password(&named),
    };
    let name = match name {
        Some(name) => name.to_owned(),
        None => database(&named).unwrap_or_else(|| "tables".to_owned()),
    };
    if !registry::is_name(&name) {
        return Err(TablesProblem::BadName { name }.into());
    }
    let file = registry::file(&name)?;
    if file.exists() {
        return Err(TablesProblem::Exists { name, file }.into());
    }
    let tables = open::connect(&named, place, &Description::default(), output).await?;
    if tables.catalog().tables.is_empty() {
        // They say why nothing is there.
        notes(&tables, output);
        return Err(TablesProblem::Empty { files: open::are_files(&named) }.into());
    }
    let knowledge = tables.source().knowledge().await.map_err(TablesProblem::Source)?;
    let file = registry::put(&name, &text_of(&url, place, &knowledge))?;
    let notes = notes(&tables, output);
    let (mut text, listed) = described(&knowledge, output.lang);
    let examples = examples::of(tables, &knowledge, output.lang).await?;
    if !examples.is_empty() {
        text.push_str(output.lang.pick("\n물어볼 수 있는 것:\n", "\nYou could ask:\n"));
        for example in &examples {
            text.push_str(&format!("  duru ask --tables {name} \"{}\"\n", clean(example)));
        }
    }
    let shown = file.display();
    text.push_str(&output.lang.pick(
        format!(
            "\n{name}(으)로 묻습니다. 말과 이름은 {shown}에 적고 `duru tables check {name}`로 확인하세요.\n"
        ),
        format!(
            "\nAsk it as {name}. Words and names go into {shown}; `duru tables check {name}` reads it.\n"
        ),
    ));
    output.text(&text)?;
    output.json(json!({ "name": name, "file": file, "tables": listed, "examples": examples, "notes": notes }))
}

fn list(output: &Output) -> Result<(), Problem> {
    let mut rows = Vec::new();
    let mut listed = Vec::new();
    for name in registry::names()? {
        // One file that can't be read does not hide the others.
        let (shown, words) = match registry::find(&name) {
            Ok(Some(source)) => {
                (Place::named(source.url.clone()).to_string(), source.description.table.len().to_string())
            }
            Ok(None) => continue,
            Err(problem) => (shorten(&clean(&problem.what(output.lang)), 80), "-".to_owned()),
        };
        listed.push(json!({ "name": name, "url": shown }));
        rows.push([name, shown, words]);
    }
    output
        .table(output.lang.pick(["이름", "주소", "설명한 테이블"], ["name", "address", "described"]), rows)?;
    output.json(json!({ "tables": listed }))
}

async fn show(name: &str, output: &Output) -> Result<(), Problem> {
    let source = registry::get(name)?;
    let tables = connect(&source, output).await?;
    let knowledge = tables.source().knowledge().await.map_err(TablesProblem::Source)?;
    let notes = notes(&tables, output);
    let (mut text, listed) = described(&knowledge, output.lang);
    for known in &knowledge.tables {
        text.push_str(&format!("\n{}\n", clean(&known.table.name)));
        for column in &known.columns {
            let about = known.table.column(&column.name).and_then(|column| column.description.clone());
            let values = column.values.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
            let more = [about.unwrap_or_default(), values];
            let more: Vec<&str> = more.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
            let line = format!("  {} {}  {}", column.name, column.data_type, more.join(" · "));
            text.push_str(&format!("{}\n", shorten(clean(&line).trim_end(), 110)));
        }
    }
    for join in Domain::of(&knowledge, &source.description).joins {
        let line = format!(
            "{}({}) = {}({})",
            join.from,
            join.from_columns.join(", "),
            join.to,
            join.to_columns.join(", ")
        );
        text.push_str(&format!("{} {}\n", output.lang.pick("연결:", "join:"), clean(&line)));
    }
    output.text(&text)?;
    output.json(json!({ "name": name, "file": source.file, "tables": listed, "knowledge": &*knowledge, "notes": notes }))
}

async fn check(name: Option<&str>, output: &Output) -> Result<(), Problem> {
    let names = match name {
        Some(name) => vec![name.to_owned()],
        None => registry::names()?,
    };
    let mut mistakes = Vec::new();
    for name in names {
        let source = registry::get(&name)?;
        let tables = connect(&source, output).await?;
        notes(&tables, output);
        for misfit in source.description.misfits(tables.column_names(), &tables.catalog()) {
            let (line, what) = told(&source, &misfit, output.lang);
            output.text(&format!("{}:{line}: {}\n", source.file.display(), clean(&what)))?;
            mistakes.push(json!({ "name": name, "file": source.file, "line": line, "message": what }));
        }
    }
    if mistakes.is_empty() {
        output.text(output.lang.pick("틀린 곳이 없습니다.\n", "There are no mistakes.\n"))?;
        return output.json(json!({ "mistakes": [] }));
    }
    let count = mistakes.len();
    Err(Problem::from(TablesProblem::Mistakes { count }).after(json!({ "mistakes": mistakes }), output))
}

pub(super) async fn connect(source: &Registered, output: &Output) -> Result<OpenTables, TablesProblem> {
    let place = TablesPlace { named: None, password_file: source.password_file.clone() };
    open::connect(&source.url, &place, &source.description, output).await
}

pub(super) fn notes(tables: &OpenTables, output: &Output) -> Vec<String> {
    let notes: Vec<String> = tables.notes().iter().map(|note| note.text(logs::lang(output.lang))).collect();
    for note in &notes {
        output.progress(&format!("! {}", clean(note)));
    }
    notes
}

/// The tables, largest first, in lines and as data.
fn described(knowledge: &Knowledge, lang: Lang) -> (String, Vec<Value>) {
    let mut tables: Vec<_> = knowledge.tables.iter().collect();
    tables.sort_by_key(|known| std::cmp::Reverse(known.estimated_rows));
    let (mut text, mut listed) = (String::new(), Vec::new());
    for known in tables {
        let (name, rows, columns) = (&known.table.name, known.estimated_rows, known.columns.len());
        let line = lang.pick(
            format!("{name}: {rows}행, 열 {columns}개"),
            format!("{name}: {rows} rows, {columns} columns"),
        );
        let about = known.table.description.as_ref().map(|about| format!(" ({about})")).unwrap_or_default();
        text.push_str(&format!("{}\n", shorten(&clean(&format!("{line}{about}")), 110)));
        listed.push(json!({ "schema": known.table.schema, "name": name, "rows": rows, "columns": columns }));
    }
    (text, listed)
}

/// A misfit's line, and what is wrong there.
fn told(source: &Registered, misfit: &Misfit, lang: Lang) -> (usize, String) {
    let line =
        |table: &str, column: Option<&str>| registry::line_of(&source.text, table, column).unwrap_or(1);
    match misfit {
        Misfit::UnknownTable { table } => (
            line(table, None),
            lang.pick(format!("{table} 테이블이 없습니다"), format!("there is no table {table}")),
        ),
        Misfit::UnknownColumn { table, column, key } => (
            line(table, Some(column)),
            lang.pick(
                format!("{table}에는 {column} 열이 없습니다 ({key})"),
                format!("{table} has no column {column} ({key})"),
            ),
        ),
        Misfit::Expression { table, measure, refusal } => {
            let why = refusal.text(logs::lang(lang));
            (
                line(table, Some(measure)),
                lang.pick(
                    format!("{table}의 값 {measure}을(를) 계산할 수 없습니다: {why}"),
                    format!("{table}: the measure {measure} can't be calculated: {why}"),
                ),
            )
        }
        Misfit::SoftDelete { table, rule } => (
            line(table, None),
            lang.pick(
                format!("{table}의 soft_delete를 쓸 수 없습니다: {rule}"),
                format!("{table}: soft_delete can't be used: {rule}"),
            ),
        ),
        other => (1, format!("{other:?}")),
    }
}

/// What a new file says: the address, and where words go.
fn text_of(url: &str, place: &TablesPlace, knowledge: &Knowledge) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let mut text = format!(
        "# Tables that questions can be about. `duru tables check` reads this file.\nurl = {}\n",
        quoted(url)
    );
    if let Some(file) = &place.password_file {
        let file = std::path::absolute(file).unwrap_or_else(|_| PathBuf::from(file));
        text.push_str(&format!("password_file = {}\n", quoted(&file.display().to_string())));
    }
    text.push_str(
        "\n# Words for a table, its columns and values, in any language; named measures; what is hidden or allowed:\n",
    );
    if let Some(known) = knowledge.tables.first() {
        let table = quoted(&known.table.name);
        text.push_str(&format!(
            "#\n# [table.{table}]\n# nouns = [\"…\"]\n# hidden = [\"…\"]       # columns that may not be asked\n\
             # allowed = [\"…\"]      # columns that look like secrets and are none\n\
             # soft_delete = \"deleted = FALSE\"\n"
        ));
        if let Some(column) = known.columns.first() {
            text.push_str(&format!(
                "#\n# [table.{table}.column.{}]\n# nouns = [\"…\"]\n",
                quoted(&column.name)
            ));
        }
        text.push_str(&format!(
            "#\n# [[table.{table}.measure]]\n# name = \"revenue\"\n# words = [\"revenue\", \"매출\"]\n# expression = \"sum(amount)\"\n"
        ));
    }
    text
}

/// The URL as it is kept: passwords are in the environment or in files.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let Some((user, host)) = authority.rsplit_once('@') else { return url.to_owned() };
    let user = user.split(':').next().unwrap_or_default();
    format!("{scheme}://{user}@{host}{path}")
}

/// The database or the file that is named, as a name.
fn database(url: &str) -> Option<String> {
    let name = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1.split(['?', '#']).next()?,
        None => std::path::Path::new(url).file_stem()?.to_str()?,
    };
    registry::is_name(name).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_kept() {
        assert_eq!(
            without_password("postgres://kim:secret@db:5432/shop?sslmode=require"),
            "postgres://kim@db:5432/shop?sslmode=require"
        );
        assert_eq!(without_password("postgres://db/shop"), "postgres://db/shop");
        assert_eq!(database("postgres://kim@db/shop?sslmode=require").as_deref(), Some("shop"));
        assert_eq!(database("postgres://kim@db"), None);
    }
}
