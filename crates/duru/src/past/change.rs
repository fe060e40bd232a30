//! Changing a thread from outside, as if a node had written. This needs the
//! graph: what follows is that node's to say.

use std::sync::Arc;

use serde_json::Value;

use super::ThreadLog;
use super::edit::{Edit, EditWrite};
use super::inside::Inside;
use super::writer::Writer;
use crate::error::Error;
use crate::graph::topology::Topology;
use crate::log::{Begin, Source, TaskRecord};
use crate::state::entries_of_json;
use crate::state::erased::AnyUpdate;
use crate::stepper::{Next, START_NAME, Stepper, Write};
use crate::thread::Thread;
use crate::view::{Pinned, View};
use crate::{CheckpointId, Namespace, State};

/// What an edit did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The checkpoint that it wrote.
    pub checkpoint: CheckpointId,
    /// Nodes whose finished work of an unfinished step it gave up.
    pub discarded: Vec<String>,
}

/// What a change writes: a typed update, or JSON that is still to be read.
pub(crate) enum Written {
    Update(AnyUpdate),
    Json(Value),
}

/// Who writes what, and goes where besides.
pub(crate) struct NamedWrite {
    as_node: Option<String>,
    written: Vec<Written>,
    goto: Vec<(String, Option<Value>)>,
}

/// A change, with what it writes as far as it is known.
pub(crate) struct Change {
    at: Option<CheckpointId>,
    within: Namespace,
    writes: Vec<NamedWrite>,
}

impl Change {
    fn as_node(node: &str, update: AnyUpdate) -> Self {
        let (as_node, written) = (Some(node.to_owned()), vec![Written::Update(update)]);
        let writes = vec![NamedWrite { as_node, written, goto: Vec::new() }];
        Self { at: None, within: Namespace::root(), writes }
    }

    /// What an edit in words asks for. `input` reads what goes into the graph.
    pub(crate) fn of(edit: Edit, input: impl Fn(&Value) -> Option<AnyUpdate>) -> Self {
        let is_root = edit.within.is_root();
        let write = |EditWrite { values, as_node, goto }: EditWrite| {
            let is_input = matches!(as_node.as_deref(), Some("__start__" | "__input__")) && is_root;
            let values = match values {
                None | Some(Value::Null) => Vec::new(),
                // A node may write several times, one thing after the other.
                Some(Value::Array(several)) => several,
                Some(one) => vec![one],
            };
            let written = values.into_iter().map(|values| match input(&values) {
                Some(update) if is_input => Written::Update(update),
                _ => Written::Json(values),
            });
            NamedWrite { as_node, written: written.collect(), goto }
        };
        Self { at: edit.at, within: edit.within, writes: edit.writes.into_iter().map(write).collect() }
    }
}

impl<S: State, I, O> Thread<S, I, O> {
    /// Changes the state as if `node` had written it, and plans what follows
    /// from that node. Nothing is run; [`Thread::go_on`] does.
    pub async fn edit(&self, node: &str, update: S::Update) -> Result<Edited, Error> {
        let change = Change::as_node(node, Box::new(update));
        self.log().change(&self.app.graph.kit.topology, change).await
    }

    /// Like [`Thread::edit`], on the state of an earlier checkpoint. What came
    /// after it stays in the log, but the thread goes on from here.
    pub async fn edit_at(
        &self,
        checkpoint: CheckpointId,
        node: &str,
        update: S::Update,
    ) -> Result<Edited, Error> {
        let change = Change { at: Some(checkpoint), ..Change::as_node(node, Box::new(update)) };
        self.log().change(&self.app.graph.kit.topology, change).await
    }
}

/// As which node a whole edit is made.
enum Manner {
    Step,
    Input,
    End,
    Copy,
}

impl ThreadLog {
    pub(crate) async fn change(&self, topology: &Arc<Topology>, change: Change) -> Result<Edited, Error> {
        let log = self.clone().within(change.within.clone());
        let graph = topology.name.to_string();
        let manner =
            manner(&change.writes).map_err(|reason| Error::Input { graph: graph.clone(), reason })?;
        if matches!(manner, Manner::Copy) {
            return log.copy_moment(change.at).await;
        }
        let _turn = log.begin()?;
        let position = log.position().await?;
        let now = log.view(None).await?;
        let newest = now.at.as_ref().map(|at| at.id);
        let goes_back = change.at.is_some() && change.at != newest;
        let (view, done) = match change.at.filter(|_| goes_back) {
            Some(at) => log.past_step(at).await?,
            None => (now.clone(), now.tasks.values().cloned().collect()),
        };
        let Inside { mut stepper, around } = log.stepper(topology, view).await?;
        if goes_back {
            stepper.go_back_from(newest);
        }
        let at_ms = log.clock.now_ms();
        let refused = |reason: String| Error::Input { graph: graph.clone(), reason };
        let made = match manner {
            Manner::End => stepper.end_here(done, at_ms),
            Manner::Input => {
                let mut given: Vec<Written> =
                    change.writes.into_iter().flat_map(|write| write.written).collect();
                let input = given.pop().filter(|_| given.is_empty());
                let input =
                    input.ok_or_else(|| refused("there is no input, or not one: give values".to_owned()))?;
                stepper.put_down(&read(&stepper, input).map_err(refused)?, at_ms)
            }
            Manner::Step | Manner::Copy => {
                let nameless = change.writes.iter().any(|write| write.as_node.is_none());
                let writer = if nameless { Some(log.last_writer(stepper.checkpoint).await?) } else { None };
                let writes = log.writes(&stepper, change.writes, writer.as_ref())?;
                stepper.edit(writes, at_ms)
            }
        };
        let made = made.map_err(|error| refused(error.to_string()))?;
        let discarded = if matches!(manner, Manner::End) { Vec::new() } else { now.finished() };
        let begin = Begin { discarded: discarded.clone(), ..Begin::new(&*graph, Source::Update) };
        // What a subgraph asked is asked by the graphs around it too, until they go on.
        let given_up = if log.ns.is_root() { now } else { View::default() };
        log.write(around.records(begin, made), position, &given_up).await?;
        let checkpoint = stepper.checkpoint.ok_or_else(|| refused("nothing was changed".to_owned()))?;
        Ok(Edited { checkpoint, discarded })
    }

    /// A moment of the past, and what its tasks came to.
    async fn past_step(&self, at: CheckpointId) -> Result<(View, Vec<TaskRecord>), Error> {
        let pinned = Pinned::find(&*self.store, &self.id).await?.ok_or_else(|| self.unknown(at))?;
        let Some(row) = self.find_row(pinned, at).await? else {
            return Ok((self.view_at_of(pinned, at).await?, Vec::new()));
        };
        let (mut view, next) = self.view_from(pinned, &row).await?;
        if let Some(next) = next.filter(|next| next.parent == Some(at) && next.source == Source::Loop) {
            view.tasks.extend(next.results.into_iter().map(|result| (result.id, result)));
        }
        let done = view.tasks.values().cloned().collect();
        Ok((view, done))
    }

    /// Who writes what, with everybody's name known.
    fn writes(
        &self,
        stepper: &Stepper,
        named: Vec<NamedWrite>,
        last: Option<&Writer>,
    ) -> Result<Vec<Write>, Error> {
        let topology = &stepper.topology;
        let refused = |reason: String| Error::Input { graph: topology.name.to_string(), reason };
        let mut writes = Vec::with_capacity(named.len());
        for NamedWrite { as_node, written, goto } in named {
            let node = match as_node.as_deref() {
                Some(START_NAME) => None,
                Some(name) => Some(topology.find(name)?),
                None => match last {
                    Some(Writer::Node(name)) => Some(topology.find(name)?),
                    Some(Writer::Several) => {
                        return Err(Error::AmbiguousWriter { thread: self.id.clone() });
                    }
                    Some(Writer::Input) | None => None,
                },
            };
            let updates = written.into_iter().map(|written| read(stepper, written));
            let updates = updates.collect::<Result<Vec<AnyUpdate>, String>>().map_err(refused)?;
            let goto = goto.into_iter().map(|(to, input)| goto_of(topology, &to, input.as_ref()));
            writes.push(Write { node, updates, goto: goto.collect::<Result<_, Error>>()? });
        }
        Ok(writes)
    }
}

/// As which node an edit is made, or why it can't be.
fn manner(writes: &[NamedWrite]) -> Result<Manner, String> {
    let alone = writes.len() == 1;
    for write in writes {
        match (write.as_node.as_deref(), write.written.is_empty()) {
            (Some("__input__" | "__end__" | "__copy__"), _) if !alone => {
                return Err("an input, an end or a copy is a step of its own".to_owned());
            }
            (None, _) if !alone => return Err("of several writes each says as which node".to_owned()),
            (Some("__input__"), _) => return Ok(Manner::Input),
            (Some("__end__"), true) => return Ok(Manner::End),
            (Some("__copy__"), true) => return Ok(Manner::Copy),
            _ => {}
        }
    }
    match writes.is_empty() {
        true => Err("there is nothing to change".to_owned()),
        false => Ok(Manner::Step),
    }
}

fn read(stepper: &Stepper, written: Written) -> Result<AnyUpdate, String> {
    match written {
        Written::Update(update) => Ok(update),
        Written::Json(json) if json.is_object() => {
            let entries = entries_of_json(&json.to_string()).map_err(|error| error.to_string())?;
            stepper.topology.ops.update(&entries).map_err(|error| error.to_string())
        }
        Written::Json(_) => Err("values must be an object of fields".to_owned()),
    }
}

/// Where to go: a node, or a task of it with an input of its own.
pub(crate) fn goto_of(topology: &Topology, to: &str, input: Option<&Value>) -> Result<Next, Error> {
    let node = topology.find(to)?;
    let spec = topology.node(node);
    let refused = |reason: String| Error::Input { graph: topology.name.to_string(), reason };
    let Some(input) = input else {
        if spec.takes_state {
            return Ok(Next { node, own: None });
        }
        return Err(refused(format!("node {to:?} takes an input of its own: send it one")));
    };
    let unfit =
        |error: serde_json::Error| refused(format!("the input for node {to:?} does not fit: {error}"));
    let raw = serde_json::value::to_raw_value(input).map_err(unfit)?;
    Ok(Next { node, own: Some(((spec.decode)(&raw).map_err(unfit)?, None)) })
}
