//! The example's graph, bare and with a thread's path.

use crate::Desk;

#[test]
fn a_graph_is_drawn_in_two_forms() {
    let desk = Desk::new();
    let svg = desk.run(&["graph", "--format", "svg"]);
    assert_eq!((svg.code, svg.err.as_str()), (Some(0), ""), "{svg:?}");
    assert!(svg.out.starts_with("<svg ") && svg.out.ends_with("</svg>\n"), "{svg:?}");
    assert!(svg.out.contains("data-node=\"publish\"") && !svg.out.contains(" visited "), "{svg:?}");
    let json = desk.run(&["graph", "--format", "svg", "--json"]).json();
    assert_eq!(json["svg"].as_str(), Some(svg.out.as_str()));
    let mermaid = desk.run(&["graph", "--format", "mermaid"]);
    assert_eq!(mermaid.out, desk.run(&["graph"]).out);
}

#[test]
fn a_thread_s_path_is_marked() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["demo", "--thread", "t", "--answer", "revise", "--pace", "20"]).code, Some(0));
    let seen = desk.run(&["graph", "--thread", "t"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    // Drafted twice, three checks each, and published in the end.
    for words in ["[\"draft<br/>×2 · ", "[\"check<br/>×6 · ", "[\"publish<br/>", "class n0,n1,n2,n3 done"]
    {
        assert!(seen.out.contains(words), "{words}: {seen:?}");
    }
    let json = desk.run(&["graph", "--thread", "t", "--json"]).json();
    let draft = json["visits"].as_array().unwrap().iter().find(|visit| visit["id"] == "draft").unwrap();
    assert_eq!((&draft["visit"]["count"], &draft["visit"]["status"]), (&2.into(), &"done".into()));
    assert!(draft["visit"]["total_ms"].as_u64() >= Some(40), "{draft}");

    assert_eq!(desk.run(&["demo", "--thread", "waits", "--no-input"]).code, Some(6));
    let svg = desk.run(&["graph", "--thread", "waits", "--format", "svg"]);
    assert!(svg.out.contains("class=\"node plain visited paused\" data-node=\"ask\""), "{svg:?}");
    assert_eq!(desk.run(&["graph", "--thread", "nobody"]).code, Some(2));
}

#[test]
fn the_agents_are_drawn_without_their_data() {
    let desk = Desk::new();
    let drawn = desk.run(&["graph", "analyst"]);
    assert_eq!((drawn.code, drawn.err.as_str()), (Some(0), ""), "{drawn:?}");
    assert!(drawn.out.starts_with("flowchart TD") && drawn.out.contains("generate_sql"), "{drawn:?}");
    let text = desk.run(&["graph", "advisor", "--format", "text"]);
    assert!(text.out.starts_with("advisor\n  (start) → initialize\n"), "{text:?}");
    // A team is a graph within a graph.
    assert!(text.out.contains("\n  execute_teams → orchestrate\n    (start) → "), "{text:?}");
    let json = desk.run(&["graph", "researcher", "--json"]).json();
    let ids: Vec<&str> =
        json["nodes"].as_array().unwrap().iter().filter_map(|one| one["id"].as_str()).collect();
    assert!(ids.contains(&"hallucination_check") && ids.contains(&"__end__"), "{ids:?}");
    assert!(json["edges"].as_array().unwrap().len() > ids.len() - 2, "{json}");
    assert_eq!(desk.run(&["graph", "nobody"]).code, Some(2));
    // A thread is of one graph, which need not be named.
    assert_eq!(desk.run(&["demo", "--thread", "t", "--no-input"]).code, Some(6));
    let other = desk.run(&["graph", "analyst", "--thread", "t"]);
    assert_eq!(other.code, Some(2), "{other:?}");
    assert!(other.err.contains("\"article\""), "{other:?}");
    let marked = desk.run(&["graph", "--thread", "t", "--format", "text"]);
    assert!(marked.out.starts_with("article\n") && marked.out.contains("draft [×1, "), "{marked:?}");
}
