//! What somebody should know of a sheet of a workbook before asking it.

use crate::guard::Lang;

/// Why a sheet is left out, or how it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SheetNote {
    /// Left out: a name of the header stands in several cells.
    MergedHeader { cells: String },
    /// Left out: where the names of columns should be are values.
    NoHeader { row: u32 },
    /// Left out: somebody hid it.
    Hidden,
    /// Left out: nothing is in it.
    Empty,
    /// The first row was taken as a title; names are in a row below.
    Title { row: u32, names: u32 },
    /// Columns with values and without a name.
    NamelessColumns { columns: Vec<String> },
    /// Cells with an error in the place of a value.
    Errors { count: usize },
}

impl SheetNote {
    pub(super) fn text(&self, sheet: &str, lang: Lang) -> String {
        let say = |ko: String, en: String| if lang == Lang::En { en } else { ko };
        match self {
            Self::MergedHeader { cells } => say(
                format!(
                    "{sheet} 시트는 뺐습니다: 열 이름이 병합되어 있습니다 ({cells}); 병합을 풀고 한 행의 칸마다 이름을 하나씩 적으세요"
                ),
                format!(
                    "the sheet {sheet} is left out: names of columns are merged ({cells}); unmerge them and write one name in each cell of a single row"
                ),
            ),
            Self::NoHeader { row } => say(
                format!(
                    "{sheet} 시트는 뺐습니다: {row}행에 열 이름 대신 값이 있습니다; 그 위에 열 이름을 적은 행을 넣으세요"
                ),
                format!(
                    "the sheet {sheet} is left out: row {row} has values instead of names of columns; put a row with the names above it"
                ),
            ),
            Self::Hidden => say(
                format!("{sheet} 시트는 뺐습니다: 숨겨져 있습니다; 물으려면 숨기기를 취소하세요"),
                format!("the sheet {sheet} is left out: it is hidden; unhide it to ask about it"),
            ),
            Self::Empty => say(
                format!("{sheet} 시트는 뺐습니다: 비어 있습니다"),
                format!("the sheet {sheet} is left out: it is empty"),
            ),
            Self::Title { row, names } => say(
                format!("{sheet} 시트: {row}행은 제목으로 보고 {names}행을 열 이름으로 읽었습니다"),
                format!(
                    "the sheet {sheet}: row {row} was taken as a title, and row {names} as the names of columns"
                ),
            ),
            Self::NamelessColumns { columns } => say(
                format!(
                    "{sheet} 시트: 이름이 비어 있는 열이 있어 column_번호로 부릅니다: {}",
                    columns.join(", ")
                ),
                format!(
                    "the sheet {sheet}: columns without a name are called column_NUMBER: {}",
                    columns.join(", ")
                ),
            ),
            Self::Errors { count } => say(
                format!("{sheet} 시트: 오류가 든 칸 {count}개는 빈 값으로 봅니다"),
                format!("the sheet {sheet}: {count} cell(s) with an error count as missing"),
            ),
        }
    }
}
