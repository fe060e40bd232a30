//! From the order in the layers to positions.

use super::Cell;

/// Between neighbours of a layer.
const GAP: f64 = 18.0;
/// Between two lanes.
const LANES: f64 = 6.0;
/// Between two layers, at least and at most.
const STEP: f64 = 18.0;
const HIGHEST: f64 = 46.0;
/// How often the layers are moved towards their neighbours.
const PASSES: usize = 24;

/// Moves each layer towards its neighbours, again and again, down and up.
pub(super) fn horizontal(cells: &mut [Cell], layers: &[Vec<usize>]) {
    for layer in layers {
        let mut x = 0.0;
        for (at, &i) in layer.iter().enumerate() {
            x += if at == 0 { 0.0 } else { apart(&cells[layer[at - 1]], &cells[i]) };
            cells[i].x = x;
        }
    }
    for pass in 0..PASSES {
        let is_down = pass % 2 == 0;
        for n in 0..layers.len() {
            let layer = &layers[if is_down { n } else { layers.len() - 1 - n }];
            let wanted: Vec<(f64, f64)> = layer.iter().map(|&i| wanted(cells, i, is_down)).collect();
            settle(cells, layer, &wanted);
        }
    }
    let left = cells.iter().map(|cell| cell.x - cell.width / 2.0).fold(f64::INFINITY, f64::min);
    for cell in cells {
        cell.x -= left;
    }
}

fn is_lane(cell: &Cell) -> bool {
    cell.height == 0.0
}

/// How far apart the middles of two neighbours must be.
fn apart(left: &Cell, right: &Cell) -> f64 {
    let gap = if is_lane(left) && is_lane(right) { LANES } else { GAP };
    (left.width + right.width) / 2.0 + gap
}

/// Where a cell wants to be, and how much. Lanes pull hardest at lanes, so that
/// long edges are straight.
fn wanted(cells: &[Cell], i: usize, by_upper: bool) -> (f64, f64) {
    let cell = &cells[i];
    let near = if by_upper { &cell.up } else { &cell.down };
    if near.is_empty() {
        return (cell.x, 0.1);
    }
    let pull = |other: usize| if is_lane(cell) && is_lane(&cells[other]) { 4.0 } else { 1.0 };
    let weight: f64 = near.iter().map(|other| pull(*other)).sum();
    let sum: f64 = near.iter().map(|other| pull(*other) * cells[*other].x).sum();
    (sum / weight, weight)
}

/// Puts a layer as near as possible to where its cells want to be (by least
/// squares), in their order and without overlaps: neighbours that would come too
/// near to each other are moved as one block.
fn settle(cells: &mut [Cell], layer: &[usize], wanted: &[(f64, f64)]) {
    struct Block {
        /// Where its first cell wants to be, on the average.
        x: f64,
        weight: f64,
        count: usize,
        /// From its first cell to that of the next block.
        width: f64,
    }
    let mut blocks: Vec<Block> = Vec::new();
    for (at, &(x, weight)) in wanted.iter().enumerate() {
        let width = layer.get(at + 1).map_or(0.0, |next| apart(&cells[layer[at]], &cells[*next]));
        blocks.push(Block { x, weight, count: 1, width });
        while let [.., left, right] = blocks.as_slice() {
            if left.x + left.width <= right.x {
                break;
            }
            let weight = left.weight + right.weight;
            let x = (left.x * left.weight + (right.x - left.width) * right.weight) / weight;
            let (count, width) = (left.count + right.count, left.width + right.width);
            blocks.truncate(blocks.len() - 2);
            blocks.push(Block { x, weight, count, width });
        }
    }
    let mut at = 0;
    for block in blocks {
        let mut x = block.x;
        for n in 0..block.count {
            cells[layer[at]].x = x;
            at += 1;
            if n + 1 < block.count {
                x += apart(&cells[layer[at - 1]], &cells[layer[at]]);
            }
        }
    }
}

/// The layers from above.
pub(super) struct Rows {
    /// The upper and lower side of each.
    pub(super) sides: Vec<(f64, f64)>,
    pub(super) height: f64,
}

impl Rows {
    pub(super) fn middle(&self, layer: usize) -> f64 {
        let (top, bottom) = self.sides[layer];
        (top + bottom) / 2.0
    }
}

/// Layers between which edges go far to the side are further apart.
pub(super) fn vertical(cells: &[Cell], layers: &[Vec<usize>]) -> Rows {
    let mut rows = Rows { sides: Vec::with_capacity(layers.len()), height: 0.0 };
    let mut y = 0.0;
    for layer in layers {
        let height = layer.iter().map(|&i| cells[i].height).fold(0.0, f64::max);
        rows.sides.push((y, y + height));
        rows.height = y + height;
        let aside = |i: usize| {
            let cell = &cells[i];
            cell.down.iter().map(move |below| (cells[*below].x - cell.x).abs())
        };
        let furthest = layer.iter().flat_map(|&i| aside(i)).fold(0.0, f64::max);
        y += height + (STEP + furthest * 0.06).min(HIGHEST);
    }
    rows
}
