//! The project's own commands: `cargo xtask <command>`, one module per command.

mod bench;
mod date;
mod dist;
mod eval;
mod model;
mod soak;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask <command>

  test [--fast] [-- <nextest arguments>]   format, tidy, lints, tests, doc tests and examples; --fast: format, tidy, tests
  tidy                                     check the crates' edges, file sizes, lint settings, and text that must not be here
  bench engine [--against langgraph] [--repeat N] [--only NAME,…] [--quick] [--dev]
                                           what steps, tasks, turns and runs cost; see bench/README.md
  bench server [the same options]          how many runs a server carries out, how fast, and in how much memory
  bench decisions [--repeat N] [--quick]   what a decision costs besides the network
  bench sql [--repeat N] [--quick]         both log stores side by side: questions, ingest, start; --quick: a trial, not optimised
  bench search [--repeat N] [--only NAME]  what finding passages costs, beside SQLite's full text and BM25 in Python
  bench analyst                            what a question about logs costs besides database and model
  bench advisor [--dev]                    what a question to the advisor takes without a model; --dev: not optimised
  bench replicas [--dev]                   what servers ask of the database that they share: 10,000 runs, 1,000 streams
  eval [--set NAME] [--quick] [--program FILE] [--model NAME [--replies FOLDER]]
                                           all sets of eval/ in one table: right, offered right, asked, refused, wrong in silence;
                                           NAME: a part of a set's name; --quick: ten items of each. DURU_SHARED names a
                                           folder with further sets, DURU_EVAL_POSTGRES the server of their databases.
                                           --model: by rules, by the model alone and by both, a table for each set; --replies
                                           keeps what the model says and uses it again, replay:FOLDER asks nobody
  soak [minutes] [--only SCENARIO] [--seed N] [--round-seconds N] [--life-ms N] [--finish-seconds N] [--threads N]
       [--broken hasty|unfenced|nameless|gappy|lying] kill real processes again and again, 10 minutes, and audit what they leave
  soak replicas [minutes] [--replicas N] [--clients N] [--program FILE]
                                           several servers on one PostgreSQL behind a balancer, one killed every few seconds
  soak cluster [minutes] [--clients N] [--seed N] [--without-logs] [--broken hasty] [--program FILE]
                                           3 servers, 3 NATS, 2 PostgreSQL and S3, each in a network namespace of its own,
                                           killed, stopped, unplugged and cut off for 30 minutes (Linux, as root)
  soak faults [ROW …]                      the faults of docs/faults.md that are counted, as often as was promised
  model [--stop]                           a real local model, with no key: Qwen2.5-Coder-1.5B in llama.cpp's server (1.1 GB in the
                                           cache folder; needs Python 3.10), on a free port, and the line to set
  dist [--out FOLDER] [--program FILE] [--layers FOLDER]
                                           what a user installs without a compiler: archives, a Debian package, an image
                                           (by buildah, without a daemon), a list of all parts (SBOM), SHA256SUMS, install.sh;
                                           FOLDER is otherwise target/dist, FILE a program that is built already; --layers:
                                           only what the image consists of, as packaging/Dockerfile copies it
  help                                     this text
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_else(|| "help".to_owned());
    let rest: Vec<String> = args.collect();

    // Each command answers whether all is well; it has already printed what is not.
    let result = match command.as_str() {
        "test" => test::run(&rest),
        "tidy" => tidy::run(),
        "bench" => bench::run(&rest),
        "eval" => eval::run(&rest),
        "soak" => soak::run(&rest),
        "model" => model::run(&rest),
        "dist" => dist::run(&rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(true)
        }
        other => Err(anyhow::anyhow!("there is no command `{other}`\n\n{HELP}")),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
