//! A few threads that only read, so that no reader waits for the disk to take
//! what the writer gives it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use duru::store::Error;
use rusqlite::Connection;
use tokio::sync::mpsc;

use super::{SqliteOptions, schema};

/// So many reads can wait before the next reader has to.
const QUEUE: usize = 256;

pub(super) type Read = Box<dyn FnOnce(&mut Connection) + Send>;

type Queue = Arc<Mutex<mpsc::Receiver<Read>>>;

/// Starts the threads. They end when the sender is dropped.
pub(super) fn start(
    path: &Path,
    options: &SqliteOptions,
) -> Result<(mpsc::Sender<Read>, Vec<JoinHandle<()>>), Error> {
    let (sender, receiver) = mpsc::channel(QUEUE);
    let queue: Queue = Arc::new(Mutex::new(receiver));
    let connections = (0..options.readers.max(1))
        .map(|_| schema::open_reader(path, options))
        .collect::<Result<Vec<_>, _>>()?;
    let mut threads = Vec::new();
    for conn in connections {
        let queue = queue.clone();
        let spawned = thread::Builder::new().name("duru-sqlite-read".into()).spawn(move || run(conn, &queue));
        threads.push(spawned.map_err(|e| Error::backend("start a reader thread", e))?);
    }
    Ok((sender, threads))
}

fn run(mut conn: Connection, queue: &Queue) {
    loop {
        // The guard is gone before the read begins: one thread waits for
        // work, the others wait for their turn to do so.
        let read = queue.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
        match read {
            Some(read) => read(&mut conn),
            None => return,
        }
    }
}
