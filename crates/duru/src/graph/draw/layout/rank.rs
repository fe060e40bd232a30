//! Which layer each node is in.

use crate::graph::draw::{Drawing, EdgeKind, NodeKind};

pub(super) struct Ranks {
    /// By node.
    pub(super) of: Vec<usize>,
    /// By edge: whether it leads upwards, because it closes a loop.
    pub(super) turned: Vec<bool>,
}

pub(super) fn ranks(drawing: &Drawing, ends: &[(usize, usize)]) -> Ranks {
    let count = drawing.nodes.len();
    let turned = turned(drawing, ends);
    let mut down: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (&(from, to), turned) in ends.iter().zip(&turned) {
        match (from == to, turned) {
            (true, _) => {}
            (false, true) => down[to].push(from),
            (false, false) => down[from].push(to),
        }
    }
    let mut of = vec![0; count];
    for node in sorted(count, &down) {
        for &next in &down[node] {
            of[next] = of[next].max(of[node] + 1);
        }
    }
    // A node that only leads back up must not come below the end.
    let lowest = of.iter().copied().max().unwrap_or_default();
    for (i, node) in drawing.nodes.iter().enumerate() {
        let alone = |rank: usize| of.iter().enumerate().all(|(other, of)| other == i || *of < rank);
        if node.kind == NodeKind::End {
            of[i] = if alone(lowest) { lowest } else { lowest + 1 };
        }
    }
    Ranks { of, turned }
}

/// The edges that lead back to a node above the one that they begin at. Edges
/// are taken one after the other, those that are always taken first, from the
/// start on; one that would close a loop is turned.
fn turned(drawing: &Drawing, ends: &[(usize, usize)]) -> Vec<bool> {
    let count = drawing.nodes.len();
    let distance = distances(count, ends);
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by_key(|edge| {
        let kind = match drawing.edges[*edge].kind {
            EdgeKind::Fixed | EdgeKind::Join => 0,
            EdgeKind::Route => 1,
            EdgeKind::Command => 2,
        };
        (kind, distance[ends[*edge].0])
    });
    let mut turned = vec![false; ends.len()];
    let mut down: Vec<Vec<usize>> = vec![Vec::new(); count];
    for edge in order {
        let (from, to) = ends[edge];
        turned[edge] = from != to && leads(&down, to, from);
        match (from == to, turned[edge]) {
            (true, _) => {}
            (false, true) => down[to].push(from),
            (false, false) => down[from].push(to),
        }
    }
    turned
}

/// How many edges lead from the start, which is the first node, to each node.
fn distances(count: usize, ends: &[(usize, usize)]) -> Vec<usize> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in ends {
        out[*from].push(*to);
    }
    let mut distance = vec![usize::MAX; count];
    let mut reached = vec![0; count.min(1)];
    distance[..count.min(1)].fill(0);
    let mut done = 0;
    while let Some(&node) = reached.get(done) {
        done += 1;
        for &next in &out[node] {
            if distance[next] == usize::MAX {
                distance[next] = distance[node] + 1;
                reached.push(next);
            }
        }
    }
    distance
}

/// Whether a path leads from one node to another.
fn leads(down: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; down.len()];
    let mut todo = vec![from];
    while let Some(node) = todo.pop() {
        if node == to {
            return true;
        }
        if !std::mem::replace(&mut seen[node], true) {
            todo.extend(&down[node]);
        }
    }
    false
}

/// Each node before all those below it.
fn sorted(count: usize, down: &[Vec<usize>]) -> Vec<usize> {
    let mut above = vec![0; count];
    for next in down.iter().flatten() {
        above[*next] += 1;
    }
    let mut order: Vec<usize> = (0..count).filter(|node| above[*node] == 0).collect();
    let mut done = 0;
    while let Some(&node) = order.get(done) {
        done += 1;
        for &next in &down[node] {
            above[next] -= 1;
            if above[next] == 0 {
                order.push(next);
            }
        }
    }
    order
}
