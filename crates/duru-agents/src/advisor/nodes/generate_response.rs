//! Tells the person.

use std::collections::BTreeMap;
use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;
use duru_messages::{Message, MessageChunk};
use jiff::Timestamp;

use super::super::answer::{clarify, compose, echo, redirect, sound, text, told};
use super::super::ask::{calls_left, decide};
use super::super::carry;
use super::super::decide::{Response, ResponseAsked, Synthesise};
use super::super::progress::{DecidedBy, Progress, show};
use super::super::state::{Advice, AdviceStatus, AdviceUpdate, Answer, Execution, Phase};
use super::super::toolbox::Toolbox;
use super::super::understand::Intent;
use super::super::words;
use crate::meaning::mended;

pub(in super::super) async fn generate_response(s: Arc<Advice>, cx: Cx) -> Result<AdviceUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let lang = s.lang();
    let mut calls = 0;
    let answer = match s.planning.intent {
        Some(Intent::Irrelevant) => redirect(&s.query, lang),
        Some(Intent::Unclear) | None => clarify(s.planning.clarify.as_deref(), lang),
        Some(_) => {
            let draft = match s.planning.echo {
                Some(asked) => echo(&s, &tools.constants, asked),
                None => compose(&s, &tools.constants),
            };
            let left = calls_left(&s, &tools.bounds).max(1);
            let (answer, made) = synthesised(&s, &cx, draft, left).await?;
            calls = made;
            answer
        }
    };
    let id = format!("answer-{}", cx.task());
    for piece in pieces(&answer.text) {
        cx.chunk(&MessageChunk::text(id.as_str(), piece))?;
    }
    cx.chunk(&MessageChunk::text(id.as_str(), "").last())?;
    show(&cx, &Progress::FinalResponse { answer: answer.clone() });
    let status = if s.status == AdviceStatus::Partial || !answer.unanswered.is_empty() {
        AdviceStatus::Partial
    } else {
        AdviceStatus::Completed
    };
    let mut done = AdviceUpdate::new()
        .messages([Message::ai(answer.text.as_str()).with_id(id)])
        .final_response(Some(answer.clone()))
        .status(status)
        .ended_at(Some(Timestamp::now().to_string()))
        .execution(Execution { phase: Phase::Completed, ..s.execution.clone() })
        .execution_metadata(BTreeMap::from([("model_calls".to_owned(), calls)]));
    let answered = !matches!(s.planning.intent, None | Some(Intent::Unclear | Intent::Irrelevant));
    if answered && s.planning.echo.is_none() {
        done = done.told(Some(told(&s, &tools.constants)));
        done = done.ledger(carry::settled(&s));
    }
    remember(&s, &cx, &tools, answer).await;
    Ok(done)
}

/// The model's words within our own frame: figures it invents are not told.
async fn synthesised(s: &Advice, cx: &Cx, draft: Answer, left: u64) -> Result<(Answer, u64)> {
    let lang = s.lang();
    let material = draft.text.clone();
    let asked = ResponseAsked {
        question: Untrusted::new(s.query.chars().take(4_000).collect::<String>()),
        history: words::history(&s.chat_history, lang),
        material: Untrusted::new(material.as_str()),
        language: lang.name().to_owned(),
        draft: Response { answer: material.clone() },
    };
    let said = decide::<Synthesise>(cx, left, &asked).await?;
    if said.by != DecidedBy::Model || said.value.answer.trim().is_empty() {
        return Ok((draft, said.calls));
    }
    let known = format!("{material}\n{}", s.query);
    if !sound(&said.value.answer, &known) {
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
        return Ok((draft, said.calls));
    }
    let mended = mended(&said.value.answer, &material, |_| true);
    if mended.replaced > 0 {
        show(
            cx,
            &Progress::Warning {
                code: "answer_mended".to_owned(),
                message: lang.pick(
                    format!("계산한 결과와 뜻이 다른 문장 {}개를 계산한 문장으로 바꾸었습니다.", mended.replaced),
                    format!(
                        "{} of the model's sentences said otherwise than what was worked out and were replaced.",
                        mended.replaced
                    ),
                ),
                what_to_do: lang.pick("따로 하실 일은 없습니다.", "There is nothing you need to do."),
            },
        );
    }
    let mut answer = draft;
    if !mended.text.is_empty() {
        answer.text = text(&answer, Some(&mended.text), lang);
    }
    Ok((answer, said.calls))
}

/// By line, as it is read.
fn pieces(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
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
