//! A node that fails is tried again; when all tries have failed, its handler
//! decides how to go on instead of its edges.

use std::sync::Arc;
use std::time::Duration;

use duru::{Command, Cx, END, Graph, NodeError, NodeFailure, Policy, Result, Retry, State};

#[derive(State, Clone)]
struct Weather {
    city: String,
    forecast: String,
    source: String,
    #[merge(append)]
    notes: Vec<String>,
}

/// Fails twice for every city, and always for one that does not exist.
async fn fetch(s: Arc<Weather>, cx: Cx) -> Result<WeatherUpdate> {
    if s.city == "Atlantis" {
        // No retry can help: it is not tried again.
        return Err(NodeError::fatal("no such city"));
    }
    if cx.attempt() < 3 {
        return Err(NodeError::msg("the service is busy"));
    }
    Ok(WeatherUpdate::new().forecast("sunny").source("service"))
}

async fn guess(_: Arc<Weather>, _: Cx) -> Result<WeatherUpdate> {
    Ok(WeatherUpdate::new().forecast("like yesterday").source("guess"))
}

async fn report(s: Arc<Weather>, _: Cx) -> Result<WeatherUpdate> {
    Ok(WeatherUpdate::new().notes([format!("{}: {} ({})", s.city, s.forecast, s.source)]))
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut g = Graph::<Weather>::new("weather");
    let fetch = g.node("fetch", fetch);
    let guess = g.node("guess", guess);
    let report = g.node("report", report);
    g.start(fetch).edge(fetch, report).edge(guess, report).edge(report, END);
    let retry = Retry::times(5).first_wait(Duration::from_millis(5));
    g.policy(fetch, Policy::new().retry(retry).timeout(Duration::from_secs(1)));
    g.may_go(fetch, [guess]);
    g.on_error(fetch, move |_, failure: NodeFailure, _| async move {
        let note = format!("gave up after {} tries: {}", failure.attempts, failure.message);
        Ok(Command::update(WeatherUpdate::new().notes([note])).goto(guess))
    });
    let graph = g.compile()?;

    let end = graph.invoke(WeatherUpdate::new().city("Seoul")).await?.done()?;
    assert_eq!(end.notes, ["Seoul: sunny (service)"]);

    let end = graph.invoke(WeatherUpdate::new().city("Atlantis")).await?.done()?;
    assert_eq!(end.notes, ["gave up after 1 tries: no such city", "Atlantis: like yesterday (guess)"]);
    println!("{}", end.notes.join("\n"));
    Ok(())
}
