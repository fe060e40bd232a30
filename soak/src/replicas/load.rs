//! What clients do: begin an article, read along, answer its question, read along to the end, and read all of it
//! again. Whatever breaks off is tried again, anywhere.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use duru::ThreadId;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::along::{Along, Missed};
use crate::client::{Answer, Client};

/// How long nothing may come of anything before that counts as stuck: longer than what `soak cluster` does to
/// everything at once.
const STUCK: Duration = Duration::from_secs(180);
/// A server that lives gives a sign of life more often.
const SILENCE: Duration = Duration::from_secs(15);
const PAUSE: Duration = Duration::from_millis(30);

/// An event as a client saw it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seen {
    pub(super) id: String,
    event: String,
    data: Value,
}

/// A run, read to its end.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) seen: Vec<Seen>,
    /// How often it was cut off.
    pub(super) breaks: u64,
    /// From the cut to the next event.
    pub(super) gaps: Vec<Duration>,
}

/// One article.
#[derive(Debug, Default)]
pub(crate) struct Story {
    pub(crate) thread: String,
    /// Each run as it was read along, and as it is read afterwards.
    pub(super) runs: Vec<(Reading, Reading)>,
    /// Requests that had to be sent again.
    pub(super) retries: u64,
    /// What somebody missed who read the thread along.
    pub(super) missed: Missed,
    /// What was shown of a thread that had this name before.
    pub(super) back: Vec<String>,
}

/// What a run can show.
const MODES: [&str; 7] = ["values", "updates", "messages", "custom", "tasks", "checkpoints", "debug"];

pub(crate) async fn story(client: &Client, number: usize, count: usize) -> Result<Story> {
    let thread = ThreadId::random().as_str().to_owned();
    let mut story = Story { thread: thread.clone(), ..Story::default() };
    // Some names had another thread before.
    if count % 3 == 2 {
        let dead = format!("dead-{number}-{count}");
        live(client, &mut story, &dead, false).await?;
        let gone = format!("/threads/{thread}");
        let give_up = Instant::now() + STUCK;
        while !matches!(client.try_send("DELETE", &gone, None).await, Ok(Answer { status: 204 | 404, .. })) {
            ensure!(Instant::now() < give_up, "{gone} can't be deleted");
            tokio::time::sleep(PAUSE).await;
        }
        story.runs.clear();
        live(client, &mut story, &format!("{number}-{count}"), true).await?;
        story.look_for(client, &dead).await?;
    } else {
        live(client, &mut story, &format!("{number}-{count}"), true).await?;
    }
    Ok(story)
}

/// One article on the story's thread, begun and answered.
async fn live(client: &Client, story: &mut Story, topic: &str, is_watched: bool) -> Result<()> {
    let thread = story.thread.clone();
    let begin = json!({
        "assistant_id": "article", "input": { "topic": topic, "lang": "en" },
        "if_not_exists": "create", "stream_mode": MODES, "stream_resumable": true,
    });
    let answer = json!({
        "assistant_id": "article", "command": { "resume": "publish" }, "stream_mode": MODES, "stream_resumable": true,
    });
    let mut along = None;
    for (part, body) in [("begin", begin), ("answer", answer)] {
        let run =
            start(client, &thread, &format!("{thread}-{topic}-{part}"), &body, &mut story.retries).await?;
        if is_watched {
            along.get_or_insert_with(|| Along::open(client, &thread));
        }
        let path = format!("/threads/{thread}/runs/{run}");
        let live = read(client, &format!("{path}/stream")).await.with_context(|| path.clone())?;
        let end = asked(client, "GET", &path, None, &mut story.retries).await?;
        ensure!(end["status"] == "success", "{path} ended as {}", end["status"]);
        let again = read(client, &format!("{path}/stream")).await.with_context(|| path.clone())?;
        story.runs.push((live, again));
    }
    if let Some(along) = along {
        story.missed = along.close().await?;
    }
    Ok(())
}

impl Story {
    /// Looks for what was said in a thread that is no more.
    async fn look_for(&mut self, client: &Client, dead: &str) -> Result<()> {
        let mut shown = vec![format!("{:?}", self.runs)];
        for what in ["state", "history?limit=100"] {
            let path = format!("/threads/{}/{what}", self.thread);
            shown.push(asked(client, "GET", &path, None, &mut self.retries).await?.to_string());
        }
        let back = shown.iter().filter(|text| text.contains(dead)).count();
        self.back.extend((0..back).map(|_| format!("{}: {dead:?} was deleted and is shown", self.thread)));
        Ok(())
    }

    /// What is wrong with it: events that were lost, events that came twice, and whatever else.
    pub(super) fn faults(&self) -> (u64, u64, Vec<String>) {
        let (mut lost, mut doubled, mut wrong) = (0, 0, Vec::new());
        for (live, again) in &self.runs {
            lost += again.seen.iter().filter(|event| !live.seen.contains(event)).count() as u64;
            let mut ids: Vec<&str> = live.seen.iter().map(|event| event.id.as_str()).collect();
            ids.sort_unstable();
            doubled += ids.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
            if live.seen != again.seen {
                wrong.push(format!("{}: what was read along is not what is read afterwards", self.thread));
            }
        }
        for (node, times) in [("draft", 1_u64), ("check", 3), ("ask", 1), ("publish", 1)] {
            let updates = self.runs.iter().flat_map(|(live, _)| &live.seen);
            let found = updates.filter(|seen| seen.event == "updates" && !seen.data[node].is_null()).count();
            lost += times.saturating_sub(found as u64);
            doubled += (found as u64).saturating_sub(times);
        }
        (lost, doubled, wrong)
    }
}

/// Begins a run. The key makes it one, however often it has to be asked for.
async fn start(client: &Client, thread: &str, key: &str, body: &Value, retries: &mut u64) -> Result<String> {
    let run = asked(client, "POST", &format!("/threads/{thread}/runs"), Some((key, body)), retries).await?;
    Ok(run["run_id"].as_str().with_context(|| format!("no run: {run}"))?.to_owned())
}

/// Asks until somebody answers.
async fn asked(
    client: &Client,
    method: &str,
    path: &str,
    body: Option<(&str, &Value)>,
    retries: &mut u64,
) -> Result<Value> {
    let give_up = Instant::now() + STUCK;
    loop {
        let (kind, text) = match body {
            Some((key, body)) => {
                (format!("application/json\r\nidempotency-key: {key}"), Some(body.to_string()))
            }
            None => (String::new(), None),
        };
        match timeout(SILENCE, client.raw(method, path, &kind, text.as_deref())).await {
            Ok(Ok(answer)) if answer.status == 200 => return Ok(serde_json::from_str(&answer.text)?),
            // It is stopping, or its database is away for a moment.
            Ok(Ok(answer)) if ![429, 500, 503].contains(&answer.status) => {
                bail!("{method} {path}: {} {}", answer.status, answer.text)
            }
            other => ensure!(Instant::now() < give_up, "{method} {path}: nobody answers: {other:?}"),
        }
        *retries += 1;
        tokio::time::sleep(PAUSE).await;
    }
}

/// Reads a run to its end, from where it was cut off whenever it is.
async fn read(client: &Client, path: &str) -> Result<Reading> {
    let (mut reading, mut last) = (Reading::default(), "-1".to_owned());
    let (mut cut, mut progress) = (None, Instant::now());
    loop {
        let opened = timeout(SILENCE, client.events(path, Some(&last))).await;
        if let Ok(Ok(mut events)) = opened {
            while let Ok(Ok(frame)) = timeout(SILENCE, events.next()).await {
                let Some(frame) = frame else { return Ok(reading) };
                progress = Instant::now();
                reading.gaps.extend(cut.take().map(|at: Instant| at.elapsed()));
                if !frame.id.is_empty() {
                    last.clone_from(&frame.id);
                }
                if MODES.contains(&frame.event.as_str()) {
                    reading.seen.push(Seen { id: frame.id, event: frame.event, data: frame.data });
                }
            }
        }
        ensure!(progress.elapsed() < STUCK, "no event for {STUCK:?}");
        reading.breaks += 1;
        cut.get_or_insert_with(Instant::now);
        tokio::time::sleep(PAUSE).await;
    }
}
