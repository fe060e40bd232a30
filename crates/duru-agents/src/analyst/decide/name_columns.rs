//! What would a person call this table and its columns?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct NameColumns;

/// So many columns are named at once: what is said of them has to fit into the limit of tokens.
pub(crate) const COLUMNS_AT_ONCE: usize = 12;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TableToName {
    /// The table with the columns that are to be named. All of it is somebody's data, names too.
    pub(crate) table: Untrusted,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct NamedTable {
    pub(crate) table: EverydayNouns,
    #[schemars(length(max = 12))]
    pub(crate) columns: Vec<NamedColumn>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct EverydayNouns {
    #[schemars(length(max = 3), inner(length(max = 30)))]
    pub(crate) en: Vec<String>,
    #[schemars(length(max = 3), inner(length(max = 30)))]
    pub(crate) ko: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct NamedColumn {
    #[schemars(length(max = 100))]
    pub(crate) column: String,
    #[schemars(length(max = 3), inner(length(max = 30)))]
    pub(crate) en: Vec<String>,
    #[schemars(length(max = 3), inner(length(max = 30)))]
    pub(crate) ko: Vec<String>,
}

impl Decision for NameColumns {
    type Input = TableToName;
    type Output = NamedTable;
    const PROMPT: Prompt = prompt!("analyst/name_columns", "name_columns.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 1000 };

    /// What a rule knows of names the reader knows anyway.
    fn by_rule(_: &TableToName) -> NamedTable {
        NamedTable::default()
    }
}
