//! `duru memory …`: what the advisor remembers of a person.

use duru::memory::{Error, Memory};
use duru_agents::advisor::memory::{Body, Book, Correction, Forget, Notebook, Remembered};
use duru_agents::advisor::sufficiency::Tier;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::args::{Args, MemoryAction, MemoryArgs};
use crate::lang::Lang;
use crate::logs;
use crate::output::Output;
use crate::problem::Problem;
use crate::store;
use crate::text::{clean, shorten, time};

/// The longest line of a table.
const LINE: usize = 100;

pub(crate) async fn run(asked: &MemoryArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    // Without a store nothing was ever kept, so nothing is remembered.
    let opened = store::open_existing(args.store.as_ref()).await?;
    let memory = opened.map(|opened| Memory::new(opened.stores.memories));
    let forget = async |what| match &memory {
        Some(memory) => Notebook::new(memory.clone()).forget(&asked.user, what).await.map_err(problem),
        None => Ok(0),
    };
    let user = asked.user.as_str();
    let kept = async || match &memory {
        Some(memory) => Book::new(memory.clone()).list(user, Timestamp::now()).await.map_err(problem),
        None => Ok(Vec::new()),
    };
    match &asked.action {
        MemoryAction::List => list(user, &kept().await?, output),
        MemoryAction::Correct { id, to } => {
            let done = match &memory {
                Some(memory) => Book::new(memory.clone())
                    .correct(user, id, to, Timestamp::now())
                    .await
                    .map_err(problem)?,
                None => Correction::Unknown,
            };
            corrected(user, id, done, output)
        }
        MemoryAction::Forget(id) if asked.dry_run => {
            let found: Vec<Remembered> = kept().await?.into_iter().filter(|one| one.id == *id).collect();
            if found.is_empty() {
                return Err(Problem::UnknownMemory { id: id.clone(), user: user.to_owned() });
            }
            would_forget(user, &found, output)
        }
        MemoryAction::ForgetAll if asked.dry_run => would_forget(user, &kept().await?, output),
        MemoryAction::Forget(id) => {
            let count = forget(Forget::One(id)).await?;
            if count == 0 {
                return Err(Problem::UnknownMemory { id: id.clone(), user: user.to_owned() });
            }
            forgotten(user, count, output)
        }
        MemoryAction::ForgetAll => forgotten(user, forget(Forget::All).await?, output),
    }
}

fn list(user: &str, all: &[Remembered], output: &Output) -> Result<(), Problem> {
    let lang = output.lang;
    if all.is_empty() {
        let user = clean(user);
        output.text(&lang.pick(
            format!("{user}에 대해 기억하는 것이 없습니다\n"),
            format!("Nothing is remembered of {user}\n"),
        ))?;
    } else {
        let head = lang.pick(["이름", "종류", "언제", "내용"], ["id", "kind", "when", "what"]);
        let rows = all.iter().map(|one| {
            let mut text = shorten(&clean(&one.text(logs::lang(lang))), LINE);
            if let Body::Fact(fact) = &one.body
                && let Some(from) = fact.told(logs::lang(lang))
            {
                text = format!("{text} — {}", clean(&from));
            }
            [clean(&one.id), kind(one, lang).to_owned(), when(one), text]
        });
        output.table(head, rows)?;
        let forget = output.command("memory forget ID");
        let correct = output.command("memory correct ID VALUE");
        output.progress(&lang.pick(
            format!("\n사실을 고치려면: {correct}\n잊게 하려면: {forget}"),
            format!("\nTo put a fact right: {correct}\nTo forget: {forget}"),
        ));
    }
    output.json(json!({ "user": user, "memories": all.iter().map(shown).collect::<Vec<_>>() }))
}

/// One of them, for programs.
pub(crate) fn shown(one: &Remembered) -> Value {
    let (ko, en) = (logs::lang(Lang::Ko), logs::lang(Lang::En));
    let mut shown = json!({
        "id": one.id,
        "tier": one.tier(),
        "at": one.at(),
        "text": { "ko": one.text(ko), "en": one.text(en) },
    });
    if let Body::Fact(fact) = &one.body {
        shown["fact"] = json!({
            "kind": fact.kind,
            "value": { "ko": fact.value.0, "en": fact.value.1 },
            "seen": fact.seen,
            "first": fact.first,
            "last": fact.last,
            "source": fact.source,
            "from": { "ko": fact.told(ko), "en": fact.told(en) },
        });
    }
    shown
}

fn corrected(user: &str, id: &str, done: Correction, output: &Output) -> Result<(), Problem> {
    let lang = output.lang;
    match done {
        Correction::Done(one) => {
            let text = clean(&one.text(logs::lang(lang)));
            output.text(&lang.pick(format!("이제 {text}\n"), format!("Now {text}\n")))?;
            output.json(json!({ "user": user, "memory": shown(&one) }))
        }
        Correction::Unknown => Err(Problem::UnknownMemory { id: id.to_owned(), user: user.to_owned() }),
        Correction::NotAFact => Err(Problem::Usage(lang.pick(
            format!("{id}은(는) 사실이 아니라 대화나 요약이라 고칠 수 없고 지울 수만 있습니다"),
            format!("{id} is no fact but something that was said: it can be forgotten, not put right"),
        ))),
        Correction::Unread(kind) => {
            let kind = kind.name(logs::lang(lang));
            Err(Problem::Usage(lang.pick(
                format!("'{kind}'(으)로 읽을 수 없는 값입니다 (예: 7천만원, 마포구, 전세)"),
                format!("this can't be read as \"{kind}\" (for example: 70 million won, Mapo, jeonse)"),
            )))
        }
    }
}

fn forgotten(user: &str, count: usize, output: &Output) -> Result<(), Problem> {
    let user_shown = clean(user);
    output.text(&output.lang.pick(
        format!("{user_shown}에 대한 기억 {count}개를 지웠습니다\n"),
        format!("{count} thing(s) about {user_shown} are forgotten\n"),
    ))?;
    output.json(json!({ "user": user, "forgotten": count }))
}

fn would_forget(user: &str, what: &[Remembered], output: &Output) -> Result<(), Problem> {
    let (shown_user, count) = (clean(user), what.len());
    output.text(&output.lang.pick(
        format!("{shown_user}에 대한 기억 {count}개를 지울 것입니다. 아무것도 지우지 않았습니다.\n"),
        format!("{count} thing(s) about {shown_user} would be forgotten; nothing was.\n"),
    ))?;
    let what: Vec<Value> = what.iter().map(shown).collect();
    output.json(json!({ "user": user, "forgotten": 0, "would_forget": what, "dry_run": true }))
}

fn kind(one: &Remembered, lang: Lang) -> &'static str {
    match one.tier() {
        Tier::MidTerm => lang.pick("요약", "summary"),
        Tier::LongTerm => lang.pick("사실", "fact"),
        Tier::Conversation | Tier::ShortTerm => lang.pick("대화", "exchange"),
    }
}

fn when(one: &Remembered) -> String {
    time(u64::try_from(one.at().as_millisecond()).unwrap_or_default())
}

/// Memory's errors, as the command tells them.
pub(crate) fn problem(error: Error) -> Problem {
    match error {
        Error::Store(error) => Problem::Store(error),
        error @ (Error::Namespace { .. } | Error::Key { .. }) => Problem::Usage(error.to_string()),
        other => Problem::Unexpected(other.into()),
    }
}
