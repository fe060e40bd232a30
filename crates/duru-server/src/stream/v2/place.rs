//! Where in a thread a frame stands.

use duru::store::Seq;

/// At most so many frames are made of one event of the engine.
const MOST: u64 = 10_000;

/// The engine's number of the event that a frame is made of, and which of that
/// event's frames it is. It depends on nothing but the log, so that every
/// connection numbers alike whatever it asked for, and what is forgotten of a
/// thread changes no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) event: Seq,
    pub(crate) part: u64,
}

impl Place {
    /// None when an event has too many frames to number them.
    pub(super) fn new(event: Seq, part: usize) -> Option<Self> {
        let part = u64::try_from(part).ok().filter(|part| *part < MOST)?;
        Some(Self { event, part })
    }

    /// One number for both; they begin with 1.
    pub(crate) fn seq(self) -> u64 {
        self.event.saturating_mul(MOST).saturating_add(self.part + 1)
    }

    /// The place of a number; none for 0, which comes before everything.
    pub(crate) fn of_seq(seq: u64) -> Option<Self> {
        let seq = seq.checked_sub(1)?;
        Some(Self { event: seq / MOST, part: seq % MOST })
    }

    /// `<milliseconds>-<event>`, and `.<part>` after the first.
    pub(super) fn id(self, at_ms: u64) -> String {
        match self.part {
            0 => format!("{at_ms}-{}", self.event),
            part => format!("{at_ms}-{}.{part}", self.event),
        }
    }

    /// The place of an id, or of a number alone; none if it is not one of ours.
    pub(crate) fn parse(id: &str) -> Option<Self> {
        let Some((ms, at)) = id.split_once('-') else { return Self::of_seq(id.parse().ok()?) };
        ms.parse::<u64>().ok()?;
        let (event, part) = at.split_once('.').unwrap_or((at, "0"));
        Some(Self { event: event.parse().ok()?, part: part.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn a_place_is_found_again() {
        let first = Place { event: 0, part: 0 };
        assert_eq!((first.seq(), Place::of_seq(0)), (1, None));
        for place in [first, Place { event: 7, part: 0 }, Place { event: 7, part: 3 }] {
            assert_eq!(Place::of_seq(place.seq()), Some(place));
            assert_eq!(Place::parse(&place.id(1_794_701_241_995)), Some(place));
        }
        assert_eq!(Place { event: 7, part: 3 }.id(12), "12-7.3");
        for not_ours in ["", "-1", "synth:7:lc||running", "x-1", "1-x", "1-1.x"] {
            assert_eq!(Place::parse(not_ours), None, "{not_ours}");
        }
    }
}
