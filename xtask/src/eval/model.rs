//! `cargo xtask eval --model NAME`: every set by rules, by the model alone, and as a person with this model gets it.

use std::path::Path;

use anyhow::{Context, Result};

use super::score::Score;
use super::sets::QuestionSet;
use super::ways::{ModelFigures, Way, WayResult, table};
use super::{Answer, Bench, by_language};

pub(super) struct MeasuredModel {
    /// As in `DURU_MODEL`.
    pub(super) name: String,
    /// The folder where its replies are kept; after `replay:` nothing else is used.
    pub(super) replies: Option<String>,
}

impl MeasuredModel {
    /// What the command is told for a way to answer.
    fn arguments(&self, way: Way, set: &QuestionSet) -> Result<Vec<String>> {
        let words: &[&str] = match way {
            // Said so, no model of the environment takes part, and the figures are told.
            Way::Rules => return Ok(["--model", "none", "--policy", "rule"].map(str::to_owned).into()),
            Way::Bare => &["--bare", "--model"],
            Way::WithModel => &["--policy", "measured", "--model"],
        };
        let mut arguments: Vec<String> = words.iter().map(ToString::to_string).collect();
        arguments.push(self.name.clone());
        if let Some(file) = self.replies_of(set)? {
            arguments.extend(["--replies".to_owned(), file]);
        }
        Ok(arguments)
    }

    /// The file of the folder that has the replies about a set.
    fn replies_of(&self, set: &QuestionSet) -> Result<Option<String>> {
        let Some(setting) = &self.replies else { return Ok(None) };
        let (replay, folder) = match setting.strip_prefix("replay:") {
            Some(folder) => ("replay:", folder),
            None => ("", setting.as_str()),
        };
        if replay.is_empty() {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {folder}"))?;
        }
        let file = Path::new(folder).join(format!("{}.jsonl", set.name.replace('/', "-")));
        Ok(Some(format!("{replay}{}", file.display())))
    }
}

impl Bench {
    /// Prints the table of a set; whether all ways could be measured and no item crashed.
    pub(super) fn compare(&self, set: &QuestionSet, model: &MeasuredModel) -> Result<bool> {
        let items = self.left(set, "", "items");
        let lines: String = self.lines(set)?.into_iter().map(|line| line + "\n").collect();
        std::fs::write(&items, lines).with_context(|| format!("cannot write {}", items.display()))?;
        let mut all_well = true;
        let mut results = Vec::new();
        for way in Way::ALL.into_iter().filter(|way| way.exists_for(&set.kind)) {
            eprintln!("{}: {}", set.name, way.name());
            let result = self.by_way(set, model, way, &items);
            all_well &= result.as_ref().is_ok_and(|result| result.score.crashed == 0);
            results.push((way, result.map_err(|error| format!("{error:#}"))));
        }
        println!("{}", table(&set.name, &results));
        Ok(all_well)
    }

    fn by_way(&self, set: &QuestionSet, model: &MeasuredModel, way: Way, items: &Path) -> Result<WayResult> {
        let mut command = self.command(set, items, &self.left(set, "", way.word()))?;
        let Answer { json, is_well } = Answer::of(command.args(model.arguments(way, set)?))?;
        let scores = by_language(set, "", &json).context("its result has another form")?;
        let mut scores = scores.into_iter().map(|(_, score)| score);
        let first = scores.next().unwrap_or_default();
        let mut score = scores.fold(first, |sum: Score, one| sum.and(&one));
        if !is_well {
            score.crashed = json["failed"].as_u64().unwrap_or(1).max(1);
        }
        Ok(WayResult { score, figures: ModelFigures::read(&json) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::sets::SetKind;

    #[test]
    fn every_way_is_told_to_the_command_in_its_own_words() {
        let set = QuestionSet { name: "logs/a".to_owned(), items: "a".into(), kind: SetKind::Logs };
        let model = |replies: Option<&str>| MeasuredModel {
            name: "ollama:m".to_owned(),
            replies: replies.map(str::to_owned),
        };
        let words = |model: &MeasuredModel, way| model.arguments(way, &set).unwrap().join(" ");
        let replayed = model(Some("replay:kept"));
        assert_eq!(words(&replayed, Way::Rules), "--model none --policy rule");
        let file = Path::new("kept").join("logs-a.jsonl");
        let expected = format!("--bare --model ollama:m --replies replay:{}", file.display());
        assert_eq!(words(&replayed, Way::Bare), expected);
        assert_eq!(words(&model(None), Way::WithModel), "--policy measured --model ollama:m");
    }
}
