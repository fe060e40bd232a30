//! Question sets, judged by running the understood and the right query on a
//! real PostgreSQL: the judge and the data's generator are not ours.
//!
//! Every set but the first was written before anybody saw how it is read. What
//! counts is how a set was read the first time, before anything was mended for
//! it; afterwards it only guards against going back.
//!
//! | set | right the first time | of those to ask back or refuse |
//! |---|---|---|
//! | second to fifth | 70–79 % | |
//! | sixth | 54 of 62, 87.1 % | 7 of 8 |
//! | seventh | 53 of 62, 85.5 % | 7 of 8 |
//! | eighth | 47 of 62, 75.8 % | 6 of 8 |
//! | ninth | 107 of 124, 86.3 % (with the rules before the sixth set: 101) | 16 of 16 |
//!
//! Those who know neither the code nor older questions ask otherwise: half sentences, typos, several things at once. Of
//! 110 questions of on-call people the reader that has one frame for all had 59 right when it saw them first (offered
//! readings that are right: 8 more; 13 wrong in silence), of 110 in everyday words 39 (3 more; 24 wrong). Of two older
//! sets of 150 by the same kind of people the parser before it had 47 and 35; they were learnt from (`first_everyday`,
//! `second_everyday`). `data/README.md` has the table.
//!
//! Since then classes of failures of all sets were learnt from, the ninth's and the last two sets' too: how questions are
//! read that nobody knew is told by the first scores above, and by the next set.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::pg_cluster::{Server, give_away, programs};
use crate::questions;

const NOW: &str = "2026-03-18T14:30:00+09:00";

/// The folder of the judge, if this checkout has it.
fn judge() -> Option<PathBuf> {
    let shared = std::env::var_os("DURU_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let folder = shared.join("eval/logs");
    let missing = if !folder.join("score.py").exists() {
        "the judge's files are not beside this checkout"
    } else if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        "there is no python3 for the judge"
    } else if programs().is_none() {
        "there is no PostgreSQL 15 in /usr/lib/postgresql"
    } else {
        return Some(folder);
    };
    eprintln!("\n*** SKIPPED: {missing} ***\n");
    None
}

struct Rig {
    judge: PathBuf,
    folder: tempfile::TempDir,
    server: Server,
}

impl Rig {
    /// A server with the generated lines.
    fn start(judge: PathBuf) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let logs = folder.path().join("logs.csv");
        let generated = Command::new("python3")
            .arg(judge.join("gen_logs.py"))
            .args([
                "--rows", "50000", "--seed", "7", "--now", NOW, "--days", "40", "--format", "csv", "--out",
            ])
            .arg(&logs)
            .status()
            .unwrap();
        assert!(generated.success());
        let inner = folder.path().join("server");
        std::fs::create_dir(&inner).unwrap();
        // Its user must reach its own folder.
        give_away(folder.path());
        let server = Server::start(&inner);
        let rig = Self { judge, folder, server };
        rig.psql(&["-f", rig.judge.join("schema.sql").to_str().unwrap()]);
        rig.psql(&["-c", &format!("\\copy logs from '{}' csv header", logs.display())]);
        rig.psql(&["-c", &format!("INSERT INTO bench_clock VALUES ('{NOW}')"), "-c", "ANALYZE"]);
        rig
    }

    fn within(&self, mut command: Command) -> Command {
        command
            .env("PGHOST", "127.0.0.1")
            .env("PGPORT", self.server.port.to_string())
            .env("PGUSER", "duru")
            .env("PGDATABASE", "postgres")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::null());
        command
    }

    fn psql(&self, arguments: &[&str]) {
        let mut command = self.within(Command::new("psql"));
        let output = command.args(["-q", "-v", "ON_ERROR_STOP=1"]).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// What share of the set is right, by kind: `ALL`, `sql`, `clarify`, `refuse` and more.
    fn score(&self, set: &Path) -> BTreeMap<String, (f64, f64)> {
        let predictions = self.folder.path().join("predictions.jsonl");
        let tables = questions::Tables::of_csv(&self.folder.path().join("logs.csv"));
        let now = format!("{NOW}[Asia/Seoul]").parse().unwrap();
        let mut lines = String::new();
        for line in std::fs::read_to_string(set).unwrap().lines() {
            let item: Value = serde_json::from_str(line).unwrap();
            lines.push_str(&questions::predict(&item, &tables, &now).to_string());
            lines.push('\n');
        }
        std::fs::write(&predictions, lines).unwrap();
        let mut command = self.within(Command::new("python3"));
        command.arg(self.judge.join("score.py")).arg(&predictions).arg("--questions").arg(set);
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (table, wrong) = text.split_once("wrong:").unwrap();
        eprintln!("{}: wrong:{wrong}", set.display());
        let table: BTreeMap<String, (f64, f64, f64)> = serde_json::from_str(table).unwrap();
        table.into_iter().map(|(kind, (right, all, _))| (kind, (right, all))).collect()
    }
}

/// How many of those to ask back or to refuse were, and how many there are.
fn check(name: &str, score: &BTreeMap<String, (f64, f64)>) -> (f64, f64) {
    let (right, all) = score["ALL"];
    eprintln!("{name}: {right} of {all}");
    assert!(right / all >= 0.80, "{name}: {right} of {all}");
    let sum = |place: fn(&(f64, f64)) -> f64| {
        ["clarify", "refuse"].iter().map(|kind| place(&score[*kind])).sum::<f64>()
    };
    (sum(|pair| pair.0), sum(|pair| pair.1))
}

/// Scores some of the own sets, and the development set where it is there.
fn answered_right(own: &[&str], development: bool) {
    let Some(judge) = judge() else { return };
    let rig = Rig::start(judge);
    let (mut held, mut all) = (0.0, 0.0);
    let mut count = |(right, of): (f64, f64)| {
        held += right;
        all += of;
    };
    for own in own {
        let set = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/it/data/{own}questions.jsonl"));
        count(check(&format!("{own}questions"), &rig.score(&set)));
    }
    if development {
        count(check("the development set", &rig.score(&rig.judge.join("dev.jsonl"))));
    }
    // A set has eight or so of them: one would decide, and four of two sets may be otherwise.
    assert!(held / all >= 0.75, "asked back or refused: {held} of {all}");
}

// In parts, so that none takes long.
#[test]
fn the_first_question_sets_are_answered_right_without_a_model() {
    answered_right(&["", "second_"], false);
}

#[test]
fn the_third_and_fourth_question_sets_are_answered_right_without_a_model() {
    answered_right(&["third_", "fourth_"], false);
}

#[test]
fn the_fifth_and_sixth_question_sets_are_answered_right_without_a_model() {
    answered_right(&["fifth_", "sixth_"], false);
}

#[test]
fn the_seventh_and_eighth_question_sets_are_answered_right_without_a_model() {
    answered_right(&["seventh_", "eighth_"], false);
}

#[test]
fn the_development_set_is_answered_right_without_a_model() {
    answered_right(&[], true);
}

#[test]
fn the_ninth_question_set_is_answered_right_without_a_model() {
    answered_right(&["ninth_"], false);
}
