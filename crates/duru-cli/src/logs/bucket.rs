//! Logs in object storage.

use std::sync::Arc;
use std::time::Duration;

use duru_logs::{BucketAddress, BucketLogs, NotBroughtIn, Options, Unshipped};
use duru_server::{LogTail, Server};
use duru_sql::Catalog;

use super::open::{Opened, usual};
use super::problem::Problem;
use crate::lang::Lang;
use crate::store;
use crate::text::clean;

/// What an address says, with a folder of this person's own for lines that are not in the bucket yet.
pub(crate) fn address(text: &str) -> Result<BucketAddress, Problem> {
    let address: BucketAddress = text.parse().map_err(Problem::Address)?;
    let fingerprint = address.fingerprint();
    let address = address.or_folder(|| Some(usual()?.with_file_name("log-tail").join(fingerprint)));
    if let Some(folder) = address.folder().filter(|_| !address.is_read_only()) {
        // Where it can't be made, whoever writes there says why.
        drop(store::make_private(folder));
    }
    Ok(address)
}

pub(super) async fn open(text: &str) -> Result<Opened, Problem> {
    let store = BucketLogs::open(&address(text)?, Options::default()).await.map_err(Problem::Store)?;
    let lang = Lang::detect(&std::env::args_os().collect::<Vec<_>>());
    // It fails beside what the person does, whatever that is: there is no answer that it could be a part of.
    let store = Arc::new(store.telling(move |left| eprintln!("{}", clean(&not_brought_in(&left, lang)))));
    Ok(Opened { store: store.clone(), catalog: Arc::new(Catalog::logs()), bucket: Some(store) })
}

/// What was left on this machine stays there until somebody mends what keeps it from the bucket.
fn not_brought_in(left: &NotBroughtIn, lang: Lang) -> String {
    let folder = left.folder.display();
    lang.pick(
        format!(
            "{folder}에 남은 로그를 버킷에 올리지 못했습니다. 줄은 그대로 있고 다음에 시작할 때 다시 올립니다: {}",
            left.error.text(duru_sql::guard::Lang::Ko)
        ),
        format!(
            "log lines left in {folder} were not brought into the bucket; they are still there, and the next start tries again: {}",
            left.error.text(duru_sql::guard::Lang::En)
        ),
    )
}

/// Whoever only asks is told of a slip of the pen.
pub(super) async fn must_be_there(text: &str) -> Result<(), Problem> {
    let address = address(text)?;
    let store = BucketLogs::open(&address, Options::default()).await.map_err(Problem::Store)?;
    match store.is_empty().await.map_err(Problem::Store)? {
        true => Err(Problem::Nothing { path: address.to_string().into() }),
        false => Ok(()),
    }
}

/// How long what was heard of the bucket holds for whoever asks how the server is.
const HOLDS: Duration = Duration::from_secs(10);

/// Makes a server that takes in lines for a bucket one that goes on with what it left behind, and tells how the bucket is
/// and how much is not there yet.
pub(crate) async fn told_of(server: Server, bucket: Option<Arc<BucketLogs>>) -> Result<Server, Problem> {
    let Some(bucket) = bucket else { return Ok(server) };
    if !bucket.is_read_only() {
        bucket.take_in().await.map_err(Problem::Store)?;
    }
    let (asked, tail) = (Arc::clone(&bucket), Arc::clone(&bucket));
    let server = server.part("logs", move || {
        // Nobody may have asked for a while: the next one hears what is heard now.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let bucket = Arc::clone(&asked);
            runtime.spawn(async move { drop(bucket.check(HOLDS).await) });
        }
        asked.trouble().map(|error| error.to_string())
    });
    Ok(server.log_tail(move || {
        let Unshipped { rows, age } = tail.unshipped();
        LogTail { rows, age }
    }))
}

#[cfg(test)]
mod tests {
    use duru_sql::{BucketTrouble, Error};

    use super::*;

    #[test]
    fn lines_that_were_not_brought_in_are_told_with_their_folder_and_what_to_do() {
        let error = Error::Bucket {
            place: "s3://logs".into(),
            trouble: BucketTrouble::Denied,
            detail: "AccessDenied".into(),
        };
        let left = NotBroughtIn { folder: "/var/tail/2".into(), error };
        let (ko, en) = (not_brought_in(&left, Lang::Ko), not_brought_in(&left, Lang::En));
        assert!(ko.starts_with("/var/tail/2에 남은 로그를") && ko.contains("s3://logs"), "{ko}");
        assert!(en.contains("left in /var/tail/2") && en.contains("s3://logs"), "{en}");
    }
}
