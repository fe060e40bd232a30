//! What was said so far, in a run.

use std::collections::{HashMap, HashSet};

use duru::{Event, Namespace};
use duru_messages::MessageChunk;
use serde_json::{Value, json};

use super::map::Frames;
use super::pieces::{self, Open};

/// The messages of a run.
#[derive(Default)]
pub(super) struct Said {
    /// Those that are not all there yet, and the node of each.
    open: HashMap<(Namespace, String), (Option<String>, Open)>,
    /// Those that have been shown, or begun to be.
    shown: HashSet<String>,
}

impl Said {
    /// A message that a node wrote: the rest of one in pieces, or all of it.
    pub(super) fn written(&mut self, node: &str, message: &Value, frames: &mut Frames<'_>) {
        let Some(id) = message["id"].as_str() else { return };
        let ns = &frames.event.ns;
        let parts = match self.open.remove(&(ns.clone(), id.to_owned())) {
            Some((_, open)) => open.finish(),
            None if self.shown.insert(id.to_owned()) => pieces::whole(id, message),
            None => return,
        };
        for part in parts {
            frames.add("messages", ns, Some(node), part);
        }
    }

    pub(super) fn piece(&mut self, frames: &mut Frames<'_>) {
        let Event { ns, data, .. } = frames.event;
        let Ok(piece) = MessageChunk::from_value(data[0].clone()) else { return };
        let Some(id) = piece.id.clone().filter(|id| !id.is_empty()) else { return };
        let node = data[1]["node"].as_str().map(str::to_owned);
        let key = (ns.clone(), id.clone());
        let mut parts = Vec::new();
        if !self.open.contains_key(&key) {
            // What comes after the end of a message has nothing to add.
            if !self.shown.insert(id.clone()) {
                return;
            }
            parts.push(pieces::start(&id));
            self.open.insert(key.clone(), (node.clone(), Open::default()));
        }
        if let Some((_, open)) = self.open.get_mut(&key) {
            parts.extend(open.piece(&piece));
        }
        if piece.is_last()
            && let Some((_, open)) = self.open.remove(&key)
        {
            parts.extend(open.finish());
        }
        for part in parts {
            frames.add("messages", ns, node.as_deref(), part);
        }
    }

    /// Messages that never ended, because their model never said so or was cut off.
    pub(super) fn end(&mut self, frames: &mut Frames<'_>, error: Option<&str>) {
        let mut open: Vec<_> = self.open.drain().collect();
        // The same order for every reader.
        open.sort_by(|((a, x), _), ((b, y), _)| (a.as_str(), x).cmp(&(b.as_str(), y)));
        for ((ns, _), (node, message)) in open {
            let parts = match error {
                Some(error) => vec![json!({ "event": "error", "message": error })],
                None => message.finish(),
            };
            for part in parts {
                frames.add("messages", &ns, node.as_deref(), part);
            }
        }
    }
}
