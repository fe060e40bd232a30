//! Where everything goes: layers from the start down to the end.
//!
//! 1. `rank`: edges that close a loop are turned around, then every node comes
//!    below all that lead to it.
//! 2. `order`: edges pass the layers between their ends in lanes of their own;
//!    nodes and lanes of a layer are sorted so that few edges cross.
//! 3. `place`: each layer is moved towards its neighbours, without overlaps.
//! 4. `route`: edges are vertical within a layer and bend only between two, where
//!    there is nothing else. So no edge ever crosses a box.

mod order;
mod place;
mod rank;
mod route;

use serde::Serialize;

use super::text::{self, SIZE};
use super::{Drawing, Node, NodeKind};

/// A drawing with positions, in pixels from the upper left corner.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Layout {
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// The nodes, those of nested graphs after the node that holds them.
    pub frames: Vec<Frame>,
    /// The edges, each graph's in the order of [`Drawing::edges`].
    pub lines: Vec<Line>,
}

/// Where a node is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Frame {
    /// The [`Node::id`].
    pub id: String,
    /// How many graphs are around it.
    pub depth: usize,
    /// Its left side.
    pub x: f64,
    /// Its upper side.
    pub y: f64,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
}

/// Where an edge goes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Line {
    /// The [`Edge::source`](super::Edge::source).
    pub source: String,
    /// The [`Edge::target`](super::Edge::target).
    pub target: String,
    /// From the source to the target: straight lines between vertical ends, and
    /// curves that begin and end vertically where both coordinates change. An
    /// edge from a node to itself bends around its right side.
    pub points: Vec<Point>,
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// Around the whole picture, and around a nested one.
const MARGIN: f64 = 16.0;
/// The line with the name of a nested graph.
pub(super) const TITLE: f64 = 24.0;
/// Names are cut off at this width.
pub(super) const WIDEST: f64 = 280.0;
/// The size of the letters of counts and times.
pub(super) const SMALL: f64 = 11.0;
/// How far an edge from a node to itself reaches.
const LOOP: f64 = 26.0;

impl Drawing {
    /// Where everything goes: what [`Drawing::svg`] draws, for other painters.
    pub fn layout(&self) -> Layout {
        let mut layout = graph(self, 0);
        layout.shift(MARGIN, MARGIN);
        layout.width += 2.0 * MARGIN;
        layout.height += 2.0 * MARGIN;
        layout
    }
}

impl Layout {
    fn shift(&mut self, x: f64, y: f64) {
        for frame in &mut self.frames {
            frame.x += x;
            frame.y += y;
        }
        for point in self.lines.iter_mut().flat_map(|line| &mut line.points) {
            point.x += x;
            point.y += y;
        }
    }
}

/// A node or, where an edge passes a layer, its lane.
#[derive(Debug, Clone, Default)]
struct Cell {
    width: f64,
    height: f64,
    /// Its middle.
    x: f64,
    layer: usize,
    /// Neighbours in the layer above and below.
    up: Vec<usize>,
    down: Vec<usize>,
}

/// An edge as cells from the upper one to the lower one.
#[derive(Debug, Clone)]
struct Chain {
    cells: Vec<usize>,
    /// Whether it leads upwards.
    turned: bool,
}

fn graph(drawing: &Drawing, depth: usize) -> Layout {
    let inner: Vec<Option<Layout>> =
        drawing.nodes.iter().map(|node| Some(graph(node.inner.as_deref()?, depth + 1))).collect();
    let (ends, loops) = ends(drawing);
    let ranks = rank::ranks(drawing, &ends);
    let mut cells: Vec<Cell> = Vec::new();
    for (i, node) in drawing.nodes.iter().enumerate() {
        let (width, height) = size(node, inner[i].as_ref());
        let width = width.max(route::room(&ends, i));
        // On both sides, so that its middle stays where it is.
        let beside = if loops.contains(&i) { 2.0 * LOOP } else { 0.0 };
        cells.push(Cell { width: width + beside, height, layer: 2 * ranks.of[i], ..Cell::default() });
    }
    let chains = order::lanes(&mut cells, &ends, &ranks);
    let layers = order::layers(&mut cells);
    place::horizontal(&mut cells, &layers);
    let rows = place::vertical(&cells, &layers);

    let mut layout = Layout { width: 0.0, height: rows.height, frames: Vec::new(), lines: Vec::new() };
    for (i, node) in drawing.nodes.iter().enumerate() {
        let cell = &cells[i];
        let width = if loops.contains(&i) { cell.width - 2.0 * LOOP } else { cell.width };
        let y = rows.middle(cell.layer) - cell.height / 2.0;
        let (x, height) = (cell.x - width / 2.0, cell.height);
        layout.width = layout.width.max(cell.x + cell.width / 2.0);
        layout.frames.push(Frame { id: node.id.clone(), depth, x, y, width, height });
    }
    for cell in &cells {
        layout.width = layout.width.max(cell.x + cell.width / 2.0);
    }
    layout.lines = route::lines(
        drawing,
        &ends,
        route::Placed { cells: &cells, chains: &chains, rows: &rows, frames: &layout.frames },
    );
    for (i, nested) in inner.into_iter().enumerate() {
        let Some(mut nested) = nested else { continue };
        let frame = &layout.frames[i];
        let x = frame.x + (frame.width - nested.width) / 2.0;
        nested.shift(x, frame.y + frame.height - MARGIN - nested.height);
        layout.frames.extend(nested.frames);
        layout.lines.extend(nested.lines);
    }
    layout
}

/// The two nodes of each edge by number, and the nodes with edges to themselves.
fn ends(drawing: &Drawing) -> (Vec<(usize, usize)>, Vec<usize>) {
    let number = |id: &str| drawing.nodes.iter().position(|node| node.id == id).unwrap_or_default();
    let ends: Vec<(usize, usize)> =
        drawing.edges.iter().map(|edge| (number(&edge.source), number(&edge.target))).collect();
    let loops = ends.iter().filter(|(from, to)| from == to).map(|(node, _)| *node).collect();
    (ends, loops)
}

fn size(node: &Node, inner: Option<&Layout>) -> (f64, f64) {
    let name = text::width(&node.name, SIZE).min(WIDEST);
    let marks = node.visit.map_or(0.0, |visit| text::width(&visit.words(), SMALL));
    let more = if node.visit.is_some() { 16.0 } else { 0.0 };
    match (node.kind, inner) {
        (NodeKind::Start | NodeKind::End, _) => (name + 26.0, 26.0),
        (_, Some(inner)) => {
            let words = if node.visit.is_some() { name + marks + 16.0 } else { name };
            (inner.width.max(words) + 2.0 * MARGIN, inner.height + TITLE + 1.5 * MARGIN)
        }
        (_, None) => ((name.max(marks) + 28.0).max(64.0), 36.0 + more),
    }
}
