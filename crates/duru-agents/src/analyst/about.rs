//! What a person wants to ask about, of all that there is.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::toolbox::Toolbox;

/// What a question is about, where the person chose it; empty: whatever fits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AskedAbout {
    /// A source by its name, such as `logs`; the one that is asked first unless told.
    #[serde(default)]
    pub source: Option<String>,
    /// Tables of it, and no others; all unless told.
    #[serde(default)]
    pub tables: Vec<String>,
}

impl AskedAbout {
    pub fn is_empty(&self) -> bool {
        self.source.is_none() && self.tables.is_empty()
    }

    /// What was chosen, for people.
    pub(super) fn names(&self) -> String {
        match &self.source {
            Some(source) if self.tables.is_empty() => source.clone(),
            _ => self.tables.join(", "),
        }
    }
}

impl Toolbox {
    /// The tables that were chosen, of those that may be asked; none if there is no such table. What was not granted is
    /// as if it were not there, whatever was chosen.
    pub(super) fn chosen(
        self: &Arc<Self>,
        about: &AskedAbout,
        granted: Option<&[String]>,
    ) -> Option<Arc<Self>> {
        let may = |tools: &Arc<Self>| match granted {
            Some(names) => tools.granted(names),
            None => Arc::clone(tools),
        };
        let mut all = std::iter::once(self).chain(&self.others).map(may);
        if about.is_empty() {
            // Somebody who was granted nothing of the first is asked about the next.
            return Some(all.find(|tools| !tools.is_empty()).unwrap_or_else(|| may(self)));
        }
        all.find_map(|tools| {
            let named = about.source.is_none() || about.source == tools.source;
            let known = |name: &String| tools.guard.catalog().table(name).is_some();
            match named && !tools.is_empty() && about.tables.iter().all(known) {
                false => None,
                true if about.tables.is_empty() => Some(tools),
                true => Some(tools.only(&about.tables)),
            }
        })
    }

    fn is_empty(&self) -> bool {
        self.guard.catalog().tables.is_empty()
    }
}
