//! What somebody should know of tables before asking them.

use std::fmt;

use super::sheets::SheetNote;
use crate::guard::Lang;

/// Something that was found, or could not be, while a database was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableNote {
    /// The role may not read these.
    NotReadable { tables: Vec<String> },
    /// Another table has the same name in a schema that comes first.
    SameName { table: String },
    /// Columns that look like secrets are left out.
    Secret { table: String, columns: Vec<String> },
    /// Rows that count as deleted are left out.
    SoftDelete { table: String, rule: String },
    /// Its rows can't be read: a view that fails, a server that is away.
    Fails { table: String, reason: String },
    /// Its name can't stand in a query.
    BadName { table: String },
    /// Reading values took too long: of these only the structure is known.
    NoValues { tables: Vec<String> },
    /// A sheet of a workbook.
    Sheet { table: String, note: SheetNote },
}

impl fmt::Display for TableNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotReadable { tables } => {
                write!(f, "this role may not read {}; GRANT SELECT to ask about them", tables.join(", "))
            }
            Self::SameName { table } => {
                write!(f, "{table} is left out: a table of the same name comes before it")
            }
            Self::Secret { table, columns } => {
                write!(f, "{table}: {} look like secrets and are left out", columns.join(", "))
            }
            Self::SoftDelete { table, rule } => {
                write!(f, "{table}: only rows with {rule} are counted; the others are marked as deleted")
            }
            Self::Fails { table, reason } => write!(f, "{table} is left out: {reason}"),
            Self::BadName { table } => {
                write!(f, "{table:?} is left out: quotation marks and backslashes can't stand in a name")
            }
            Self::NoValues { tables } => {
                write!(f, "reading values took too long; of {} none are known", tables.join(", "))
            }
            Self::Sheet { table, note } => f.write_str(&note.text(table, Lang::En)),
        }
    }
}

impl TableNote {
    /// What a person reads.
    pub fn text(&self, lang: Lang) -> String {
        if lang == Lang::En {
            return self.to_string();
        }
        match self {
            Self::NotReadable { tables } => {
                format!(
                    "이 사용자가 읽을 수 없는 테이블입니다: {} (물으려면 GRANT SELECT)",
                    tables.join(", ")
                )
            }
            Self::SameName { table } => {
                format!("{table}은(는) 뺐습니다: 이름이 같은 테이블이 앞에 있습니다")
            }
            Self::Secret { table, columns } => {
                format!("{table}: 비밀처럼 보이는 열을 뺐습니다: {}", columns.join(", "))
            }
            Self::SoftDelete { table, rule } => {
                format!("{table}: {rule}인 행만 셉니다; 나머지는 지워진 것으로 표시되어 있습니다")
            }
            Self::Fails { table, reason } => format!("{table}은(는) 뺐습니다 (자세히: {reason})"),
            Self::BadName { table } => {
                format!("{table:?}은(는) 뺐습니다: 이름에 따옴표나 역사선이 있으면 물을 수 없습니다")
            }
            Self::NoValues { tables } => {
                format!("값을 읽는 데 너무 오래 걸려 값을 모르는 테이블입니다: {}", tables.join(", "))
            }
            Self::Sheet { table, note } => note.text(table, lang),
        }
    }
}
