//! The person looks at a draft before it is final, and then it is a document.

use std::sync::Arc;

use duru::{Cx, Result};
use serde_json::{Map, Value};

use super::state::{TeamRun, TeamRunUpdate};
use crate::advisor::draft::{self, Document, FormFlaw, LeaseForm, docx};
use crate::advisor::lang::Lang;
use crate::advisor::progress::{Choice, Progress, show};
use crate::advisor::state::TeamResult;
use crate::advisor::toolbox::Toolbox;
use crate::advisor::tools::{DraftView, Filed, Report};

/// What the person says to a draft.
#[derive(Clone, Copy, PartialEq)]
enum Said {
    Confirm,
    /// Look at it again as it now stands.
    Save,
    Cancel,
}

pub(super) async fn review(s: Arc<TeamRun>, cx: Cx) -> Result<TeamRunUpdate> {
    let drafted = s.used.iter().find_map(|used| used.found.reports.iter().find_map(draft_of));
    let Some(view) = drafted else { return Ok(TeamRunUpdate::new()) };
    let lang = s.order.lang();
    let mut view = view.clone();
    if draft::finishes(&s.order.query) && s.order.asked.form.is_some() {
        // The person has seen it and takes it; one that can't be right is shown again.
        view.confirmed = !view.form.flaws().iter().any(|flaw| flaw.is_grave());
    }
    if !view.confirmed && s.order.interactive && cx.thread().is_some() {
        (view.form, view.confirmed) = confirmed(&s, &cx, view.form)?;
    }
    if view.confirmed {
        view.document = file(&s, &cx, &view.form).await?;
    }
    let gaps = view.form.missing().into_iter().map(|field| lang.pick(field.name().0, field.name().1));
    let result = TeamResult { gaps: gaps.collect(), ..s.result.clone() };
    let used = s.used.iter().map(|used| {
        let mut used = used.clone();
        for report in &mut used.found.reports {
            if let Report::Draft(known) = report {
                *known = view.clone();
            }
        }
        used
    });
    Ok(TeamRunUpdate::new().overwrite_used(used.collect::<Vec<_>>()).result(result))
}

/// Asks until the person confirms a form that can be right, or wants none. For
/// as long as it takes: nobody's contract becomes final by itself.
fn confirmed(s: &TeamRun, cx: &Cx, mut form: LeaseForm) -> Result<(LeaseForm, bool)> {
    let lang = s.order.lang();
    let mut unread: Vec<FormFlaw> = Vec::new();
    loop {
        let question = question(s, &form, &unread, lang);
        let answer: Value = cx.interrupt(&question)?;
        let (said, sent) = read(&answer);
        if said == Said::Cancel {
            return Ok((form, false));
        }
        (form, unread) = form.filled(&sent, lang);
        let grave = !unread.is_empty() || form.flaws().iter().any(|flaw| flaw.is_grave());
        if said == Said::Confirm && !grave {
            return Ok((form, true));
        }
    }
}

fn question(s: &TeamRun, form: &LeaseForm, unread: &[FormFlaw], lang: Lang) -> Progress {
    let option = |value: &str, (ko, en): (&str, &str), (why_ko, why_en): (&str, &str)| Choice {
        value: value.to_owned(),
        label: lang.pick(ko, en),
        description: lang.pick(why_ko, why_en),
    };
    let mut flaws = unread.to_vec();
    flaws.extend(form.flaws_in(lang));
    Progress::DraftReviewRequired {
        confirmation_id: s.order.step.as_ref().map(|step| step.id.clone()).unwrap_or_default(),
        message: lang.pick(
            "계약서 초안입니다. 빈칸을 채우거나 고친 뒤 확인해 주세요.",
            "This is the draft of the lease. Fill in the blanks or change it, then confirm.",
        ),
        fields: form.fields(lang),
        missing: form.missing_names(),
        flaws,
        options: vec![
            option(
                "confirm",
                ("이대로 문서 만들기", "Make the document"),
                ("빈칸은 밑줄로 남습니다.", "Blanks stay blank."),
            ),
            option(
                "save",
                ("고치고 다시 보기", "Change and look again"),
                ("고친 내용으로 초안을 다시 보여 드립니다.", "The draft is shown again with the changes."),
            ),
            option(
                "cancel",
                ("문서는 만들지 않기", "No document"),
                ("초안은 대화에 남습니다.", "The draft stays in the conversation."),
            ),
        ],
        markdown: draft::preview(form),
    }
}

/// An answer: a word, fields, or both. What is neither is shown the draft again.
fn read(answer: &Value) -> (Said, Map<String, Value>) {
    let fields = ["fields", "arguments"].iter().find_map(|name| answer[*name].as_object());
    let word = answer.as_str().or_else(|| answer["value"].as_str()).map(str::trim);
    let said = match word {
        Some("confirm" | "approve" | "yes" | "확인" | "예" | "네") => Said::Confirm,
        Some("cancel" | "reject" | "no" | "취소" | "아니요" | "아니오") => Said::Cancel,
        _ => Said::Save,
    };
    (said, fields.cloned().unwrap_or_default())
}

/// Makes the document and keeps it for the person; a memory that fails costs only the file.
async fn file(s: &TeamRun, cx: &Cx, form: &LeaseForm) -> Result<Option<Filed>> {
    let lang = s.order.lang();
    let tools = cx.get::<Toolbox>()?;
    let user = tools.whose(&s.order.user, cx);
    let Some(memory) = tools.memory.as_ref().filter(|_| !user.is_empty()) else { return Ok(None) };
    let failed = |why: String| {
        show(
            cx,
            &Progress::Warning {
                code: "document_not_kept".to_owned(),
                message: lang.pick(
                    format!("계약서 파일을 만들지 못했습니다 (자세히: {why})"),
                    format!("The document was not made: {why}"),
                ),
                what_to_do: lang.pick(
                    "잠시 뒤 \"이대로 문서로 만들어줘\"라고 해 주세요.",
                    "Say \"finalise it as it is\" in a moment.",
                ),
            },
        );
    };
    let bytes = match docx(form) {
        Ok(bytes) => bytes,
        Err(error) => {
            failed(error.to_string());
            return Ok(None);
        }
    };
    let thread = cx.thread().map(|thread| thread.as_str().to_owned()).unwrap_or_default();
    let step = s.order.step.as_ref().map(|step| step.id.as_str()).unwrap_or_default();
    // The same however often the node runs.
    let id = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(format!("{thread}\u{1f}{step}").as_bytes()));
    let document = Document { id, name: "임대차계약서.docx".to_owned(), bytes };
    if let Err(error) = memory.keep(&user, &document).await {
        failed(error.to_string());
        return Ok(None);
    }
    Ok(Some(Filed {
        address: format!("{}/{}", draft::ADDRESS, document.id),
        size: document.bytes.len(),
        id: document.id,
        name: document.name,
    }))
}

fn draft_of(report: &Report) -> Option<&DraftView> {
    match report {
        Report::Draft(view) => Some(view),
        _ => None,
    }
}
