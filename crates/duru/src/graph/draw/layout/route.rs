//! The points that edges pass.

use super::place::Rows;
use super::{Cell, Chain, Drawing, Frame, LOOP, Line, Point, WIDEST};

/// Between the ends of two edges at a node.
const PORT: f64 = 14.0;

/// How wide a node should be for its edges to meet it apart from each other.
pub(super) fn room(ends: &[(usize, usize)], node: usize) -> f64 {
    let come = ends.iter().filter(|(_, to)| *to == node).count();
    let leave = ends.iter().filter(|(from, _)| *from == node).count();
    (PORT * come.max(leave) as f64 + 16.0).min(WIDEST)
}

/// Everything that has its place.
pub(super) struct Placed<'a> {
    pub(super) cells: &'a [Cell],
    pub(super) chains: &'a [Option<Chain>],
    pub(super) rows: &'a Rows,
    pub(super) frames: &'a [Frame],
}

pub(super) fn lines(drawing: &Drawing, ends: &[(usize, usize)], placed: Placed<'_>) -> Vec<Line> {
    let mut loops = vec![0; drawing.nodes.len()];
    let mut lines = Vec::with_capacity(drawing.edges.len());
    for (n, edge) in drawing.edges.iter().enumerate() {
        let points = match &placed.chains[n] {
            Some(chain) => placed.points(n, chain),
            None => {
                let node = ends[n].0;
                loops[node] += 1;
                around(&placed.frames[node], loops[node])
            }
        };
        lines.push(Line { source: edge.source.clone(), target: edge.target.clone(), points });
    }
    lines
}

impl Placed<'_> {
    fn points(&self, edge: usize, chain: &Chain) -> Vec<Point> {
        let mut points = Vec::with_capacity(2 * chain.cells.len());
        let last = chain.cells.len() - 1;
        for (at, &i) in chain.cells.iter().enumerate() {
            let (top, bottom) = self.rows.sides[self.cells[i].layer];
            let mut add = |x, y| {
                let point = Point { x, y };
                if points.last() != Some(&point) {
                    points.push(point);
                }
            };
            match at {
                0 => {
                    let x = self.port(edge, i, Side::Lower);
                    add(x, self.frames[i].y + self.frames[i].height);
                    add(x, bottom);
                }
                at if at == last => {
                    let x = self.port(edge, i, Side::Upper);
                    add(x, top);
                    add(x, self.frames[i].y);
                }
                _ => {
                    add(self.cells[i].x, top);
                    add(self.cells[i].x, bottom);
                }
            }
        }
        if chain.turned {
            points.reverse();
        }
        points
    }

    /// Where an edge meets a side of a node: in the order of the lanes beside it.
    fn port(&self, edge: usize, node: usize, side: Side) -> f64 {
        let next = |chain: &Chain| match side {
            Side::Lower => (chain.cells.first() == Some(&node)).then(|| chain.cells[1]),
            Side::Upper => (chain.cells.last() == Some(&node)).then(|| chain.cells[chain.cells.len() - 2]),
        };
        let mut here: Vec<(f64, usize)> = self
            .chains
            .iter()
            .enumerate()
            .filter_map(|(n, chain)| Some((self.cells[next(chain.as_ref()?)?].x, n)))
            .collect();
        here.sort_by(|a, b| a.0.total_cmp(&b.0));
        let at = here.iter().position(|(_, n)| *n == edge).unwrap_or_default() as f64;
        let frame = &self.frames[node];
        let apart = PORT.min((frame.width - 16.0).max(1.0) / here.len().max(1) as f64);
        frame.x + frame.width / 2.0 + (at - (here.len() as f64 - 1.0) / 2.0) * apart
    }
}

#[derive(Clone, Copy)]
enum Side {
    Upper,
    Lower,
}

/// The `count`-th edge from a node to itself.
fn around(frame: &Frame, count: usize) -> Vec<Point> {
    let right = frame.x + frame.width;
    let reach = LOOP * (1.0 - 0.35_f64.powi(count as i32));
    let (top, bottom) = (frame.y + frame.height * 0.25, frame.y + frame.height * 0.75);
    [(right, bottom), (right + reach, bottom), (right + reach, top), (right, top)]
        .map(|(x, y)| Point { x, y })
        .into()
}
