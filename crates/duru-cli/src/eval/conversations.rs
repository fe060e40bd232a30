//! `duru eval conversations`: whole conversations with the advisor, without a model.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use duru_agents::advisor::Toolbox;
use duru_agents::advisor::evaluation::conversations::{Conversation, Judged, Score, talk};
use duru_agents::advisor::tools::embedded::Sources;
use duru_llm::decision::Decider;
use serde_json::json;

use crate::output::Output;
use crate::problem::Problem;

/// How often progress is told.
const EVERY: usize = 10;

pub(super) async fn run(conversations: &Path, out: &Path, output: &Output) -> Result<(), Problem> {
    let file_problem = |file: &Path| {
        let file = file.to_owned();
        move |source| Problem::File { file, source }
    };
    let text = fs::read_to_string(conversations).map_err(file_problem(conversations))?;
    let lines: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).collect();
    let lang = output.lang;
    let toolbox = Toolbox::new(&Sources::built_in(jiff::Zoned::now().date()));
    let (mut written, mut score, mut failed) = (String::new(), Score::default(), 0);
    for (done, (at, line)) in lines.iter().enumerate() {
        match serde_json::from_str::<Conversation>(line) {
            Ok(conversation) => {
                let judged = talk(&conversation, &toolbox, &Decider::by_rules()).await;
                score.add(&judged, &conversation);
                for one in &judged {
                    tell(one, output);
                    // Writing to a string can't fail.
                    let _ = writeln!(written, "{}", json!(one));
                }
            }
            Err(why) => {
                failed += 1;
                let number = at + 1;
                output
                    .complain(&lang.pick(format!("{number}번째 줄: {why}"), format!("line {number}: {why}")));
            }
        }
        let done = done + 1;
        if done % EVERY == 0 || done == lines.len() {
            output.progress(&format!("{done}/{}", lines.len()));
        }
    }
    fs::write(out, written).map_err(file_problem(out))?;
    show(&score, failed, lines.len(), output)
}

/// What is wrong with an answer, in a line.
fn tell(one: &Judged, output: &Output) {
    let lang = output.lang;
    let groups =
        |groups: &[Vec<String>]| groups.iter().map(|group| group.join("|")).collect::<Vec<_>>().join(", ");
    let mut wrong: Vec<String> = Vec::new();
    if !one.missing.is_empty() {
        wrong.push(format!("{}: {}", lang.pick("빠진 사실", "facts missing"), groups(&one.missing)));
    }
    if !one.contradictions.is_empty() {
        let said = one.contradictions.join(", ");
        wrong.push(format!("{}: {said}", lang.pick("모순", "contradictions")));
    }
    if !one.unmentioned.is_empty() {
        wrong.push(format!("{}: {}", lang.pick("언급 없음", "unmentioned"), groups(&one.unmentioned)));
    }
    if let Some(why) = &one.failed {
        wrong.push(format!("{}: {why}", lang.pick("실패", "failed")));
    }
    if !wrong.is_empty() {
        output.complain(&format!("{} {}: {}", one.id, one.turn, wrong.join("; ")));
    }
}

fn show(score: &Score, failed: usize, of: usize, output: &Output) -> Result<(), Problem> {
    let lang = output.lang;
    let unmentioned = score.parts.of - score.parts.hits;
    let rows = [
        ("사실", "facts", score.facts.hits, score.facts.of, "≥ 0.90", score.facts.value() >= 0.9),
        (
            "모순이 있는 답",
            "answers that contradict",
            score.contradictions.hits,
            score.contradictions.of,
            "0",
            score.contradictions.hits == 0,
        ),
        ("언급되지 않은 부분", "unmentioned parts", unmentioned, score.parts.of, "0", unmentioned == 0),
        ("실패한 답", "answers that failed", score.failed, score.turns, "0", score.failed == 0),
    ];
    let rows = rows.into_iter().map(|(ko, en, hits, of, goal, met)| {
        let met = if met { lang.pick("예", "yes") } else { lang.pick("아니요", "no") };
        [lang.pick(ko, en).to_owned(), format!("{hits}/{of}"), goal.to_owned(), met.to_owned()]
    });
    output.table(lang.pick(["항목", "건", "목표", "달성"], ["measure", "cases", "goal", "met"]), rows)?;
    let answer = json!({ "conversations": of, "failed": failed, "score": score });
    if failed == 0 {
        return output.json(answer);
    }
    Err(Problem::Items { failed, of }.after(answer, output))
}
