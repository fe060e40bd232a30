//! Vectors for tests, without a model.

use async_trait::async_trait;
use duru_llm::{Embedder, Error};
use xxhash_rust::xxh3::xxh3_64;

/// The length of the vectors.
const LENGTH: usize = 512;

/// So many characters at a time: two are a Korean stem, four most of an English one.
const GRAMS: std::ops::RangeInclusive<usize> = 2..=4;

/// Embeds by the characters that texts have in common: every run of two to four characters of a word is hashed to a
/// place of the vector. It knows no meaning, but gives tests the same vectors everywhere and always.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HashedEmbedder;

#[async_trait]
impl Embedder for HashedEmbedder {
    fn name(&self) -> &str {
        "hashed-ngrams-1"
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        Ok(texts.iter().map(|text| embed(text)).collect())
    }
}

/// A vector of length one, or of zeros if there is no letter or digit in the text.
fn embed(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0_f32; LENGTH];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        // A mark on both sides tells a beginning from a middle, and gives one letter a pair.
        let marked: Vec<char> = format!("^{}$", word.to_lowercase()).chars().collect();
        for size in GRAMS {
            for gram in marked.windows(size) {
                let hash = xxh3_64(gram.iter().collect::<String>().as_bytes());
                // The sign makes runs that share a place cancel out on average.
                let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
                vector[hash as usize % LENGTH] += sign;
            }
        }
    }
    // A run that comes ten times does not say ten times as much.
    for number in &mut vector {
        *number = number.signum() * number.abs().sqrt();
    }
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|number| *number /= length);
    }
    vector
}
