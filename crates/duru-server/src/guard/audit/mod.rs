//! Who did what, in a file beside the store or, where several servers share a database, in that.
//!
//! A line is written before whoever did something hears that it is done. It is written by a task of its own, so that no
//! request holds up others by it; and where nothing can be written down, nothing is done.

mod sink;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use duru::store::{self, Catalog};
use duru::{Clock, SystemClock};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::error::log_line;
use crate::time::iso;
use sink::Sink;

/// The most lines that wait to be written; beyond that, callers wait.
const WAITING: usize = 1_024;
/// So many are written at once.
const AT_ONCE: usize = 256;
/// So many that could not be written are kept for when they can.
const KEPT: usize = 10_000;

/// Why something was not written down.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the audit log can't be written: {0}")]
pub struct AuditError(String);

impl From<io::Error> for AuditError {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<store::Error> for AuditError {
    fn from(error: store::Error) -> Self {
        Self(error.to_string())
    }
}

/// Lines of JSON, one for everything that somebody did. Several processes may add to the same ones.
#[derive(Clone)]
pub struct Audit {
    jobs: mpsc::Sender<Job>,
    failing: Arc<AtomicBool>,
}

type Done<T> = oneshot::Sender<Result<T, AuditError>>;

enum Job {
    /// A line, and its waiter.
    Note(String, Option<Done<()>>),
    /// What could not be written so far is tried again.
    TryAgain(Done<()>),
    Forget {
        name: String,
        as_: String,
        done: Done<u64>,
    },
}

impl Audit {
    /// Goes on with a file, or makes one that only its owner can read. Needs a runtime.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn to(path: &Path) -> io::Result<Self> {
        Ok(Self::on(Sink::file(path)?))
    }

    /// Goes on with the lines in a catalog, which all who share its database share. Needs a runtime.
    pub fn in_catalog(catalog: Arc<dyn Catalog>) -> Self {
        Self::on(Sink::Catalog(catalog))
    }

    fn on(sink: Sink) -> Self {
        let (jobs, waiting) = mpsc::channel(WAITING);
        let failing = Arc::new(AtomicBool::new(false));
        // It ends with the last of those who have something to say, once all of it is written.
        tokio::spawn(write(sink, waiting, Arc::clone(&failing)));
        Self { jobs, failing }
    }

    /// Writes a line. JSON has no raw line ends: nobody can forge one.
    ///
    /// # Errors
    /// If it can't be written. It is kept until it can, and [`ready`](Self::ready) fails until then.
    pub async fn note(&self, what: Value) -> Result<(), AuditError> {
        let (done, written) = oneshot::channel();
        self.send(Job::Note(line(what), Some(done)), written).await
    }

    /// Has a line written that nobody can wait for.
    pub fn note_soon(&self, what: Value) {
        let line = line(what);
        if let Err(error) = self.jobs.try_send(Job::Note(line.clone(), None)) {
            log_line(&format_args!("the audit log lacks a line ({error}): {}", line.trim_end()));
        }
    }

    /// Whether things can be written down, as far as anybody knows. To be asked before anything is done.
    ///
    /// # Errors
    /// If something could not be written, and still can't be.
    pub async fn ready(&self) -> Result<(), AuditError> {
        if !self.failing.load(Ordering::Relaxed) {
            return Ok(());
        }
        let (done, written) = oneshot::channel();
        self.send(Job::TryAgain(done), written).await
    }

    /// Puts another name in the place of a person's wherever a line has it, and takes out the addresses that they
    /// came from. What was done stays, and that one person did it. How many lines it was.
    ///
    /// # Errors
    /// If the lines can't be written anew; then they are as they were.
    pub async fn forget(&self, name: &str, as_: &str) -> Result<u64, AuditError> {
        let (done, written) = oneshot::channel();
        self.send(Job::Forget { name: name.to_owned(), as_: as_.to_owned(), done }, written).await
    }

    async fn send<T>(
        &self,
        job: Job,
        done: oneshot::Receiver<Result<T, AuditError>>,
    ) -> Result<T, AuditError> {
        let gone = || AuditError("nobody writes any more".to_owned());
        self.jobs.send(job).await.map_err(|_| gone())?;
        done.await.map_err(|_| gone())?
    }

    /// The last lines, the latest last.
    ///
    /// # Errors
    /// If they can't be read.
    pub async fn last(path: &Path, most: usize) -> Result<Vec<Value>, AuditError> {
        sink::last_of_file(path, most)
    }

    /// The same of a catalog.
    ///
    /// # Errors
    /// If they can't be read.
    pub async fn last_in(catalog: &dyn Catalog, most: usize) -> Result<Vec<Value>, AuditError> {
        sink::last_of_catalog(catalog, most).await
    }
}

impl std::fmt::Debug for Audit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Audit").field("failing", &self.failing).finish_non_exhaustive()
    }
}

fn line(mut what: Value) -> String {
    what["at"] = iso(SystemClock.now_ms()).into();
    format!("{what}\n")
}

/// Writes whatever comes, in its order, for as long as somebody may have something to say.
async fn write(mut sink: Sink, mut jobs: mpsc::Receiver<Job>, failing: Arc<AtomicBool>) {
    let mut waiting: Vec<String> = Vec::new();
    let mut coming = Vec::with_capacity(AT_ONCE);
    while jobs.recv_many(&mut coming, AT_ONCE).await > 0 {
        let mut told = Vec::new();
        let mut forgotten = Vec::new();
        for job in coming.drain(..) {
            match job {
                Job::Note(line, done) => {
                    if waiting.len() < KEPT {
                        waiting.push(line);
                    } else {
                        log_line(&format_args!("the audit log lacks a line: {}", line.trim_end()));
                    }
                    told.extend(done);
                }
                Job::TryAgain(done) => told.push(done),
                Job::Forget { name, as_, done } => forgotten.push((name, as_, done)),
            }
        }
        let written = sink.append(&waiting).await;
        match &written {
            Ok(()) => waiting.clear(),
            Err(error) if !failing.load(Ordering::Relaxed) => log_line(error),
            Err(_) => {}
        }
        failing.store(written.is_err(), Ordering::Relaxed);
        for done in told {
            // A caller that left gets no answer.
            drop(done.send(written.clone()));
        }
        for (name, as_, done) in forgotten {
            drop(done.send(sink.forget(&name, &as_).await));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use duru::store::MemoryStore;
    use serde_json::json;

    use super::*;

    fn lines(path: &Path) -> Vec<Value> {
        fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Erasing a person took them out of the log: nobody could tell any more that one person had done it all.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn an_erased_person_is_still_one_person_and_no_line_is_lost_though_others_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let (one, other) = (Audit::to(&path).unwrap(), Audit::to(&path).unwrap());
        let writing = tokio::spawn(async move {
            for i in 0..400 {
                let who = if i % 2 == 0 { "kim" } else { "lee" };
                let what = json!({ "kind": "request", "who": who, "from": "10.0.0.7", "path": "/users/kim", "i": i });
                one.note(what).await.unwrap();
            }
        });
        while !writing.is_finished() {
            other.forget("kim", "erased-1").await.unwrap();
        }
        writing.await.unwrap();
        other.note(json!({ "kind": "remark", "who": "lee", "author": "kim" })).await.unwrap();
        other.forget("kim", "erased-1").await.unwrap();
        let lines = lines(&path);
        assert_eq!(lines.len(), 401, "none was lost");
        let of = |who: &str| lines.iter().filter(|line| line["who"] == who).count();
        assert_eq!((of("erased-1"), of("lee"), of("kim")), (200, 201, 0));
        assert!(lines.iter().filter(|line| line["who"] == "erased-1").all(|line| line["from"].is_null()));
        assert_eq!(lines[400]["author"], "erased-1");
        assert!(!fs::read_to_string(&path).unwrap().contains("kim"));
    }

    /// What could not be written down was done all the same, and only a line on the terminal said so.
    #[tokio::test]
    async fn nothing_is_ready_to_be_done_while_nothing_can_be_written_down() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("here/audit.jsonl");
        fs::create_dir(folder.path().join("here")).unwrap();
        let audit = Audit::to(&path).unwrap();
        audit.note(json!({ "n": 1 })).await.unwrap();
        assert!(audit.ready().await.is_ok());
        // As where a disk is gone.
        fs::rename(folder.path().join("here"), folder.path().join("gone")).unwrap();
        assert!(audit.note(json!({ "n": 2 })).await.is_err());
        assert!(audit.ready().await.is_err());
        fs::rename(folder.path().join("gone"), folder.path().join("here")).unwrap();
        assert!(audit.ready().await.is_ok(), "once it is back, all goes on");
        let numbers: Vec<Value> = lines(&path).iter().map(|line| line["n"].clone()).collect();
        assert_eq!(numbers, [1, 2], "and nothing is lost");
    }

    #[tokio::test]
    async fn servers_that_share_a_store_share_what_is_written_down() {
        let store = Arc::new(MemoryStore::new());
        let (one, two) = (Audit::in_catalog(store.clone()), Audit::in_catalog(store.clone()));
        for i in 0..20 {
            let (audit, who) = if i % 2 == 0 { (&one, "kim") } else { (&two, "lee") };
            audit.note(json!({ "kind": "request", "who": who, "i": i })).await.unwrap();
        }
        one.forget("kim", "erased-1").await.unwrap();
        let all = Audit::last_in(&*store, 1_000).await.unwrap();
        let numbers: Vec<u64> = all.iter().filter_map(|line| line["i"].as_u64()).collect();
        assert_eq!(numbers, (0..20).collect::<Vec<u64>>());
        assert_eq!(all.iter().filter(|line| line["who"] == "erased-1").count(), 10);
        assert_eq!(Audit::last_in(&*store, 3).await.unwrap().len(), 3);
    }
}
