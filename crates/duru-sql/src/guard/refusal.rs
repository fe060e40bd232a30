//! Why a query may not run, in both languages.

use std::fmt;

use sqlparser::tokenizer::Span;

/// A query that may not run: which rule, where, and what broke it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub rule: Rule,
    pub place: Option<Place>,
    /// What broke the rule, such as a function's name.
    pub detail: String,
}

/// Where in the text, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub line: u64,
    pub column: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lang {
    Ko,
    En,
}

impl Lang {
    /// The language of a text: Korean if it has any Hangul.
    pub fn of(text: &str) -> Self {
        if text.chars().any(|letter| ('가'..='힣').contains(&letter)) { Self::Ko } else { Self::En }
    }

    /// The one of two that is in this language.
    pub fn pick<T>(self, ko: T, en: T) -> T {
        match self {
            Self::Ko => ko,
            Self::En => en,
        }
    }
}

macro_rules! rules {
    ($($name:ident $code:literal $ko:literal $en:literal)*) => {
        /// The rules of the guard, one for each kind of advice.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Rule { $($name,)* }

        impl Rule {
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// By which programs tell rules apart. Never changed.
            pub fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            fn texts(self) -> (&'static str, &'static str) {
                match self { $(Self::$name => ($ko, $en),)* }
            }
        }
    };
}

rules! {
    Empty "empty"
        "빈 문장입니다. SELECT 문 하나를 쓰세요"
        "there is no statement; write one SELECT"
    TooLong "too-long"
        "문장이 너무 깁니다. 나누거나 줄이세요"
        "the statement is too long; split or shorten it"
    BadCharacter "bad-character"
        "쓸 수 없는 문자가 있습니다. 보이지 않는 문자를 지우세요"
        "a character that is not allowed; remove invisible characters"
    Syntax "syntax"
        "문법에 맞지 않거나 지원하지 않는 구문입니다. PostgreSQL의 SELECT 문으로 고치세요"
        "this does not parse as a PostgreSQL query; correct its syntax"
    OneStatement "one-statement"
        "문장이 하나가 아닙니다. SELECT 문 하나만 쓰세요"
        "more than one statement; write exactly one SELECT"
    NotAQuery "not-a-query"
        "조회 문장이 아닙니다. 데이터를 바꾸거나 설정하는 문장은 실행하지 않습니다"
        "this is not a query; statements that change data or settings are never run"
    Construct "construct"
        "허용되지 않는 구문입니다. 다른 방법으로 쓰세요"
        "this construct is not allowed; write it another way"
    Table "table"
        "조회할 수 없는 테이블입니다. 허용된 테이블만 쓰세요"
        "this table may not be asked; use an allowed one"
    Column "column"
        "없는 열이거나 조회할 수 없는 열입니다. 허용된 열만 쓰세요"
        "no such column may be asked here; use an allowed one"
    SystemColumn "system-column"
        "시스템 열은 조회할 수 없습니다. 지우세요"
        "system columns may not be asked; leave it out"
    Attribute "attribute"
        "행 뒤의 점 표기는 그 행의 열에만 쓸 수 있습니다"
        "the dot after a row may only name one of its columns"
    Function "function"
        "허용되지 않는 함수입니다. 조회용 함수만 쓰세요"
        "this function is not allowed; use one that only reads"
    Type "type"
        "허용되지 않는 형식입니다. 기본 형식으로 바꾸세요"
        "this type is not allowed; cast to a plain one"
    Operator "operator"
        "허용되지 않는 연산자입니다"
        "this operator is not allowed"
    Literal "literal"
        "허용되지 않는 형태의 값입니다. '…' 문자열이나 수로 쓰세요"
        "a value in a form that is not allowed; write a plain '…' string or a number"
    Placeholder "placeholder"
        "채워지지 않은 자리 표시자가 있습니다. 값을 직접 쓰세요"
        "a placeholder was left open; write the value itself"
    Name "name"
        "쓸 수 없는 이름입니다. 63바이트 이하의 보통 이름을 쓰세요"
        "this name can't be used; use a plain one of at most 63 bytes"
    Ambiguous "ambiguous"
        "같은 이름이 두 번 쓰였습니다. 별칭을 다르게 하세요"
        "the same name is used twice; give different aliases"
    TooDeep "too-deep"
        "너무 깊이 중첩되었습니다. 단순하게 나누세요"
        "nested too deeply; make it simpler"
    TooManyTables "too-many-tables"
        "한 문장에 테이블 참조나 집합 연산이 너무 많습니다. 나누어 물으세요"
        "too many tables or set operations in one statement; ask in parts"
    TooManyColumns "too-many-columns"
        "결과의 열이 너무 많습니다. 필요한 열만 고르세요"
        "too many result columns; choose those you need"
    CrossJoin "cross-join"
        "조건 없이 이어진 큰 테이블이 있습니다. 조인 조건을 쓰세요"
        "large tables are joined without a condition; add one"
    Endless "endless"
        "재귀가 끝난다는 조건이 없습니다. 재귀 부분에 WHERE n < 100 같은 한계를 쓰세요"
        "nothing ends this recursion; add a bound such as WHERE n < 100 to its recursive part"
    Recursion "recursion"
        "재귀 부분에서 쓸 수 없는 것입니다. 재귀로는 수와 시간만 세세요"
        "not allowed in the recursive part of a query; only count numbers and times there"
    TooLarge "too-large"
        "결과의 값이 너무 커질 수 있습니다. 개수나 길이를 줄이세요"
        "a value could become too large; reduce the count or the length"
    Pattern "pattern"
        "너무 비싼 정규식입니다. 고정된 단순한 패턴을 쓰세요"
        "this pattern is too expensive or not fixed; use a simple constant one"
    Catalog "catalog"
        "이 테이블의 설정을 읽을 수 없습니다. 관리자에게 알리세요"
        "this table's configured rule can't be read; tell whoever runs this"
    Extra "extra"
        "이 설치의 추가 규칙에 어긋납니다"
        "a rule of this installation forbids it"
}

impl Refusal {
    pub(crate) fn new(rule: Rule, detail: impl Into<String>) -> Self {
        let mut detail: String = detail.into();
        if let Some((cut, _)) = detail.char_indices().nth(120) {
            detail.truncate(cut);
            detail.push('…');
        }
        Self { rule, place: None, detail }
    }

    pub(crate) fn at(mut self, span: Span) -> Self {
        if self.place.is_none() && span.start.line > 0 {
            self.place = Some(Place { line: span.start.line, column: span.start.column });
        }
        self
    }

    /// What a person reads.
    pub fn text(&self, lang: Lang) -> String {
        let (ko, en) = self.rule.texts();
        let mut text = String::from(match lang {
            Lang::Ko => ko,
            Lang::En => en,
        });
        if !self.detail.is_empty() {
            text = format!("{text}: {}", self.detail);
        }
        match (self.place, lang) {
            (None, _) => text,
            (Some(Place { line, column }), Lang::Ko) => format!("{text} ({line}행 {column}열)"),
            (Some(Place { line, column }), Lang::En) => format!("{text} (line {line}, column {column})"),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_rule_has_its_own_code_and_speaks_both_languages() {
        let codes: HashSet<_> = Rule::ALL.iter().map(|rule| rule.code()).collect();
        assert_eq!(codes.len(), Rule::ALL.len());
        for &rule in Rule::ALL {
            let refusal = Refusal { rule, place: Some(Place { line: 2, column: 7 }), detail: "x".into() };
            let (ko, en) = (refusal.text(Lang::Ko), refusal.text(Lang::En));
            assert!(ko.contains("2행 7열") && ko.chars().any(|c| ('가'..='힣').contains(&c)), "{ko}");
            assert!(en.contains("line 2, column 7"), "{en}");
            assert!(!en.chars().any(|c| ('가'..='힣').contains(&c)), "{en}");
        }
    }
}
