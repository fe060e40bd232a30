//! What workers do again and again.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use duru::RunId;
use duru::store::{Claim, Error, HeldRun, Hint, Owner, lease_runtime};
use tokio::task::JoinHandle;

use super::deadlines::Deadlines;
use super::{Pool, is_known};
use crate::error::log_line;
use crate::hub::Shared;

/// How often to look for runs that other processes accepted: less and less often while there are none.
const LOOK: Duration = Duration::from_millis(250);
const LOOK_IDLE: Duration = Duration::from_secs(1);
/// How often to hear what is to be stopped.
const STOPS: Duration = Duration::from_secs(1);
/// How often to look for owners that have ended.
const BURY: Duration = Duration::from_secs(2);
/// How often to look for deadlines that have passed.
const DUE: Duration = Duration::from_secs(1);
/// After an error, wait before the next try.
const REST: Duration = Duration::from_secs(1);
/// At most so many are claimed in one transaction.
const AT_ONCE: usize = 64;

/// Starts all; those first that end by themselves when the server stops, then those that are needed until the end.
pub(super) fn start(hub: &Shared) -> (Vec<JoinHandle<()>>, [JoinHandle<()>; 3]) {
    let ending = vec![
        tokio::spawn(claiming(Arc::clone(hub))),
        tokio::spawn(answering(Arc::clone(hub))),
        tokio::spawn(super::crons::ticking(Arc::clone(hub))),
        tokio::spawn(super::expiry::sweeping(Arc::clone(hub))),
        tokio::spawn(super::forgetting::forgetting(Arc::clone(hub))),
        tokio::spawn(crate::said::keeping(Arc::clone(hub))),
    ];
    // Where no node can keep it from going on: a run that only calculates is not dead.
    let renewing = lease_runtime().spawn(renewing(Arc::clone(hub)));
    let looking = tokio::spawn(crate::stream::looking(Arc::clone(hub)));
    (ending, [renewing, looking, tokio::spawn(hearing(Arc::clone(hub)))])
}

/// Claims what waits, until the server stops.
async fn claiming(hub: Shared) {
    let pool = &hub.pool;
    let mut buried: Option<tokio::time::Instant> = None;
    let (mut look, mut looked) = (LOOK, None);
    while !pool.is_stopping() {
        let mut gone = Vec::new();
        if buried.is_none_or(|at| at.elapsed() >= BURY) {
            gone = gone_owners(&hub).await.unwrap_or_default();
            buried = Some(tokio::time::Instant::now());
        }
        match claim(&hub, gone, &mut looked).await {
            // There may be more.
            Ok(Found::More) => {
                look = LOOK;
                continue;
            }
            Ok(Found::Some) => look = LOOK,
            Ok(Found::Nothing) => look = (look * 3 / 2).min(LOOK_IDLE),
            Err(error) => {
                log_line(&error);
                tokio::time::sleep(REST).await;
            }
        }
        tokio::select! {
            () = pool.wake.notified() => look = LOOK,
            () = tokio::time::sleep(look.mul_f64(0.75 + fastrand::f64() / 2.0)) => {}
            () = pool.stopping.cancelled() => {}
        }
    }
}

/// What came of a claim.
enum Found {
    Nothing,
    Some,
    /// There may be more to claim right now.
    More,
}

/// How many more runs may begin here.
fn room(pool: &Pool) -> usize {
    pool.limits.runs_at_once().saturating_sub(pool.under_way.load(Ordering::Relaxed)).min(AT_ONCE)
}

/// Claims once. Without room, too: how many wait, and how long, has to be known most of all where there is none, only
/// not anew with every run that is accepted.
async fn claim(
    hub: &Shared,
    gone: Vec<Owner>,
    looked: &mut Option<tokio::time::Instant>,
) -> Result<Found, Error> {
    let pool = &hub.pool;
    let room = room(pool);
    if room == 0 && looked.is_some_and(|at| at.elapsed() < LOOK) {
        return Ok(Found::Nothing);
    }
    let claim =
        Claim { worker: pool.worker.clone(), limit: room, gone, most_deaths: hub.options.most_deaths };
    let asked = tokio::time::Instant::now();
    let claimed = hub.stores.runs.claim(claim).await?;
    hub.metrics.store_answered(asked.elapsed());
    *looked = Some(asked);
    pool.looked(&claimed);
    for run in claimed.dead {
        log_line(&format_args!("run {} is given up: {} workers died of it", run.id, run.deaths));
    }
    let any = !claimed.runs.is_empty();
    for run in claimed.runs {
        pool.begin(hub, run);
    }
    Ok(match any {
        true if claimed.waiting > 0 => Found::More,
        true => Found::Some,
        false => Found::Nothing,
    })
}

/// Owners of runs that are known to have ended.
async fn gone_owners(hub: &Shared) -> Result<Vec<Owner>, Error> {
    let owners = hub.stores.runs.owners().await?;
    Ok(owners.into_iter().filter(|owner| *owner != hub.pool.worker.owner && owner.is_gone()).collect())
}

/// Renews the lease of this worker, one for all that is under way here, and stops what is to be stopped.
async fn renewing(hub: Shared) {
    // Two renewals may fail before anything is lost.
    let every = Duration::from_millis(hub.pool.worker.lease_ms) / 3;
    let mut ticks = tokio::time::interval(STOPS.min(every));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut renewed: Option<tokio::time::Instant> = None;
    let mut unknown = Vec::new();
    loop {
        ticks.tick().await;
        // A worker without runs has nothing to lose, and asks for nothing.
        if hub.pool.under_way() == 0 {
            renewed = None;
            continue;
        }
        let began = tokio::time::Instant::now();
        let done = if renewed.is_none_or(|at| at.elapsed() + STOPS.min(every) / 2 >= every) {
            unknown.retain(|(run, _)| !is_known(*run));
            renew(&hub, &unknown).await.map(|strangers| (renewed, unknown) = (Some(began), strangers))
        } else {
            stop(&hub).await
        };
        // A store that can't be reached: the lease may end, and then the runs hear of it at their next commit.
        if let Err(error) = done {
            log_line(&error);
        }
    }
}

/// Renews, and gives the runs that are said to be this worker's though nobody here knows them: the answer to a claim
/// was lost, or what came of them could not be said. They are given up with the next renewal.
async fn renew(hub: &Shared, unknown: &[(RunId, u32)]) -> Result<Vec<(RunId, u32)>, Error> {
    let mine = under_way(&hub.pool);
    let held = hub.stores.runs.renew(&hub.pool.worker, unknown).await?;
    let held: HashMap<RunId, HeldRun> = held.into_iter().map(|run| (run.id, run)).collect();
    let lives = hub.pool.lives();
    for (id, attempt) in mine {
        let Some(live) = lives.get(&id).filter(|live| live.attempt() == Some(attempt)) else { continue };
        match held.get(&id).filter(|run| run.attempt == attempt) {
            Some(run) => run.cancel.into_iter().for_each(|how| live.stop(how)),
            // It may have ended between the two.
            None => live.lose(),
        }
    }
    drop(lives);
    let strangers = held.into_values().filter(|run| run.overdue && !is_known(run.id));
    Ok(strangers.map(|run| (run.id, run.attempt)).collect())
}

fn under_way(pool: &Pool) -> Vec<(RunId, u32)> {
    pool.lives().iter().filter_map(|(id, live)| Some((*id, live.attempt()?))).collect()
}

/// Stops what somebody asked to stop at another process.
async fn stop(hub: &Shared) -> Result<(), Error> {
    for run in hub.stores.runs.stopping(&hub.pool.worker.owner).await? {
        if let (Some(how), Some(live)) = (run.cancel, hub.pool.lives().get(&run.id))
            && live.attempt() == Some(run.attempt)
        {
            live.stop(how);
        }
    }
    Ok(())
}

/// Hears what other processes say that there is, and looks: whether it is so, the store knows.
async fn hearing(hub: Shared) {
    let Some(hints) = &hub.hints else { return };
    loop {
        match hints.hear().await {
            Hint::Work => hub.pool.wake.notify_one(),
            Hint::Thread(thread) => hub.lookout.look_at(&thread),
            Hint::Stop(owner) if owner == hub.pool.worker.owner => {
                if let Err(error) = stop(&hub).await {
                    log_line(&error);
                }
            }
            Hint::Stop(_) => {}
        }
    }
}

/// Goes on with threads whose questions have passed their deadline.
async fn answering(hub: Shared) {
    let mut deadlines = Deadlines::default();
    while !hub.pool.is_stopping() {
        if let Err(error) = deadlines.tick(&hub).await {
            log_line(&error);
        }
        tokio::select! {
            () = tokio::time::sleep(DUE) => {}
            () = hub.pool.stopping.cancelled() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use duru::ThreadId;
    use duru::store::{IfBusy, MemoryStore, NewRun, Runs as _, Worker};
    use serde_json::{Map, Value};

    use super::*;
    use crate::test_hub::hub;

    fn run(thread: &str) -> NewRun {
        NewRun {
            id: RunId::random(1),
            thread: ThreadId::new(thread).unwrap(),
            make_thread: true,
            thread_metadata: Map::new(),
            payload: Value::Null,
            metadata: Map::new(),
            if_busy: IfBusy::Enqueue,
            key: None,
            after_ms: 0,
            claim: None,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_without_room_knows_how_many_wait_and_how_long() {
        let store = Arc::new(MemoryStore::new());
        let hub = hub(&store).await;
        let pool = &hub.pool;
        pool.under_way.store(pool.limits.runs_at_once(), Ordering::Relaxed);
        let mut looked = None;
        let mut look = async || claim(&hub, Vec::new(), &mut looked).await.unwrap();
        // At other servers, of which this one hears nothing.
        for thread in ["a", "b", "c"] {
            store.enqueue(run(thread)).await.unwrap();
        }
        assert!(matches!(look().await, Found::Nothing), "there is no room");
        assert_eq!((pool.waiting(), pool.queue_age() < Duration::from_secs(1)), (3, true));
        tokio::time::advance(Duration::from_secs(7)).await;
        assert!(pool.queue_age() >= Duration::from_secs(7), "it goes on waiting");
        let worker = Worker { owner: Owner::named("another"), lease_ms: 600_000 };
        let some = Claim { worker, limit: 2, gone: Vec::new(), most_deaths: 3 };
        assert_eq!(store.claim(some.clone()).await.unwrap().runs.len(), 2);
        look().await;
        assert_eq!(pool.waiting(), 1);
        assert_eq!(store.claim(some).await.unwrap().runs.len(), 1);
        look().await;
        assert_eq!(pool.waiting(), 1, "not anew every moment");
        tokio::time::advance(LOOK).await;
        look().await;
        assert_eq!((pool.waiting(), pool.queue_age()), (0, Duration::ZERO));
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_whose_claim_was_never_answered_is_given_up() {
        let store = Arc::new(MemoryStore::new());
        let hub = hub(&store).await;
        // In our name, and nobody here has heard of it.
        let claim = Worker { lease_ms: 1000, ..hub.pool.worker.clone() };
        store.enqueue(NewRun { claim: Some(claim), ..run("t") }).await.unwrap();
        assert_eq!(renew(&hub, &[]).await.unwrap(), [], "it may still hear of it");
        tokio::time::sleep(Duration::from_secs(2)).await;
        let strangers = renew(&hub, &[]).await.unwrap();
        assert_eq!(strangers.len(), 1, "its lease is renewed for ever");
        let ask = || Claim {
            worker: Worker { owner: Owner::named("b"), lease_ms: 1000 },
            limit: 9,
            gone: Vec::new(),
            most_deaths: 3,
        };
        assert!(store.claim(ask()).await.unwrap().runs.is_empty());
        assert_eq!(renew(&hub, &strangers).await.unwrap(), []);
        assert_eq!(store.claim(ask()).await.unwrap().runs.len(), 1);
    }
}
