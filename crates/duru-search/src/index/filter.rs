//! Which passages may be found.

use std::ops::RangeInclusive;

/// Every condition that is set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub collection: Option<String>,
    pub source: Option<String>,
    pub category: Option<String>,
    /// The document's title; a statute's name stands for its decrees and rules, too.
    pub title: Option<String>,
    pub article: Option<String>,
    pub pages: Option<RangeInclusive<u32>>,
}
