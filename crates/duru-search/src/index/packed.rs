//! Vectors in one byte per number, and the exact scan over them.

use super::Error;

/// Vectors, a row each.
#[derive(Default)]
pub(super) struct Matrix {
    length: usize,
    rows: Vec<Row>,
    numbers: Vec<i8>,
}

struct Row {
    /// What the vector belongs to.
    doc: u32,
    /// What one step of the bytes is worth.
    step: f32,
}

impl Matrix {
    /// Adds a vector that was packed; one of nothing is left out.
    pub(super) fn push(&mut self, doc: u32, packed: &[u8]) -> Result<(), Error> {
        let Some((step, numbers)) = packed.split_first_chunk::<4>() else { return Ok(()) };
        if self.length == 0 {
            self.length = numbers.len();
        }
        if numbers.len() != self.length {
            return Err(Error::Length { expected: self.length, found: numbers.len() });
        }
        self.rows.push(Row { doc, step: f32::from_le_bytes(*step) });
        self.numbers.extend(numbers.iter().map(|byte| *byte as i8));
        Ok(())
    }

    /// How near each document is, by the cosine if the vectors are of length one.
    pub(super) fn scan(&self, vector: &[f32], mut each: impl FnMut(u32, f32)) -> Result<(), Error> {
        if self.rows.is_empty() {
            return Ok(());
        }
        if vector.len() != self.length {
            return Err(Error::Length { expected: self.length, found: vector.len() });
        }
        let (step, wanted) = quantise(vector);
        for (row, numbers) in self.rows.iter().zip(self.numbers.chunks_exact(self.length)) {
            let product: i32 = numbers.iter().zip(&wanted).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
            each(row.doc, product as f32 * row.step * step);
        }
        Ok(())
    }
}

/// The step in four bytes, then a byte for each number.
pub(crate) fn pack(vector: &[f32]) -> Vec<u8> {
    let (step, numbers) = quantise(vector);
    step.to_le_bytes().into_iter().chain(numbers.into_iter().map(|number| number as u8)).collect()
}

pub(crate) fn unpack(packed: &[u8]) -> Vec<f32> {
    let Some((step, numbers)) = packed.split_first_chunk::<4>() else { return Vec::new() };
    let step = f32::from_le_bytes(*step);
    numbers.iter().map(|byte| f32::from(*byte as i8) * step).collect()
}

fn quantise(vector: &[f32]) -> (f32, Vec<i8>) {
    let largest =
        vector.iter().filter(|number| number.is_finite()).fold(0.0_f32, |most, n| most.max(n.abs()));
    if largest == 0.0 {
        return (0.0, vec![0; vector.len()]);
    }
    let step = largest / 127.0;
    (step, vector.iter().map(|number| (number / step).round().clamp(-127.0, 127.0) as i8).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_enough_to_keep_the_order() {
        let (step, numbers) = quantise(&[0.5, -0.25, 0.0, f32::NAN]);
        let back: Vec<f32> = numbers.iter().map(|number| f32::from(*number) * step).collect();
        assert!((back[0] - 0.5).abs() < 0.005 && (back[1] + 0.25).abs() < 0.005);
        assert_eq!(back[2..], [0.0, 0.0]);
        assert_eq!(quantise(&[]), (0.0, vec![]));
    }
}
