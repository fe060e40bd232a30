//! What is missing of the hardening, and what to do about it.

use std::fmt;

use crate::guard::Lang;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub gap: Gap,
    /// The table, function or setting.
    pub subject: String,
    /// The SQL that closes the gap.
    pub fix: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gap {
    NoRole,
    /// The role may more than read.
    Attribute,
    Membership,
    Setting,
    NoTable,
    /// The role can't read a table that may be asked.
    NotReadable,
    /// Deleted rows are visible to the role.
    NoRowSecurity,
    /// Row security can't be had on a view.
    View,
    Writable,
    /// The role reads what may not be asked.
    Readable,
    Functions,
    Catalogs,
    Creating,
}

impl Finding {
    /// What a person reads.
    pub fn text(&self, lang: Lang) -> String {
        let subject = &self.subject;
        let (ko, en) = match self.gap {
            Gap::NoRole => (
                format!("조회용 역할 {subject}이(가) 없습니다"),
                format!("there is no role {subject} for queries"),
            ),
            Gap::Attribute => (
                format!("조회용 역할의 권한이 지나칩니다: {subject}"),
                format!("the role for queries may too much: {subject}"),
            ),
            Gap::Membership => (
                format!("조회용 역할이 다른 역할 {subject}에 속해 있습니다"),
                format!("the role for queries is a member of {subject}"),
            ),
            Gap::Setting => (
                format!("조회용 역할에 한도 {subject}이(가) 없습니다"),
                format!("the role for queries lacks the limit {subject}"),
            ),
            Gap::NoTable => {
                (format!("테이블 {subject}이(가) 없습니다"), format!("there is no table {subject}"))
            }
            Gap::NotReadable => (
                format!("조회용 역할이 {subject}을(를) 읽을 수 없습니다"),
                format!("the role for queries can't read {subject}"),
            ),
            Gap::NoRowSecurity => (
                format!("{subject}의 삭제된 행을 행 보안이 숨기지 않습니다"),
                format!("row security does not hide the deleted rows of {subject}"),
            ),
            Gap::View => (
                format!("{subject}은(는) 뷰라서 삭제된 행을 검사기만 숨깁니다"),
                format!("{subject} is a view: only the guard hides its deleted rows"),
            ),
            Gap::Writable => (
                format!("조회용 역할이 {subject}을(를) 바꿀 수 있습니다"),
                format!("the role for queries may change {subject}"),
            ),
            Gap::Readable => (
                format!("조회용 역할이 허용되지 않은 {subject}을(를) 읽을 수 있습니다"),
                format!("the role for queries may read {subject}, which may not be asked"),
            ),
            Gap::Functions => (
                format!("조회용 역할이 위험한 함수를 부를 수 있습니다: {subject}"),
                format!("the role for queries may call functions that act or tell: {subject}"),
            ),
            Gap::Catalogs => (
                format!("조회용 역할이 시스템 카탈로그를 읽을 수 있습니다: {subject}"),
                format!("the role for queries may read the server's catalogs: {subject}"),
            ),
            Gap::Creating => (
                format!("조회용 역할이 새 객체를 만들 수 있습니다: {subject}"),
                format!("the role for queries may make things: {subject}"),
            ),
        };
        match lang {
            Lang::Ko => ko,
            Lang::En => en,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}
