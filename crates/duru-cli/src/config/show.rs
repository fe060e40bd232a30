//! Every setting, its value and where it comes from. Keys are named, never shown.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::args::{Args, DocsPlace};
use crate::docs;
use crate::lang::Lang;
use crate::logs;
use crate::output::Output;
use crate::problem::Problem;
use crate::settings::{self, Known, Origin, Setting};
use crate::store::{self, Place};
use crate::text::clean;

pub(super) fn show(origin: bool, args: &Args, output: &Output) -> Result<(), Problem> {
    let known = settings::known();
    let names: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
    let unknown: Vec<String> =
        settings::names().into_iter().filter(|name| !names.contains(&name.as_str())).collect();
    let rows: Vec<(&Known, Option<Setting>)> =
        known.iter().map(|known| (known, effective(&known.name, args))).collect();
    let entries: Vec<Value> = rows.iter().map(|(known, setting)| as_json(known, setting.as_ref())).collect();
    output.json(json!({ "settings": entries, "unknown": unknown }))?;
    let mut text = String::new();
    for (known, setting) in &rows {
        // What nobody set for one decision of many would hide the rest.
        let is_set = setting.as_ref().is_some_and(|setting| setting.origin != Origin::Default);
        let of_one = ["DURU_MODEL_", "DURU_POLICY_"].iter().any(|prefix| known.name.starts_with(prefix));
        if !is_set && of_one {
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

/// What counts: a flag, what is set, or else what is usual.
fn effective(name: &str, args: &Args) -> Option<Setting> {
    let flag = args.flags.iter().find(|(variable, _)| *variable == name);
    if let Some((_, value)) = flag {
        return Some(Setting { value: value.clone(), origin: Origin::Flag });
    }
    let shown = |path: PathBuf| path.display().to_string();
    settings::find(name).or_else(|| {
        let value = match name {
            "DURU_STORE" => shown(store::usual()?),
            "DURU_LOGS" => shown(logs::usual()?),
            "DURU_DOCUMENTS" => shown(docs::folder(&DocsPlace::default())),
            "DURU_LANG" => args.lang.pick("ko", "en").to_owned(),
            "DURU_LOG_FORMAT" => "text".to_owned(),
            "DURU_LOG_LEVEL" => "warn".to_owned(),
            "OTEL_SERVICE_NAME" => "duru".to_owned(),
            _ => return None,
        };
        Some(Setting { value, origin: Origin::Default })
    })
}

fn line(known: &Known, setting: Option<&Setting>, origin: bool, lang: Lang) -> String {
    let meaning = lang.pick(known.ko, known.en);
    let Some(setting) = setting else {
        return format!("# {} ({meaning})\n", known.name);
    };
    if setting.origin == Origin::Default && !origin {
        return format!("# {} = {} ({meaning})\n", known.name, shown(known, setting, lang));
    }
    let place = if origin { format!("  # {}", place(&setting.origin, lang)) } else { String::new() };
    format!("{} = {}{place}\n", known.name, shown(known, setting, lang))
}

fn shown(known: &Known, setting: &Setting, lang: Lang) -> String {
    if known.is_secret {
        return lang.pick("(설정됨)", "(set)").to_owned();
    }
    if let place @ Place::Bucket(_) = Place::named(setting.value.clone()) {
        return clean(&place.to_string());
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
        Origin::Flag => lang.pick("명령줄", "command line").to_owned(),
        Origin::Environment => lang.pick("환경 변수", "environment").to_owned(),
        Origin::Default => lang.pick("기본값", "default").to_owned(),
        Origin::Project(path) | Origin::User(path) => path.display().to_string(),
    }
}

fn as_json(known: &Known, setting: Option<&Setting>) -> Value {
    let place = setting.map(|setting| match &setting.origin {
        // Programs know it by the flag's own words.
        Origin::Flag => "flag".to_owned(),
        origin => place(origin, Lang::En),
    });
    json!({
        "name": known.name, "value": setting.map(|setting| shown(known, setting, Lang::En)), "origin": place,
        "secret": known.is_secret,
    })
}
