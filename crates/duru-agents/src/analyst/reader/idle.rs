//! Words without a consequence: the question without them is read just the same. What a person says, they mean; a word that
//! changes nothing was likely not understood, or understood as something else.

use super::items::{Item, ItemKind};
use super::reading::Reading;
use super::{Subject, whole};
use crate::analyst::frame::Frame;
use duru_language::Sense;

/// By item: whether the frame is the same without it.
pub(super) fn idle(items: &[Item], frame: &Frame, subject: &Subject<'_>) -> Vec<bool> {
    (0..items.len())
        .map(|at| {
            if items[at].is_empty() {
                return false;
            }
            let mut others: Vec<Item> = items.to_vec();
            for item in &mut others {
                item.used = false;
                item.redundant = false;
            }
            let item = &mut others[at];
            item.kind = ItemKind::Word;
            item.senses = vec![Sense::Filler];
            item.mentions.clear();
            item.particles.clear();
            item.endings.clear();
            let mut reading = Reading::of(others, subject.domain, subject.linked, subject.now);
            reading.read();
            whole(&mut reading, subject).is_ok_and(|(other, ..)| other == *frame)
        })
        .collect()
}
