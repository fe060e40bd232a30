//! The three ways in which a set is answered, side by side.

use std::collections::BTreeMap;

use serde_json::Value;

use super::score::Score;
use super::sets::SetKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Rules,
    /// The model alone, with one prompt for each question.
    Bare,
    /// What a person with this model gets: who decides is what was measured.
    WithModel,
}

impl Way {
    pub(super) const ALL: [Way; 3] = [Way::Rules, Way::Bare, Way::WithModel];

    /// As people read it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Way::Rules => "rules",
            Way::Bare => "bare model",
            Way::WithModel => "with the model",
        }
    }

    /// As a part of a file's name.
    pub(super) fn word(self) -> &'static str {
        match self {
            Way::Rules => "said-by-rules",
            Way::Bare => "said-by-bare-model",
            Way::WithModel => "said-with-model",
        }
    }

    /// A question that no single query answers has no bare way.
    pub(super) fn exists_for(self, kind: &SetKind) -> bool {
        self != Way::Bare || matches!(kind, SetKind::Logs | SetKind::Tables { .. })
    }
}

/// What a set came to in one way.
pub(super) struct WayResult {
    pub(super) score: Score,
    pub(super) figures: ModelFigures,
}

/// What the model cost, and how often the rule answered in its place.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ModelFigures {
    calls: Option<u64>,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    /// Of the question in the middle.
    seconds: Option<f64>,
    fallbacks: BTreeMap<String, u64>,
}

impl ModelFigures {
    /// From what the command says.
    pub(super) fn read(answer: &Value) -> Self {
        let number = |name: &str| answer[name].as_u64();
        let fallbacks = answer["fallbacks"].as_object().into_iter().flatten();
        Self {
            calls: number("calls"),
            input_tokens: number("input_tokens"),
            output_tokens: number("output_tokens"),
            seconds: answer["seconds"].as_f64(),
            fallbacks: fallbacks.filter_map(|(why, count)| Some((why.clone(), count.as_u64()?))).collect(),
        }
    }

    fn cells(&self) -> [String; 5] {
        let told = |count: Option<u64>| count.map_or_else(|| "–".to_owned(), |count| count.to_string());
        let seconds = self.seconds.map_or_else(|| "–".to_owned(), |seconds| format!("{seconds:.2}"));
        let fallbacks = self.fallbacks.values().sum::<u64>().to_string();
        let [calls, input, output] = [self.calls, self.input_tokens, self.output_tokens].map(told);
        [calls, input, output, seconds, fallbacks]
    }
}

/// The table of a set, with the reasons of fallbacks below it. A way that is missing is a dash, one that failed says why.
pub(super) fn table(set: &str, results: &[(Way, Result<WayResult, String>)]) -> String {
    let measured = || results.iter().filter_map(|(_, result)| result.as_ref().ok());
    let items = measured().map(|result| result.score.items).max();
    let title = items.map_or_else(|| set.to_owned(), |items| format!("{set}: {items} items"));
    let mut lines = vec![title, head()];
    let mut reasons = Vec::new();
    for way in Way::ALL {
        match results.iter().find(|(one, _)| *one == way) {
            None => lines.push(row(way.name(), &dashes(), "")),
            Some((_, Err(why))) => lines.push(row(way.name(), &dashes(), why)),
            Some((_, Ok(WayResult { score, figures }))) => {
                let cells: Vec<String> = score.cells().into_iter().chain(figures.cells()).collect();
                lines.push(row(way.name(), &cells, &score.note()));
                let told = |(why, count): (&String, &u64)| format!("  {}: {count} × {why}", way.name());
                reasons.extend(figures.fallbacks.iter().map(told));
            }
        }
    }
    lines.extend(reasons);
    lines.push(String::new());
    lines.join("\n")
}

fn dashes() -> Vec<String> {
    vec!["–".to_owned(); COLUMNS.len()]
}

/// The columns after the first, and how wide they are.
const COLUMNS: [(&str, usize); 11] = [
    ("right", 6),
    ("offered right", 14),
    ("asked otherwise", 16),
    ("refused", 8),
    ("wrong in silence", 17),
    ("not to answer", 14),
    ("calls", 7),
    ("input tokens", 13),
    ("output tokens", 14),
    ("seconds", 8),
    ("fallbacks", 10),
];

fn head() -> String {
    let names: Vec<String> = COLUMNS.iter().map(|(name, _)| (*name).to_owned()).collect();
    row("", &names, "")
}

fn row(way: &str, cells: &[String], note: &str) -> String {
    let cells = cells.iter().zip(COLUMNS).map(|(cell, (_, width))| format!(" {cell:>width$}"));
    format!("{way:<15}{}  {note}", cells.collect::<String>()).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn result(answer: &Value) -> WayResult {
        let score = Score::read(&SetKind::Logs, answer).unwrap();
        WayResult { score, figures: ModelFigures::read(answer) }
    }

    #[test]
    fn three_ways_stand_below_each_other() {
        let rules = json!({
            "items": 10, "right": 7, "offered_right": 1, "asked": 1, "refused": 1, "wrong": 0,
            "others": 2, "others_right": 2, "calls": 0, "input_tokens": 0, "output_tokens": 0,
            "seconds": 0.031, "fallbacks": {},
        });
        let model = json!({
            "items": 10, "right": 8, "offered_right": 1, "asked": 0, "refused": 1, "wrong": 0,
            "others": 2, "others_right": 2, "calls": 14, "input_tokens": 20_100, "output_tokens": 900,
            "seconds": 1.257, "fallbacks": { "the answer did not fit": 2, "the time of the question was over": 1 },
        });
        let results = [
            (Way::Rules, Ok(result(&rules))),
            (Way::Bare, Err("it gave no result".to_owned())),
            (Way::WithModel, Ok(result(&model))),
        ];
        let expected = "\
logs/a: 10 items
                 right  offered right  asked otherwise  refused  wrong in silence  not to answer   calls  input tokens  output tokens  seconds  fallbacks
rules                7              1                1        1                 0         2 of 2       0             0              0     0.03          0
bare model           –              –                –        –                 –              –       –             –              –        –          –  it gave no result
with the model       8              1                0        1                 0         2 of 2      14         20100            900     1.26          3
  with the model: 2 × the answer did not fit
  with the model: 1 × the time of the question was over
";
        assert_eq!(table("logs/a", &results), expected);
        let left_out = table("logs/a", &[(Way::Rules, Err("skipped".to_owned()))]);
        assert!(left_out.starts_with("logs/a\n") && left_out.contains("skipped"), "{left_out}");
    }

    #[test]
    fn a_way_that_a_set_does_not_have_is_a_dash() {
        assert!(!Way::Bare.exists_for(&SetKind::Conversations));
        assert!(Way::Bare.exists_for(&SetKind::Tables { base: None }));
        let rules = json!({ "score": { "decision": { "of": 3, "hits": 2 } } });
        let score = Score::read(&SetKind::Sufficiency, &rules).unwrap();
        let results = [(Way::Rules, Ok(WayResult { score, figures: ModelFigures::read(&rules) }))];
        let text = table("reuse/a", &results);
        let bare = text.lines().find(|line| line.starts_with("bare model")).unwrap();
        assert_eq!(bare.matches('–').count(), COLUMNS.len(), "{text}");
        assert!(text.contains("decisions; wrong: unsafe reuse"), "{text}");
    }
}
