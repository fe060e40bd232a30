//! The embedder that is part of the program.

use std::collections::HashMap;
use std::sync::OnceLock;

use async_trait::async_trait;
use duru_llm::{Embedder, Error};
use duru_meaning::{Encoder, MODEL};
use xxhash_rust::xxh3::xxh3_64;

use crate::index::unpack;

/// Up to so many passages it is used: one takes some 15 ms, and whoever takes in a hundred thousand does not want to
/// wait for half an hour.
pub const MOST_PASSAGES: u64 = 10_000;

/// Embeds texts in this process: nothing to download, no server, no key.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bundled;

#[async_trait]
impl Embedder for Bundled {
    fn name(&self) -> &str {
        MODEL
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        if let Some(known) = texts.iter().map(|text| of_sample(text)).collect() {
            return Ok(known);
        }
        let texts = texts.to_vec();
        let work = move || -> Result<Vec<Vec<f32>>, String> {
            let encoder = Encoder::bundled().map_err(ToString::to_string)?;
            encode(encoder, &texts)
        };
        let done = tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string());
        done.flatten().map_err(|reason| Error::BadReply { server: MODEL.to_owned(), reason })
    }
}

/// The vectors of our samples' passages: the hash of a text, and its vector as an index packs it. They spare a first
/// start the time to make them.
const SAMPLES: &[u8] = include_bytes!("../data/sample-vectors.bin");

const HASH: usize = size_of::<u64>();

/// The vector of a text, if it is one of our samples'.
fn of_sample(text: &str) -> Option<Vec<f32>> {
    static KNOWN: OnceLock<HashMap<u64, &'static [u8]>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let rows = SAMPLES.chunks_exact(HASH + size_of::<f32>() + duru_meaning::LENGTH);
        rows.filter_map(|row| row.split_first_chunk::<HASH>())
            .map(|(hash, packed)| (u64::from_le_bytes(*hash), packed))
            .collect()
    });
    known.get(&xxh3_64(text.as_bytes())).map(|packed| unpack(packed))
}

/// On every core that there is. All of them or an error: a passage without its vector would be left out.
fn encode(encoder: &Encoder, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let part = texts.len().div_ceil(cores).max(1);
    std::thread::scope(|scope| {
        let parts: Vec<_> = texts
            .chunks(part)
            .map(|texts| {
                scope.spawn(move || texts.iter().map(|text| encoder.encode(text)).collect::<Vec<_>>())
            })
            .collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for part in parts {
            vectors.extend(part.join().map_err(|_| "the encoder panicked".to_owned())?);
        }
        Ok(vectors)
    })
}

/// Are an index of so many passages and its questions embedded by this one?
pub(crate) fn embeds(embedder: &dyn Embedder, passages: u64) -> bool {
    embedder.name() != MODEL || passages <= MOST_PASSAGES
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::index::{EmbeddedIndex, pack};
    use crate::ingest::Library;
    use crate::text::Thesaurus;

    /// Only notes what it is asked for.
    struct Notes(Mutex<Vec<String>>);

    #[async_trait]
    impl Embedder for Notes {
        fn name(&self) -> &str {
            MODEL
        }

        async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
            self.0.lock().unwrap().extend(texts.iter().cloned());
            Ok(vec![Vec::new(); texts.len()])
        }
    }

    /// `DURU_UPDATE_SNAPSHOTS=1` writes them anew.
    #[tokio::test]
    async fn the_vectors_of_the_samples_are_those_of_their_passages() {
        let index = EmbeddedIndex::in_memory(Thesaurus::built_in().lexicon().clone()).unwrap();
        let notes = Arc::new(Notes(Mutex::new(Vec::new())));
        let library = Library::new(Arc::new(index), notes.clone());
        library.ingest_texts(&crate::sample::texts()).await.unwrap();
        let texts = std::mem::take(&mut *notes.0.lock().unwrap());
        let vectors = encode(Encoder::bundled().unwrap(), &texts).unwrap();
        if std::env::var_os("DURU_UPDATE_SNAPSHOTS").is_some() {
            let row = |(text, vector): (&String, &Vec<f32>)| {
                [xxh3_64(text.as_bytes()).to_le_bytes().to_vec(), pack(vector)].concat()
            };
            let rows: Vec<u8> = texts.iter().zip(&vectors).flat_map(row).collect();
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/sample-vectors.bin");
            std::fs::write(file, rows).unwrap();
            return;
        }
        for (text, vector) in texts.iter().zip(&vectors) {
            let known = of_sample(text)
                .unwrap_or_else(|| panic!("none for {text:.60}: run with DURU_UPDATE_SNAPSHOTS=1"));
            let near: f32 = known.iter().zip(vector).map(|(a, b)| a * b).sum();
            assert!(near > 0.99, "{text:.60}: {near}");
        }
    }

    #[tokio::test]
    async fn many_texts_are_embedded_in_their_order() {
        let texts: Vec<String> = (1..=5).map(|number| format!("the rent of month {number}")).collect();
        let together = Bundled.embed(&texts).await.unwrap();
        for (text, vector) in texts.iter().zip(&together) {
            assert_eq!(&Bundled.embed(std::slice::from_ref(text)).await.unwrap()[0], vector, "{text}");
        }
    }
}
