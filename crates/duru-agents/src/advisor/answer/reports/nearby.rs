//! What lies around a place: how many, which, how far, and who says so.

use crate::advisor::answer::names::{facility, full};
use crate::advisor::lang::Lang;
use crate::advisor::tools::{NearbyView, Report, SAMPLE_SOURCE};

/// One kind of facility, in a line.
pub(super) fn nearby_line(view: &NearbyView, lang: Lang) -> String {
    let what = headed(view, lang);
    let (centre, radius, source) =
        (centre(view, lang), length(view.radius, lang), source(&view.source, lang));
    if view.unknown {
        return lang.pick(
            format!("{what}: 서비스가 답하지 않아 알 수 없습니다 ({source})"),
            format!("{what}: not known, for the service did not answer ({source})"),
        );
    }
    if view.count == 0 {
        return lang.pick(
            format!("{what}: {centre}에서 {radius} 안에서는 찾지 못했습니다 ({source})"),
            format!("{what}: none found within {radius} of {centre} ({source})"),
        );
    }
    let places: Vec<String> = view
        .places
        .iter()
        .map(|place| {
            let english = place.name_en.as_deref().unwrap_or(&place.name);
            format!("{} {}", lang.pick(place.name.as_str(), english), length(place.metres, lang))
        })
        .collect();
    let (count, places) = (count(view, lang), places.join(", "));
    lang.pick(
        format!("{what} {count}: {places} ({centre}에서 직선거리 {radius} 안, {source})"),
        format!("{what}, {count}: {places} (within {radius} of {centre} as the crow flies, {source})"),
    )
}

/// What lies around each place, in a sentence with its source.
pub(in crate::advisor::answer) fn nearby_sentences(reports: &[&Report], lang: Lang) -> Vec<String> {
    let mut views: Vec<&NearbyView> = Vec::new();
    for report in reports {
        if let Report::Nearby(view) = report
            && !views.iter().any(|known| known.region == view.region && known.facility == view.facility)
        {
            views.push(view);
        }
    }
    views.chunk_by(|a, b| a.region == b.region).map(|around| sentence(around, lang)).collect()
}

fn sentence(around: &[&NearbyView], lang: Lang) -> String {
    let list = |which: fn(&NearbyView) -> bool, told: &dyn Fn(&NearbyView) -> String| {
        around.iter().filter(|view| which(view)).map(|view| told(view)).collect::<Vec<_>>().join(", ")
    };
    let name = |view: &NearbyView| facility(view.facility, lang);
    let counted = |view: &NearbyView| match lang {
        Lang::Ko => format!("{} {}", name(view), count(view, lang)),
        Lang::En if view.count == 1 => format!("1 {}", name(view).trim_end_matches('s')),
        Lang::En => format!("{} {}", count(view, lang), name(view)),
    };
    let there = list(|view| view.count > 0, &counted);
    let none = list(|view| view.count == 0 && !view.unknown, &name);
    let unknown = list(|view| view.unknown, &name);
    let Some(first) = around.first() else { return String::new() };
    let (centre, radius, source) =
        (centre(first, lang), length(first.radius, lang), source(&first.source, lang));
    let place = full(&first.region, lang);
    let mut said = Vec::new();
    if !there.is_empty() {
        said.push(lang.pick(
            format!(
                "{place}에는 {centre}에서 {radius} 안에 {} 있습니다({source}).",
                Lang::with(&there, ("이", "가"))
            ),
            format!("{place}: within {radius} of {centre} there are {there} ({source})."),
        ));
    }
    if !none.is_empty() {
        said.push(lang.pick(
            format!("{place} {radius} 안에서 {} 찾지 못했습니다({source}).", Lang::with(&none, ("은", "는"))),
            format!("{place}: no {none} found within {radius} ({source})."),
        ));
    }
    if !unknown.is_empty() {
        said.push(lang.pick(
            format!("{} 서비스가 답하지 않아 알 수 없습니다.", Lang::with(&unknown, ("은", "는"))),
            format!("Of {unknown} nothing is known, for the service did not answer."),
        ));
    }
    said.join(" ")
}

/// 서울 마포구 지하철역, Subway stations near Mapo-gu, Seoul.
fn headed(view: &NearbyView, lang: Lang) -> String {
    let name = facility(view.facility, lang);
    if lang == Lang::Ko {
        return format!("{} {name}", full(&view.region, lang));
    }
    let mut letters = name.chars();
    let first: String = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{} near {}", letters.as_str(), full(&view.region, lang))
}

fn centre(view: &NearbyView, lang: Lang) -> String {
    lang.pick(view.centre.0.as_str(), view.centre.1.as_str())
}

fn count(view: &NearbyView, lang: Lang) -> String {
    let more = if view.more { lang.pick(" 이상", " or more") } else { String::new() };
    lang.pick(format!("{}곳{more}", view.count), format!("{}{more}", view.count))
}

fn length(metres: u32, lang: Lang) -> String {
    let gap = lang.pick("", " ");
    match metres {
        0..1_000 => format!("{metres}{gap}m"),
        _ if metres.is_multiple_of(1_000) => format!("{}{gap}km", metres / 1_000),
        _ => format!("{:.1}{gap}km", f64::from(metres) / 1_000.0),
    }
}

/// Who says so, for a line of its own.
pub(in crate::advisor::answer) fn source(source: &str, lang: Lang) -> String {
    match (source, lang) {
        (SAMPLE_SOURCE, Lang::Ko) => "예시 데이터".to_owned(),
        (SAMPLE_SOURCE, Lang::En) => "sample data, not real".to_owned(),
        (source, _) => source.to_owned(),
    }
}
