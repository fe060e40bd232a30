//! Everything the program says, in Korean and English.

use crate::lang::Lang;
use crate::output::Output;
use crate::problem::{Problem, Unanswered};
use crate::reasons::with_detail;

impl Lang {
    pub(crate) fn welcome(self) -> &'static str {
        self.pick(
            "두루 — 중단되어도 이어지는 그래프.\n예제: 글을 쓰고, 세 가지를 동시에 검사하고, 사람에게 묻고, 한 번만 발행합니다.",
            "Duru — graphs that survive a crash.\nThe example writes an article, checks three things at once, asks a person, and publishes once.",
        )
    }

    pub(crate) fn listening(self, address: &str, store: &str) -> String {
        self.pick(
            format!("http://{address} 에서 듣고 있습니다, 저장소 {store}"),
            format!("Listening on http://{address}, store {store}"),
        )
    }

    pub(crate) fn password_is_seen(self) -> &'static str {
        self.pick(
            "! 명령줄의 비밀번호는 이 컴퓨터의 다른 사용자에게 보입니다. 주소를 DURU_STORE, DURU_LOGS, DURU_TABLES, DURU_DOCUMENTS에 넣으세요.",
            "! A password on the command line can be seen by others on this machine: put the URL into DURU_STORE, DURU_LOGS, DURU_TABLES or DURU_DOCUMENTS.",
        )
    }

    pub(crate) fn not_served(self, agent: &str, why: &str) -> String {
        self.pick(format!("{agent}은(는) 제공하지 않습니다: {why}"), format!("{agent} is not served: {why}"))
    }

    pub(crate) fn go_on_with(self, command: &str) -> String {
        self.pick(format!("이어서 하려면: {command}"), format!("To go on: {command}"))
    }

    pub(crate) fn place(self, thread: &str, store: &str) -> String {
        self.pick(format!("스레드 {thread}, 저장소 {store}"), format!("Thread {thread}, store {store}"))
    }

    /// How to go on if the program is killed now.
    pub(crate) fn if_killed(self, command: &str) -> String {
        self.pick(
            format!("도중에 꺼져도 됩니다. 이 명령이 멈춘 곳에서 이어 갑니다: {command}"),
            format!("Kill it whenever you like; this goes on where it stopped: {command}"),
        )
    }

    pub(crate) fn goes_on(self, step: i64, next: &str) -> String {
        self.pick(
            format!(
                "끝나지 않은 스레드입니다. 단계 {step}까지 저장되어 있습니다. 이어서 실행할 노드: {next}"
            ),
            format!("The thread is unfinished. Everything up to step {step} is stored; to run next: {next}"),
        )
    }

    pub(crate) fn already_finished(self, count: usize) -> String {
        self.pick(
            format!("  이 단계에서 이미 끝난 작업 {count}개는 다시 실행하지 않습니다."),
            format!("  {count} finished task(s) of this step are not run again."),
        )
    }

    pub(crate) fn is_done(self, command: &str) -> String {
        self.pick(
            format!("이 스레드는 이미 끝났습니다. 새로 시작하려면: {command}"),
            format!("This thread is done. To start another one: {command}"),
        )
    }

    pub(crate) fn publishing(self, key: &str) -> String {
        self.pick(
            format!("    바깥 세계에 발행합니다, 멱등 키 {key}"),
            format!("    publishing to the world under key {key}"),
        )
    }

    pub(crate) fn published_before(self) -> &'static str {
        self.pick(
            "    이미 발행했습니다: 기록된 결과를 씁니다",
            "    published before: the recorded result is used",
        )
    }

    pub(crate) fn question(self, round: u32, remarks: &str) -> String {
        self.pick(
            format!("\n{round}번째 초고입니다. 검사 결과: {remarks}"),
            format!("\nThis is draft {round}. The checks say: {remarks}"),
        )
    }

    pub(crate) fn choices(self) -> &'static str {
        self.pick(
            "발행할까요? [Enter 또는 p] 발행  [r] 다시 쓰기  [h] 보류 > ",
            "Publish it? [Enter or p] publish  [r] revise  [h] hold back > ",
        )
    }

    pub(crate) fn not_a_choice(self) -> &'static str {
        self.pick("p, r, h 중 하나를 입력하세요.", "Type p, r or h.")
    }

    pub(crate) fn answered(self, word: &str) -> String {
        self.pick(format!("  답: {word}"), format!("  answer: {word}"))
    }

    pub(crate) fn stopping(self) -> &'static str {
        self.pick(
            "멈추는 중입니다… (Ctrl-C를 한 번 더 누르면 바로 끝냅니다)",
            "Stopping… (Ctrl-C again ends at once)",
        )
    }

    pub(crate) fn no_threads(self, command: &str) -> String {
        self.pick(
            format!("아직 스레드가 없습니다. 시작하려면: {command}"),
            format!("There are no threads yet. To make one: {command}"),
        )
    }

    pub(crate) fn final_state(self) -> &'static str {
        self.pick("상태", "State")
    }

    pub(crate) fn history(self) -> &'static str {
        self.pick("기록 (체크포인트, 오래된 것부터)", "History (checkpoints, oldest first)")
    }

    pub(crate) fn waits(self) -> &'static str {
        self.pick("기다리는 질문", "waits for an answer to")
    }

    /// The words of the example's drafts.
    pub(crate) fn default_topic(self) -> &'static str {
        self.pick("중단되어도 이어지는 그래프", "graphs that survive a crash")
    }

    /// The first draft has a doubled word, which a check finds.
    pub(crate) fn draft(self, topic: &str, round: u32) -> String {
        let slip = if round == 1 {
            self.pick("모든 모든", "each and and every")
        } else {
            self.pick("모든", "every")
        };
        self.pick(
            format!("오늘의 주제는 {topic}입니다. {slip} 단계는 다음 단계가 시작되기 전에 저장됩니다. 그래서 언제 꺼져도 이어집니다."),
            format!("Today's topic: {topic}. Before a step begins, {slip} step before it is stored. So it may be killed at any time."),
        )
    }
}

impl Problem {
    pub(crate) fn what(&self, lang: Lang) -> String {
        let say = |ko: String, en: String| lang.pick(ko, en);
        match self {
            Self::Usage(text) => text.clone(),
            Self::Setting { ko, en } => say(ko.clone(), en.clone()),
            Self::InvalidThread(text) => {
                say(with_detail("스레드의 이름으로 쓸 수 없습니다", text), text.clone())
            }
            Self::UnknownThread { id, store } => say(
                format!("저장소 {store}에 스레드 {id:?}이(가) 없습니다"),
                format!("there is no thread {id:?} in {store}"),
            ),
            Self::UnknownCheckpoint { thread, given } => say(
                format!("스레드 {thread}에 체크포인트 {given:?}이(가) 없습니다"),
                format!("thread {thread} has no checkpoint {given:?}"),
            ),
            Self::Ambiguous { thread, given } => say(
                format!("스레드 {thread}에는 {given:?}(으)로 시작하는 체크포인트가 여럿 있습니다"),
                format!("several checkpoints of thread {thread} begin with {given:?}"),
            ),
            Self::NeedsYes { .. } => say(
                "정말 할지 물어볼 수 없어 아무것도 바꾸지 않았습니다".to_owned(),
                "nobody can be asked whether to do it; nothing was changed".to_owned(),
            ),
            Self::OtherGraph { thread, graph } => say(
                format!("스레드 {thread}은(는) 다른 그래프 {graph:?}의 것입니다"),
                format!("thread {thread} is of another graph, {graph:?}"),
            ),
            Self::Folder { folder, source } => say(
                format!("폴더 {}을(를) 만들 수 없습니다: {}", folder.display(), lang.of_system(source)),
                format!("the folder {} can't be made: {source}", folder.display()),
            ),
            Self::Settings(unreadable) => {
                let file = unreadable.file.display();
                say(
                    format!("설정 파일 {file}: {}", unreadable.ko),
                    format!("the settings in {file}: {}", unreadable.en),
                )
            }
            Self::Address { address, source } => say(
                format!("{address}에서 들을 수 없습니다: {}", lang.of_system(source)),
                format!("can't listen on {address}: {source}"),
            ),
            Self::NoKeys { address } => say(
                format!("{address}은(는) 다른 컴퓨터에서도 열리는데 API 키가 하나도 없습니다"),
                format!("others can reach {address}, and nobody has an API key"),
            ),
            Self::Refused(refusal) => {
                refusal.text(lang.pick(duru_sql::guard::Lang::Ko, duru_sql::guard::Lang::En))
            }
            Self::Schema { file, reason } => say(
                with_detail(format_args!("{}을(를) 읽을 수 없습니다", file.display()), reason),
                format!("{} can't be read: {reason}", file.display()),
            ),
            Self::NoStore { file } => say(
                format!("저장소 파일 {}이(가) 없습니다", file.display()),
                format!("there is no store file {}", file.display()),
            ),
            Self::File { file, source } => say(
                format!("파일 {}을(를) 쓸 수 없습니다: {}", file.display(), lang.of_system(source)),
                format!("the file {} can't be used: {source}", file.display()),
            ),
            Self::Items { failed, of } => say(
                format!("{of}건 가운데 {failed}건에 답하지 못했습니다"),
                format!("{failed} of {of} items could not be answered"),
            ),
            Self::Store(error) => {
                let why = lang.of_store(error);
                say(format!("저장소를 쓸 수 없습니다: {why}"), error.to_string())
            }
            Self::Run(failure) => {
                let why = lang.of_run(failure);
                say(format!("실행이 실패했습니다: {why}"), format!("the run failed: {failure}"))
            }
            Self::Engine(error) => {
                let why = lang.of_engine(error);
                say(format!("실행할 수 없습니다: {why}"), error.to_string())
            }
            Self::NeedsInput { thread } => say(
                format!("스레드 {thread}이(가) 답을 기다립니다"),
                format!("thread {thread} waits for an answer"),
            ),
            Self::Cancelled { thread } => say(
                format!("중단했습니다; 스레드 {thread}에는 그때까지 한 일이 남아 있습니다"),
                format!("stopped; thread {thread} keeps what was done"),
            ),
            Self::Stopped => say(
                "중단했습니다; 아무것도 바꾸지 않았습니다".to_owned(),
                "stopped; nothing was changed".to_owned(),
            ),
            Self::Told(problem) => problem.what(lang),
            Self::TimedOut { thread } => say(
                format!("시간이 다 되어 멈췄습니다; 스레드 {thread}에는 그때까지 한 일이 남아 있습니다"),
                format!("stopped, because the time is up; thread {thread} keeps what was done"),
            ),
            Self::ServerKey => say(
                "실행 중인 서버가 키를 요구합니다".to_owned(),
                "the running server wants a key".to_owned(),
            ),
            Self::NoAnswer { message, .. } => message.clone(),
            Self::UnknownMemory { id, user } => say(
                format!("{user}의 기억에 {id}이(가) 없습니다"),
                format!("nothing called {id} is remembered of {user}"),
            ),
            Self::Logs(problem) => problem.what(lang),
            Self::Tables(problem) => problem.what(lang),
            Self::Output(error) => {
                let why = lang.of_system(error);
                say(format!("출력할 수 없습니다: {why}"), format!("the output failed: {error}"))
            }
            Self::NobodyReads | Self::Unwell => String::new(),
            Self::Decisions(problem) => problem.what(lang),
            Self::Docs(problem) => problem.what(lang),
            Self::Data(problem) => problem.what(lang),
            Self::Unexpected(error) => say(
                with_detail("예상하지 못한 오류입니다", format_args!("{error:#}")),
                format!("unexpected: {error:#}"),
            ),
        }
    }

    pub(crate) fn advice(&self, output: &Output) -> String {
        let lang = output.lang;
        let say = |ko: String, en: String| lang.pick(ko, en);
        let run = |rest: &str| output.command(rest);
        match self {
            Self::Usage(_) => {
                let help = output.help();
                say(format!("쓰는 법은 `{help}`로 볼 수 있습니다"), format!("`{help}` shows how"))
            }
            Self::NoAnswer { why: Unanswered::Unavailable, .. } => {
                let doctor = run("doctor");
                say(format!("`{doctor}`로 확인해 보세요"), format!("look with `{doctor}`"))
            }
            Self::NoAnswer { why: Unanswered::OwnQuery, .. } => {
                let check = run("sql check \"SELECT …\"");
                say(
                    format!("조회문을 고쳐 다시 하세요; `{check}`는 실행하지 않고 검사합니다"),
                    format!("correct the query; `{check}` checks one without running it"),
                )
            }
            Self::NoAnswer { .. } => lang
                .pick("무엇을, 어느 서비스에서, 언제인지 바꾸어 물어보세요", "say it in other words: what, of which service, when")
                .into(),
            Self::UnknownMemory { user, .. } => {
                let list = run(&format!("memory list --user '{user}'"));
                say(format!("있는 것은 `{list}`로 볼 수 있습니다"), format!("`{list}` lists what there is"))
            }
            Self::Logs(problem) => problem.advice(lang),
            Self::Tables(problem) => problem.advice(lang),
            Self::UnknownThread { .. } => {
                let ls = run("threads ls");
                say(format!("있는 스레드는 `{ls}`로 볼 수 있습니다"), format!("`{ls}` lists those there are"))
            }
            Self::UnknownCheckpoint { thread, .. } | Self::Ambiguous { thread, .. } => {
                let show = run(&format!("threads show {thread}"));
                say(
                    format!("`{show}`가 보여 주는 것 중 하나를 쓰세요; 앞부분만 써도 됩니다"),
                    format!("use one that `{show}` shows; its beginning is enough"),
                )
            }
            Self::NeedsYes { command } => {
                let yes = run(&format!("{command} --yes"));
                say(format!("그래도 하려면: `{yes}`"), format!("to do it: `{yes}`"))
            }
            Self::InvalidThread(_) => say(
                "제어 문자 없이 1~255바이트로 된 이름을 쓰세요".to_owned(),
                "use a name of 1 to 255 bytes without control characters".to_owned(),
            ),
            Self::OtherGraph { thread, .. } => {
                let show = run(&format!("threads show {thread}"));
                say(
                    format!("`{show}`로 보거나, 다른 --thread 이름을 쓰세요"),
                    format!("look at it with `{show}`, or use another --thread"),
                )
            }
            Self::Folder { .. } => say(
                "쓸 수 있는 곳을 --store로 지정하세요".to_owned(),
                "name a place that you may write to with --store".to_owned(),
            ),
            Self::Setting { .. } => {
                let (show, doctor) = (run("config show --origin"), run("doctor"));
                say(
                    format!("어디에 설정되어 있는지는 `{show}`가, 고치는 법은 `{doctor}`가 말합니다"),
                    format!("`{show}` says where it is set, `{doctor}` what to do"),
                )
            }
            Self::Settings(_) => say(
                "파일을 고치거나 지우세요".to_owned(),
                "correct the file, or delete it".to_owned(),
            ),
            Self::Address { .. } => say(
                "--port로 다른 포트를 지정하세요 (0이면 빈 포트)".to_owned(),
                "name another port with --port (0 for any that is free)".to_owned(),
            ),
            Self::NoKeys { .. } => {
                let add = run("keys add NAME");
                say(format!("키를 먼저 만드세요: {add}"), format!("make a key first: {add}"))
            }
            Self::Refused(_) => say(
                "조회문은 실행되지 않습니다. 말한 곳을 고쳐 다시 검사하세요".into(),
                "the query is not run; correct the place that is named and check again".into(),
            ),
            Self::Schema { .. } => say(
                r#"{"tables": [{"name", "schema", "soft_delete", "columns": {이름: 형식}}]} 꼴의 JSON을 주세요"#.into(),
                r#"give JSON such as {"tables": [{"name", "schema", "soft_delete", "columns": {name: type}}]}"#.into(),
            ),
            Self::NoStore { .. } => say(
                "--store의 경로를 확인하세요; 보기만 하는 명령은 새 파일을 만들지 않습니다".to_owned(),
                "check the path after --store; commands that only look make no new file".to_owned(),
            ),
            Self::File { .. } => say(
                "경로와 권한을 확인하세요".to_owned(),
                "check the path and your rights to it".to_owned(),
            ),
            Self::Items { .. } => say(
                "위에 적힌 줄을 고친 뒤 다시 하세요".to_owned(),
                "mend the lines named above and try again".to_owned(),
            ),
            Self::Store(duru::store::Error::Conflict { .. }) => say(
                "다른 프로그램이 이 스레드를 맡았습니다; 그것이 끝난 뒤 다시 하세요".to_owned(),
                "another program has taken the thread over; try again when it is done".to_owned(),
            ),
            Self::Store(duru::store::Error::Owned { owner, .. }) => say(
                format!("{owner}이(가) 이 스레드를 실행하고 있습니다; 끝나기를 기다리거나 그 프로세스를 멈추세요"),
                format!("{owner} runs this thread; wait until its run ends, or stop that process"),
            ),
            Self::Store(duru::store::Error::Corrupt { .. }) => say(
                "백업에서 되살리세요; 다른 스레드는 그대로 쓸 수 있습니다".to_owned(),
                "restore it from a backup; other threads can still be used".to_owned(),
            ),
            Self::Store(duru::store::Error::Newer { .. }) => say(
                "이 저장소를 쓴 버전 이상의 duru를 쓰세요".to_owned(),
                "use a duru at least as new as the one that wrote it".to_owned(),
            ),
            Self::Store(_) => say(
                "두루의 저장소이고 읽고 쓸 수 있는지 확인하거나, --store로 다른 곳을 지정하세요".to_owned(),
                "check that it is a store of Duru that you may read and write, or name another one with --store"
                    .to_owned(),
            ),
            Self::Run(failure) => match &failure.thread {
                Some(thread) => {
                    let again = run(&format!("resume {thread}"));
                    say(
                        format!("원인을 고친 뒤 `{again}`로 이어 가세요; 끝난 일은 다시 하지 않습니다"),
                        format!("remove the cause and go on with `{again}`; what is done is not done again"),
                    )
                }
                None => say("원인을 고친 뒤 다시 하세요".to_owned(), "remove the cause and try again".to_owned()),
            },
            Self::Docs(problem) => problem.advice(lang),
            Self::Data(problem) => problem.advice(lang).to_owned(),
            Self::Engine(_) => {
                let help = output.help();
                say(format!("쓰는 법은 `{help}`로 볼 수 있습니다"), format!("`{help}` shows how"))
            }
            Self::NeedsInput { thread } => {
                let answer = run(&format!("resume {thread}"));
                say(format!("답하려면: `{answer}`"), format!("answer it with `{answer}`"))
            }
            Self::ServerKey => say(
                "서버의 키를 환경 변수 DURU_KEY에 넣으세요".to_owned(),
                "put a key of the server into the variable DURU_KEY".to_owned(),
            ),
            Self::Stopped => say("하려면 다시 부르세요".to_owned(), "call it again to do it".to_owned()),
            Self::Told(problem) => problem.advice(output),
            Self::Cancelled { thread } | Self::TimedOut { thread } => {
                let again = run(&format!("resume {thread}"));
                say(format!("이어 가려면: `{again}`"), format!("go on with `{again}`"))
            }
            Self::Output(_) | Self::NobodyReads => say(
                "디스크에 자리가 있는지 확인하세요".to_owned(),
                "check whether there is room on the disk".to_owned(),
            ),
            Self::Unwell => String::new(),
            Self::Decisions(problem) => problem.advice(output),
            Self::Unexpected(_) => say(
                "다시 해 보고, 또 생기면 이 글을 붙여 알려 주세요".to_owned(),
                "try again; if it happens again, report it with this text".to_owned(),
            ),
        }
    }
}
