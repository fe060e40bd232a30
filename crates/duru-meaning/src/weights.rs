//! The file of weights: pieces of words with their vectors, then matrices by name.

use std::collections::HashMap;

use ndarray::{Array1, Array2};

/// Why a file of weights can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("the file of weights ends too early or is not one")]
    Damaged,
    #[error("the file of weights lacks {0}")]
    Missing(String),
}

const MAGIC: &[u8] = b"DURUSENT";

/// What the file holds.
pub(crate) struct Weights<'a> {
    /// Every piece and how likely it is, by its number.
    pub(crate) pieces: Vec<(String, f32)>,
    /// How many numbers a piece's vector has.
    pub(crate) width: usize,
    /// What one step of each piece's bytes is worth.
    pub(crate) steps: Vec<f32>,
    /// The pieces' vectors, a signed byte per number.
    pub(crate) table: &'a [u8],
    vectors: HashMap<String, Array1<f32>>,
    matrices: HashMap<String, Array2<f32>>,
}

impl<'a> Weights<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut rest = Bytes(bytes);
        if rest.take(MAGIC.len())? != MAGIC {
            return Err(Error::Damaged);
        }
        let (count, width) = (rest.number()?, rest.number()?);
        let mut pieces = Vec::with_capacity(count.min(1 << 20));
        for _ in 0..count {
            let length = usize::from(u16::from_le_bytes(rest.array()?));
            let score = f32::from_le_bytes(rest.array()?);
            let text = std::str::from_utf8(rest.take(length)?).map_err(|_| Error::Damaged)?;
            pieces.push((text.to_owned(), score));
        }
        let steps = rest.floats(count)?;
        let table = rest.take(count.checked_mul(width).ok_or(Error::Damaged)?)?;
        let (mut vectors, mut matrices) = (HashMap::new(), HashMap::new());
        while !rest.0.is_empty() {
            let [length] = rest.array()?;
            let name = String::from_utf8_lossy(rest.take(usize::from(length))?).into_owned();
            let [kind] = rest.array()?;
            let (rows, columns) = (rest.number()?, rest.number()?);
            if kind == 1 {
                vectors.insert(name, Array1::from(rest.floats(columns)?));
            } else {
                matrices.insert(name, rest.matrix(rows, columns)?);
            }
        }
        Ok(Self { pieces, width, steps, table, vectors, matrices })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.matrices.contains_key(name) || self.vectors.contains_key(name)
    }

    pub(crate) fn vector(&mut self, name: &str) -> Result<Array1<f32>, Error> {
        self.vectors.remove(name).ok_or_else(|| Error::Missing(name.to_owned()))
    }

    pub(crate) fn matrix(&mut self, name: &str) -> Result<Array2<f32>, Error> {
        self.matrices.remove(name).ok_or_else(|| Error::Missing(name.to_owned()))
    }
}

/// What is left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Error::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(Error::Damaged)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn number(&mut self) -> Result<usize, Error> {
        Ok(u32::from_le_bytes(self.array()?) as usize)
    }

    fn floats(&mut self, count: usize) -> Result<Vec<f32>, Error> {
        let bytes = self.take(count.checked_mul(4).ok_or(Error::Damaged)?)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect())
    }

    /// Each column has a step of its own.
    fn matrix(&mut self, rows: usize, columns: usize) -> Result<Array2<f32>, Error> {
        let steps = self.floats(columns)?;
        let numbers = self.take(rows.checked_mul(columns).ok_or(Error::Damaged)?)?;
        let values =
            numbers.iter().zip(steps.iter().cycle()).map(|(number, step)| f32::from(*number as i8) * step);
        Array2::from_shape_vec((rows, columns), values.collect()).map_err(|_| Error::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_cut_or_another_is_an_error() {
        let cut = [MAGIC, &7_u32.to_le_bytes(), &512_u32.to_le_bytes()].concat();
        assert!(matches!(Weights::read(&cut), Err(Error::Damaged)));
        assert!(matches!(Weights::read(b"something else"), Err(Error::Damaged)));
    }

    #[test]
    fn a_file_without_a_matrix_names_it() {
        let empty = [MAGIC, &0_u32.to_le_bytes(), &512_u32.to_le_bytes()].concat();
        let mut weights = Weights::read(&empty).unwrap();
        assert!(matches!(weights.matrix("proj2"), Err(Error::Missing(name)) if name == "proj2"));
    }
}
