//! What a field of a state is to the engine: a channel with a way to merge.

/// How the writes of one step become the field's next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// The written value replaces the old one; two writers in one step are an error.
    Last,
    /// The written value replaces the old one; of several writers the last in task order wins.
    Overwrite,
    /// Written items are appended.
    Append,
    /// Written messages replace those of the same id, or are appended.
    Messages,
    /// The next value is computed from the old one and the write: sum, min, max, a function.
    Computed,
    /// Like [`Merge::Last`], but the value is gone after the next step.
    Ephemeral,
    /// Like [`Merge::Last`], but never stored: a resumed run starts with the default.
    Untracked,
}

impl Merge {
    /// Whether two tasks of one step may both write the channel.
    pub fn takes_many_writers(self) -> bool {
        matches!(self, Self::Overwrite | Self::Append | Self::Messages | Self::Computed)
    }
}

/// A field of a state, as the engine sees it.
#[derive(Debug, Clone, Copy)]
pub struct Channel {
    /// The field's name.
    pub name: &'static str,
    /// How it merges.
    pub merge: Merge,
}

/// A set of channels by their position in [`State::CHANNELS`](crate::State::CHANNELS).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChannelSet(u128);

impl ChannelSet {
    /// The most channels a state may have.
    pub const MAX: usize = 128;
    /// No channel.
    pub const EMPTY: Self = Self(0);

    /// Adds a channel.
    pub fn insert(&mut self, channel: usize) {
        self.0 |= 1 << channel;
    }

    /// This set with `channel` when `yes`.
    #[must_use]
    pub fn with(mut self, channel: usize, yes: bool) -> Self {
        self.0 |= u128::from(yes) << channel;
        self
    }

    /// Takes a channel out.
    pub fn remove(&mut self, channel: usize) {
        self.0 &= !(1 << channel);
    }

    /// Whether the channel is in the set.
    pub fn contains(self, channel: usize) -> bool {
        self.0 >> channel & 1 == 1
    }

    /// Whether the set has no channel.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The channels of either set.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The channels of both sets.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The channels of this set that the other lacks.
    #[must_use]
    pub fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The channels, lowest first.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let next = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                next
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        let mut set = ChannelSet::EMPTY.with(0, true).with(5, false);
        set.insert(127);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 127]);
        set.remove(0);
        assert!(!set.contains(0) && set.contains(127));
    }
}
