//! Connections that are cut around a commit: what was written is found again,
//! what was not is sent again, and nothing is written twice.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use duru::store::{Checkpoints, Commit, Error};
use duru::testkit::ledger::Ledger;
use duru::testkit::{cases, sweep};
use duru_store::PostgresStore;
use tokio::task::JoinSet;

use crate::counts::{tell, times};
use crate::pg_proxy::{Cut, Proxy};
use crate::pg_server::{Shared, open_store};
use crate::{all_rows, one_row, pg_server, thread};

pub(crate) const CUTS: [Cut; 3] = [Cut::Unsent, Cut::Sent, Cut::Answered];

/// A store through a proxy, and one beside it.
pub(crate) async fn stores(pg: &Shared) -> (Proxy, PostgresStore, PostgresStore) {
    let proxy = Proxy::start(&pg.url).await;
    let schema = pg.fresh_schema();
    let cut = open_store(&proxy.url, &schema).await;
    let beside = open_store(&pg.url, &schema).await;
    (proxy, cut, beside)
}

#[tokio::test]
async fn no_commit_is_lost_or_written_twice() {
    const THREADS: usize = 8;
    let commits = times(60, 600);
    let Some(pg) = pg_server::shared() else { return };
    let (proxy, store, beside) = stores(pg).await;
    // Two of three are cut, so that what is sent again is cut again, too.
    proxy.cut(|nth| (nth % 3 > 0).then(|| CUTS[(nth / 3) as usize % 3]));
    let store = Arc::new(store);
    let mut tasks = JoinSet::new();
    for i in 0..THREADS {
        let store = store.clone();
        tasks.spawn(async move {
            let t = thread(&format!("t{i}"));
            let mut head = None;
            for n in 0..commits {
                // Some have nothing that could be recognised but their token.
                let mut commit = one_row(&t, head, n.to_string().as_bytes());
                if n % 5 == 4 {
                    commit = Commit { rows: Vec::new(), claim: true, ..commit };
                }
                let new = store.commit(commit).await.unwrap();
                assert_eq!(new.version, n as u64 + 1);
                head = Some(new);
            }
            (t, head.unwrap())
        });
    }
    while let Some(result) = tasks.join_next().await {
        let (t, head) = result.unwrap();
        assert_eq!(beside.head(&t).await.unwrap(), Some(head));
        assert_eq!(head.epoch, commits as u64 / 5);
        let rows = all_rows(&beside, &t).await;
        rows.iter().for_each(|row| row.verify(&t).unwrap());
        let found: Vec<String> =
            rows.into_iter().map(|row| String::from_utf8(row.payload).unwrap()).collect();
        let expected: Vec<String> = (0..commits).filter(|n| n % 5 != 4).map(|n| n.to_string()).collect();
        assert_eq!(found, expected);
    }
    let cuts = proxy.seen.cuts.load(Ordering::SeqCst);
    assert!(cuts >= times(60, 1000) as u64, "only {cuts} cuts");
    tell(
        "F5",
        format_args!(
            "{cuts} connections cut around {} commits, none lost or written twice",
            THREADS * commits
        ),
    );
}

/// The answer is lost, and before the commit can be sent again somebody else
/// has gone on from it.
#[tokio::test]
async fn a_commit_is_recognised_though_others_have_written_since() {
    let Some(pg) = pg_server::shared() else { return };
    for cut in [Cut::Answered, Cut::Unsent] {
        let (proxy, store, beside) = stores(pg).await;
        let t = thread("t");
        let first = store.commit(one_row(&t, None, b"1")).await.unwrap();
        let seen = proxy.seen.clone();
        proxy.cut(move |nth| {
            (nth == 1).then(|| {
                seen.closed.store(true, Ordering::SeqCst);
                cut
            })
        });
        let commit = tokio::spawn({
            let t = t.clone();
            async move { store.commit(one_row(&t, Some(first), b"ours")).await }
        });
        while proxy.seen.cuts.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let head = loop {
            let head = beside.head(&t).await.unwrap();
            if cut == Cut::Unsent || head.unwrap().version == 2 {
                break head;
            }
        };
        let last = beside.commit(one_row(&t, head, b"theirs")).await.unwrap();
        proxy.seen.closed.store(false, Ordering::SeqCst);
        let result = commit.await.unwrap();
        if cut == Cut::Answered {
            assert_eq!(result.unwrap(), head.unwrap());
            assert_eq!(all_rows(&beside, &t).await.len(), 3);
        } else {
            assert!(matches!(result, Err(Error::Conflict { .. })), "{result:?}");
            assert_eq!(all_rows(&beside, &t).await.len(), 2);
        }
        assert_eq!(beside.head(&t).await.unwrap(), Some(last));
    }
}

#[tokio::test]
async fn runs_do_not_notice_cuts() {
    let Some(pg) = pg_server::shared() else { return };
    let mut cuts = 0;
    for case in cases::CASES {
        let expected = sweep::undisturbed(case, Arc::new(pg.store().await)).await.unwrap();
        for cut in CUTS {
            let (proxy, store, _) = stores(pg).await;
            proxy.cut(move |nth| (nth % 2 == 0).then_some(cut));
            let ledger = Ledger::in_memory();
            let mut report = sweep::Report::default();
            let found = sweep::ending(Arc::new(store), case, &ledger, &[]).await;
            sweep::compare(&mut report, format!("{} cut {cut:?}", case.name), &Ok(expected.clone()), found);
            assert!(report.wrong.is_empty(), "{}", report.wrong.join("\n"));
            cuts += proxy.seen.cuts.load(Ordering::SeqCst);
        }
    }
    assert!(cuts >= 100, "only {cuts} cuts");
}
