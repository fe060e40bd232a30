//! What workers do again and again.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use duru::RunId;
use duru::store::{Claim, Error, Owner, RunQuery, RunStatus, lease_runtime};
use tokio::task::JoinHandle;

use super::Pool;
use super::deadlines::Deadlines;
use crate::error::log_line;
use crate::hub::Shared;

/// How often to look for runs that other processes accepted.
const LOOK: Duration = Duration::from_millis(250);
/// How often to renew, and to hear what is to be stopped.
const RENEW: Duration = Duration::from_secs(1);
/// How often to look for owners that have ended.
const BURY: Duration = Duration::from_secs(2);
/// How often to look for deadlines that have passed.
const DUE: Duration = Duration::from_secs(1);
/// After an error, wait before the next try.
const REST: Duration = Duration::from_secs(1);
/// At most so many are claimed in one transaction.
const AT_ONCE: usize = 64;
/// At most so many leases are renewed in one transaction.
const RENEWED_AT_ONCE: usize = 500;

/// Starts all; those first that end by themselves when the server stops.
pub(super) fn start(hub: &Shared) -> (Vec<JoinHandle<()>>, JoinHandle<()>) {
    let ending = vec![
        tokio::spawn(claiming(Arc::clone(hub))),
        tokio::spawn(answering(Arc::clone(hub))),
        tokio::spawn(super::crons::ticking(Arc::clone(hub))),
        tokio::spawn(super::expiry::sweeping(Arc::clone(hub))),
        tokio::spawn(super::forgetting::forgetting(Arc::clone(hub))),
        tokio::spawn(crate::said::keeping(Arc::clone(hub))),
    ];
    // Where no node can keep it from going on: a run that only calculates is not dead.
    (ending, lease_runtime().spawn(renewing(Arc::clone(hub))))
}

/// Claims what waits, until the server stops.
async fn claiming(hub: Shared) {
    let pool = &hub.pool;
    let mut buried: Option<tokio::time::Instant> = None;
    while !pool.is_stopping() {
        let mut gone = Vec::new();
        if buried.is_none_or(|at| at.elapsed() >= BURY) {
            gone = gone_owners(&hub).await.unwrap_or_default();
            buried = Some(tokio::time::Instant::now());
        }
        match claim(&hub, gone).await {
            // There may be more.
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => {
                log_line(&error);
                tokio::time::sleep(REST).await;
            }
        }
        tokio::select! {
            () = pool.wake.notified() => {}
            () = tokio::time::sleep(LOOK.mul_f64(0.75 + fastrand::f64() / 2.0)) => {}
            () = pool.stopping.cancelled() => {}
        }
    }
}

/// Claims once. Whether there may be more to claim right now.
async fn claim(hub: &Shared, gone: Vec<Owner>) -> Result<bool, Error> {
    let pool = &hub.pool;
    let room = pool.most.saturating_sub(pool.under_way.load(Ordering::Relaxed)).min(AT_ONCE);
    if room == 0 {
        return Ok(false);
    }
    let claim =
        Claim { worker: pool.worker.clone(), limit: room, gone, most_deaths: hub.options.most_deaths };
    let claimed = hub.stores.runs.claim(claim).await?;
    pool.waiting.store(claimed.waiting, Ordering::Relaxed);
    for run in claimed.dead {
        log_line(&format_args!("run {} is given up: {} workers died of it", run.id, run.deaths));
    }
    let any = !claimed.runs.is_empty();
    for run in claimed.runs {
        pool.begin(hub, run);
    }
    Ok(any && claimed.waiting > 0)
}

/// Owners of runs that are known to have ended.
async fn gone_owners(hub: &Shared) -> Result<Vec<Owner>, Error> {
    let query = RunQuery { statuses: vec![RunStatus::Running], limit: Some(1000), ..RunQuery::default() };
    let running = hub.stores.runs.runs(query).await?;
    let owners: HashSet<Owner> = running.into_iter().map(|run| run.owner).collect();
    Ok(owners.into_iter().filter(|owner| *owner != hub.pool.worker.owner && owner.is_gone()).collect())
}

/// Renews the leases of what is under way here, and stops what is to be stopped.
async fn renewing(hub: Shared) {
    let mut ticks = tokio::time::interval(RENEW);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let mine = under_way(&hub.pool);
        for some in mine.chunks(RENEWED_AT_ONCE) {
            // A store that can't be reached: the lease may end, and then the run
            // hears of it at its next commit.
            if let Err(error) = renew(&hub, some).await {
                log_line(&error);
            }
        }
    }
}

fn under_way(pool: &Pool) -> Vec<(RunId, u32)> {
    pool.lives().iter().filter_map(|(id, live)| Some((*id, live.attempt()?))).collect()
}

async fn renew(hub: &Shared, runs: &[(RunId, u32)]) -> Result<(), Error> {
    let kept = hub.stores.runs.renew(&hub.pool.worker, runs).await?;
    let lives = hub.pool.lives();
    for (id, attempt) in runs {
        let Some(live) = lives.get(id).filter(|live| live.attempt() == Some(*attempt)) else { continue };
        match kept.iter().find(|run| run.id == *id) {
            Some(run) => {
                if let Some(how) = run.cancel {
                    live.stop(how);
                }
            }
            // It may have ended between the two.
            None => live.lose(),
        }
    }
    Ok(())
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
