//! What nodes do, as the script says.

use serde_json::value::to_raw_value;

use super::Script;
use super::graph::SUpdate;
use super::play::Player;
use crate::cx::Question;
use crate::error::NodeError;
use crate::graph::{Goto, Node, ParentCommand, Replied};
use crate::state::erased::AnyUpdate;
use crate::stepper::TaskResult;
use crate::{InterruptId, Namespace};

impl Player {
    /// What the node does this time.
    pub(super) fn result(&self, slot: usize, name: &str, script: &Script) -> TaskResult {
        let times = self.starts[name];
        let mut update = SUpdate::new();
        let mut replied = Replied::default();
        for line in script.all("run").filter(|line| line.split_whitespace().next() == Some(name)) {
            let words: Vec<&str> = line.split_whitespace().skip(1).collect();
            match words.as_slice() {
                ["fails", "once"] if times > 1 => {}
                ["fails", "twice"] if times > 2 => {}
                ["fails", ..] => return TaskResult::Failed(NodeError::msg(format!("{name} broke"))),
                ["asks", questions @ ..] => {
                    let answered = self.stepper.slots[slot].answers.len();
                    if let Some(asked) = questions.get(answered) {
                        return TaskResult::Asked(vec![self.question(slot, answered, asked)]);
                    }
                }
                ["writes", "one"] => update = update.one(name),
                ["commands", to] => replied.goto.push(Goto::Node(Node::from(self.drawn.handles[*to]))),
                ["to", "parent"] => {
                    let update: AnyUpdate = Box::new(SUpdate::new());
                    let parent = Some(ParentCommand { update, goto: Vec::new() });
                    return TaskResult::Done(Replied { parent, ..Replied::default() });
                }
                other => panic!("what is {other:?}?"),
            }
        }
        let input = self.stepper.slots[slot].input.as_ref().and_then(|input| input.get::<usize>());
        let by = input.map_or_else(|| name.to_owned(), |input| format!("{name}{input}"));
        replied.updates.push(Box::new(update.by([by])));
        TaskResult::Done(replied)
    }

    fn question(&self, slot: usize, index: usize, asked: &str) -> Question {
        let task = self.stepper.slots[slot].id;
        Question {
            id: InterruptId::derive(task, index, self.stepper.slots[slot].handled.is_some()),
            value: to_raw_value(asked).unwrap(),
            schema: to_raw_value(&true).unwrap(),
            node: self.stepper.node_name(slot).to_string(),
            ns: Namespace::root(),
            task,
            index,
            deadline_ms: None,
            default: None,
        }
    }
}
