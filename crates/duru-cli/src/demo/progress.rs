//! The events of a run as lines for a person.

use duru::{Event, Mode};

use super::nodes::Note;
use crate::output::Output;
use crate::text::clean;

pub(super) fn show(event: &Event, output: &Output) {
    match event.mode {
        Mode::Tasks => task(event, output),
        Mode::Custom => note(event, output),
        _ => {}
    }
}

fn task(event: &Event, output: &Output) {
    let data = &event.data;
    let node = clean(data["node"].as_str().unwrap_or_default());
    // The input is a task too, but not one of the graph's nodes.
    if node.starts_with("__") {
        return;
    }
    let line = if data["type"] == "start" {
        let detail =
            data["input"]["rule"].as_str().map(|rule| format!(" ({})", clean(rule))).unwrap_or_default();
        format!("  ▸ {}: {node}{detail}", data["step"])
    } else if let Some(error) = data["error"]["message"].as_str() {
        format!("  ✗ {node}: {}", clean(error))
    } else if data.get("interrupts").is_some() {
        format!("  ? {node}")
    } else {
        format!("  ✓ {node}")
    };
    output.progress(&line);
}

fn note(event: &Event, output: &Output) {
    match serde_json::from_value(event.data.clone()) {
        Ok(Note::Publishing { key }) => output.progress(&output.lang.publishing(&clean(&key))),
        Ok(Note::PublishedBefore) => output.progress(output.lang.published_before()),
        Err(_) => output.progress(&format!("    {}", clean(&event.data.to_string()))),
    }
}
