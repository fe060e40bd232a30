//! What readers saw on the way, compared with what the log says afterwards.

use std::collections::BTreeMap;

use duru::Mode;
use duru::store::Seq;

use crate::audit::Findings;

/// What one reader saw, in its order.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    pub(crate) mode: Option<Mode>,
    pub(crate) from: Seq,
    pub(crate) seen: Vec<(Seq, u64)>,
}

impl Findings {
    /// A reader sees every event of its modes once, in order, from where it began to wherever it came.
    pub(crate) fn watched(&mut self, thread: &str, watched: &Watched, log: &BTreeMap<Seq, (Mode, u64)>) {
        let wanted =
            log.range(watched.from..).filter(|(_, (mode, _))| watched.mode.is_none_or(|of| of == *mode));
        let mut expected = wanted.map(|(seq, (_, hash))| (*seq, *hash)).peekable();
        let mut last = None;
        self.watched += watched.seen.len() as u64;
        for &(seq, hash) in &watched.seen {
            let mut tell = |what: String| {
                self.told.push(format!("{thread}: a reader of {:?} {what}", watched.mode));
            };
            if last.is_some_and(|last| seq <= last) {
                self.doubled += 1;
                tell(format!("sees event {seq} again"));
                continue;
            }
            last = Some(seq);
            while let Some((missing, _)) = expected.next_if(|(expected, _)| *expected < seq) {
                self.skipped += 1;
                tell(format!("does not see event {missing}"));
            }
            match expected.next_if(|(expected, _)| *expected == seq) {
                Some((_, right)) if right == hash => {}
                Some(_) => {
                    self.misread += 1;
                    tell(format!("sees something else in event {seq}"));
                }
                None => {
                    self.misread += 1;
                    tell(format!("sees event {seq}, which is not in the log"));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(seen: &[(Seq, u64)]) -> (u64, u64, u64) {
        let log = (0..6).map(|seq| (seq, (if seq % 2 == 0 { Mode::Values } else { Mode::Tasks }, 100 + seq)));
        let mut findings = Findings::default();
        let watched = Watched { mode: Some(Mode::Values), from: 1, seen: seen.to_vec() };
        findings.watched("t", &watched, &log.collect());
        assert_eq!(findings.is_broken(), !findings.told.is_empty());
        (findings.skipped, findings.doubled, findings.misread)
    }

    #[test]
    fn what_a_reader_misses_doubles_or_misreads_is_counted() {
        assert_eq!(found(&[]), (0, 0, 0));
        assert_eq!(found(&[(2, 102), (4, 104)]), (0, 0, 0));
        assert_eq!(found(&[(2, 102)]), (0, 0, 0), "it may have been killed there");
        assert_eq!(found(&[(4, 104)]), (1, 0, 0));
        assert_eq!(found(&[(2, 102), (2, 102), (4, 104)]), (0, 1, 0));
        assert_eq!(found(&[(2, 102), (4, 7)]), (0, 0, 1));
        assert_eq!(found(&[(2, 102), (3, 103), (4, 104)]), (0, 0, 1), "of another mode");
        assert_eq!(found(&[(2, 102), (4, 104), (8, 108)]), (0, 0, 1));
    }
}
