//! The graph of a script.

use std::collections::HashMap;
use std::sync::Arc;

use super::Script;
use crate::graph::topology::Topology;
use crate::{Cx, END, Goto, Graph, Node, Policy, Result, Retry, State, Target, Worker};

#[derive(State, Clone)]
pub(super) struct S {
    /// Who wrote, in order of folding.
    #[merge(append)]
    pub(super) by: Vec<String>,
    /// Only one may write it.
    pub(super) one: String,
}

/// A node, whatever its input.
#[derive(Clone, Copy)]
pub(super) enum Handle {
    Node(Node),
    Worker(Worker<usize>),
}

impl From<Handle> for Node {
    fn from(handle: Handle) -> Self {
        match handle {
            Handle::Node(node) => node,
            Handle::Worker(worker) => worker.into(),
        }
    }
}

/// The player answers for the nodes; these are never called.
async fn nothing(_: Arc<S>, _: Cx) -> Result<()> {
    Ok(())
}

pub(super) struct Drawn {
    pub(super) topology: Arc<Topology>,
    pub(super) handles: HashMap<String, Handle>,
}

impl Drawn {
    pub(super) fn of(script: &Script) -> Self {
        let mut g = Graph::<S>::new("script");
        let mut handles: HashMap<String, Handle> = HashMap::new();
        let mut order = Vec::new();
        let workers = script.words("workers");
        let names = script.words("graph").into_iter().filter(|word| !["->", "?>", "+", "END"].contains(word));
        for name in names.map(str::to_owned) {
            if handles.contains_key(&name) {
                continue;
            }
            let handle = if workers.contains(&name.as_str()) {
                Handle::Worker(g.worker(&name, |_: usize, _: Cx| async { Ok(()) }))
            } else {
                Handle::Node(g.node(&name, nothing))
            };
            order.push(name.clone());
            handles.insert(name, handle);
        }
        let node = |name: &str| Node::from(handles[name]);
        let starts = script.words("start");
        let starts = if starts.is_empty() { vec![order[0].as_str()] } else { starts };
        for name in starts {
            g.start(node(name));
        }
        let mut leads: Vec<&str> = Vec::new();
        for clause in script.all("graph") {
            let (from, to, routed) = match clause.split_once("->") {
                Some((from, to)) => (from, to, false),
                None => clause.split_once("?>").map(|(from, to)| (from, to, true)).unwrap(),
            };
            let targets: Vec<Target> = to
                .split_whitespace()
                .map(|name| if name == "END" { END } else { node(name).into() })
                .collect();
            let sources: Vec<&str> = from.split_whitespace().filter(|word| *word != "+").collect();
            leads.extend(&sources);
            if from.contains('+') {
                for target in to.split_whitespace() {
                    g.join(sources.iter().map(|name| node(name)), node(target));
                }
            } else if routed {
                let picks = Picks::of(script, sources[0], &handles);
                g.route(node(sources[0]), targets, move |s: &S| picks.pick(s));
            } else {
                for (from, to) in sources.iter().flat_map(|from| targets.iter().map(move |to| (from, to))) {
                    g.edge(node(from), *to);
                }
            }
        }
        for line in script.all("run") {
            if let Some((from, to)) = line.split_once(" commands ")
                && !from.ends_with('*')
            {
                g.may_go(node(from), [node(to)]);
            }
        }
        for name in &order {
            if !leads.contains(&name.as_str()) {
                g.edge(node(name), END);
            }
            g.policy(node(name), policy(script, name));
        }
        for name in script.words("defer") {
            g.defer(node(name));
        }
        for name in script.words("handler") {
            g.on_error(node(name), |_: Arc<S>, _, _: Cx| async { Ok(()) });
        }
        for name in script.words("before") {
            g.pause_before(node(name));
        }
        for name in script.words("after") {
            g.pause_after(node(name));
        }
        let topology = g.compile().unwrap().topology();
        Self { topology, handles }
    }
}

fn policy(script: &Script, name: &str) -> Policy {
    let number = |word: &'static str| {
        let line = script.all(word).find(|line| line.starts_with(&format!("{name} ")))?;
        line.split_whitespace().nth(1)?.parse::<usize>().ok()
    };
    let mut policy = Policy::new();
    if let Some(times) = number("retry") {
        policy = policy.retry(Retry::times(times as u32));
    }
    if let Some(limit) = number("limit") {
        policy = policy.limit(limit);
    }
    policy
}

/// Where a route goes, time by time.
struct Picks {
    from: String,
    turns: Vec<String>,
    handles: HashMap<String, Handle>,
}

impl Picks {
    fn of(script: &Script, from: &str, handles: &HashMap<String, Handle>) -> Self {
        let line = script.all("goes").find(|line| line.starts_with(&format!("{from} "))).unwrap();
        let turns = line.split_whitespace().skip(1).map(str::to_owned).collect();
        Self { from: from.to_owned(), turns, handles: handles.clone() }
    }

    /// By how often the node has written, this time included.
    fn pick(&self, state: &S) -> Vec<Goto> {
        let times = state.by.iter().filter(|by| **by == self.from).count();
        let turn = &self.turns[times.saturating_sub(1).min(self.turns.len() - 1)];
        turn.split(',').flat_map(|target| self.gotos(target)).collect()
    }

    fn gotos(&self, target: &str) -> Vec<Goto> {
        match target.split_once('*') {
            _ if target == "END" => vec![Goto::End],
            None => vec![Node::from(self.handles[target]).into()],
            Some((name, count)) => match self.handles[name] {
                Handle::Worker(worker) => {
                    (1..=count.parse().unwrap()).map(|i| worker.send(i).into()).collect()
                }
                Handle::Node(_) => panic!("{name} is no worker"),
            },
        }
    }
}
