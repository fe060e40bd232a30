//! A thread's runs as a conversation: turns, each a question and every run that went on with it, and the branches that
//! turns make where a question was asked anew.

use std::collections::HashMap;

use duru::RunId;
use duru::store::QueuedRun;
use serde_json::Value;

use crate::wire::run::RunPlan;

/// A question and every run that went on with it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ConversationTurn {
    /// Where its runs are in the list that it was made of; the first one names it.
    pub(crate) runs: Vec<usize>,
    /// The turn that it follows.
    pub(crate) parent: Option<usize>,
}

/// The turns of a thread, oldest first.
pub(crate) struct TurnTree {
    pub(crate) turns: Vec<ConversationTurn>,
    by_id: HashMap<RunId, usize>,
    children: HashMap<Option<usize>, Vec<usize>>,
}

impl TurnTree {
    /// Of a thread's runs, oldest first.
    pub(crate) fn of(runs: &[QueuedRun]) -> Self {
        let mut tree = Self { turns: Vec::new(), by_id: HashMap::new(), children: HashMap::new() };
        for (at, run) in runs.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| runs[at].id);
            let follows = parent_run(run, before).and_then(|parent| tree.by_id.get(&parent).copied());
            let turn = match follows {
                Some(turn) if goes_on(run) => {
                    tree.turns[turn].runs.push(at);
                    turn
                }
                parent => {
                    let turn = tree.turns.len();
                    tree.turns.push(ConversationTurn { runs: vec![at], parent });
                    tree.children.entry(parent).or_default().push(turn);
                    turn
                }
            };
            tree.by_id.insert(run.id, turn);
        }
        tree
    }

    /// The turn that a run belongs to.
    pub(crate) fn turn_of(&self, run: RunId) -> Option<usize> {
        self.by_id.get(&run).copied()
    }

    /// The turns that follow the same turn as this one, itself among them.
    pub(crate) fn siblings(&self, turn: usize) -> &[usize] {
        self.children.get(&self.turns[turn].parent).map(Vec::as_slice).unwrap_or_default()
    }

    /// The newest turn that follows from a turn, however far.
    pub(crate) fn newest_under(&self, turn: usize) -> usize {
        let mut newest = turn;
        let mut open = vec![turn];
        while let Some(next) = open.pop() {
            newest = newest.max(next);
            open.extend(self.children.get(&Some(next)).into_iter().flatten());
        }
        newest
    }

    /// The turns that lead to a turn and the turn itself, oldest first.
    pub(crate) fn path_to(&self, turn: usize) -> Vec<usize> {
        let mut path = vec![turn];
        while let Some(parent) = path.last().and_then(|last| self.turns[*last].parent) {
            path.push(parent);
        }
        path.reverse();
        path
    }
}

/// The run that a run follows: the one that its client names, else the one before it.
fn parent_run(run: &QueuedRun, before: Option<RunId>) -> Option<RunId> {
    match run.metadata.get("parent_run") {
        Some(Value::String(id)) => uuid::Uuid::parse_str(id).ok().map(|id| RunId::from_u128(id.as_u128())),
        Some(Value::Null) => None,
        _ => before,
    }
}

/// Whether a run asks nothing new: it answers, was answered for by a deadline, or goes on where its thread stopped.
fn goes_on(run: &QueuedRun) -> bool {
    let is_answer = |plan: &RunPlan| plan.command.as_ref().is_some_and(|command| command.resume.is_some());
    run.metadata.get("created_by").is_some_and(|by| by == "deadline")
        || RunPlan::of(run).is_ok_and(|plan| is_answer(&plan) || plan.goes_on() && plan.checkpoint.is_none())
}

#[cfg(test)]
mod tests {
    use duru::ThreadId;
    use duru::store::{Owner, RunStatus};
    use serde_json::json;

    use super::*;

    /// A run with this in its plan; with `"unsaid"`, its client names no parent.
    fn run(n: u128, request: Value, parent: Value) -> QueuedRun {
        let plan = json!({
            "assistant_id": uuid::Uuid::nil(), "graph_id": "g", "config": {}, "context": {},
            "interrupt_before": [], "interrupt_after": [], "stream_mode": [], "subgraphs": false,
            "resumable": false, "multitask_strategy": "enqueue", "temporary": false,
        });
        let (Value::Object(mut payload), Value::Object(request)) = (plan, request) else { panic!() };
        payload.extend(request);
        let named = Some(parent).filter(|parent| parent != "unsaid");
        let run = QueuedRun {
            id: RunId::from_u128(n),
            thread: ThreadId::new("t").unwrap(),
            status: RunStatus::Success,
            payload: Value::Object(payload),
            metadata: named.map(|parent| ("parent_run".to_owned(), parent)).into_iter().collect(),
            outcome: None,
            attempt: 1,
            deaths: 0,
            owner: Owner::named(""),
            cancel: None,
            created_ms: 0,
            updated_ms: 0,
        };
        RunPlan::of(&run).unwrap();
        run
    }

    fn id(n: u128) -> Value {
        RunId::from_u128(n).to_string().into()
    }

    fn asks(n: u128, parent: Value) -> QueuedRun {
        run(n, json!({ "input": { "question": "?" } }), parent)
    }

    #[test]
    fn answers_belong_to_their_question_and_other_clients_runs_follow_each_other() {
        let runs = [
            asks(1, "unsaid".into()),
            run(2, json!({ "command": { "resume": "yes" } }), "unsaid".into()),
            asks(3, "unsaid".into()),
        ];
        let tree = TurnTree::of(&runs);
        let turns: Vec<(Vec<usize>, Option<usize>)> =
            tree.turns.iter().map(|turn| (turn.runs.clone(), turn.parent)).collect();
        assert_eq!(turns, [(vec![0, 1], None), (vec![2], Some(0))]);
        assert_eq!(tree.turn_of(RunId::from_u128(2)), Some(0));
    }

    #[test]
    fn a_question_that_is_asked_anew_is_a_branch_beside_the_old_one() {
        let runs = [
            asks(1, Value::Null),
            asks(2, id(1)),
            asks(3, id(1)),
            asks(4, id(2)),
            // From a checkpoint, with nothing new: a branch, too.
            run(5, json!({ "input": null, "checkpoint": "c" }), id(1)),
        ];
        let tree = TurnTree::of(&runs);
        assert_eq!(tree.siblings(1), [1, 2, 4]);
        assert_eq!(tree.newest_under(1), 3);
        assert_eq!(tree.newest_under(0), 4);
        assert_eq!(tree.path_to(3), [0, 1, 3]);
    }
}
