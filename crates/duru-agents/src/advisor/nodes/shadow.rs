//! A search that is made only to compare: was it right to use earlier data again? The answer is out by then.

use std::collections::BTreeSet;
use std::sync::Arc;

use duru::{Cx, Result};
use tokio::time::timeout;

use crate::advisor::progress::{Progress, show};
use crate::advisor::state::{Advice, AdviceUpdate, Variant};
use crate::advisor::teams;
use crate::advisor::toolbox::Toolbox;
use crate::advisor::tools::{Found, Item};
use crate::advisor::understand::DataKind;

/// So many of the items that a new search finds must have been there already.
const SAME: f64 = 0.8;

/// Whether this answer is one of those that are compared.
pub(in crate::advisor) fn sampled(s: &Advice, every: u64) -> bool {
    let saved = s.data_reused && s.skip_search_reason.is_some() && s.variant != Variant::Off;
    if !saved || s.user.is_empty() || every == 0 {
        return false;
    }
    // By what was asked when, so that a run that goes on decides the same.
    let told = format!("{}\u{1f}{}\u{1f}{}", s.user, s.now, s.query);
    xxhash_rust::xxh3::xxh3_64(told.as_bytes()).is_multiple_of(every)
}

pub(in crate::advisor) async fn shadow(s: Arc<Advice>, cx: Cx) -> Result<AdviceUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let (Some(memory), Some(thread)) = (&tools.memory, cx.thread()) else { return Ok(AdviceUpdate::new()) };
    let kinds: Vec<DataKind> = s.reused.iter().flat_map(|reuse| reuse.kinds.clone()).collect();
    let held: Vec<Item> = s.data().into_iter().flat_map(|used| used.found.items).collect();
    // What the earlier search was not about says nothing of what it found.
    let comparable = |item: &Item| {
        kinds.contains(&item.kind)
            && held.iter().any(|known| known.kind == item.kind && known.deal == item.deal)
    };
    let mut new: BTreeSet<String> = BTreeSet::new();
    for wish in teams::searches(&s, &kinds, &tools.bounds) {
        let Some(tool) = tools.tools.get(&wish.tool).map(Arc::clone) else { continue };
        let key =
            format!("shadow {} {}", wish.tool, serde_json::to_string(&wish.parameters).unwrap_or_default());
        let limit = tools.bounds.least_time;
        let act = move |_| async move {
            // One that fails says nothing.
            let found = timeout(limit, tool.call(&wish.parameters, &[])).await;
            Ok(found.ok().and_then(Result::ok).unwrap_or_default())
        };
        let found: Found = cx.effect(&key, act).await?;
        new.extend(found.items.iter().filter(|item| comparable(item)).map(known_by));
    }
    if new.is_empty() {
        return Ok(AdviceUpdate::new());
    }
    let held: BTreeSet<String> = held.iter().map(known_by).collect();
    let same = new.intersection(&held).count() as f64 >= SAME * new.len() as f64;
    if let Err(error) = memory.compared(&tools.whose(&s.user, &cx), thread.as_str(), s.turn(), same).await {
        // A log that can't be written costs only the comparison.
        show(
            &cx,
            &Progress::Warning {
                code: "memory_unavailable".to_owned(),
                message: s.lang().pick(
                    format!("비교 결과를 적지 못했습니다 (자세히: {error})"),
                    format!("The comparison was not written down: {error}"),
                ),
                what_to_do: s.lang().pick("따로 하실 일은 없습니다.", "There is nothing you need to do."),
            },
        );
    }
    Ok(AdviceUpdate::new())
}

/// The same item says the same: one whose price or date has changed is another.
fn known_by(item: &Item) -> String {
    let price = item.record.as_ref().map(|record| record.price);
    format!("{}\u{1f}{:?}\u{1f}{price:?}", item.id, item.at)
}
