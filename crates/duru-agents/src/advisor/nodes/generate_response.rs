//! Tells the person.

use std::collections::BTreeMap;
use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;
use jiff::Timestamp;

use crate::advisor::answer::{clarify, compose, echo, redirect, sound, text, told};
use crate::advisor::ask::{calls_left, decide_with};
use crate::advisor::carry;
use crate::advisor::decide::{Response, ResponseAsked, Synthesise};
use crate::advisor::lang::Lang;
use crate::advisor::progress::{DecidedBy, Progress, show};
use crate::advisor::state::{Advice, AdviceStatus, AdviceUpdate, Answer, Execution, Phase};
use crate::advisor::toolbox::Toolbox;
use crate::advisor::understand::Intent;
use crate::advisor::words;
use crate::decided;
use crate::meaning::{nearest, nonsense, sentences_of};
use crate::spoken::{Spoken, Telling, Verdict};

pub(in crate::advisor) async fn generate_response(s: Arc<Advice>, cx: Cx) -> Result<AdviceUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let lang = s.lang();
    let mut calls = 0;
    let mut spoken = None;
    let answer = match s.planning.intent {
        Some(Intent::Irrelevant) => redirect(&s.query, lang),
        Some(Intent::Unclear) | None => clarify(s.planning.clarify.as_deref(), lang),
        Some(_) => {
            let draft = match s.planning.echo {
                Some(asked) => echo(&s, &tools.constants, asked),
                None => compose(&s, &tools.constants),
            };
            let left = calls_left(&s, &tools.bounds).max(1);
            let speaking = spoken.insert(Spoken::new(&cx, "answer", telling(&draft.text, &s)));
            let (answer, made) = synthesised(&s, &cx, draft, left, speaking).await?;
            calls = made;
            answer
        }
    };
    let spoken = spoken.unwrap_or_else(|| Spoken::new(&cx, "answer", telling("", &s)));
    let message = spoken.finish_in_pieces(answer.text.clone())?;
    show(&cx, &Progress::FinalResponse { answer: answer.clone() });
    let status = if s.status == AdviceStatus::Partial || !answer.unanswered.is_empty() {
        AdviceStatus::Partial
    } else {
        AdviceStatus::Completed
    };
    let mut done = AdviceUpdate::new()
        .messages([message])
        .final_response(Some(answer.clone()))
        .status(status)
        .ended_at(Some(Timestamp::now().to_string()))
        .execution(Execution { phase: Phase::Completed, ..s.execution.clone() })
        .execution_metadata(BTreeMap::from([("model_calls".to_owned(), calls)]));
    let answered = !matches!(s.planning.intent, None | Some(Intent::Unclear | Intent::Irrelevant));
    if answered && s.planning.echo.is_none() {
        let ledger = carry::settled(&s);
        done = done.told(Some(told(&s, &tools.constants))).ledger(ledger.clone());
        remember(&Advice { ledger, ..(*s).clone() }, &cx, &tools, answer).await;
    } else {
        remember(&s, &cx, &tools, answer).await;
    }
    Ok(done)
}

/// The model's words within our own frame: figures it invents are not told.
async fn synthesised(
    s: &Advice,
    cx: &Cx,
    draft: Answer,
    left: u64,
    spoken: &Spoken,
) -> Result<(Answer, u64)> {
    let lang = s.lang();
    let material = draft.text.clone();
    let asked = ResponseAsked {
        question: Untrusted::new(s.query.chars().take(4_000).collect::<String>()),
        history: words::history(&s.chat_history, lang),
        material: Untrusted::new(material.as_str()),
        language: lang.name().to_owned(),
        draft: Response { answer: material.clone() },
    };
    let said = decide_with::<Synthesise>(spoken.listen(decided::decider(cx)?), left, &asked).await?;
    if said.by != DecidedBy::Model || said.value.answer.trim().is_empty() {
        return Ok((after(&spoken.shown(), draft, lang), said.calls));
    }
    let Some((body, replaced)) = spoken.whole(&said.value.answer) else {
        show(
            cx,
            &Progress::Warning {
                code: "answer_not_sound".to_owned(),
                message: lang.pick(
                    "모델의 답에 자료에 없는 숫자가 있어 규칙이 만든 답을 씁니다.",
                    "The model's answer has figures that nobody found, so the rules' answer is given.",
                ),
                what_to_do: lang.pick("따로 하실 일은 없습니다.", "There is nothing you need to do."),
            },
        );
        return Ok((after(&spoken.shown(), draft, lang), said.calls));
    };
    if replaced > 0 {
        show(
            cx,
            &Progress::Warning {
                code: "answer_mended".to_owned(),
                message: lang.pick(
                    format!("계산한 결과와 뜻이 다른 문장 {replaced}개를 계산한 문장으로 바꾸었습니다."),
                    format!(
                        "{replaced} of the model's sentences said otherwise than what was worked out and were replaced."
                    ),
                ),
                what_to_do: lang.pick("따로 하실 일은 없습니다.", "There is nothing you need to do."),
            },
        );
    }
    let mut answer = draft;
    if !body.trim().is_empty() {
        answer.text = text(&answer, Some(&body), lang);
    }
    Ok((answer, said.calls))
}

/// How a model's answer is told while it is written: a sentence that says otherwise than what was worked out is replaced
/// by the one that was, and from a figure, an address or a source on that nobody found, nothing is told.
fn telling(material: &str, s: &Advice) -> Telling {
    let facts: Vec<String> = sentences_of(material).into_iter().map(str::to_owned).collect();
    let known = format!("{material}\n{}", s.query);
    let mut given: Vec<String> = Vec::new();
    let telling = Telling::new(sentences_of, move |so_far, sentence| {
        if !sound(so_far, &known) {
            return Verdict::Held;
        }
        if given.iter().any(|fact| fact == sentence) {
            return Verdict::Left;
        }
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        if nonsense(sentence, &facts).is_none() {
            return Verdict::Told(sentence.to_owned());
        }
        let fact = nearest(sentence, &facts).filter(|fact| !so_far.contains(fact));
        let fact = fact.filter(|fact| !given.iter().any(|known| known == fact)).map(str::to_owned);
        given.extend(fact.clone());
        Verdict::Instead(fact)
    });
    telling.word_by_word(words::corrected(s.lang()))
}

/// The answer that was worked out, behind what was shown of another.
fn after(shown: &str, mut draft: Answer, lang: Lang) -> Answer {
    if !shown.is_empty() {
        draft.text = format!("{shown} … {}\n\n{}", words::corrected(lang), draft.text);
    }
    draft
}

/// What was said is remembered; a memory that fails costs only that.
async fn remember(s: &Advice, cx: &Cx, tools: &Toolbox, answer: Answer) {
    let user = tools.whose(&s.user, cx);
    let Some(memory) = tools.memory.as_ref().filter(|_| !user.is_empty()) else { return };
    let thread = cx.thread().map(|thread| thread.as_str().to_owned()).unwrap_or_default();
    let done = Advice { final_response: Some(answer), ..s.clone() };
    if let Err(error) = memory.remember(&user, &thread, &done).await {
        let lang = s.lang();
        show(
            cx,
            &Progress::Warning {
                code: "memory_unavailable".to_owned(),
                message: lang.pick(
                    format!("이 대화를 기억하지 못했습니다 (자세히: {error})"),
                    format!("This exchange was not remembered: {error}"),
                ),
                what_to_do: lang.pick("따로 하실 일은 없습니다.", "There is nothing you need to do."),
            },
        );
    }
}
