//! Tables of others, as a person configures them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A table or view that may be asked besides the lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Foreign {
    /// `public` unless told.
    #[serde(default = "public")]
    pub schema: String,
    pub name: String,
    /// A condition on its columns that every visible row fulfils.
    #[serde(default)]
    pub soft_delete: Option<String>,
    /// Columns that may not be asked.
    #[serde(default)]
    pub hidden: Vec<String>,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// What single columns mean.
    #[serde(default)]
    pub columns: BTreeMap<String, Meaning>,
}

/// What a column means, for people and for models.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meaning {
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub synonyms: Vec<String>,
}

fn public() -> String {
    "public".into()
}
