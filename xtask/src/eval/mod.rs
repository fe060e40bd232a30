//! `cargo xtask eval`: all sets of `eval/`, by `duru eval …`, in one table.

#[path = "../../../eval/logs/lines/mod.rs"]
mod log_lines;
mod model;
mod options;
mod score;
mod sets;
mod ways;

use std::collections::BTreeMap;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::workspace::{cargo, root, target};
use model::MeasuredModel;
use options::Options;
use score::Score;
use sets::{QuestionSet, SetKind};

pub(crate) fn run(args: &[String]) -> Result<bool> {
    let options = Options::read(args)?;
    let shared = std::env::var_os("DURU_SHARED").map(PathBuf::from);
    let mut sets = sets::all(&root()?, shared.as_deref())?;
    sets.retain(|set| options.set.as_ref().is_none_or(|part| set.name.contains(part.as_str())));
    if sets.is_empty() {
        bail!("there is no such set; eval/README.md lists them");
    }
    let program = match options.program.clone() {
        Some(program) => program,
        None => {
            if !cargo(&["build", "--package", "duru-cli"])?.status().context("cannot start cargo")?.success()
            {
                return Ok(false);
            }
            target()?.join("debug").join(format!("duru{}", std::env::consts::EXE_SUFFIX))
        }
    };
    let bench = Bench::set_up(program, target()?.join("eval"), options.at_most, log_lines::ROWS)?;
    let model = options.model.map(|name| MeasuredModel { name, replies: options.replies });
    if model.is_none() {
        println!("{}", Score::head());
    }
    let mut all_well = true;
    for set in &sets {
        eprintln!("{}", set.name);
        all_well &= match &model {
            Some(model) => bench.compare(set, model)?,
            None => bench.measure(set)?,
        };
    }
    Ok(all_well)
}

/// What measures, and where it leaves what was said.
struct Bench {
    program: PathBuf,
    folder: PathBuf,
    lines: PathBuf,
    at_most: Option<usize>,
}

impl Bench {
    /// With so many of the log lines; the labels of the sets are about all of them.
    fn set_up(program: PathBuf, folder: PathBuf, at_most: Option<usize>, rows: usize) -> Result<Self> {
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let lines = folder.join("log-lines.csv");
        let file =
            std::fs::File::create(&lines).with_context(|| format!("cannot write {}", lines.display()))?;
        log_lines::write_csv(rows, &mut BufWriter::new(file))?;
        Ok(Self { program, folder, lines, at_most })
    }

    /// Prints the lines of a set; whether it could be measured and no item crashed.
    fn measure(&self, set: &QuestionSet) -> Result<bool> {
        let mut all_well = true;
        for (lang, file) in self.parts(set)? {
            match self.scores(set, &lang, &file) {
                Ok(scores) => {
                    for (lang, score) in scores {
                        all_well &= score.crashed == 0;
                        println!("{}", score.line(&set.name, &lang));
                    }
                }
                Err(error) => {
                    all_well = false;
                    println!("{}", Score::missing(&set.name, &lang, &format!("{error:#}")));
                }
            }
        }
        Ok(all_well)
    }

    /// The items in files: one for each language, or one for all where the command tells them apart itself.
    fn parts(&self, set: &QuestionSet) -> Result<Vec<(String, PathBuf)>> {
        let mut parts: BTreeMap<String, String> = BTreeMap::new();
        for line in self.lines(set)? {
            let item: Value = serde_json::from_str(&line)
                .with_context(|| format!("{} has a line that is no JSON", set.items.display()))?;
            let lang = if set.kind == SetKind::Logs { String::new() } else { language(&item) };
            let part = parts.entry(lang).or_default();
            part.push_str(&line);
            part.push('\n');
        }
        let mut files = Vec::new();
        for (lang, items) in parts {
            let file = self.left(set, &lang, "items");
            std::fs::write(&file, items).with_context(|| format!("cannot write {}", file.display()))?;
            files.push((lang, file));
        }
        Ok(files)
    }

    /// The items that are measured, a line each.
    fn lines(&self, set: &QuestionSet) -> Result<Vec<String>> {
        let text = std::fs::read_to_string(&set.items)
            .with_context(|| format!("cannot read {}", set.items.display()))?;
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let chosen = sample(&lines, self.at_most.unwrap_or(lines.len()));
        Ok(chosen.into_iter().map(str::to_owned).collect())
    }

    /// Where something about a set is left.
    fn left(&self, set: &QuestionSet, lang: &str, what: &str) -> PathBuf {
        let dot = if lang.is_empty() { "" } else { "." };
        self.folder.join(format!("{}{dot}{lang}.{what}.jsonl", set.name.replace('/', "-")))
    }

    fn scores(&self, set: &QuestionSet, lang: &str, items: &Path) -> Result<Vec<(String, Score)>> {
        let mut command = self.command(set, items, &self.left(set, lang, "said"))?;
        let Answer { json, is_well } = Answer::of(&mut command)?;
        let mut scores = by_language(set, lang, &json).context("its result has another form")?;
        if let Some((_, score)) = scores.first_mut()
            && !is_well
        {
            score.crashed = json["failed"].as_u64().unwrap_or(1).max(1);
        }
        Ok(scores)
    }

    /// What measures these items of a set; an error where something that it needs is not there.
    fn command(&self, set: &QuestionSet, items: &Path, said: &Path) -> Result<Command> {
        let mut command = Command::new(&self.program);
        command.arg("eval").args(set.kind.words()).arg(items);
        command.arg("--out").arg(said).args(["--json", "--lang", "en"]);
        match &set.kind {
            SetKind::Documents { corpus } => drop(command.arg("--corpus").arg(corpus)),
            SetKind::Logs => {
                command.arg("--logs").arg(&self.lines);
                command.args(["--now", log_lines::NOW, "--timezone", log_lines::TIMEZONE]);
            }
            SetKind::Tables { base } => {
                let base = base
                    .as_ref()
                    .context("skipped: DURU_EVAL_POSTGRES names no server with the databases")?;
                command.args(["--base", base]);
            }
            SetKind::Sufficiency | SetKind::Conversations => {}
        }
        Ok(command)
    }
}

/// What the command said, and whether all went well.
struct Answer {
    json: Value,
    is_well: bool,
}

impl Answer {
    fn of(command: &mut Command) -> Result<Self> {
        let output =
            command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("cannot start duru")?;
        let json = serde_json::from_slice(&output.stdout).context("it gave no result")?;
        Ok(Self { json, is_well: output.status.success() })
    }
}

/// The scores of a set's languages; `lang` is the one of a command that does not tell them apart.
fn by_language(set: &QuestionSet, lang: &str, answer: &Value) -> Option<Vec<(String, Score)>> {
    match (&set.kind, answer["languages"].as_object()) {
        (SetKind::Logs, Some(languages)) => languages
            .iter()
            .map(|(lang, answer)| Some((lang.clone(), Score::read(&set.kind, answer)?)))
            .collect(),
        _ => Score::read(&set.kind, answer).map(|score| vec![(lang.to_owned(), score)]),
    }
}

/// So many of them, spread over all.
fn sample<'a>(lines: &[&'a str], at_most: usize) -> Vec<&'a str> {
    if lines.len() <= at_most {
        return lines.to_vec();
    }
    (0..at_most).filter_map(|place| lines.get(place * lines.len() / at_most).copied()).collect()
}

/// The language that an item says it is in, or else that of its letters.
fn language(item: &Value) -> String {
    if let Some(lang) = item["lang"].as_str() {
        return lang.to_owned();
    }
    let words = [&item["question"], &item["query"], &item["turns"]].map(Value::to_string).concat();
    let is_hangul = |letter: char| ('가'..='힣').contains(&letter);
    if words.chars().any(is_hangul) { "ko" } else { "en" }.to_owned()
}

#[cfg(test)]
mod tests;
