//! How near unrelated passages are, by one embedder on one's own documents.
//!
//! What a cosine of 0.6 means differs from one embedder to the next: some put everything between 0.7 and 0.9. Measured against
//! passages that have nothing to do with each other, nearness means the same for all of them.

use duru_llm::Embedder;
use serde::{Deserialize, Serialize};

use super::Error;
use crate::document::Chunk;
use crate::index::Index;

/// So many passages are compared at most: enough for a quantile, and done in seconds.
const SAMPLE: usize = 160;

/// Fewer pairs than this say nothing.
const LEAST_PAIRS: usize = 30;

/// So many texts are embedded at once.
const BATCH: usize = 32;

/// An embedder's scale: how near passages are that have nothing to do with each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    pub embedder: String,
    /// Half of the unrelated pairs are less near than this.
    pub median: f32,
    /// One in a hundred is nearer than this.
    pub nearest: f32,
    /// How many passages were compared, in how many pairs.
    pub passages: usize,
    pub pairs: usize,
}

impl Scale {
    /// Embeds passages from all over the documents and compares those of different ones. None if there are too few
    /// passages to compare, or if the embedder gives no vectors.
    pub async fn measure(index: &dyn Index, embedder: &dyn Embedder) -> Result<Option<Self>, Error> {
        let sample = sample(index).await?;
        let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(sample.len());
        for batch in sample.chunks(BATCH) {
            let texts: Vec<String> = batch.iter().map(|(_, text)| text.clone()).collect();
            vectors.extend(embedder.embed(&texts).await?);
        }
        let mut near = Vec::new();
        for (at, (one, text)) in sample.iter().enumerate() {
            for (other, (another, other_text)) in sample.iter().enumerate().skip(at + 1) {
                let cosine = cosine(&vectors[at], &vectors[other]);
                if one != another && text != other_text {
                    near.extend(cosine);
                }
            }
        }
        if near.len() < LEAST_PAIRS {
            return Ok(None);
        }
        near.sort_by(f32::total_cmp);
        let quantile = |part: f32| near[((near.len() - 1) as f32 * part).round() as usize];
        Ok(Some(Self {
            embedder: embedder.name().to_owned(),
            median: quantile(0.5),
            nearest: quantile(0.99),
            passages: sample.len(),
            pairs: near.len(),
        }))
    }

    /// A cosine on the scale: nothing for what is as near as unrelated passages are, one for the same text.
    pub fn of(&self, cosine: f32) -> f32 {
        let room = (1.0 - self.median).max(f32::EPSILON);
        ((cosine - self.median) / room).clamp(0.0, 1.0)
    }
}

/// Passages from all over the documents, with what they are of: their document, or their heading where there is but one
/// document. Always the same ones.
async fn sample(index: &dyn Index) -> Result<Vec<(String, String)>, Error> {
    let documents = index.documents(None).await?;
    let step = documents.len().div_ceil(SAMPLE).max(1);
    let picked: Vec<_> = documents.iter().step_by(step).collect();
    let each = SAMPLE.div_ceil(picked.len().max(1));
    let mut sample = Vec::new();
    for document in &picked {
        let chunks = index.passages(&document.id).await?;
        let step = chunks.len().div_ceil(each).max(1);
        for chunk in chunks.into_iter().step_by(step) {
            let of = if picked.len() > 1 { chunk.document.clone() } else { place(&chunk) };
            sample.push((of, chunk.text));
        }
    }
    sample.truncate(SAMPLE);
    Ok(sample)
}

fn place(chunk: &Chunk) -> String {
    format!("{}\u{1f}{}\u{1f}{}", chunk.title, chunk.headings.join("\u{1f}"), chunk.name)
}

/// None where there is no vector.
fn cosine(one: &[f32], other: &[f32]) -> Option<f32> {
    let dot: f32 = one.iter().zip(other).map(|(a, b)| a * b).sum();
    let length = |vector: &[f32]| vector.iter().map(|a| a * a).sum::<f32>().sqrt();
    let lengths = length(one) * length(other);
    (one.len() == other.len() && lengths > 0.0).then(|| dot / lengths)
}
