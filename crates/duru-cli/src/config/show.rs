//! Every setting, its value and where it comes from. Keys are named, never shown.

use serde_json::{Value, json};

use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::settings::{self, Known, Origin, Setting};
use crate::text::clean;

pub(super) fn show(origin: bool, output: &Output) -> Result<(), Problem> {
    let known = settings::known();
    let names: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
    let unknown: Vec<String> =
        settings::names().into_iter().filter(|name| !names.contains(&name.as_str())).collect();
    let rows: Vec<(&Known, Option<Setting>)> =
        known.iter().map(|known| (known, settings::find(&known.name))).collect();
    let entries: Vec<Value> = rows.iter().map(|(known, setting)| as_json(known, setting.as_ref())).collect();
    output.json(json!({ "settings": entries, "unknown": unknown }))?;
    let mut text = String::new();
    for (known, setting) in &rows {
        // What nobody set for one decision of many would hide the rest.
        if setting.is_none() && known.name.starts_with("DURU_MODEL_") {
            continue;
        }
        text += &line(known, setting.as_ref(), origin, output.lang);
    }
    for name in &unknown {
        text += &output.lang.pick(
            format!("{name}: 모르는 이름이라 쓰이지 않습니다\n"),
            format!("{name}: not known, so nothing reads it\n"),
        );
    }
    output.text(&text)
}

fn line(known: &Known, setting: Option<&Setting>, origin: bool, lang: Lang) -> String {
    let meaning = lang.pick(known.ko, known.en);
    let Some(setting) = setting else {
        return format!("# {} ({meaning})\n", known.name);
    };
    let place = if origin { format!("  # {}", place(&setting.origin, lang)) } else { String::new() };
    format!("{} = {}{place}\n", known.name, shown(known, setting, lang))
}

fn shown(known: &Known, setting: &Setting, lang: Lang) -> String {
    if known.is_secret {
        return lang.pick("(설정됨)", "(set)").to_owned();
    }
    // A URL may carry a password.
    match setting.value.split_once("://") {
        Some((scheme, rest)) if rest.contains('@') => {
            let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
            clean(&format!("{scheme}://…@{host}"))
        }
        _ => clean(&setting.value),
    }
}

fn place(origin: &Origin, lang: Lang) -> String {
    match origin {
        Origin::Environment => lang.pick("환경 변수", "environment").to_owned(),
        Origin::Project(path) | Origin::User(path) => path.display().to_string(),
    }
}

fn as_json(known: &Known, setting: Option<&Setting>) -> Value {
    let place = setting.map(|setting| match &setting.origin {
        Origin::Environment => "environment".to_owned(),
        Origin::Project(path) | Origin::User(path) => path.display().to_string(),
    });
    json!({
        "name": known.name, "value": setting.map(|setting| shown(known, setting, Lang::En)), "origin": place,
        "secret": known.is_secret,
    })
}
