//! `duru eval conversations`: whole conversations with the advisor, by rules or with a model.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use duru_agents::advisor::Toolbox;
use duru_agents::advisor::evaluation::conversations::{Conversation, Judged, Score, talk};
use duru_agents::advisor::tools::embedded::Sources;
use duru_llm::decision::Decider;
use serde_json::json;

use super::figures::Figures;
use super::policy::{Ending, Judge, Written, measure};
use crate::args::EvalModel;
use crate::output::Output;
use crate::problem::Problem;

/// How often progress is told.
const EVERY: usize = 10;

/// Conversations with what their answers must say.
struct JudgedConversations {
    conversations: Vec<Conversation>,
    toolbox: Toolbox,
}

impl Judge for JudgedConversations {
    fn names(&self) -> Vec<String> {
        self.conversations.iter().map(|conversation| conversation.id.clone()).collect()
    }

    async fn ending(&mut self, question: usize, decider: Decider) -> anyhow::Result<Option<Ending>> {
        let conversation = self.conversations.get(question).context("there is no such conversation")?;
        Ok(Some(ending(&talk(conversation, &self.toolbox, &decider).await)))
    }
}

/// Right are all facts and no contradiction; a contradiction is wrong, whatever else is said.
fn ending(judged: &[Judged]) -> Ending {
    if judged.iter().any(|one| !one.contradictions.is_empty()) {
        return Ending::Wrong;
    }
    let complete = judged.iter().all(|one| one.missing.is_empty() && one.failed.is_none());
    if complete { Ending::Right } else { Ending::Open }
}

pub(super) async fn run(
    conversations: &Path,
    out: &Path,
    with: &EvalModel,
    output: &Output,
) -> Result<(), Problem> {
    let decider = with.model.as_ref().map(|_| super::decider(with)).transpose()?;
    let file_problem = |file: &Path| {
        let file = file.to_owned();
        move |source| Problem::File { file, source }
    };
    let text = fs::read_to_string(conversations).map_err(file_problem(conversations))?;
    let lines: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).collect();
    let toolbox = Toolbox::new(&Sources::built_in(jiff::Zoned::now().date()));
    if let Some(file) = &with.write_policy {
        let read = lines.iter().map(|(_, line)| serde_json::from_str(line)).collect::<Result<_, _>>();
        let read = read.map_err(|error| file_problem(conversations)(std::io::Error::other(error)))?;
        let to = Written { set: "conversations", out, file };
        let mut judge = JudgedConversations { conversations: read, toolbox };
        return measure(&mut judge, with, &to, output).await;
    }
    let figures = Figures::default();
    let decider = figures.counting(&decider.unwrap_or_else(Decider::by_rules));
    let (mut written, mut score, mut failed) = (String::new(), Score::default(), 0);
    for (done, (at, line)) in lines.iter().enumerate() {
        match serde_json::from_str::<Conversation>(line) {
            Ok(conversation) => {
                figures.question_asked();
                let judged = talk(&conversation, &toolbox, &decider).await;
                figures.questions_answered(judged.len() as u32);
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
                let line = format!("line {number}: {why}");
                output.complain(&output.lang.pick(format!("{number}번째 줄: {why}"), line));
            }
        }
        let done = done + 1;
        if done % EVERY == 0 || done == lines.len() {
            output.progress(&format!("{done}/{}", lines.len()));
        }
    }
    fs::write(out, written).map_err(file_problem(out))?;
    show(&score, output)?;
    let answer = json!({ "conversations": lines.len(), "failed": failed, "score": score });
    let answer = figures.add_to(answer, with);
    if failed == 0 {
        return output.json(answer);
    }
    Err(Problem::Items { failed, of: lines.len() }.after(answer, output))
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

fn show(score: &Score, output: &Output) -> Result<(), Problem> {
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
    output.table(lang.pick(["항목", "건", "목표", "달성"], ["measure", "cases", "goal", "met"]), rows)
}

#[cfg(test)]
mod tests {
    use duru_agents::advisor::evaluation::Share;

    use super::*;

    #[test]
    fn a_contradiction_is_wrong_and_a_missing_fact_leaves_it_open() {
        let one = |missing: &[&str], contradictions: &[&str]| Judged {
            id: "a".to_owned(),
            turn: 1,
            user: String::new(),
            answer: String::new(),
            status: None,
            facts: Share::default(),
            missing: missing.iter().map(|fact| vec![(*fact).to_owned()]).collect(),
            contradictions: contradictions.iter().map(ToString::to_string).collect(),
            unmentioned: Vec::new(),
            failed: None,
        };
        assert_eq!(ending(&[one(&[], &[]), one(&[], &[])]), Ending::Right);
        assert_eq!(ending(&[one(&[], &[]), one(&["LTV"], &[])]), Ending::Open);
        assert_eq!(ending(&[one(&["LTV"], &[]), one(&[], &["30년"])]), Ending::Wrong);
        let failed = Judged { failed: Some("no answer".to_owned()), ..one(&[], &[]) };
        assert_eq!(ending(&[failed]), Ending::Open);
    }
}
