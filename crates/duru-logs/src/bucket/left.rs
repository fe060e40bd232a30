//! Lines that a process of this machine had on its disk alone when it ended: whoever comes next brings them in, though it
//! has a folder of its own.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use duru_sql::Error;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::address::BucketAddress;
use super::identity::{self, LeftBehind};
use super::ingester::{Ingester, closed};
use super::remote::Bucket;
use crate::Options;
use crate::disk::Command;

/// Lines that somebody left on this machine are there still, and not in the bucket.
#[derive(Debug, Clone)]
pub struct NotBroughtIn {
    /// Where they are.
    pub folder: PathBuf,
    /// Why they did not get into the bucket; the next start tries again.
    pub error: Error,
}

/// Hears of it, on a thread that waits.
pub(super) type Tell = Arc<dyn Fn(NotBroughtIn) + Send + Sync>;

pub(super) struct Left {
    pub(super) bucket: Arc<Bucket>,
    pub(super) address: BucketAddress,
    pub(super) runtime: Handle,
    pub(super) options: Options,
    pub(super) stop: CancellationToken,
    pub(super) tell: Tell,
}

impl Left {
    /// On a thread of its own: whoever closes an ingester waits. None if there can't be one: then the next start does it.
    pub(super) fn bring_in(self) -> Option<JoinHandle<()>> {
        let (tell, folder) = (Arc::clone(&self.tell), self.address.folder.clone().unwrap_or_default());
        match thread::Builder::new().name("logs-left".into()).spawn(move || self.all()) {
            Ok(thread) => Some(thread),
            Err(e) => {
                tell(NotBroughtIn { folder, error: Error::Unavailable { reason: e.to_string() } });
                None
            }
        }
    }

    fn all(&self) {
        for left in identity::left_behind(&self.address) {
            let folder = left.path.clone();
            // What fails is on the disk as before, and the next start tries again. So it is with what is broken off here,
            // which is no failure.
            let done = self.runtime.block_on(self.stop.run_until_cancelled(self.one(left)));
            if let Some(Err(error)) = done {
                (self.tell)(NotBroughtIn { folder, error });
            }
        }
    }

    async fn one(&self, left: LeftBehind) -> Result<(), Error> {
        let Self { bucket, address, runtime, options, .. } = self;
        let ingester = Ingester::of(left.claimed?, bucket.clone(), address, runtime, options).await?;
        let (reply, done) = oneshot::channel();
        ingester.writer()?.send(Command::Seal { reply }).await?;
        done.await.map_err(|_| closed())?
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::{Mutex, mpsc};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;
    use crate::disk::Folder;

    /// A bucket that lets nobody in, and how it is reached.
    async fn closed_bucket(folder: &Path) -> BucketAddress {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let mut request = [0; 4096];
                drop(client.read(&mut request).await);
                let body = "<Error><Code>AccessDenied</Code></Error>";
                let length = body.len();
                let answer = format!(
                    "HTTP/1.1 403 Forbidden\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
                drop(client.write_all(answer.as_bytes()).await);
            }
        });
        let text =
            format!("s3://logs/left?endpoint=http://127.0.0.1:{port}&access_key_id=a&secret_access_key=b");
        text.parse::<BucketAddress>().unwrap().or_folder(|| Some(folder.to_owned()))
    }

    /// A folder of this number with lines, and nobody who has it open.
    fn leave(address: &BucketAddress, number: usize) -> PathBuf {
        let path = address.folder().unwrap().join(number.to_string());
        let folder = Folder::open(&path).unwrap();
        fs::write(folder.wal(1), b"lines").unwrap();
        let identity = identity::of_new(address).unwrap();
        fs::write(path.join(identity::FILE), serde_json::to_vec(&identity).unwrap()).unwrap();
        path
    }

    async fn told(address: BucketAddress, stop: CancellationToken) -> Vec<NotBroughtIn> {
        let (said, heard) = mpsc::channel();
        let said = Mutex::new(said);
        let left = Left {
            bucket: Arc::new(Bucket::open(&address).unwrap()),
            address,
            runtime: Handle::current(),
            options: Options::default(),
            stop,
            tell: Arc::new(move |what| said.lock().unwrap().send(what).unwrap()),
        };
        let thread = left.bring_in().unwrap();
        tokio::task::spawn_blocking(move || thread.join().unwrap()).await.unwrap();
        heard.try_iter().collect()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_can_not_be_brought_in_is_told_with_its_folder_and_why() {
        let folder = tempfile::tempdir().unwrap();
        let address = closed_bucket(folder.path()).await;
        let (refused, broken, other) = (leave(&address, 1), leave(&address, 2), leave(&address, 3));
        fs::write(broken.join(identity::FILE), b"nothing that can be read").unwrap();
        // Lines for another bucket are not ours to bring in.
        let elsewhere: BucketAddress = "s3://elsewhere".parse().unwrap();
        let identity = serde_json::to_vec(&identity::of_new(&elsewhere).unwrap()).unwrap();
        fs::write(other.join(identity::FILE), identity).unwrap();

        let told = told(address, CancellationToken::new()).await;
        let folders: Vec<_> = told.iter().map(|one| one.folder.clone()).collect();
        assert_eq!(folders, [refused, broken.clone()], "{told:?}");
        assert!(
            matches!(&told[0].error, Error::Bucket { trouble: duru_sql::BucketTrouble::Denied, .. }),
            "{told:?}"
        );
        assert!(told[1].error.to_string().contains(&broken.display().to_string()), "{told:?}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn whoever_ends_before_it_is_done_is_told_of_no_failure() {
        let folder = tempfile::tempdir().unwrap();
        let address = closed_bucket(folder.path()).await;
        leave(&address, 1);
        let stop = CancellationToken::new();
        stop.cancel();
        assert!(told(address, stop).await.is_empty());
    }
}
