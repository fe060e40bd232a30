//! What a draft of a lease says, and what it still lacks.

use serde_json::Value;

use crate::advisor::answer::names::money;
use crate::advisor::draft::Input;
use crate::advisor::lang::Lang;
use crate::advisor::tools::DraftView;

pub(super) fn draft_lines(view: &DraftView, lang: Lang) -> Vec<String> {
    let form = &view.form;
    let mut lines: Vec<String> = Vec::new();
    for field in form.fields(lang) {
        let value = match (&field.value, field.input) {
            (Value::Number(sum), Input::Won) => sum.as_u64().map(|sum| money(sum, lang)),
            (Value::String(day), Input::Date) => day.parse().ok().map(|day| date(day, lang)),
            (Value::String(value), Input::Choice) => {
                field.choices.iter().find(|choice| choice.value == *value).map(|choice| choice.label.clone())
            }
            (Value::String(text), _) => Some(text.clone()),
            (Value::Number(number), _) => Some(number.to_string()),
            (Value::Array(terms), _) if !terms.is_empty() => {
                Some(terms.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" / "))
            }
            _ => None,
        };
        lines.extend(value.map(|value| format!("{}: {value}", field.label)));
    }
    let missing = form.missing();
    if !missing.is_empty() {
        let names: Vec<String> =
            missing.iter().map(|field| lang.pick(field.name().0, field.name().1)).collect();
        lines.push(lang.pick(
            format!("아직 비어 있는 칸: {}", names.join(", ")),
            format!("Still blank: {}", names.join(", ")),
        ));
    }
    lines.extend(form.flaws_in(lang).into_iter().map(|flaw| format!("※ {}", flaw.text)));
    lines.push(match (&view.document, view.confirmed) {
        (Some(file), _) => lang.pick(
            format!("문서: {} ({}, {}바이트)", file.name, file.address, file.size),
            format!("Document: {} ({}, {} bytes)", file.name, file.address, file.size),
        ),
        (None, true) => lang.pick(
            "문서를 보관할 곳이 없어 파일은 만들지 않았습니다. 아래 내용을 그대로 쓰실 수 있습니다.",
            "There is no place to keep a file, so none was made; the text below can be used as it is.",
        ),
        (None, false) => lang.pick(
            "빈칸의 내용을 말씀해 주시면 채우고, \"이대로 문서로 만들어줘\"라고 하시면 워드 파일로 만듭니다.",
            "Tell me what goes into the blanks; say \"finalise it as it is\" and it becomes a Word file.",
        ),
    });
    lines
}

fn date(day: jiff::civil::Date, lang: Lang) -> String {
    match lang {
        Lang::Ko => format!("{}년 {}월 {}일", day.year(), day.month(), day.day()),
        Lang::En => day.to_string(),
    }
}
