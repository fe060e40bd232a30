//! Who is in which variant.

use serde::{Deserialize, Serialize};

/// Which gates a person gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Variant {
    /// Gate 1 alone.
    A,
    /// All gates.
    B,
}

impl Variant {
    /// The person's variant: always the same one, in any process.
    pub fn of(user: &str) -> Self {
        // Not the bits by which other things are spread over the same names.
        let hash = xxhash_rust::xxh3::xxh3_64_with_seed(user.as_bytes(), 0x61_62);
        if hash.is_multiple_of(2) { Self::A } else { Self::B }
    }

    pub fn has_later_gates(self) -> bool {
        self == Self::B
    }
}

impl From<Variant> for crate::advisor::Variant {
    fn from(variant: Variant) -> Self {
        match variant {
            Variant::A => Self::A,
            Variant::B => Self::B,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_stays_in_one_variant_and_both_are_about_even() {
        assert_eq!(Variant::of("kim"), Variant::of("kim"));
        let in_a = (0..10_000).filter(|n| Variant::of(&format!("user-{n}")) == Variant::A).count();
        assert!((4_800..=5_200).contains(&in_a), "{in_a}");
        // What was stored must mean the same tomorrow.
        let known: String =
            ["kim", "lee", "park", "choi"].map(|user| format!("{:?}", Variant::of(user))).concat();
        assert_eq!(known, "BBAA");
    }
}
