//! The order of nodes and lanes within the layers.

use super::rank::Ranks;
use super::{Cell, Chain};

/// The room of an edge that passes a layer.
const LANE: f64 = 10.0;
/// How often the layers are sorted by their neighbours, down and up.
const SWEEPS: usize = 12;

/// Gives every edge a lane in each layer that it passes. Nodes are in every
/// second layer, so that also the shortest edge has one lane: two edges between
/// the same nodes are then two lines.
pub(super) fn lanes(cells: &mut Vec<Cell>, ends: &[(usize, usize)], ranks: &Ranks) -> Vec<Option<Chain>> {
    let mut chains = Vec::with_capacity(ends.len());
    for (&(from, to), &turned) in ends.iter().zip(&ranks.turned) {
        if from == to {
            chains.push(None);
            continue;
        }
        let (upper, lower) = if turned { (to, from) } else { (from, to) };
        let mut chain = vec![upper];
        for layer in cells[upper].layer + 1..cells[lower].layer {
            chain.push(cells.len());
            cells.push(Cell { width: LANE, layer, ..Cell::default() });
        }
        chain.push(lower);
        for pair in chain.windows(2) {
            cells[pair[0]].down.push(pair[1]);
            cells[pair[1]].up.push(pair[0]);
        }
        chains.push(Some(Chain { cells: chain, turned }));
    }
    chains
}

/// The cells of each layer from left to right, with few crossings.
pub(super) fn layers(cells: &mut [Cell]) -> Vec<Vec<usize>> {
    let count = cells.iter().map(|cell| cell.layer + 1).max().unwrap_or_default();
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (i, cell) in cells.iter().enumerate() {
        layers[cell.layer].push(i);
    }
    let mut place = vec![0.0; cells.len()];
    let mut best = layers.clone();
    let mut fewest = usize::MAX;
    for sweep in 0..SWEEPS {
        let is_down = sweep % 2 == 0;
        let order: Vec<usize> = if is_down { (0..count).collect() } else { (0..count).rev().collect() };
        for layer in order {
            sort(&mut layers[layer], cells, &mut place, is_down);
        }
        let crossings = crossings(&layers, cells, &place);
        if crossings < fewest {
            (fewest, best) = (crossings, layers.clone());
        }
    }
    best
}

/// Sorts a layer by the average place of the neighbours on one side. Those
/// without any stay about where they are.
fn sort(layer: &mut [usize], cells: &[Cell], place: &mut [f64], by_upper: bool) {
    let mut keyed: Vec<(f64, usize)> = layer
        .iter()
        .enumerate()
        .map(|(at, &i)| {
            let near = if by_upper { &cells[i].up } else { &cells[i].down };
            let sum: f64 = near.iter().map(|other| place[*other]).sum();
            (if near.is_empty() { at as f64 } else { sum / near.len() as f64 }, i)
        })
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (at, (_, i)) in keyed.into_iter().enumerate() {
        layer[at] = i;
        place[i] = at as f64;
    }
}

fn crossings(layers: &[Vec<usize>], cells: &[Cell], place: &[f64]) -> usize {
    let mut count = 0;
    for layer in layers {
        let mut lines: Vec<(f64, f64)> = Vec::new();
        for &i in layer {
            lines.extend(cells[i].down.iter().map(|below| (place[i], place[*below])));
        }
        for (n, a) in lines.iter().enumerate() {
            count += lines[n + 1..].iter().filter(|b| (a.0 - b.0) * (a.1 - b.1) < 0.0).count();
        }
    }
    count
}
