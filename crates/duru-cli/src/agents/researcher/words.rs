//! What the researcher's commands say, in both languages.

use duru_agents::researcher::{Claim, Fault};

use crate::lang::Lang;
use crate::text::clean;

/// So much of a claim is shown again, in characters.
const SHOWN: usize = 60;

pub(super) fn step(node: &str, lang: Lang) -> String {
    let (ko, en) = match node {
        "query_router" => ("어떤 질문인지 봅니다", "seeing what kind of question it is"),
        "direct_response" => ("바로 답합니다", "answering at once"),
        "context_enhancement" => ("앞선 대화를 살펴봅니다", "looking at what was said before"),
        "planning" => ("질문을 나눕니다", "parting the question"),
        "subtask_executor" => ("찾을 것을 고릅니다", "choosing what to look up"),
        "retrieval" => ("문서를 찾습니다", "searching the documents"),
        "grade_documents" => ("도움이 되는 문서를 가립니다", "keeping what helps"),
        "rewrite_query" => ("다른 말로 바꾸어 봅니다", "putting it in other words"),
        "web_search" => ("문서가 적어 웹을 살핍니다", "looking beyond the documents"),
        "synthesis" => ("답을 씁니다", "writing the answer"),
        "hallucination_check" => ("문장마다 출처와 맞추어 봅니다", "checking every claim against its source"),
        "answer_grader" => ("답이 충분한지 봅니다", "seeing whether the answer is good enough"),
        other => return clean(other),
    };
    lang.pick(ko, en).to_owned()
}

pub(super) fn greeting(lang: Lang) -> &'static str {
    lang.pick(
        "문서에 관해 물어보세요. /help로 명령을 보고, 빈 줄이나 Ctrl-D로 끝냅니다.",
        "Ask about your documents. /help lists commands; an empty line or Ctrl-D ends it.",
    )
}

pub(super) fn sources(lang: Lang) -> &'static str {
    lang.pick("출처", "Sources")
}

/// A sign for each claim, and what is wrong with those that are.
pub(super) fn verdict(claims: &[Claim], lang: Lang) -> String {
    let signs: String = claims.iter().map(|claim| if claim.fault.is_none() { '✓' } else { '✗' }).collect();
    let (good, all) = (claims.iter().filter(|claim| claim.fault.is_none()).count(), claims.len());
    let mut text = lang.pick(
        format!("확인 {signs}  문장 {all}개 중 {good}개가 출처로 뒷받침됩니다\n"),
        format!("Checked {signs}  {good} of {all} claims are supported by their sources\n"),
    );
    for (claim, fault) in claims.iter().filter_map(|claim| Some((claim, claim.fault?))) {
        let start: String = clean(&claim.text).chars().take(SHOWN).collect();
        text.push_str(&format!("  ✗ {start}: {}\n", why(fault, lang)));
    }
    text
}

fn why(fault: Fault, lang: Lang) -> &'static str {
    match fault {
        Fault::NoCitation => lang.pick("출처가 없습니다", "no source"),
        Fault::Number => lang.pick("문서에 없는 숫자입니다", "a number that its source does not have"),
        Fault::Negation => lang.pick("문서는 반대로 말합니다", "its source says the opposite"),
        Fault::Terms | Fault::Judged => lang.pick("문서가 말하지 않습니다", "its source does not say it"),
    }
}
