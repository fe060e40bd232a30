//! What the advisor looks things up in: the built-in figures and deals, or files of a person's own.

use std::path::Path;
use std::sync::Arc;

use duru_agents::advisor::tools::embedded::Sources;
use duru_agents::advisor::tools::{BadRow, Constants, import_deals};
use jiff::civil::Date;

use crate::output::Output;
use crate::problem::Problem;
use crate::settings;

/// Tax, ratios, rates and caps: a JSON file of the form of ours.
const CONSTANTS: &str = "DURU_CONSTANTS";
/// Deals: a CSV file as the ministry publishes them.
const DEALS: &str = "DURU_DEALS";

pub(super) fn sources(today: Date, output: &Output) -> Result<Sources, Problem> {
    let mut sources = Sources::built_in(today);
    if let Some(file) = settings::get(CONSTANTS) {
        let text = String::from_utf8_lossy(&read(CONSTANTS, &file)?).into_owned();
        let constants = Constants::read(&text)
            .map_err(|error| unusable(CONSTANTS, &file, &error.to_string(), &error.to_string()))?;
        sources.constants = Arc::new(constants);
    }
    if let Some(file) = settings::get(DEALS) {
        let name = Path::new(&file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let found = import_deals(&read(DEALS, &file)?, &name);
        match (found.deals.is_empty(), found.bad.first()) {
            (true, Some(bad)) => return Err(unusable(DEALS, &file, &row(bad).0, &row(bad).1)),
            (true, None) => {
                return Err(unusable(DEALS, &file, "거래가 없습니다", "there are no deals in it"));
            }
            (false, Some(bad)) => output.progress(&left_out(found.bad.len(), bad, output)),
            (false, None) => {}
        }
        sources.deals = Arc::new(found.deals);
    }
    Ok(sources)
}

fn read(variable: &str, file: &str) -> Result<Vec<u8>, Problem> {
    std::fs::read(file).map_err(|error| unusable(variable, file, &error.to_string(), &error.to_string()))
}

fn unusable(variable: &str, file: &str, ko: &str, en: &str) -> Problem {
    Problem::Setting {
        ko: format!("{variable}의 파일 {file}을(를) 쓸 수 없습니다: {ko}"),
        en: format!("{variable}: {file} can't be used: {en}"),
    }
}

fn row(bad: &BadRow) -> (String, String) {
    (format!("{}번째 줄: {}", bad.line, bad.why), format!("line {}: {}", bad.line, bad.why_en))
}

fn left_out(count: usize, first: &BadRow, output: &Output) -> String {
    let (ko, en) = row(first);
    output.lang.pick(
        format!("{DEALS}: {count}줄을 빼고 읽었습니다 ({ko})"),
        format!("{DEALS}: {count} lines were left out ({en})"),
    )
}
