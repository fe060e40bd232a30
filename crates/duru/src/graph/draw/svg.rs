//! A drawing as a picture.

use std::collections::HashMap;
use std::fmt::{Arguments, Write};

use super::layout::WIDEST;
use super::text::{SIZE, duration, shorten, width, xml};
use super::{Drawing, Edge, EdgeKind, Frame, Layout, Line, Node, NodeKind, Point, VisitStatus};

impl Drawing {
    /// As SVG. It takes its colour from the text around it, needs no font and
    /// nothing from elsewhere, and can be put into a page as it is.
    ///
    /// Dashed lines are routes, dotted ones commands, a bar before the arrow is
    /// a join, a dashed box a deferred node. If it is [marked](Drawing::marked),
    /// nodes that ran have the class `visited` and one of `done`, `failed`,
    /// `paused` and `running`, and edges that were taken have the class `taken`.
    pub fn svg(&self) -> String {
        let layout = self.layout();
        let mut svg = Svg { out: String::new(), frames: HashMap::new() };
        svg.open(self, &layout);
        svg.frames = layout.frames.iter().map(|frame| (frame.id.as_str(), frame)).collect();
        let mut lines = layout.lines.iter();
        // Boxes first: what is inside a nested graph must not be covered by it.
        svg.boxes(self);
        svg.lines(self, &mut lines);
        svg.add(format_args!("</svg>"));
        svg.out
    }
}

struct Svg<'a> {
    out: String,
    frames: HashMap<&'a str, &'a Frame>,
}

impl<'a> Svg<'a> {
    fn add(&mut self, text: Arguments<'_>) {
        // Writing to a string can't fail.
        let _ = writeln!(self.out, "{text}");
    }

    fn open(&mut self, drawing: &Drawing, layout: &Layout) {
        let (w, h, name) = (round(layout.width), round(layout.height), xml(&drawing.name));
        self.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"duru-graph\" role=\"img\" aria-label=\"{name}\" \
             viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">\n<title>{name}</title>\n<style>\n{STYLE}{}</style>",
            statuses()
        ));
    }

    fn boxes(&mut self, drawing: &'a Drawing) {
        for node in &drawing.nodes {
            if let Some(frame) = self.frames.get(&*node.id).copied() {
                self.node(node, frame);
            }
            if let Some(inner) = &node.inner {
                self.boxes(inner);
            }
        }
    }

    fn node(&mut self, node: &Node, frame: &Frame) {
        let kind = match (node.kind, &node.inner) {
            (NodeKind::Start, _) => "start",
            (NodeKind::End, _) => "end",
            (NodeKind::Deferred, Some(_)) => "subgraph deferred",
            (NodeKind::Deferred, None) => "deferred",
            (_, Some(_)) => "subgraph",
            (_, None) => "plain",
        };
        let marks = node.visit.map(|visit| format!(" visited {}", visit.status.as_str())).unwrap_or_default();
        self.add(format_args!("<g class=\"node {kind}{marks}\" data-node=\"{}\">", xml(&node.id)));
        self.add(format_args!("<title>{}</title>", xml(&title(node))));
        let (x, y, w, h) = (round(frame.x), round(frame.y), round(frame.width), round(frame.height));
        let corner =
            if matches!(node.kind, NodeKind::Start | NodeKind::End) { frame.height / 2.0 } else { 6.0 };
        self.add(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{corner}\"/>"));
        let name = shorten(&node.name, SIZE, WIDEST);
        let words = node.visit.map(|visit| visit.words()).unwrap_or_default();
        let middle = frame.x + frame.width / 2.0;
        if node.inner.is_some() {
            let left = frame.x + 10.0;
            self.text("name side", Point { x: left, y: frame.y + 18.0 }, &name);
            let beside = left + width(&name, SIZE) + 8.0;
            self.text("count side", Point { x: beside, y: frame.y + 18.0 }, &words);
        } else if words.is_empty() {
            self.text("name", Point { x: middle, y: frame.y + frame.height / 2.0 + 4.5 }, &name);
        } else {
            self.text("name", Point { x: middle, y: frame.y + 21.0 }, &name);
            self.text("count", Point { x: middle, y: frame.y + 38.0 }, &words);
        }
        self.add(format_args!("</g>"));
    }

    fn text(&mut self, class: &str, at: Point, words: &str) {
        if !words.is_empty() {
            let (x, y) = (round(at.x), round(at.y));
            self.add(format_args!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", xml(words)));
        }
    }

    /// In the order in which the layout has them: a graph's, then those of its nodes.
    fn lines(&mut self, drawing: &Drawing, lines: &mut std::slice::Iter<'_, Line>) {
        for (edge, line) in drawing.edges.iter().zip(lines.by_ref().take(drawing.edges.len())) {
            self.line(edge, line);
        }
        for inner in drawing.nodes.iter().filter_map(|node| node.inner.as_deref()) {
            self.lines(inner, lines);
        }
    }

    fn line(&mut self, edge: &Edge, line: &Line) {
        let taken = if edge.taken { " taken" } else { "" };
        self.add(format_args!(
            "<g class=\"edge {}{taken}\" data-source=\"{}\" data-target=\"{}\">",
            edge.kind.as_str(),
            xml(&edge.source),
            xml(&edge.target)
        ));
        self.add(format_args!("<path d=\"{}\"/>", path(&line.points)));
        if let [.., before, tip] = line.points.as_slice() {
            let (dx, dy) = direction(*before, *tip);
            self.add(format_args!("<path class=\"tip\" d=\"{}\"/>", tip_of(*tip, dx, dy)));
            if edge.kind == EdgeKind::Join {
                let (x, y) = (tip.x - dx * 11.0, tip.y - dy * 11.0);
                let (x1, y1) = (round(x - dy * 6.0), round(y - dx * 6.0));
                let (x2, y2) = (round(x + dy * 6.0), round(y + dx * 6.0));
                self.add(format_args!("<path class=\"bar\" d=\"M{x1} {y1}L{x2} {y2}\"/>"));
            }
        }
        self.add(format_args!("</g>"));
    }
}

fn title(node: &Node) -> String {
    let Some(visit) = &node.visit else { return node.id.clone() };
    let (status, last) = (visit.status.as_str(), duration(visit.last_ms));
    format!("{}: {status}, ×{}, {}, last {last}", node.id, visit.count, duration(visit.total_ms))
}

/// All ends are vertical, but those of edges from a node to itself.
fn direction(before: Point, tip: Point) -> (f64, f64) {
    if before.y == tip.y { ((tip.x - before.x).signum(), 0.0) } else { (0.0, (tip.y - before.y).signum()) }
}

fn tip_of(tip: Point, dx: f64, dy: f64) -> String {
    let back = |side: f64| (round(tip.x - dx * 8.0 + dy * side), round(tip.y - dy * 8.0 + dx * side));
    let ((ax, ay), (bx, by)) = (back(4.0), back(-4.0));
    format!("M{} {}L{ax} {ay}L{bx} {by}Z", round(tip.x), round(tip.y))
}

/// Straight where one coordinate stays, else a curve with vertical ends.
fn path(points: &[Point]) -> String {
    let mut d = String::new();
    let mut last: Option<Point> = None;
    for point in points {
        let (x, y) = (round(point.x), round(point.y));
        // Writing to a string can't fail.
        let _ = match last {
            None => write!(d, "M{x} {y}"),
            Some(from) if from.x == point.x || from.y == point.y => write!(d, "L{x} {y}"),
            Some(from) => {
                let middle = round((from.y + point.y) / 2.0);
                write!(d, "C{} {middle} {x} {middle} {x} {y}", round(from.x))
            }
        };
        last = Some(*point);
    }
    d
}

fn round(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// `:root` is this picture only where it stands alone; then nobody else gives it
/// a colour for a dark ground.
const STYLE: &str = "\
svg.duru-graph:root { color: CanvasText; color-scheme: light dark }
.duru-graph text { font: 13px system-ui, sans-serif; fill: currentColor; text-anchor: middle }
.duru-graph text.count { font-size: 11px; opacity: .75 }
.duru-graph text.side { text-anchor: start }
.duru-graph .node rect { fill: currentColor; fill-opacity: .05; stroke: currentColor; stroke-width: 1.2 }
.duru-graph .node.subgraph rect { fill-opacity: .02; stroke-opacity: .6 }
.duru-graph .node.deferred rect { stroke-dasharray: 6 3 }
.duru-graph .edge path { fill: none; stroke: currentColor; stroke-width: 1.2; opacity: .8 }
.duru-graph .edge.route path { stroke-dasharray: 5 4 }
.duru-graph .edge.command path { stroke-dasharray: 1.5 3 }
.duru-graph .edge path.tip { fill: currentColor; stroke: none }
.duru-graph .edge path.bar { stroke-width: 2.4; stroke-dasharray: none }
.duru-graph .edge.taken path { stroke-width: 2.6; opacity: 1 }
.duru-graph .node.visited rect { stroke-width: 2.4; stroke-opacity: 1 }
";

fn statuses() -> String {
    let rule = |status: VisitStatus| {
        let (word, colour) = (status.as_str(), status.colour());
        format!(".duru-graph .node.{word} rect {{ stroke: {colour}; fill: {colour}; fill-opacity: .12 }}\n")
    };
    // The boxes inside have a colour of their own.
    VisitStatus::ALL.map(rule).concat() + ".duru-graph .node.subgraph.visited rect { fill-opacity: .05 }\n"
}
