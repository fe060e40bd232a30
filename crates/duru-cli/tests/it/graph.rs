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
