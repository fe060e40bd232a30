//! How large a value may become, and how many rows a query may have: coarse
//! upper guesses, to refuse what would grow without bound.

use std::ops::Add;

/// A value's size in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Size {
    /// What one row makes of itself.
    pub(super) plain: u64,
    /// What was gathered from many rows into one value.
    pub(super) gathered: u64,
}

/// Rows that a table is taken to have.
pub(super) const TABLE_ROWS: u64 = 10_000;
/// Groups that a grouping is taken to make.
pub(super) const GROUPS: u64 = 100;
/// From here on a relation counts as large.
pub(super) const LARGE: u64 = 1_000;
/// Of all rows that a join may make by our guess.
pub(super) const MOST_ROWS: u64 = 100_000_000;
/// Of a row, by our guess.
pub(super) const ROW: u64 = 16 << 10;
/// Of what is gathered into one result, by our guess.
pub(super) const GATHERED: u64 = 25_000_000;

pub(super) const TEXT: Size = Size { plain: 128, gathered: 0 };
pub(super) const NUMBER: Size = Size { plain: 24, gathered: 0 };
pub(super) const FLAG: Size = Size { plain: 5, gathered: 0 };

impl Size {
    pub(super) fn plain(plain: u64) -> Self {
        Self { plain, gathered: 0 }
    }

    pub(super) fn times(self, factor: u64) -> Self {
        Self { plain: self.plain.saturating_mul(factor), gathered: self.gathered.saturating_mul(factor) }
    }

    /// Many rows' values in one.
    pub(super) fn gather(self, rows: u64) -> Self {
        Self { plain: 0, gathered: self.plain.saturating_add(self.gathered).saturating_mul(rows) }
    }

    pub(super) fn max(self, other: Self) -> Self {
        Self { plain: self.plain.max(other.plain), gathered: self.gathered.max(other.gathered) }
    }

    pub(super) fn fits(self) -> bool {
        self.plain <= ROW && self.gathered <= GATHERED
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            plain: self.plain.saturating_add(other.plain),
            gathered: self.gathered.saturating_add(other.gathered),
        }
    }
}

impl std::iter::Sum for Size {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::default(), Add::add)
    }
}
