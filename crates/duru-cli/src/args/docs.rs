//! `duru docs`: its options, and what they say.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::lang::Lang;
use crate::settings;
use crate::store::Place;

/// What to do with documents, and in which index.
#[derive(Debug)]
pub(crate) struct DocsArgs {
    pub(crate) place: DocsPlace,
    pub(crate) action: DocsAction,
}

/// Where documents are kept.
#[derive(Debug, Default, Clone)]
pub(crate) struct DocsPlace {
    /// The index, if one was named.
    pub(crate) index: Option<Place>,
    /// A file of more entries for the thesaurus.
    pub(crate) thesaurus: Option<PathBuf>,
    pub(crate) collection: Option<String>,
}

#[derive(Debug)]
pub(crate) enum DocsAction {
    Ingest {
        paths: Vec<PathBuf>,
        category: Option<String>,
        dry_run: bool,
    },
    List,
    /// Measures the embedder's scale.
    Calibrate,
    Show {
        id: String,
    },
    Remove {
        id: String,
        dry_run: bool,
    },
    Feedback {
        chunk: String,
        verdict: String,
        text: String,
    },
    Remarks(RemarksAction),
    Search {
        question: String,
        top: usize,
        law: Option<String>,
        category: Option<String>,
    },
    /// Reads one file for the process that started this one.
    Read {
        path: PathBuf,
        /// Its limits are set.
        limited: bool,
    },
}

/// What to do with what people say about passages.
#[derive(Debug)]
pub(crate) enum RemarksAction {
    List,
    Accept { id: String },
    Decline { id: String },
    Remove { id: String },
}

pub(super) fn command(lang: Lang, new: &dyn Fn(&'static str) -> Command) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let option = |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    let [index, collection, thesaurus] = place(lang).map(|arg| arg.global(true));
    let id = |ko, en| Arg::new("id").required(true).value_name("ID").help(say(ko, en));
    new("docs")
        .about(say("문서를 읽어들이고 찾습니다", "Ingest and search documents"))
        .subcommand_required(true)
        .args([index, collection, thesaurus])
        .subcommand(
            new("ingest")
                .about(say(
                    "파일과 폴더를 읽어들입니다: Markdown, 텍스트, HTML, PDF, DOCX, HWPX, JSON",
                    "Take in files and folders: Markdown, text, HTML, PDF, DOCX, HWPX, JSON",
                ))
                .arg(
                    Arg::new("path")
                        .required(true)
                        .num_args(1..)
                        .action(ArgAction::Append)
                        .value_name("PATH")
                        .value_parser(value_parser!(PathBuf))
                        .help(say("파일이나 폴더", "Files or folders")),
                )
                .arg(
                    option("category", "NAME")
                        .help(say("이 문서들의 분류", "What these documents are about")),
                )
                .arg(super::mode::dry_run(lang)),
        )
        .subcommand(new("list").about(say("문서 목록", "List the documents")))
        .subcommand(new("calibrate").about(say(
            "임베딩이 무관한 조각을 얼마나 가깝게 보는지 이 문서들로 잽니다",
            "Measure on these documents how near the embedder puts unrelated passages",
        )))
        .subcommand(
            new("show")
                .about(say("문서 하나의 조각들, 또는 조각 하나", "One document's passages, or one passage"))
                .arg(id("문서나 조각의 이름", "The id of a document or a passage")),
        )
        .subcommand(
            new("remove")
                .about(say("문서를 색인에서 뺍니다", "Remove a document from the index"))
                .arg(id("문서의 이름", "The document's id"))
                .arg(super::mode::dry_run(lang)),
        )
        .subcommand(
            new("feedback")
                .about(say(
                    "조각에 대한 의견; 글과 따로, 받아들이기 전에는 쓴 사람에게만 보입니다",
                    "Say something about a passage: a source of its own, yours until accepted",
                ))
                .arg(id("조각의 이름", "The passage's id"))
                .arg(
                    Arg::new("verdict")
                        .required(true)
                        .value_name("good|bad|note")
                        .value_parser(["good", "bad", "note"])
                        .hide_possible_values(true)
                        .help(say("맞음, 틀림, 또는 덧붙임", "Right, wrong, or something to know")),
                )
                .arg(Arg::new("text").value_name("TEXT").help(say("할 말", "What there is to say"))),
        )
        .subcommand(remarks(lang, new))
        .subcommand(
            new("search")
                .about(say("찾고, 왜 찾았는지 보여 줍니다", "Search, and show why each was found"))
                .arg(
                    Arg::new("question")
                        .required(true)
                        .num_args(1..)
                        .value_name("TEXT")
                        .help(say("질문", "The question")),
                )
                .arg(top(say("많아야 이만큼 (기본 5)", "At most so many (5)"), "5"))
                .arg(option("law", "NAME").help(say("이 법령에서만", "Only in this statute")))
                .arg(option("category", "NAME").help(say("이 분류에서만", "Only in this category"))),
        )
}

fn remarks(lang: Lang, new: &dyn Fn(&'static str) -> Command) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let one = |name: &'static str, ko, en| {
        let id = Arg::new("id").required(true).value_name("ID");
        new(name).about(say(ko, en)).arg(id.help(say("의견의 이름", "The remark's id")))
    };
    new("remarks")
        .about(say("사람들이 조각에 남긴 의견", "What people say about passages"))
        .subcommand_required(true)
        .subcommand(new("list").about(say("의견 목록", "List the remarks")))
        .subcommand(one("accept", "의견을 모두에게 보입니다", "Have a remark count for everybody"))
        .subcommand(one(
            "decline",
            "의견을 쓴 사람에게만 보입니다; 받아들인 것도 물립니다",
            "Have a remark count for its author alone, also after it was accepted",
        ))
        .subcommand(one("remove", "의견을 지웁니다", "Take a remark away"))
}

/// The command with one more below it, which nobody types: it reads one file in a process of its own.
pub(super) fn with_reader(docs: Command) -> Command {
    let path = Arg::new("path").required(true).value_parser(value_parser!(PathBuf));
    let limited = Arg::new("limited").long("limited").action(ArgAction::SetTrue);
    docs.subcommand(Command::new("read").hide(true).arg(path).arg(limited))
}

/// The options that say where documents are.
pub(super) fn place(lang: Lang) -> [Arg; 3] {
    let say = |ko, en| lang.pick(ko, en);
    let option = |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    [
        option("index", "DIR|URL").help(say(
            "문서 색인: 폴더나 postgres:// URL (DURU_DOCUMENTS)",
            "Documents: a folder or a postgres:// URL (DURU_DOCUMENTS)",
        )),
        option("collection", "NAME").help(say("문서 모음 (기본 default)", "The collection (default)")),
        option("thesaurus", "FILE").help(say(
            "낱말 사전에 더할 TSV 파일 (DURU_THESAURUS)",
            "More entries for the thesaurus, a TSV file (DURU_THESAURUS)",
        )),
    ]
}

/// What they were given.
pub(super) fn read_place(matches: &ArgMatches) -> DocsPlace {
    let given = |name: &str| matches.get_one::<String>(name).cloned().filter(|place| !place.is_empty());
    let usual = usual_place();
    DocsPlace {
        index: given("index").map(Place::named).or(usual.index),
        thesaurus: given("thesaurus").map(PathBuf::from).or(usual.thesaurus),
        collection: given("collection"),
    }
}

/// Where documents are, if nobody names a place.
pub(super) fn usual_place() -> DocsPlace {
    DocsPlace {
        index: settings::get("DURU_DOCUMENTS").map(Place::named),
        thesaurus: settings::get("DURU_THESAURUS").map(PathBuf::from),
        collection: None,
    }
}

pub(super) fn top(help: &'static str, usual: &'static str) -> Arg {
    Arg::new("top")
        .long("top")
        .value_name("N")
        .value_parser(value_parser!(u32).range(1..=200))
        .default_value(usual)
        .hide_default_value(true)
        .help(help)
}

pub(super) fn read(matches: &ArgMatches) -> DocsArgs {
    let text = |matches: &ArgMatches, name: &str| matches.get_one::<String>(name).cloned();
    let action = match matches.subcommand() {
        Some(("ingest", ingest)) => DocsAction::Ingest {
            paths: ingest.get_many::<PathBuf>("path").unwrap_or_default().cloned().collect(),
            category: text(ingest, "category"),
            dry_run: ingest.get_flag("dry-run"),
        },
        Some(("calibrate", _)) => DocsAction::Calibrate,
        Some(("show", show)) => DocsAction::Show { id: text(show, "id").unwrap_or_default() },
        Some(("remove", remove)) => DocsAction::Remove {
            id: text(remove, "id").unwrap_or_default(),
            dry_run: remove.get_flag("dry-run"),
        },
        Some(("feedback", feedback)) => DocsAction::Feedback {
            chunk: text(feedback, "id").unwrap_or_default(),
            verdict: text(feedback, "verdict").unwrap_or_default(),
            text: text(feedback, "text").unwrap_or_default(),
        },
        Some(("remarks", remarks)) => DocsAction::Remarks(read_remarks(remarks)),
        Some(("search", search)) => DocsAction::Search {
            question: search
                .get_many::<String>("question")
                .map(|words| words.cloned().collect::<Vec<_>>().join(" "))
                .unwrap_or_default(),
            top: search.get_one::<u32>("top").map_or(5, |top| *top as usize),
            law: text(search, "law"),
            category: text(search, "category"),
        },
        Some(("read", read)) => {
            let path = read.get_one::<PathBuf>("path").cloned().unwrap_or_default();
            DocsAction::Read { path, limited: read.get_flag("limited") }
        }
        _ => DocsAction::List,
    };
    DocsArgs { place: read_place(matches), action }
}

fn read_remarks(matches: &ArgMatches) -> RemarksAction {
    let id = |matches: &ArgMatches| matches.get_one::<String>("id").cloned().unwrap_or_default();
    match matches.subcommand() {
        Some(("accept", one)) => RemarksAction::Accept { id: id(one) },
        Some(("decline", one)) => RemarksAction::Decline { id: id(one) },
        Some(("remove", one)) => RemarksAction::Remove { id: id(one) },
        _ => RemarksAction::List,
    }
}
