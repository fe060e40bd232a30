//! Gate 3: only the person can say whether earlier data will do. Without an answer in time, or with a bad one, they
//! will not.

use std::sync::Arc;

use duru::{Cx, Deadline, Result};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::advisor::plan::{Status, Step};
use crate::advisor::progress::{Progress, show};
use crate::advisor::state::{Advice, AdviceUpdate};
use crate::advisor::toolbox::Toolbox;
use crate::advisor::tools::Team;
use crate::advisor::{planner, words};

pub(in crate::advisor) async fn confirm(s: Arc<Advice>, cx: Cx) -> Result<AdviceUpdate> {
    let lang = s.lang();
    let Some(judgement) = &s.sufficiency_result else { return Ok(AdviceUpdate::new()) };
    let wait = cx.get::<Toolbox>()?.bounds.confirmation;
    let question = words::confirmation(judgement, &s, None);
    // Shown once, however often the node runs; the question itself never changes.
    let announced = {
        let (cx, question) = (cx.clone(), question.clone());
        move |_| async move {
            let until =
                Timestamp::now() + SignedDuration::try_from(wait).unwrap_or(SignedDuration::from_secs(30));
            let Progress::UserConfirmationRequired { confirmation_id, message, context, options, .. } =
                question
            else {
                return Ok(until.to_string());
            };
            let deadline = Some(until.to_string());
            show(
                &cx,
                &Progress::UserConfirmationRequired { confirmation_id, message, context, options, deadline },
            );
            Ok(until.to_string())
        }
    };
    let _: String = cx.effect("asked", announced).await?;
    let said: Value = cx.interrupt_until(&question, Deadline::after(wait, Value::from("search_new")))?;
    let word = said.as_str().or_else(|| said["value"].as_str()).unwrap_or_default();
    let yes = word == "use_previous";
    if !yes {
        return Ok(AdviceUpdate::new().user_confirmed(Some(false)).reused(Vec::new()).data_reused(false));
    }
    show(&cx, &words::reuse_decision(judgement, &[], lang));
    // What the person takes is enough: the search goes, and somebody makes something of what is there.
    let search = planner::id(Team::Search, &s);
    let mut steps: Vec<Step> = s.steps.iter().filter(|step| step.team != Team::Search).cloned().collect();
    for step in &mut steps {
        step.depends_on.retain(|id| *id != search);
    }
    match steps.iter_mut().find(|step| step.team == Team::Analysis) {
        Some(analysis) => analysis.optional = false,
        None => steps.extend(planner::steps(&[Team::Analysis], &[], &[], &s, &s.planning)),
    }
    show(&cx, &Progress::TodoUpdated { step_id: search, status: Status::Skipped, progress: 100 });
    Ok(AdviceUpdate::new()
        .user_confirmed(Some(true))
        .data_reused(true)
        .reused_data_source(Some(judgement.data_source))
        .skip_search_reason(Some(
            lang.pick("사용자가 이전 데이터를 골랐습니다.", "The person chose the earlier data."),
        ))
        .overwrite_steps(steps))
}
