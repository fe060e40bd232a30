//! The layers of the encoder.

use ndarray::{Array1, Array2, Axis, Slice, Zip};

use crate::weights::{Error, Weights};

/// Keeps a division by nothing away.
const TINY: f32 = 1e-12;

/// Each row less its mean, divided by its spread, then scaled and moved.
pub(crate) struct Norm {
    scale: Array1<f32>,
    shift: Array1<f32>,
}

impl Norm {
    pub(crate) fn new(scale: Array1<f32>, shift: Array1<f32>) -> Self {
        Self { scale, shift }
    }

    pub(crate) fn apply(&self, rows: &mut Array2<f32>) {
        for mut row in rows.axis_iter_mut(Axis(0)) {
            let count = row.len().max(1) as f32;
            let mean = row.sum() / count;
            row -= mean;
            let spread = (row.fold(0.0, |sum, x| sum + x * x) / count + TINY).sqrt();
            Zip::from(&mut row)
                .and(&self.scale)
                .and(&self.shift)
                .for_each(|x, scale, shift| *x = *x / spread * scale + shift);
        }
    }
}

/// Two layers that look at a piece and its neighbours.
pub(crate) struct Window {
    /// So many pieces are looked at, and so many of them before the own.
    order: usize,
    before: usize,
    first: (Array2<f32>, Array1<f32>),
    second: (Array2<f32>, Array1<f32>),
}

impl Window {
    pub(crate) fn read(weights: &mut Weights<'_>, order: usize, before: usize) -> Result<Self, Error> {
        let mut layer = |name: &str| -> Result<_, Error> {
            Ok((weights.matrix(&format!("w{name}_{order}"))?, weights.vector(&format!("b{name}_{order}"))?))
        };
        Ok(Self { order, before, first: layer("1")?, second: layer("2")? })
    }

    pub(crate) fn apply(&self, rows: &Array2<f32>) -> Array2<f32> {
        let first = self.layer(rows, &self.first);
        self.layer(&first, &self.second)
    }

    /// What the neighbours add to each row.
    fn layer(&self, rows: &Array2<f32>, (weights, bias): &(Array2<f32>, Array1<f32>)) -> Array2<f32> {
        let (count, width) = rows.dim();
        let mut beside = Array2::zeros((count, self.order * width));
        for place in 0..self.order {
            // The row at `at` sees the one at `at + place - before`, if there is one.
            let from = self.before.saturating_sub(place);
            let to = count.saturating_sub(place.saturating_sub(self.before));
            if from < to {
                let seen = Slice::from(from + place - self.before..to + place - self.before);
                let mut here =
                    beside.slice_axis_mut(Axis(1), Slice::from(place * width..(place + 1) * width));
                here.slice_axis_inplace(Axis(0), Slice::from(from..to));
                here.assign(&rows.slice_axis(Axis(0), seen));
            }
        }
        let mut sum = beside.dot(weights);
        sum += bias;
        sum.mapv_inplace(|x| x.max(0.0));
        sum += rows;
        sum
    }
}

/// The same matrix with each column in one piece: a vector times it then reads memory in order.
pub(crate) fn by_columns(matrix: &Array2<f32>) -> Array2<f32> {
    matrix.t().as_standard_layout().into_owned().reversed_axes()
}

/// The last layers: of the sum of a text's pieces, what the text means.
pub(crate) struct Head {
    d0: Array2<f32>,
    d1: Array2<f32>,
    d2: Array2<f32>,
    d3: Array2<f32>,
    p1: Array2<f32>,
    p3: Array2<f32>,
}

impl Head {
    pub(crate) fn read(weights: &mut Weights<'_>) -> Result<Self, Error> {
        Ok(Self {
            d0: by_columns(&weights.matrix("d0")?),
            d1: by_columns(&weights.matrix("d1")?),
            d2: by_columns(&weights.matrix("d2")?),
            d3: by_columns(&weights.matrix("d3")?),
            p1: by_columns(&weights.matrix("p1")?),
            p3: by_columns(&weights.matrix("p3")?),
        })
    }

    /// A vector of length one.
    pub(crate) fn apply(&self, sum: &Array1<f32>) -> Vec<f32> {
        let positive = |row: Array1<f32>| row.mapv(|x| x.max(0.0));
        let inner = positive(sum.dot(&self.d0));
        let middle = positive(sum.dot(&self.p1) + inner.dot(&self.d1));
        let outer = positive(middle.dot(&self.d2));
        let vector = (middle.dot(&self.p3) + outer.dot(&self.d3)).mapv(f32::tanh);
        let length = vector.dot(&vector).max(TINY).sqrt();
        (vector / length).to_vec()
    }
}
