//! Graphs as pictures.

use std::collections::HashSet;
use std::sync::Arc;

use duru::draw::{Drawing, Edge, EdgeKind, NodeKind, VisitStatus};
use duru::{Command, Compiled, Cx, END, Graph, NodeError, Outcome, Result};

use crate::support::{Log, LogUpdate, by, memory, sign};

/// Goes round until it has signed three times.
fn looped() -> Compiled<Log> {
    let mut g = Graph::<Log>::new("looped");
    let write = g.node("write", sign);
    let check = g.node("check", sign);
    let send = g.node("send", sign);
    g.start(write).edge(write, check);
    g.route(
        check,
        [write.into(), send.into(), END],
        move |s: &Log| if s.by.len() < 5 { write } else { send },
    );
    g.compile().unwrap()
}

fn inner() -> Compiled<Log> {
    let mut g = Graph::<Log>::new("inner");
    let [find, rank] = ["find", "rank"].map(|name| g.node(name, sign));
    g.start(find).edge(find, rank);
    g.compile().unwrap()
}

/// `plan`, then `inner` in a node, then `reply`.
fn nested() -> Compiled<Log> {
    let mut g = Graph::<Log>::new("nested");
    let plan = g.node("plan", sign);
    let search = g.embed("search", &inner());
    let reply = g.node("reply", sign);
    g.start(plan).edge(plan, search).edge(search, reply);
    g.compile().unwrap()
}

/// Every kind of node and edge, loops of all sizes, two graphs deep, in two languages.
fn everything() -> Compiled<Log> {
    let mut g = Graph::<Log>::new("everything <&\" 모두");
    let [plan, left, right, both] = ["계획 세우기", "왼쪽", "right", "both"].map(|name| g.node(name, sign));
    let search = g.embed("search", &nested());
    let again = g.node("a rather long name for a node that says all that it does", sign);
    let late = g.node("late", sign);
    g.start(plan).edge(plan, left).edge(plan, right).edge(plan, search);
    g.join([left, right], both).edge(both, again).edge(search, again);
    g.route(again, [again.into(), plan.into(), both.into(), END], |_: &Log| END);
    g.may_go(again, [search.into(), again.into(), END]).defer(late).edge(left, late);
    g.compile().unwrap()
}

/// Fifty nodes with edges that have no plan.
fn large() -> Compiled<Log> {
    let mut g = Graph::<Log>::new("large");
    let nodes: Vec<_> = (0..50).map(|n| g.node(&format!("노드 {n}"), sign)).collect();
    g.start(nodes[0]);
    for n in 1..50_usize {
        g.edge(nodes[n * n * 31 % 101 % n], nodes[n]);
        if n % 3 == 0 {
            g.edge(nodes[n], nodes[(n * 31 + 5) % 50]);
        }
    }
    g.compile().unwrap()
}

fn one(name: &str) -> Drawing {
    let mut g = Graph::<Log>::new(name);
    let node = g.node(name, sign);
    g.start(node);
    g.compile().unwrap().drawing()
}

/// All drawings, nested ones after those around them.
fn opened(drawing: &Drawing) -> Vec<&Drawing> {
    let inner = drawing.nodes.iter().filter_map(|node| node.inner.as_deref());
    std::iter::once(drawing).chain(inner.flat_map(opened)).collect()
}

fn kinds(drawing: &Drawing, source: &str) -> Vec<(String, EdgeKind)> {
    let from = drawing.edges.iter().filter(|edge| edge.source == source);
    from.map(|edge| (edge.target.clone(), edge.kind)).collect()
}

#[test]
fn a_loop_in_mermaid() {
    let expected = "flowchart TD
    start([start])
    n0[\"write\"]
    n1[\"check\"]
    n2[\"send\"]
    stop([end])
    start --> n0
    n0 --> n1
    n1 -.-> n0
    n1 -.-> n2
    n1 -.-> stop
    n2 --> stop
";
    assert_eq!(looped().drawing().mermaid(), expected);
    assert_eq!(looped().mermaid(), expected);
}

#[test]
fn a_nested_graph_in_mermaid() {
    let expected = "flowchart TD
    start([start])
    n0[\"plan\"]
    subgraph n1[\"search\"]
    n1_start([start])
    n1_n0[\"find\"]
    n1_n1[\"rank\"]
    n1_stop([end])
    n1_start --> n1_n0
    n1_n0 --> n1_n1
    n1_n1 --> n1_stop
    end
    n2[\"reply\"]
    stop([end])
    start --> n0
    n0 --> n1
    n1 --> n2
    n2 --> stop
";
    assert_eq!(nested().mermaid(), expected);
}

#[test]
fn names_are_not_read_as_mermaid() {
    let mermaid = one("<script>\"#x\"`end`").mermaid();
    let label = "#60;script#62;#34;#35;x#34;#96;end#96;";
    assert!(mermaid.contains(&format!("    n0[\"{label}\"]\n")), "{mermaid}");
    assert!(one("end").mermaid().contains("    n0[\"end\"]\n"));
}

#[test]
fn every_exit_is_drawn() {
    let drawing = everything().drawing();
    let again = "a rather long name for a node that says all that it does";
    let to = |target: &str, kind| (target.to_owned(), kind);
    assert_eq!(
        kinds(&drawing, again),
        [
            to(again, EdgeKind::Route),
            to("계획 세우기", EdgeKind::Route),
            to("both", EdgeKind::Route),
            to("__end__", EdgeKind::Route),
            to("search", EdgeKind::Command),
            to(again, EdgeKind::Command),
            to("__end__", EdgeKind::Command),
        ]
    );
    assert_eq!(kinds(&drawing, "right"), [to("both", EdgeKind::Join)]);
    assert_eq!(kinds(&drawing, "late"), [to("__end__", EdgeKind::Fixed)]);
    let late = drawing.nodes.iter().find(|node| node.name == "late").unwrap();
    assert_eq!(late.kind, NodeKind::Deferred);
    let ids: Vec<&str> = opened(&drawing)[2].nodes.iter().map(|node| node.id.as_str()).collect();
    let deep = ["__start__", "find", "rank", "__end__"].map(|name| format!("search:search:{name}"));
    assert_eq!(ids, deep);
}

#[test]
fn a_drawing_is_json_for_whoever_paints_it() {
    let json = serde_json::to_value(one("a")).unwrap();
    let node = serde_json::json!({ "id": "a", "name": "a", "kind": "node" });
    let edge = serde_json::json!({ "source": "a", "target": "__end__", "kind": "fixed", "taken": false });
    assert_eq!((&json["nodes"][1], &json["edges"][1]), (&node, &edge));
}

/// The names and attributes of all elements; panics if it is not well-formed.
fn elements(xml: &str) -> Vec<String> {
    let (mut all, mut open, mut rest) = (Vec::new(), Vec::new(), xml.trim_end());
    let mut closed = false;
    while let Some((text, tail)) = rest.split_once('<') {
        assert!(!text.contains('>') && entities(text), "loose text {text:?}");
        assert!(!open.is_empty() || text.trim().is_empty(), "text outside: {text:?}");
        let (tag, tail) = tail.split_once('>').unwrap();
        assert!(!closed, "only one element outside");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            closed = open.is_empty();
        } else {
            let name = tag.split([' ', '/']).next().unwrap_or_default().to_owned();
            assert!(name.chars().all(char::is_alphanumeric) && !name.is_empty(), "{tag}");
            let attributes = tag[name.len()..].trim_end_matches('/');
            assert!(attributes.matches('"').count() % 2 == 0 && entities(attributes), "{tag}");
            all.push(tag.trim_end_matches('/').to_owned());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = tail;
    }
    assert!(rest.is_empty() && closed, "unclosed: {open:?}");
    all
}

/// Whether every ampersand begins an entity.
fn entities(text: &str) -> bool {
    let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
    text.split('&').skip(1).all(|rest| known.iter().any(|entity| rest.starts_with(entity)))
}

#[test]
fn an_svg_has_everything_and_is_well_formed() {
    for graph in [looped(), nested(), everything(), large()] {
        let drawing = graph.drawing();
        let svg = drawing.svg();
        let tags = elements(&svg);
        let with = |attribute: &str| tags.iter().filter(|tag| tag.contains(attribute)).count();
        let drawings = opened(&drawing);
        assert_eq!(with(" data-node="), drawings.iter().map(|d| d.nodes.len()).sum::<usize>());
        assert_eq!(with(" data-source="), drawings.iter().map(|d| d.edges.len()).sum::<usize>());
        for node in drawings.iter().flat_map(|d| &d.nodes) {
            assert_eq!(with(&format!(" data-node=\"{}\"", node.id)), 1, "{}", node.id);
        }
        assert_eq!(svg.matches("http").count(), 1, "nothing from elsewhere");
    }
}

#[test]
fn names_are_not_read_as_svg() {
    let svg = one("<script>alert('1')</script> & \"x\"").svg();
    elements(&svg);
    assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;alert(&#39;1&#39;)"), "{svg}");
}

#[test]
fn no_box_overlaps_another_and_no_edge_crosses_one() {
    for graph in [looped(), nested(), everything(), large()] {
        let drawing = graph.drawing();
        let layout = drawing.layout();
        let all: usize = opened(&drawing).iter().map(|d| d.nodes.len()).sum();
        assert_eq!(layout.frames.len(), all);
        for (n, a) in layout.frames.iter().enumerate() {
            assert!(a.x >= 0.0 && a.y >= 0.0 && a.width > 0.0 && a.height > 0.0, "{a:?}");
            assert!(a.x + a.width <= layout.width && a.y + a.height <= layout.height, "{a:?}");
            for b in &layout.frames[n + 1..] {
                let apart = a.x + a.width < b.x
                    || b.x + b.width < a.x
                    || a.y + a.height < b.y
                    || b.y + b.height < a.y;
                let inside = b.x > a.x
                    && b.y > a.y
                    && b.x + b.width < a.x + a.width
                    && b.y + b.height < a.y + a.height;
                let contains = b.id.starts_with(&format!("{}:", a.id));
                assert_eq!((apart, inside), (!contains, contains), "{a:?} and {b:?}");
            }
        }
        for line in &layout.lines {
            let ends = [&line.source, &line.target];
            for pair in line.points.windows(2) {
                // A curve stays between its ends.
                let [left, right] = [pair[0].x.min(pair[1].x), pair[0].x.max(pair[1].x)];
                let [top, bottom] = [pair[0].y.min(pair[1].y), pair[0].y.max(pair[1].y)];
                for frame in layout.frames.iter().filter(|frame| !ends.contains(&&frame.id)) {
                    let around = ends.iter().all(|end| end.starts_with(&format!("{}:", frame.id)));
                    let meets = left < frame.x + frame.width
                        && right > frame.x
                        && top < frame.y + frame.height
                        && bottom > frame.y;
                    assert!(around || !meets, "{line:?} crosses {frame:?}");
                }
            }
        }
    }
}

#[test]
fn two_edges_between_the_same_nodes_are_two_lines() {
    let layout = looped().drawing().layout();
    let lines: HashSet<String> = layout
        .lines
        .iter()
        .map(|line| {
            let mut points = line.points.clone();
            points.sort_by(|a, b| a.y.total_cmp(&b.y));
            format!("{points:?}")
        })
        .collect();
    assert_eq!(lines.len(), layout.lines.len());
}

#[test]
fn korean_names_have_room() {
    let width = |name: &str| one(name).layout().frames[1].width;
    assert!(width("보고서를 쓰는 노드") > 9.0 * 13.0);
    assert!(width(&"긴 이름 ".repeat(50)) < 400.0, "cut off");
    assert!(one(&"긴 이름 ".repeat(50)).svg().contains('…'));
}

fn taken(drawing: &Drawing) -> Vec<(&str, &str)> {
    let taken = opened(drawing).into_iter().flat_map(|d| &d.edges).filter(|edge| edge.taken);
    taken.map(|edge: &Edge| (edge.source.as_str(), edge.target.as_str())).collect()
}

#[tokio::test]
async fn a_looped_run_is_marked() {
    let graph = looped();
    let thread = graph.clone().on(memory()).thread("t").unwrap();
    thread.invoke(by("in")).await.unwrap().done().unwrap();
    let path = thread.log().path(None).await.unwrap();
    let seen: Vec<_> = path.visits().map(|(id, visit)| (id, visit.count, visit.status)).collect();
    let done = VisitStatus::Done;
    assert_eq!(seen, [("check", 2, done), ("send", 1, done), ("write", 2, done)]);

    let drawing = graph.drawing().marked(&path);
    let mut edges = taken(&drawing);
    edges.sort_unstable();
    let expected = [
        ("__start__", "write"),
        ("check", "send"),
        ("check", "write"),
        ("send", "__end__"),
        ("write", "check"),
    ];
    assert_eq!(edges, expected, "check never went to the end");
    let mermaid = drawing.mermaid();
    for words in ["n0[\"write<br/>×2 · ", "class n0,n1,n2 done\n", "linkStyle 0,1,2,3,5 stroke-width:3px\n"]
    {
        assert!(mermaid.contains(words), "{words}: {mermaid}");
    }
    let svg = drawing.svg();
    elements(&svg);
    assert_eq!(svg.matches("class=\"node plain visited done\"").count(), 3, "{svg}");
    assert_eq!(svg.matches(" taken\"").count(), 5, "{svg}");
    assert!(svg.contains(">×2 · "), "{svg}");
    assert!(!graph.drawing().mermaid().contains("classDef"), "nothing is marked without a path");
}

#[tokio::test]
async fn a_run_of_many_is_marked_alone() {
    let graph = looped();
    let thread = graph.clone().on(memory()).thread("t").unwrap();
    thread.invoke(by("in")).await.unwrap().done().unwrap();
    thread.invoke(by("in")).await.unwrap().done().unwrap();
    let log = thread.log();
    let run = log.state().await.unwrap().run.unwrap();
    assert_eq!(log.path(Some(run)).await.unwrap().visit("write").unwrap().count, 1);
    assert_eq!(log.path(None).await.unwrap().visit("write").unwrap().count, 3);
    let unknown = log.path(Some(duru::RunId::random(0))).await;
    assert!(matches!(unknown, Err(duru::Error::UnknownRun { .. })), "{unknown:?}");
}

#[tokio::test]
async fn a_failed_run_is_marked_where_it_failed() {
    let mut g = Graph::<Log>::new("failing");
    let one = g.node("one", sign);
    let two = g.node("two", |s: Arc<Log>, cx: Cx| async move {
        if s.last == "ready" { sign(s, cx).await } else { Err(NodeError::msg("broken")) }
    });
    let three = g.node("three", sign);
    g.start(one).edge(one, two).edge(two, three);
    let graph = g.compile().unwrap();
    let thread = graph.clone().on(memory()).thread("t").unwrap();
    assert!(matches!(thread.invoke(by("in")).await.unwrap(), Outcome::Failed(_)));
    let drawing = graph.drawing().marked(&thread.log().path(None).await.unwrap());
    assert_eq!(taken(&drawing), [("__start__", "one"), ("one", "two")]);
    let statuses: Vec<_> = drawing.nodes.iter().map(|node| node.visit.map(|visit| visit.status)).collect();
    assert_eq!(statuses, [None, Some(VisitStatus::Done), Some(VisitStatus::Failed), None, None]);
    assert!(drawing.svg().contains("visited failed"));
}

#[tokio::test]
async fn an_error_handler_s_way_is_marked() {
    let mut g = Graph::<Log>::new("handled");
    let work = g.node("work", |_: Arc<Log>, _: Cx| async { Err::<LogUpdate, _>(NodeError::msg("broken")) });
    let [after, rescue] = ["after", "rescue"].map(|name| g.node(name, sign));
    g.start(work).edge(work, after).edge(work, rescue);
    g.on_error(work, move |_: Arc<Log>, _, _: Cx| async move { Ok(Command::<Log>::go(rescue)) });
    let graph = g.compile().unwrap();
    let thread = graph.clone().on(memory()).thread("t").unwrap();
    thread.invoke(by("in")).await.unwrap().done().unwrap();
    let path = thread.log().path(None).await.unwrap();
    let visit = path.visit("work").unwrap();
    assert_eq!((visit.count, visit.status), (1, VisitStatus::Done), "one task, saved by its handler");
    let drawing = graph.drawing().marked(&path);
    assert_eq!(taken(&drawing), [("__start__", "work"), ("work", "rescue"), ("rescue", "__end__")]);
}

#[tokio::test(start_paused = true)]
async fn a_paused_run_is_marked_where_it_waits() {
    let mut g = Graph::<Log>::new("asking");
    let work = g.node("work", |s: Arc<Log>, cx: Cx| async move {
        tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
        sign(s, cx).await
    });
    let ask = g.node("ask", |_: Arc<Log>, cx: Cx| async move {
        let answer: String = cx.interrupt("well?")?;
        Ok(by(answer))
    });
    g.start(work).edge(work, ask).pause_before(ask);
    let graph = g.compile().unwrap().clock(duru::TokioClock::starting_at(1_000_000));
    let thread = graph.clone().on(memory()).thread("t").unwrap();
    let visit = async |id: &str| *thread.log().path(None).await.unwrap().visit(id).unwrap();

    assert!(matches!(thread.invoke(by("in")).await.unwrap(), Outcome::Breakpoint(_)));
    assert_eq!(visit("work").await.total_ms, 1500);
    assert_eq!((visit("ask").await.count, visit("ask").await.status), (0, VisitStatus::Paused));
    tokio::time::sleep(std::time::Duration::from_secs(3600)).await;
    assert!(matches!(thread.go_on().await.unwrap(), Outcome::Paused(_)));
    let drawing = graph.drawing().marked(&thread.log().path(None).await.unwrap());
    assert!(drawing.mermaid().contains("n1[\"ask<br/>0 ms · paused\"]"), "{}", drawing.mermaid());
    assert!(drawing.svg().contains(">1.5 s<"), "{}", drawing.svg());
    tokio::time::sleep(std::time::Duration::from_secs(3600)).await;
    thread.resume("fine").await.unwrap().done().unwrap();
    let asked = visit("ask").await;
    assert_eq!((asked.count, asked.status, asked.total_ms), (1, VisitStatus::Done, 0), "waiting is not work");
}

#[tokio::test]
async fn a_run_that_has_not_ended_is_marked_as_running() {
    let mut g = Graph::<Log>::new("slow");
    let one = g.node("one", sign);
    let two = g.node("two", |_: Arc<Log>, _: Cx| std::future::pending::<Result<LogUpdate>>());
    g.start(one).edge(one, two);
    let thread = g.compile().unwrap().on(memory()).thread("t").unwrap();
    let mut stream = thread.invoke(by("in")).stream([duru::Mode::Checkpoints]).await.unwrap();
    stream.next().await.unwrap();
    stream.next().await.unwrap();
    let visit = *thread.log().path(None).await.unwrap().visit("two").unwrap();
    assert_eq!((visit.count, visit.status), (1, VisitStatus::Running));
}

#[tokio::test]
async fn a_nested_run_is_marked_inside() {
    let graph = nested();
    let thread = graph.clone().on(memory()).thread("t").unwrap();
    thread.invoke(by("in")).await.unwrap().done().unwrap();
    let path = thread.log().path(None).await.unwrap();
    let ids: Vec<&str> = path.visits().map(|(id, _)| id).collect();
    assert_eq!(ids, ["plan", "reply", "search", "search:find", "search:rank"]);
    let drawing = graph.drawing().marked(&path);
    assert_eq!(taken(&drawing).len(), 7, "all edges: {:?}", taken(&drawing));
    assert!(drawing.mermaid().contains("class n0,n1,n1_n0,n1_n1,n2 done\n"), "{}", drawing.mermaid());
    let inner = drawing.nodes[2].inner.as_ref().unwrap();
    assert_eq!(inner.nodes[1].visit.map(|visit| (visit.count, visit.status)), Some((1, VisitStatus::Done)));
}
