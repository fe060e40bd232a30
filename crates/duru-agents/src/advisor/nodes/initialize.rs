//! Gets ready: the last exchanges, and what is remembered of the user.

use std::sync::Arc;

use duru::{Cx, Result};

use crate::advisor::progress::{Progress, show};
use crate::advisor::state::{Advice, AdviceStatus, AdviceUpdate, Exchange, Memories};
use crate::advisor::toolbox::Toolbox;

/// So many exchanges are looked at.
const EXCHANGES: usize = 3;

pub(in crate::advisor) async fn initialize(s: Arc<Advice>, cx: Cx) -> Result<AdviceUpdate> {
    show(&cx, &Progress::PlanningStart { query: s.query.clone() });
    let tools = cx.get::<Toolbox>()?;
    let user = tools.whose(&s.user, &cx);
    let memories = match &tools.memory {
        Some(memory) if !user.is_empty() => match memory.recall(&user, &s.query, s.at()).await {
            Ok(mut memories) => {
                // Searches of other conversations have names of their own here.
                for (at, search) in memories.searches.iter_mut().enumerate() {
                    search.id = format!("memory/{at}");
                }
                memories
            }
            Err(error) => {
                let lang = s.lang();
                show(
                    &cx,
                    &Progress::Warning {
                        code: "memory_unavailable".to_owned(),
                        message: lang.pick(
                            format!("기억을 읽지 못해 새로 찾습니다 (자세히: {error})"),
                            format!("The memory can't be read, so everything is looked up anew: {error}"),
                        ),
                        what_to_do: lang.pick("따로 하실 일은 없습니다.", "There is nothing you need to do."),
                    },
                );
                Memories::default()
            }
        },
        _ => Memories::default(),
    };
    Ok(AdviceUpdate::new()
        .user(user)
        .chat_history(history(&s))
        .memories(memories)
        .status(AdviceStatus::Running))
}

/// Questions with their answers, before the question that is asked now.
fn history(s: &Advice) -> Vec<Exchange> {
    let messages: Vec<_> = s.messages.iter().collect();
    let now = messages.iter().rposition(|message| message.is_human()).unwrap_or(messages.len());
    let mut exchanges: Vec<Exchange> = Vec::new();
    for message in &messages[..now] {
        let text = message.text().into_owned();
        if message.is_human() {
            exchanges.push(Exchange { question: text, answer: String::new() });
        } else if message.is_ai()
            && let Some(last) = exchanges.last_mut()
        {
            last.answer = text;
        }
    }
    let over = exchanges.len().saturating_sub(EXCHANGES);
    exchanges.split_off(over)
}
