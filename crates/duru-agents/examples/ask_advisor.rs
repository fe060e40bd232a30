//! Asks the advisor the questions of standard input, one a line, all in one conversation; an empty line begins another.
//! Without a model, on its embedded tools.

use std::io::BufRead as _;
use std::sync::Arc;
use std::time::Instant;

use duru::Outcome;
use duru::store::MemoryStore;
use duru_agents::advisor::tools::embedded::Sources;
use duru_agents::advisor::{Inquiry, Toolbox, graph};
use duru_llm::decision::Decider;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let today = jiff::Zoned::now().date();
    let advisor = graph(Toolbox::new(&Sources::built_in(today)))?
        .provide(Decider::by_rules())
        .on(Arc::new(MemoryStore::new()));
    let mut talk = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            talk += 1;
            continue;
        }
        let started = Instant::now();
        let outcome =
            advisor.thread(format!("talk-{talk}"))?.invoke(Inquiry::question(line.as_str())).await?;
        let took = started.elapsed();
        println!("### {line}   [{took:.0?}]");
        if let Outcome::Done(end) = outcome {
            println!(
                "{}\n",
                end.final_response.as_ref().map(|answer| answer.text.as_str()).unwrap_or_default()
            );
        }
    }
    Ok(())
}
