//! Embeddings without a model.

use async_trait::async_trait;
use xxhash_rust::xxh3::xxh3_64;

use crate::{Embedder, Error};

/// The length of the vectors.
const LENGTH: usize = 512;

/// So many characters at a time: two are a Korean stem, four most of an English one.
const GRAMS: std::ops::RangeInclusive<usize> = 2..=4;

/// Embeds by the characters that texts have in common: every run of two to
/// four characters of a word is hashed to a place of the vector. It knows no
/// meaning, but needs no network, forgives endings and typing errors, and gives
/// the same vectors everywhere and always.
///
/// ```
/// use duru_llm::{Embedder, HashedEmbedder};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), duru_llm::Error> {
/// let texts = ["임대차 계약의 해지", "계약을 해지하려면", "오늘의 날씨"].map(String::from);
/// let vectors = HashedEmbedder.embed(&texts).await?;
/// let like = |a: usize, b: usize| vectors[a].iter().zip(&vectors[b]).map(|(x, y)| x * y).sum::<f32>();
/// assert!(like(0, 1) > like(0, 2));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct HashedEmbedder;

#[async_trait]
impl Embedder for HashedEmbedder {
    // A change of the vectors has to change the name: indexes compare by it.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn like(a: &str, b: &str) -> f32 {
        embed(a).iter().zip(embed(b)).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn texts_with_words_in_common_are_close() {
        let documents = [
            "임대인은 계약이 끝나면 보증금을 돌려주어야 한다",
            "근로자는 1년에 15일의 연차 휴가를 쓸 수 있다",
            "결제 서비스의 디스크가 가득 차서 쓰기에 실패했다",
            "The connection to the database was refused after a timeout",
            "A refund is paid within seven days of cancellation",
        ];
        let questions =
            ["보증금 반환", "연차휴가는 며칠?", "디스크 부족", "database timeouts", "refunds when cancelled"];
        for (at, question) in questions.iter().enumerate() {
            let best = (0..documents.len())
                .max_by(|a, b| like(question, documents[*a]).total_cmp(&like(question, documents[*b])));
            assert_eq!(best, Some(at), "{question}");
        }
    }

    #[test]
    fn vectors_are_of_length_one_or_zero_and_always_the_same() {
        for text in ["a", "가", "한글과 English 1", "🦀 \0"] {
            let length = embed(text).iter().map(|number| number * number).sum::<f32>();
            let expected = if text.chars().any(char::is_alphanumeric) { 1.0 } else { 0.0 };
            assert!((length - expected).abs() < 1e-4, "{text}: {length}");
            assert_eq!(embed(text).len(), LENGTH);
        }
        // Kept in indexes: this must not change without the name.
        let first: Vec<usize> =
            embed("두루").iter().enumerate().filter(|(_, n)| **n != 0.0).map(|(at, _)| at).collect();
        assert_eq!(first, [104, 317, 360, 369, 457, 495]);
    }

    #[test]
    fn case_and_punctuation_do_not_matter() {
        assert!(like("Disk FULL!", "disk, full") > 0.999);
    }
}
