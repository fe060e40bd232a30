//! What can be typed in a chat besides questions.

use crate::lang::Lang;
use crate::text::{clean, pad};

/// A line of a chat.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ChatLine {
    Ask(String),
    Help,
    /// A new conversation, which knows nothing of this one.
    Reset,
    /// The query of the last answer; or one of the person's own, to be run.
    Sql(Option<String>),
    /// No command has this name.
    Unknown(String),
}

/// Command, and what it does in Korean and English; queries are what the analyst alone has.
const COMMANDS: [(&str, &str, &str); 3] = [
    ("/help", "이 도움말", "This help"),
    ("/reset", "새 대화를 시작합니다 (앞의 대화는 남습니다)", "Begin a new conversation (this one is kept)"),
    (
        "/sql",
        "방금 답의 SQL을 봅니다; /sql SELECT … 은 직접 쓴 SQL을 실행합니다",
        "Show the last answer's query; /sql SELECT … runs one of your own",
    ),
];

impl ChatLine {
    /// Only what is a command by itself: a question may begin with a path.
    pub(super) fn read(line: String, has_sql: bool) -> Self {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        match (word, rest.trim()) {
            ("/help", "") => Self::Help,
            ("/reset", "") => Self::Reset,
            ("/sql", rest) if has_sql => Self::Sql(Some(rest.to_owned()).filter(|sql| !sql.is_empty())),
            (word, "") if is_name(word) => Self::Unknown(word.to_owned()),
            _ => Self::Ask(line),
        }
    }
}

/// `/word`
fn is_name(word: &str) -> bool {
    word.strip_prefix('/').is_some_and(|name| name.chars().all(|c| c.is_ascii_lowercase()))
}

pub(super) fn help(lang: Lang, has_sql: bool) -> String {
    let lines = COMMANDS.iter().filter(|(name, ..)| has_sql || *name != "/sql");
    let mut text: String =
        lines.map(|(name, ko, en)| format!("  {} {}\n", pad(name, 8), lang.pick(ko, en))).collect();
    text.push_str(lang.pick(
        "  줄 바꿈은 Alt-Enter나 줄 끝의 \\, 앞의 질문은 ↑, 그만두려면 빈 줄이나 Ctrl-D\n",
        "  Alt-Enter or a final \\ breaks a line, ↑ has earlier questions, an empty line or Ctrl-D ends it\n",
    ));
    text
}

pub(super) fn unknown(word: &str, lang: Lang) -> String {
    let word = clean(word);
    lang.pick(
        format!("{word} 명령은 없습니다. /help로 명령을 볼 수 있습니다."),
        format!("There is no command {word}. /help lists them."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> ChatLine {
        ChatLine::read(line.to_owned(), true)
    }

    #[test]
    fn commands_are_words_of_their_own_and_questions_may_begin_with_a_path() {
        assert_eq!(read("/help"), ChatLine::Help);
        assert_eq!(read("/reset"), ChatLine::Reset);
        assert_eq!(read("/sql"), ChatLine::Sql(None));
        assert_eq!(read("/sql  select 1"), ChatLine::Sql(Some("select 1".into())));
        assert_eq!(read("/hlep"), ChatLine::Unknown("/hlep".into()));
        for question in ["/api/orders 가장 느린 시간", "/login 에러 몇 건?", "/api/v1", "오늘 에러"]
        {
            assert_eq!(read(question), ChatLine::Ask(question.into()));
        }
        assert_eq!(ChatLine::read("/sql".into(), false), ChatLine::Unknown("/sql".into()));
    }

    #[test]
    fn help_lists_every_command_in_both_languages() {
        for lang in [Lang::Ko, Lang::En] {
            for (name, ..) in COMMANDS {
                assert!(help(lang, true).contains(name), "{name}");
            }
            assert!(!help(lang, false).contains("/sql"));
        }
    }
}
