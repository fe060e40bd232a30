//! What is measured: the cases of the Python scripts, with our words and theirs for the same thing.

use anyhow::{Result, bail};

use super::options::Options;

pub(super) struct Case {
    pub(super) name: &'static str,
    /// Words for `duru-bench`.
    pub(super) ours: &'static str,
    /// Words for `bench/python/engine.py`; none where the original has nothing of the kind.
    pub(super) python: Option<&'static str>,
    /// Minutes in Python: at most once, and never with `--quick`.
    pub(super) slow_in_python: bool,
    /// The field that holds the CPU time.
    pub(super) cpu: &'static str,
    /// How many steps or turns the script has a server do in one repetition, its warm-up included.
    pub(super) python_pieces: f64,
}

pub(super) const fn case(
    name: &'static str,
    ours: &'static str,
    python: &'static str,
    cpu: &'static str,
) -> Case {
    Case { name, ours, python: Some(python), slow_in_python: false, cpu, python_pieces: 0.0 }
}

const fn slow(case: Case) -> Case {
    Case { slow_in_python: true, ..case }
}

const fn served(case: Case, python_pieces: f64) -> Case {
    Case { python_pieces, ..case }
}

pub(super) const fn alone(name: &'static str, ours: &'static str, cpu: &'static str) -> Case {
    Case { name, ours, python: None, slow_in_python: false, cpu, python_pieces: 0.0 }
}

const STEP: &str = "cpu_us_per_superstep";
const TASK: &str = "cpu_us_per_task";
const TURN: &str = "cpu_us_turn_last";
const EVENT: &str = "cpu_us_per_event";
const ALL: &str = "cpu_s";

// Durability: theirs is called sync, async and exit. `sync` mode is their faster one for a chain, `async` for a
// fan-out; ours is compared with the faster.
pub(super) const CASES: &[Case] = &[
    case("chain", "chain steps=1000", "chain --steps 1000", STEP),
    case("chain-memory", "chain steps=1000 store=memory", "chain --saver memory --durability sync", STEP),
    alone("chain-memory-one-core", "chain steps=1000 store=memory runtime=one", STEP),
    case(
        "chain-sqlite-each-step",
        "chain steps=1000 store=sqlite durability=each-step",
        "chain --saver sqlite --durability sync",
        STEP,
    ),
    case(
        "chain-sqlite-background",
        "chain steps=1000 store=sqlite durability=background",
        "chain --saver sqlite --durability async",
        STEP,
    ),
    case(
        "chain-sqlite-at-end",
        "chain steps=1000 store=sqlite durability=at-end",
        "chain --saver sqlite --durability exit",
        STEP,
    ),
    served(
        case(
            "chain-postgres-each-step",
            "chain steps=1000 store=postgres durability=each-step",
            "chain --saver postgres --durability sync",
            STEP,
        ),
        1050.0,
    ),
    case("fanout-1000", "fanout tasks=1000", "fanout --tasks 1000", TASK),
    case("fanout-3000", "fanout tasks=3000", "fanout --tasks 3000", TASK),
    alone("fanout-1000-one-core", "fanout tasks=1000 runtime=one", TASK),
    case(
        "fanout-1000-memory",
        "fanout tasks=1000 store=memory durability=background",
        "fanout --tasks 1000 --saver memory",
        TASK,
    ),
    case(
        "fanout-3000-memory",
        "fanout tasks=3000 store=memory durability=background",
        "fanout --tasks 3000 --saver memory",
        TASK,
    ),
    case(
        "fanout-1000-sqlite",
        "fanout tasks=1000 store=sqlite durability=background",
        "fanout --tasks 1000 --saver sqlite",
        TASK,
    ),
    case(
        "fanout-3000-sqlite",
        "fanout tasks=3000 store=sqlite durability=background",
        "fanout --tasks 3000 --saver sqlite",
        TASK,
    ),
    case(
        "messages-200-memory",
        "messages turns=200 store=memory",
        "messages --turns 200 --saver memory --durability sync",
        TURN,
    ),
    case(
        "messages-200-sqlite",
        "messages turns=200 store=sqlite",
        "messages --turns 200 --saver sqlite --durability sync",
        TURN,
    ),
    alone("messages-2000-memory", "messages turns=2000 store=memory", TURN),
    // Their database grows with the square of the turns: some gigabytes.
    slow(case(
        "messages-2000-sqlite",
        "messages turns=2000 store=sqlite",
        "messages --turns 2000 --saver sqlite --durability sync",
        TURN,
    )),
    served(
        case(
            "messages-200-postgres",
            "messages turns=200 store=postgres",
            "messages --turns 200 --saver postgres --durability sync",
            TURN,
        ),
        200.0,
    ),
    alone("messages-2000-postgres", "messages turns=2000 store=postgres", TURN),
    case("concurrency-1000", "concurrency concurrent=1000", "concurrency --concurrent 1000", ALL),
    case(
        "concurrency-1000-memory",
        "concurrency concurrent=1000 store=memory",
        "concurrency --concurrent 1000 --saver memory",
        ALL,
    ),
    slow(case("concurrency-10000", "concurrency concurrent=10000", "concurrency --concurrent 10000", ALL)),
    alone("concurrency-10000-memory", "concurrency concurrent=10000 store=memory", ALL),
    // Without a pause, so that the store is what is measured. Ours is durable at each step; theirs is left at its
    // default, in the background.
    served(
        case(
            "concurrency-16-postgres",
            "concurrency concurrent=16 nodes=100 sleep_ms=0 store=postgres",
            "concurrency --concurrent 16 --nodes 100 --sleep 0 --saver postgres",
            ALL,
        ),
        1700.0,
    ),
    case("stream-updates", "stream modes=updates", "stream --modes updates", EVENT),
    case("stream-values", "stream modes=values", "stream --modes values", EVENT),
    case("stream-custom", "stream modes=custom", "stream --modes custom", EVENT),
    case("stream-tasks", "stream modes=tasks", "stream --modes tasks", EVENT),
    case("stream-debug", "stream modes=debug", "stream --modes debug", EVENT),
    case("stream-updates-custom", "stream modes=updates+custom", "stream --modes updates,custom", EVENT),
    case("coldstart", "coldstart", "coldstart", "rss_mib"),
    alone("coldstart-sqlite", "coldstart store=sqlite", "rss_mib"),
];

impl Case {
    pub(super) fn needs_postgres(&self) -> bool {
        self.ours.contains("store=postgres")
    }

    /// How often to run the original.
    pub(super) fn python_repeats(&self, options: &Options) -> usize {
        match (self.python, self.slow_in_python, options.quick) {
            (None, ..) | (_, true, true) => 0,
            (_, true, false) => 1,
            (_, false, _) => options.repeat,
        }
    }
}

/// Those of all cases that the command line names.
pub(super) fn chosen(all: &'static [Case], options: &Options) -> Result<Vec<&'static Case>> {
    if let Some(unknown) =
        options.only.iter().find(|name| !all.iter().any(|case| case.name.starts_with(*name)))
    {
        let names: Vec<&str> = all.iter().map(|case| case.name).collect();
        bail!("there is no case `{unknown}`; there are {}", names.join(", "));
    }
    let wanted = |case: &&Case| {
        options.only.is_empty() || options.only.iter().any(|name| case.name == name)
            // A beginning that is no name of its own stands for all that begin with it.
            || options.only.iter().any(|name| {
                case.name.starts_with(name) && !all.iter().any(|other| other.name == name)
            })
    };
    Ok(all.iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> Options {
        Options::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>(), 5).unwrap()
    }

    fn names(text: &str) -> Vec<&'static str> {
        chosen(CASES, &options(text)).unwrap().iter().map(|case| case.name).collect()
    }

    #[test]
    fn a_name_is_one_case_and_a_beginning_is_many() {
        assert_eq!(names("").len(), CASES.len());
        assert_eq!(names("--only chain"), ["chain"]);
        assert_eq!(names("--only chain-sqlite").len(), 3);
        assert!(
            chosen(CASES, &options("--only chian")).is_err_and(|error| error.to_string().contains("chian"))
        );
    }

    #[test]
    fn slow_python_runs_once_or_not_at_all() {
        let case = CASES.iter().find(|case| case.slow_in_python).unwrap();
        assert_eq!(case.python_repeats(&options("--repeat 5")), 1);
        assert_eq!(case.python_repeats(&options("--quick")), 0);
        assert_eq!(CASES[0].python_repeats(&options("--repeat 5")), 5);
    }

    #[test]
    fn what_a_server_does_for_the_original_is_counted() {
        for case in CASES.iter().filter(|case| case.python.is_some()) {
            assert_eq!(case.needs_postgres(), case.python_pieces > 0.0, "{}", case.name);
        }
    }

    #[test]
    fn names_are_unique() {
        for (index, case) in CASES.iter().enumerate() {
            assert!(CASES[..index].iter().all(|other| other.name != case.name), "{}", case.name);
        }
    }
}
