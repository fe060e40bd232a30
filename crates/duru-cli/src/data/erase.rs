//! Everything of one person: `duru user erase NAME`, and what the server does when it is asked to.

use std::sync::Arc;

use anyhow::Context as _;
use duru::memory::Memory;
use duru_agents::advisor::ab::Tracker;
use duru_agents::advisor::memory::{Book, Forget};
use duru_search::index::{Index, Write as Change};
use duru_search::{Access, Document, Reach};
use duru_server::{Audit, Holdings, People, Person};
use duru_store::SqliteFile;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;

use super::attached;
use crate::args::{Args, DataArgs, LOCAL_USER, Mode};
use crate::docs;
use crate::docs::uploads::Uploads;
use crate::memory::problem;
use crate::output::Output;
use crate::problem::Problem;
use crate::store::{self, Place};
use crate::terminal::agree;
use crate::text::clean;

/// What the line of the audit log is that says that somebody was erased.
const KIND: &str = "erased";
/// Who comes while they are erased is erased as well, so often at most.
const ROUNDS: usize = 5;

/// What there is or was of a person.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Erased {
    #[serde(flatten)]
    pub(crate) kept: Holdings,
    /// What the advisor remembers.
    pub(crate) memories: u64,
    /// Decisions about reuse in their conversations.
    pub(crate) decisions: u64,
    /// Documents that they sent.
    pub(crate) documents: u64,
    /// Lines of the audit log that named them.
    pub(crate) audit_lines: u64,
}

/// Knows every place where something of a person may be.
#[derive(Clone)]
pub(crate) struct Eraser {
    pub(crate) people: People,
    pub(crate) memory: Memory,
    pub(crate) index: Option<Arc<dyn Index>>,
    pub(crate) uploads: Option<Uploads>,
    pub(crate) audit: Option<Audit>,
}

fn person(name: &str) -> Person {
    if name == LOCAL_USER { Person::Nobody } else { Person::Named(name.to_owned()) }
}

impl Eraser {
    /// What there is of a person; decisions are counted when they go.
    pub(crate) async fn count(&self, name: &str) -> Result<Erased, Problem> {
        let kept = self.people.holdings(&person(name)).await.map_err(Problem::Store)?;
        let book = Book::new(self.memory.clone());
        let memories = book.list(name, Timestamp::now()).await.map_err(problem)?.len() as u64;
        Ok(Erased { kept, memories, ..Erased::default() })
    }

    /// Erases everything. Should this process die in the middle, the next server or the next `duru retention`
    /// goes on with it.
    pub(crate) async fn erase(&self, name: &str, by: Option<&str>) -> Result<Erased, Problem> {
        self.people.begin_erasure(name).await.map_err(Problem::Store)?;
        let who = person(name);
        let mut gone = Erased::default();
        gone.kept.keys = self.people.revoke_all(&who).await.map_err(Problem::Store)?;
        for _ in 0..ROUNDS {
            if !self.round(name, &who, &mut gone).await? {
                break;
            }
        }
        gone.documents = self.remove_documents(name).await?;
        // What was done stays, and that one person did it; so does that they were erased.
        if let Some(audit) = &self.audit {
            let unwritten = |error: duru_server::AuditError| Problem::Unexpected(error.into());
            let as_ = self.people.pseudonym(name).await.map_err(Problem::Store)?;
            gone.audit_lines = audit.forget(name, &as_).await.map_err(unwritten)?;
            // Whoever erases themselves is called as they are called now.
            let by = by.map(|by| if by == name { as_.as_str() } else { by });
            let what = json!({ "kind": KIND, "user": as_, "who": by, "what": gone });
            audit.note(what).await.map_err(unwritten)?;
        }
        self.people.end_erasure(name).await.map_err(Problem::Store)?;
        Ok(gone)
    }

    /// What they said about passages, and what they sent themselves: out of the index and off the disk.
    async fn remove_documents(&self, name: &str) -> Result<u64, Problem> {
        let Some(index) = &self.index else { return Ok(0) };
        let all =
            index.reaching(Reach::Everything).documents(None).await.map_err(docs::DocsProblem::Index)?;
        // What came with conversations of nobody is nobody's, whoever removed these; another store's may be still there.
        let nobodys = match person(name) {
            Person::Nobody => attached::noted(&self.memory).await.map_err(problem)?,
            Person::Named(_) => Vec::new(),
        };
        let is_own = |document: &Document| match &document.access {
            Access::Thread { thread, owner: None } => nobodys.contains(thread),
            _ => document.owner.as_deref() == Some(name),
        };
        let own = all.into_iter().filter(is_own);
        let mut changes: Vec<Change> = own
            .map(|document| Change::Remove { collection: document.collection, document: document.id })
            .collect();
        let count = changes.len() as u64;
        changes.push(Change::Unsay { by: name.to_owned() });
        index.apply(changes).await.map_err(docs::DocsProblem::Index)?;
        if let (Some(uploads), Person::Named(_)) = (self.uploads.clone(), person(name)) {
            let owner = name.to_owned();
            let gone = tokio::task::spawn_blocking(move || uploads.discard_all(Some(&owner))).await;
            gone.context("the files that were sent")
                .and_then(|done| Ok(done?))
                .map_err(Problem::Unexpected)?;
        }
        Ok(count)
    }

    /// Whether something was there.
    async fn round(&self, name: &str, who: &Person, gone: &mut Erased) -> Result<bool, Problem> {
        let (tracker, book) = (Tracker::new(self.memory.clone()), Book::new(self.memory.clone()));
        let mut any = false;
        for thread in self.people.threads(who).await.map_err(Problem::Store)? {
            gone.kept.runs += self.people.remove_thread(&thread).await.map_err(Problem::Store)?;
            gone.kept.threads += 1;
            any = true;
        }
        let decisions = tracker.forget(name, None).await.map_err(problem)?;
        let memories = book.forget(name, Forget::All).await.map_err(problem)?;
        gone.decisions += decisions as u64;
        gone.memories += memories as u64;
        let rest = self.people.remove_rest(who).await.map_err(Problem::Store)?;
        gone.kept.crons += rest.crons;
        gone.kept.assistants += rest.assistants;
        gone.kept.items += rest.items;
        Ok(any || decisions > 0 || memories > 0 || rest != Holdings::default())
    }

    /// Goes on with what others began and did not end. How many.
    pub(crate) async fn finish(&self) -> Result<usize, Problem> {
        let begun = self.people.begun_erasures().await.map_err(Problem::Store)?;
        for name in &begun {
            self.erase(name, None).await?;
        }
        Ok(begun.len())
    }
}

/// `duru user erase NAME`
pub(super) async fn run(
    name: &str,
    mode: Mode,
    (asked, args): (&DataArgs, &Args),
    output: &Output,
) -> Result<(), Problem> {
    let Some(opened) = store::open_existing(args.store.as_ref()).await? else {
        return told(name, Erased::default(), mode, output);
    };
    let place = opened.place.clone();
    let eraser = on(opened, asked).await?;
    if mode == Mode::DryRun {
        return told(name, eraser.count(name).await?, mode, output);
    }
    if mode == Mode::Ask {
        show(name, &eraser.count(name).await?, output)?;
        let question =
            output.lang.pick("모두 지울까요? 되돌릴 수 없습니다", "Erase all of it? It can't be undone");
        if !agree(question, || format!("user erase {}", clean(name)), output).await? {
            output.progress(output.lang.pick("그대로 두었습니다", "Nothing was changed"));
            return output.json(json!({ "user": name, "erased": false }));
        }
    }
    let gone = eraser.erase(name, Some(LOCAL_USER)).await?;
    if let Place::File(file) = &place {
        // Until then, the bytes of what was deleted may still lie in the file.
        let file = SqliteFile::at(file);
        let scrubbed = tokio::task::spawn_blocking(move || file.scrub()).await;
        scrubbed
            .context("the file was not written anew")
            .map_err(Problem::Unexpected)?
            .map_err(Problem::Store)?;
    }
    told(name, gone, mode, output)
}

/// Everything that must be open for it.
pub(super) async fn on(opened: store::Opened, asked: &DataArgs) -> Result<Eraser, Problem> {
    let audit = crate::serve::audit::written(&opened)?;
    let is_url = matches!(asked.documents.index, Some(Place::Url(_)));
    let index = match is_url || docs::folder(&asked.documents).is_dir() {
        true => Some(docs::Opened::of(&asked.documents).await?.index),
        false => None,
    };
    let memory = Memory::new(Arc::clone(&opened.stores.memories));
    let uploads = Some(Uploads::beside(&docs::folder(&asked.documents))?);
    Ok(Eraser { people: People::new(opened.stores), memory, index, uploads, audit: Some(audit) })
}

fn told(name: &str, what: Erased, mode: Mode, output: &Output) -> Result<(), Problem> {
    show(name, &what, output)?;
    let dry = mode == Mode::DryRun;
    if !dry {
        let shown = clean(name);
        output.progress(&output.lang.pick(
            format!("{shown}의 것을 모두 지웠습니다. 문서에 남긴 의견과 올린 문서도 지웠고, 감사 기록에는 이름 대신 가명으로 한 일만 남습니다."),
            format!("Everything of {shown} is erased, remarks and documents too; the audit log keeps what was done, under another name."),
        ));
    }
    output.json(json!({ "user": name, "erased": !dry, "what": what }))
}

fn show(name: &str, what: &Erased, output: &Output) -> Result<(), Problem> {
    let Holdings { threads, runs, assistants, crons, items, keys } = what.kept;
    let lang = output.lang;
    let rows = [
        (lang.pick("대화", "threads"), threads),
        (lang.pick("실행", "runs"), runs),
        (lang.pick("기억", "memories"), what.memories),
        (lang.pick("저장한 것", "store items"), items),
        (lang.pick("재사용 판단", "decisions about reuse"), what.decisions),
        (lang.pick("어시스턴트", "assistants"), assistants),
        (lang.pick("예약", "crons"), crons),
        (lang.pick("키", "keys"), keys),
        (lang.pick("올린 문서", "documents they sent"), what.documents),
        (lang.pick("감사 기록의 이름", "names in the audit log"), what.audit_lines),
    ];
    let rows = rows.map(|(what, count)| [what.to_owned(), count.to_string()]);
    output.table([clean(name).as_str(), ""], rows)
}
