//! Several stores on one file, as several processes would have them.

use duru::store::{Checkpoints, Error};
use duru_store::SqliteStore;

use crate::{all_rows, one_row, thread};

#[test]
fn two_stores_on_one_file_never_win_the_same_version() {
    const VERSIONS: u64 = 60;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let race = |who: u8| {
        let store = SqliteStore::open(&path).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let t = thread("t");
            let mut won = Vec::new();
            loop {
                let head = store.head(&t).await.unwrap();
                if head.is_some_and(|head| head.version >= VERSIONS) {
                    return won;
                }
                match store.commit(one_row(&t, head, &[who])).await {
                    Ok(head) => won.push(head.version),
                    Err(Error::Conflict { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
            }
        })
    };
    let race = &race;
    let won: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..3).map(|who| scope.spawn(move || race(who))).collect();
        racers.into_iter().map(|racer| racer.join().unwrap()).collect()
    });
    let mut versions = won.concat();
    versions.sort_unstable();
    assert!(versions.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{won:?}");

    let store = SqliteStore::open(&path).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let rows = runtime.block_on(all_rows(&store, &thread("t")));
    assert_eq!(rows.len(), versions.len());
    for (who, won) in won.iter().enumerate() {
        assert!(won.iter().all(|version| rows[*version as usize - 1].payload == [who as u8]));
    }
}

#[tokio::test]
async fn what_one_store_wrote_the_other_reads_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let (one, two) = (SqliteStore::open(&path).unwrap(), SqliteStore::open(&path).unwrap());
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
