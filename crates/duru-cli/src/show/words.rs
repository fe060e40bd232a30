//! What the commands about threads say, in Korean and English.

use duru::Source;
use duru::store::Status;

use crate::lang::Lang;

impl Lang {
    pub(super) fn history_head(self) -> [&'static str; 5] {
        self.pick(
            ["체크포인트", "단계", "출처", "다음", "바뀐 값"],
            ["checkpoint", "step", "source", "next", "changed"],
        )
    }

    pub(super) fn list_head(self) -> [&'static str; 5] {
        self.pick(
            ["스레드", "그래프", "상태", "단계", "마지막 변경"],
            ["thread", "graph", "status", "steps", "last change"],
        )
    }

    /// Scripts read the store's own words.
    pub(super) fn status(self, status: Status) -> &'static str {
        let ko = match status {
            Status::Idle => "끝남",
            Status::Busy => "실행 중",
            Status::Paused => "멈춤",
            Status::Failed => "실패",
        };
        self.pick(ko, status.as_str())
    }

    pub(super) fn source(self, source: Source) -> String {
        let ko = match source {
            Source::Input => "입력",
            Source::Loop => "단계",
            Source::Resume => "답",
            Source::Continue => "이어감",
            Source::Deadline => "기한",
            Source::Update => "수정",
            Source::Fork => "되돌림",
            other => return other.to_string(),
        };
        self.pick(ko.to_owned(), source.to_string())
    }

    pub(super) fn task_head(self) -> [&'static str; 3] {
        self.pick(["작업", "결과", "내용"], ["task", "outcome", "what"])
    }

    pub(super) fn task_outcome(self, outcome: super::moment::Outcome) -> &'static str {
        use super::moment::Outcome;
        match outcome {
            Outcome::Done => self.pick("끝남", "done"),
            Outcome::Failed => self.pick("실패", "failed"),
            Outcome::Asks => self.pick("질문", "asks"),
            Outcome::Planned => self.pick("예정", "planned"),
        }
    }

    pub(super) fn at(self, checkpoint: &str, step: &str, source: &str, time: &str) -> String {
        self.pick(
            format!("체크포인트 {checkpoint} · 단계 {step} · {source} · {time}"),
            format!("checkpoint {checkpoint} · step {step} · {source} · {time}"),
        )
    }

    pub(super) fn tasks(self) -> &'static str {
        self.pick("이 체크포인트가 계획한 작업", "Tasks that this checkpoint planned")
    }

    pub(super) fn beginning(self) -> &'static str {
        self.pick("시작", "the beginning")
    }

    pub(super) fn step(self, step: &str) -> String {
        self.pick(format!("단계 {step}"), format!("step {step}"))
    }

    pub(super) fn next(self) -> &'static str {
        self.pick("다음", "next")
    }

    pub(super) fn nothing_changed(self) -> &'static str {
        self.pick("바뀐 값이 없습니다.", "No value changed.")
    }

    pub(super) fn goes_back(self, thread: &str, checkpoint: &str, step: &str, next: &str) -> String {
        self.pick(
            format!(
                "스레드 {thread}을(를) 체크포인트 {checkpoint}(단계 {step})(으)로 되돌립니다. 다음에 실행할 노드: {next}"
            ),
            format!("Thread {thread} goes back to checkpoint {checkpoint} (step {step}). To run next: {next}"),
        )
    }

    pub(super) fn stays_in_log(self) -> &'static str {
        self.pick(
            "그 뒤의 기록은 남지만, 되돌린 곳의 작업은 다시 실행되어 바깥에 다시 작용합니다.",
            "What came after it stays in the log, but its tasks run again, and act on the world again.",
        )
    }

    pub(super) fn gives_up(self, nodes: &str) -> String {
        self.pick(
            format!("끝나지 않은 단계에서 이미 끝난 작업을 버립니다: {nodes}"),
            format!("Finished work of the unfinished step is given up: {nodes}"),
        )
    }

    pub(super) fn gives_up_questions(self, count: usize) -> String {
        self.pick(
            format!("답을 기다리는 질문 {count}개를 버립니다."),
            format!("{count} question(s) that wait for an answer are given up."),
        )
    }

    pub(super) fn is_busy(self) -> &'static str {
        self.pick(
            "실행 중이거나 실행하던 프로그램이 꺼진 스레드입니다. 실행 중이면 그 실행은 멈춥니다.",
            "A run is under way, or its program has died. If it is under way, it will be stopped.",
        )
    }

    pub(super) fn go_back(self) -> &'static str {
        self.pick("되돌릴까요?", "Go back?")
    }

    pub(super) fn left_alone(self) -> &'static str {
        self.pick("아무것도 바꾸지 않았습니다.", "Nothing was changed.")
    }

    pub(super) fn went_back(self, checkpoint: &str) -> String {
        self.pick(
            format!("되돌렸습니다. 새 체크포인트: {checkpoint}"),
            format!("Done. The new checkpoint: {checkpoint}"),
        )
    }
}
