//! Runs the chosen tools: side by side, but for those that wait for another.

use std::sync::Arc;

use duru::{Cx, Result};
use futures_util::future::join_all;

use super::recovery::{Bench, Ran, unique, waits};
use super::state::{TeamRun, TeamRunUpdate, Wish};
use crate::advisor::state::TeamResult;
use crate::advisor::toolbox::Toolbox;

pub(super) async fn run_tools(s: Arc<TeamRun>, cx: Cx) -> Result<TeamRunUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let wishes = unique(&s.chosen);
    let (later, now): (Vec<Wish>, Vec<Wish>) =
        wishes.iter().cloned().partition(|wish| waits(wish, &wishes, &tools.registry));
    let mut given = s.given();
    let (mut used, mut faults, mut calls, mut wanting) = (Vec::new(), Vec::new(), 0, Vec::new());
    for wave in [now, later] {
        let bench = Bench { cx: &cx, tools: &tools, order: &s.order, given: &given };
        let ran: Vec<Ran> =
            join_all(wave.iter().map(|wish| bench.run(wish))).await.into_iter().collect::<Result<_>>()?;
        for one in ran {
            for new in one.used {
                // Two tools that needed the same third one have both asked for it.
                if !given.contains(&new) {
                    given.push(new.clone());
                    used.push(new);
                }
            }
            faults.extend(one.faults);
            calls += one.calls;
            wanting.extend(one.wanting);
        }
    }
    wanting.sort_unstable();
    wanting.dedup();
    let result = TeamResult { gaps: wanting, ..TeamResult::default() };
    Ok(TeamRunUpdate::new().used(used).faults(faults).tool_calls(calls).result(result))
}
