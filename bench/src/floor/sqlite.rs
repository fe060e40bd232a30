//! A writer thread on a SQLite file: what waits together is written in one transaction.

use std::path::Path;
use std::thread::JoinHandle;

use anyhow::{Context, Result, anyhow};
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

type Job = (Vec<String>, oneshot::Sender<()>);

pub(crate) struct Writer {
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<Result<()>>>,
}

impl Writer {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let conn = Connection::open(path)?;
        conn.execute_batch(
            "pragma journal_mode = wal; pragma synchronous = full;
             create table log (seq integer primary key, payload text not null);",
        )?;
        let (jobs, queue) = mpsc::channel(1024);
        let thread =
            std::thread::Builder::new().name("floor-write".into()).spawn(move || serve(conn, queue))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Queues rows; the answer comes when they are durable.
    pub(crate) async fn write(&self, rows: Vec<String>) -> Result<oneshot::Receiver<()>> {
        let (done, answer) = oneshot::channel();
        let jobs = self.jobs.as_ref().context("the writer is closed")?;
        jobs.send((rows, done)).await.map_err(|_| anyhow!("the writer thread has ended"))?;
        Ok(answer)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(Ok(Err(error))) = self.thread.take().map(JoinHandle::join) {
            eprintln!("the writer thread failed: {error:#}");
        }
    }
}

fn serve(mut conn: Connection, mut queue: mpsc::Receiver<Job>) -> Result<()> {
    while let Some(first) = queue.blocking_recv() {
        let mut waiting = Vec::new();
        let transaction = conn.transaction()?;
        {
            let mut insert = transaction.prepare_cached("insert into log (payload) values (?1)")?;
            let mut job = Some(first);
            while let Some((rows, done)) = job {
                for row in rows {
                    insert.execute([row])?;
                }
                waiting.push(done);
                job = queue.try_recv().ok();
            }
        }
        transaction.commit()?;
        for done in waiting {
            // Whoever stopped waiting misses nothing.
            let _ = done.send(());
        }
    }
    Ok(())
}
