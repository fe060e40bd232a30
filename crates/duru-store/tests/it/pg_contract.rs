//! The contract on PostgreSQL, and what the contract can't say.

use std::sync::Arc;

use duru::store::{Checkpoints, Error, Kind, Row, RowQuery};
use duru::testkit::{contract, readers_contract};
use duru::{CheckpointId, Namespace, RunId, Source};
use tokio::task::JoinSet;

use crate::groups::most_are_kept;
use crate::{all_rows, one_row, pg_server, thread};

#[tokio::test(flavor = "multi_thread")]
async fn the_contract() {
    let Some(pg) = pg_server::shared() else { return };
    contract::check(async || Arc::new(pg.store().await) as Arc<dyn Checkpoints>).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_on_postgres_see_their_thread_all_of_it_and_nothing_else() {
    let Some(pg) = pg_server::shared() else { return };
    readers_contract::check(async || Arc::new(pg.store().await) as Arc<dyn Checkpoints>).await;
}

/// What the row of a checkpoint, of a source and of a run's beginning is found by.
#[tokio::test]
async fn one_of_many_rows_is_found_by_an_index_of_postgres() {
    const ROWS: u32 = 4000;
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let store = pg_server::open_store(&pg.url, &schema).await;
    let t = thread("t");
    let mut commit = one_row(&t, None, b"{}");
    let first = commit.rows.remove(0);
    commit.rows = (0..ROWS)
        .map(|n| {
            let kind = [Kind::Begin, Kind::Checkpoint, Kind::Task, Kind::Emit][n as usize % 4];
            let checkpoint = (kind == Kind::Checkpoint).then(|| CheckpointId::from_u128(n.into()));
            let source = checkpoint.map(|_| if n < 9 { Source::Input } else { Source::Loop });
            let run = RunId::from_u128((n / 8).into());
            let mut row = Row { seq: n.into(), kind, checkpoint, source, run, ..first.clone() };
            row.seal(&t);
            row
        })
        .collect();
    store.commit(commit).await.unwrap();
    let (client, connection) = tokio_postgres::connect(&pg.url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(&format!("ANALYZE {schema}.log")).await.unwrap();
    let root = RowQuery { ns: Some(Namespace::root()), ..RowQuery::default() };
    let marks = vec![Kind::Begin, Kind::End];
    for (query, found, index) in [
        (
            RowQuery { checkpoint: Some(CheckpointId::from_u128(2001)), ..root.clone() },
            1,
            "log_by_checkpoint",
        ),
        (RowQuery { source: Some(Source::Input), ..root.clone() }, 2, "log_by_source"),
        (RowQuery { run: Some(RunId::from_u128(100)), kinds: marks, ..root }, 2, "log_by_run"),
    ] {
        for newest_first in [false, true] {
            assert_eq!(
                store.rows(&t, RowQuery { newest_first, ..query.clone() }).await.unwrap().len(),
                found
            );
        }
        // Told to the statistics by the server when its connection has nothing else to do.
        let sql = "SELECT coalesce(sum(idx_scan), 0)::bigint FROM pg_stat_user_indexes WHERE schemaname = $1 AND indexrelname = $2";
        let used = async || client.query_one(sql, &[&schema, &index]).await.unwrap().get::<_, i64>(0);
        let give_up = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while used().await < 2 {
            assert!(std::time::Instant::now() < give_up, "{index} is not used");
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    }
}

/// A database may ask for stricter transactions than we need: the server then
/// asks to try again where it would otherwise have waited.
#[tokio::test(flavor = "multi_thread")]
async fn the_contract_in_serializable_transactions() {
    let Some(pg) = pg_server::shared() else { return };
    let url = format!("{}?options=-c%20default_transaction_isolation=serializable", pg.url);
    for (name, case) in contract::CASES {
        if matches!(*name, "racing_commits_have_one_winner" | "many_threads_commit_at_once") {
            case(Arc::new(pg_server::open_store(&url, &pg.fresh_schema()).await)).await;
        }
    }
    let schema = pg.fresh_schema();
    let mut racers = JoinSet::new();
    for _ in 0..4 {
        let store = pg_server::open_store(&url, &schema).await;
        racers.spawn(async move {
            let t = thread("t");
            let mut won = 0;
            for _ in 0..50 {
                let head = store.head(&t).await.unwrap();
                match store.commit(one_row(&t, head, b"{}")).await {
                    Ok(_) => won += 1,
                    Err(Error::Conflict { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
            }
            won
        });
    }
    let won: usize = racers.join_all().await.into_iter().sum();
    let store = pg_server::open_store(&pg.url, &schema).await;
    assert_eq!(all_rows(&store, &thread("t")).await.len(), won);
}

#[tokio::test]
async fn commits_that_wait_share_a_transaction() {
    let Some(pg) = pg_server::shared() else { return };
    let store = Arc::new(pg.store().await);
    most_are_kept(Arc::clone(&store) as _).await;
    let transactions = store.transactions();
    assert!((1..100).contains(&transactions), "{transactions} transactions for 400 commits");
}

/// Two commits of one thread never share a transaction: there, all deadlines
/// are cleared after all are set.
#[tokio::test]
async fn a_thread_is_in_a_group_once() {
    let Some(pg) = pg_server::shared() else { return };
    let store = pg.store().await;
    let (t, timer) = (thread("t"), "000000000000000000000000000000ff".parse().unwrap());
    let first = store.commit(one_row(&t, None, b"{}")).await.unwrap();
    // Sent together; each builds on the one before.
    let mut clear = one_row(&t, Some(first), b"1");
    clear.clear_timers.push(timer);
    let mut set = one_row(&t, Some(first), b"2");
    (set.version, set.rows[0].seq) = (first.version + 1, first.next_seq + 1);
    set.rows[0].seal(&t);
    set.set_timers.push((timer, 5));
    set.set_timers.push((timer, 9));
    let (one, two) = tokio::join!(store.commit(clear), store.commit(set));
    assert_eq!((one.unwrap().version, two.unwrap().version), (2, 3));
    assert_eq!(store.due(100, None, 9).await.unwrap()[0].at_ms, 9);
}

#[tokio::test]
async fn what_can_not_be_stored_is_refused_alone() {
    let Some(pg) = pg_server::shared() else { return };
    let store = Arc::new(pg.store().await);
    let mut tasks = JoinSet::new();
    for i in 0..50 {
        let store = store.clone();
        tasks.spawn(async move {
            let t = thread(&format!("t{i}"));
            let mut commit = one_row(&t, None, b"{}");
            match i % 5 {
                0 => commit.rows[0].at_ms = u64::MAX,
                1 => commit.rows[0].events = u32::MAX,
                _ => {}
            }
            (t, i % 5 < 2, store.commit(commit).await)
        });
    }
    while let Some(result) = tasks.join_next().await {
        let (t, wrong, result) = result.unwrap();
        assert_eq!(result.is_err(), wrong, "{result:?}");
        assert_eq!(store.head(&t).await.unwrap().is_some(), !wrong);
    }
}

/// One commit of a group that the server refuses takes no other along.
#[tokio::test]
async fn what_the_server_refuses_is_refused_alone() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let store = Arc::new(pg_server::open_store(&pg.url, &schema).await);
    let (client, connection) = tokio_postgres::connect(&pg.url, tokio_postgres::NoTls).await.unwrap();
    let _connection = tokio::spawn(connection);
    let rule = format!("ALTER TABLE {schema}.log ADD CHECK (payload <> '\\x626164')");
    client.batch_execute(&rule).await.unwrap();
    let mut tasks = JoinSet::new();
    for i in 0..60 {
        let store = store.clone();
        tasks.spawn(async move {
            let t = thread(&format!("t{i}"));
            let payload: &[u8] = if i % 6 == 0 { b"bad" } else { b"good" };
            (t.clone(), i % 6 == 0, store.commit(one_row(&t, None, payload)).await)
        });
    }
    while let Some(result) = tasks.join_next().await {
        let (t, wrong, result) = result.unwrap();
        assert_eq!(result.is_err(), wrong, "{result:?}");
        assert_eq!(store.head(&t).await.unwrap().is_some(), !wrong);
        assert_eq!(all_rows(&*store, &t).await.len(), usize::from(!wrong));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_stores_on_one_database_never_win_the_same_version() {
    const VERSIONS: u64 = 60;
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let mut racers = JoinSet::new();
    for who in 0..4_u8 {
        let store = pg_server::open_store(&pg.url, &schema).await;
        racers.spawn(async move {
            // Several threads at once, so that groups meet each other's locks.
            let mut won: Vec<(u64, u64)> = Vec::new();
            while won.len() < 10_000 {
                let mut open = false;
                for name in [3, 1, 2] {
                    let t = thread(&format!("t{name}"));
                    let head = store.head(&t).await.unwrap();
                    if head.is_some_and(|head| head.version >= VERSIONS) {
                        continue;
                    }
                    open = true;
                    match store.commit(one_row(&t, head, &[who])).await {
                        Ok(head) => won.push((name, head.version)),
                        Err(Error::Conflict { .. }) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
                if !open {
                    break;
                }
            }
            (who, won)
        });
    }
    let mut all = Vec::new();
    let store = pg_server::open_store(&pg.url, &schema).await;
    while let Some(result) = racers.join_next().await {
        let (who, won) = result.unwrap();
        for (name, version) in won {
            let rows = all_rows(&store, &thread(&format!("t{name}"))).await;
            assert_eq!(rows[version as usize - 1].payload, [who]);
            all.push((name, version));
        }
    }
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(count, all.len(), "a version was won twice");
    assert!(count >= 3 * VERSIONS as usize, "{count}");
    for name in 1..=3 {
        let t = thread(&format!("t{name}"));
        let (head, rows) = (store.head(&t).await.unwrap().unwrap(), all_rows(&store, &t).await);
        assert_eq!((head.version, head.next_seq), (rows.len() as u64, rows.len() as u64));
    }
}

#[tokio::test]
async fn what_one_store_wrote_the_other_reads_at_once() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let one = pg_server::open_store(&pg.url, &schema).await;
    let two = pg_server::open_store(&pg.url, &schema).await;
    let t = thread("t");
    let mut head = None;
    for i in 0..20 {
        let (writer, reader) = if i % 2 == 0 { (&one, &two) } else { (&two, &one) };
        let new = writer.commit(one_row(&t, head, b"{}")).await.unwrap();
        head = reader.head(&t).await.unwrap();
        assert_eq!(head, Some(new));
    }
    assert!(one.delete(&t).await.unwrap());
    assert_eq!(two.head(&t).await.unwrap(), None);
}

#[tokio::test]
async fn a_store_can_be_dropped_while_commits_wait() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let store = pg_server::open_store(&pg.url, &schema).await;
    let t = thread("t");
    {
        // Sent, and nobody waits for the answer.
        let commit = store.commit(one_row(&t, None, b"1"));
        tokio::select! { biased; _ = commit => {}, () = std::future::ready(()) => {} }
    }
    drop(store);
    let store = pg_server::open_store(&pg.url, &schema).await;
    for _ in 0..500 {
        if store.head(&t).await.unwrap().is_some() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the commit never came");
}

/// A run that was dropped while it wrote: the next one finds what it wrote.
#[tokio::test]
async fn the_head_waits_for_commits_that_nobody_waits_for() {
    let Some(pg) = pg_server::shared() else { return };
    let store = pg.store().await;
    for i in 0..50 {
        let t = thread(&format!("t{i}"));
        {
            let commit = store.commit(one_row(&t, None, b"1"));
            tokio::select! { biased; _ = commit => {}, () = std::future::ready(()) => {} }
        }
        assert_eq!(store.head(&t).await.unwrap().map(|head| head.version), Some(1));
        let commit = store.commit(one_row(&t, None, b"1"));
        tokio::select! { biased; _ = commit => {}, () = std::future::ready(()) => {} }
        assert!(store.delete(&t).await.unwrap());
        assert_eq!(store.head(&t).await.unwrap(), None);
    }
}
