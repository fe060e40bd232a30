//! Texts to vectors.

use std::sync::OnceLock;

use ndarray::{Array1, Array2, Axis, Slice, concatenate};

use crate::layers::{Head, Norm, Window, by_columns};
use crate::pieces::Pieces;
use crate::weights::{Error, Weights};

/// How many numbers a vector has.
pub const LENGTH: usize = 512;

/// Which encoder it is: vectors of another one can't be compared with its.
pub const MODEL: &str = "use-multilingual-3-ko-en-2";

/// Encoders that earlier programs had in its place.
pub const EARLIER: &[&str] = &["use-multilingual-3-ko-en-1"];

/// Only so many pieces of a text are read: what a passage is about is said by then, and time grows with them.
const MOST: usize = 256;

/// Pieces that are looked at together, and how many of them before the own.
const WINDOWS: [(usize, usize); 3] = [(2, 0), (3, 1), (5, 2)];

/// Says what texts mean.
pub struct Encoder {
    pieces: Pieces,
    width: usize,
    steps: Vec<f32>,
    table: &'static [u8],
    projection: (Array2<f32>, Array1<f32>),
    projected: Norm,
    windows: Vec<Window>,
    all: Norm,
    sum: (Array2<f32>, Array1<f32>),
    head: Head,
}

impl Encoder {
    /// The one that is part of the program; read when it is first asked for.
    pub fn bundled() -> Result<&'static Self, &'static Error> {
        static BUNDLED: OnceLock<Result<Encoder, Error>> = OnceLock::new();
        BUNDLED.get_or_init(|| Self::read(include_bytes!("../data/encoder.bin"))).as_ref()
    }

    fn read(bytes: &'static [u8]) -> Result<Self, Error> {
        let mut weights = Weights::read(bytes)?;
        let mut projections = Vec::new();
        let (mut biases, mut scales, mut shifts, mut windows) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (order, before) in WINDOWS {
            projections.push(weights.matrix(&format!("proj{order}"))?);
            biases.push(weights.vector(&format!("proj_b{order}"))?);
            scales.push(weights.vector(&format!("ln_g{order}"))?);
            shifts.push(weights.vector(&format!("ln_b{order}"))?);
            windows.push(Window::read(&mut weights, order, before)?);
        }
        let joined = |rows: &[Array1<f32>]| -> Result<Array1<f32>, Error> {
            let views: Vec<_> = rows.iter().map(Array1::view).collect();
            concatenate(Axis(0), &views).map_err(|_| Error::Damaged)
        };
        let views: Vec<_> = projections.iter().map(Array2::view).collect();
        Ok(Self {
            pieces: Pieces::new(&weights.pieces),
            projection: (concatenate(Axis(1), &views).map_err(|_| Error::Damaged)?, joined(&biases)?),
            projected: Norm::new(joined(&scales)?, joined(&shifts)?),
            windows,
            all: Norm::new(weights.vector("ln_g")?, weights.vector("ln_b")?),
            sum: (by_columns(&weights.matrix("cnn_W")?), weights.vector("cnn_b")?),
            head: Head::read(&mut weights)?,
            width: weights.width,
            steps: weights.steps,
            table: weights.table,
        })
    }

    /// What a text means: [`LENGTH`] numbers, a vector of length one. Takes time in proportion to the text, up to a limit.
    pub fn encode(&self, text: &str) -> Vec<f32> {
        let pieces = self.pieces.cut(text, MOST);
        let own = self.looked_up(&pieces);
        let mut projected = own.dot(&self.projection.0);
        projected += &self.projection.1;
        self.projected.apply(&mut projected);
        let width = projected.ncols() / self.windows.len();
        let mut all = Array2::zeros((pieces.len(), self.width + self.windows.len() * width));
        all.slice_axis_mut(Axis(1), Slice::from(..self.width)).assign(&own);
        for (at, window) in self.windows.iter().enumerate() {
            let part = projected.slice_axis(Axis(1), Slice::from(at * width..(at + 1) * width)).to_owned();
            let from = self.width + at * width;
            all.slice_axis_mut(Axis(1), Slice::from(from..from + width)).assign(&window.apply(&part));
        }
        self.all.apply(&mut all);
        let count = pieces.len() as f32;
        let sum = (all.sum_axis(Axis(0)).dot(&self.sum.0) + &self.sum.1 * count) / count.sqrt();
        self.head.apply(&sum)
    }

    /// The pieces of a stretch of text, without marks of beginning and end.
    pub(crate) fn cut(&self, text: &str, spaced: bool) -> Vec<usize> {
        self.pieces.stretch(text, spaced)
    }

    pub(crate) fn looked_up(&self, pieces: &[usize]) -> Array2<f32> {
        let mut rows = Array2::zeros((pieces.len(), self.width));
        for (mut row, piece) in rows.axis_iter_mut(Axis(0)).zip(pieces) {
            let step = self.steps[*piece];
            let numbers = &self.table[piece * self.width..(piece + 1) * self.width];
            row.iter_mut().zip(numbers).for_each(|(x, number)| *x = f32::from(*number as i8) * step);
        }
        rows
    }
}

/// How near two meanings are: 1 for the same.
pub fn nearness(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A question, a passage that answers it, and one beside it that does not.
    const KNOWN: &[(&str, &str, &str)] = &[
        (
            "이사 나가는데 보증금 언제 들어와요?",
            "Deposits are paid back within fourteen days after the keys are returned.",
            "The caretaker's office is open on weekdays from nine to five.",
        ),
        (
            "kettle wont turn on",
            "전원이 들어오지 않으면 받침대의 접점을 닦고 다시 올려놓으십시오.",
            "물때가 끼면 식초를 넣고 한 번 끓인 뒤 헹구십시오.",
        ),
        (
            "밤에 피아노 쳐도 되나",
            "악기 연주는 오후 9시부터 다음 날 오전 8시까지 할 수 없다.",
            "자전거는 지하 1층의 정해진 곳에만 세운다.",
        ),
        (
            "can i carry over the days i didnt take off",
            "Up to five days of unused annual leave move to the next year.",
            "Sick leave of more than three days needs a doctor's note.",
        ),
    ];

    fn near(one: &str, other: &str) -> f32 {
        let encoder = Encoder::bundled().unwrap();
        nearness(&encoder.encode(one), &encoder.encode(other))
    }

    #[test]
    fn what_answers_is_nearer_than_what_stands_beside_it() {
        for (question, answers, beside) in KNOWN {
            let (right, wrong) = (near(question, answers), near(question, beside));
            assert!(right > wrong + 0.1, "{question}: {right} {wrong}");
        }
    }

    #[test]
    fn a_vector_has_length_one_whatever_the_text() {
        for text in ["", " ", "\u{0}\u{7}", "🙂 ㅋㅋㅋ", "漢字", &"가".repeat(100_000)] {
            let vector = Encoder::bundled().unwrap().encode(text);
            let length: f32 = vector.iter().map(|x| x * x).sum();
            assert!(vector.len() == LENGTH && (length - 1.0).abs() < 1e-3, "{text:.20}: {length}");
        }
    }
}
