//! The layers of a transformer: each row looks at the others, then is worked on by itself.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice};

use crate::layers::Norm;
use crate::weights::{Error, Weights};

/// Rows are looked at by so many heads, each with its part of the numbers.
const HEADS: usize = 4;

/// A matrix and what is added to its product.
pub(crate) struct Linear {
    weights: Array2<f32>,
    bias: Array1<f32>,
}

impl Linear {
    pub(crate) fn read(weights: &mut Weights<'_>, name: &str) -> Result<Self, Error> {
        Ok(Self {
            weights: weights.matrix(&format!("{name}.weight"))?,
            bias: weights.vector(&format!("{name}.bias"))?,
        })
    }

    pub(crate) fn apply(&self, rows: &Array2<f32>) -> Array2<f32> {
        rows.dot(&self.weights) + &self.bias
    }
}

pub(crate) fn norm(weights: &mut Weights<'_>, name: &str) -> Result<Norm, Error> {
    Ok(Norm::new(weights.vector(&format!("{name}.weight"))?, weights.vector(&format!("{name}.bias"))?))
}

fn normal(norm: &Norm, rows: &Array2<f32>) -> Array2<f32> {
    let mut rows = rows.clone();
    norm.apply(&mut rows);
    rows
}

/// Rows that ask, rows that are looked at.
pub(crate) struct Attention {
    asks: Linear,
    keys: Linear,
    values: Linear,
    out: Linear,
}

/// What rows that are looked at offer.
#[derive(Clone)]
pub(crate) struct Offered {
    keys: Array2<f32>,
    values: Array2<f32>,
}

impl Offered {
    /// What one row offers.
    fn row(&self, row: usize) -> Self {
        let one = |rows: &Array2<f32>| rows.slice_axis(Axis(0), Slice::from(row..=row)).to_owned();
        Self { keys: one(&self.keys), values: one(&self.values) }
    }

    fn add(&mut self, more: &Self) -> Result<(), Error> {
        self.keys.append(Axis(0), more.keys.view()).map_err(|_| Error::Damaged)?;
        self.values.append(Axis(0), more.values.view()).map_err(|_| Error::Damaged)
    }
}

impl Attention {
    fn read(weights: &mut Weights<'_>, name: &str) -> Result<Self, Error> {
        Ok(Self {
            asks: Linear::read(weights, &format!("{name}.q"))?,
            keys: Linear::read(weights, &format!("{name}.k"))?,
            values: Linear::read(weights, &format!("{name}.v"))?,
            out: Linear::read(weights, &format!("{name}.o"))?,
        })
    }

    pub(crate) fn offered(&self, rows: &Array2<f32>) -> Offered {
        Offered { keys: self.keys.apply(rows), values: self.values.apply(rows) }
    }

    fn apply(&self, rows: &Array2<f32>, offered: &Offered) -> Array2<f32> {
        self.out.apply(&look(&self.asks.apply(rows).view(), offered))
    }
}

/// What each row that asks sees of those that are looked at.
fn look(asks: &ArrayView2<'_, f32>, offered: &Offered) -> Array2<f32> {
    let width = asks.ncols() / HEADS;
    let mut seen = Array2::zeros(asks.dim());
    for head in 0..HEADS {
        let part = Slice::from(head * width..(head + 1) * width);
        let keys = offered.keys.slice_axis(Axis(1), part);
        let mut scores = asks.slice_axis(Axis(1), part).dot(&keys.t()) / (width as f32).sqrt();
        scores.axis_iter_mut(Axis(0)).for_each(|mut row| {
            let shares = softmax(row.view());
            row.assign(&shares);
        });
        let values = offered.values.slice_axis(Axis(1), part);
        seen.slice_axis_mut(Axis(1), part).assign(&scores.dot(&values));
    }
    seen
}

pub(crate) fn softmax(row: ArrayView1<'_, f32>) -> Array1<f32> {
    let most = row.fold(f32::NEG_INFINITY, |most, x| most.max(*x));
    let powers = row.mapv(|x| (x - most).exp());
    let sum = powers.sum().max(f32::MIN_POSITIVE);
    powers / sum
}

/// Two matrices with nothing negative between them.
struct Inner {
    wide: Linear,
    narrow: Linear,
}

impl Inner {
    fn read(weights: &mut Weights<'_>, name: &str) -> Result<Self, Error> {
        Ok(Self {
            wide: Linear::read(weights, &format!("{name}.a"))?,
            narrow: Linear::read(weights, &format!("{name}.b"))?,
        })
    }

    fn apply(&self, rows: &Array2<f32>) -> Array2<f32> {
        self.narrow.apply(&self.wide.apply(rows).mapv_into(|x| x.max(0.0)))
    }
}

/// A layer of the part that reads.
pub(crate) struct Reading {
    norms: [Norm; 2],
    attention: Attention,
    inner: Inner,
}

impl Reading {
    pub(crate) fn read(weights: &mut Weights<'_>, name: &str) -> Result<Self, Error> {
        Ok(Self {
            norms: [norm(weights, &format!("{name}.n1"))?, norm(weights, &format!("{name}.n2"))?],
            attention: Attention::read(weights, &format!("{name}.at"))?,
            inner: Inner::read(weights, &format!("{name}.ff"))?,
        })
    }

    pub(crate) fn apply(&self, rows: Array2<f32>) -> Array2<f32> {
        let own = normal(&self.norms[0], &rows);
        let rows = rows + self.attention.apply(&own, &self.attention.offered(&own));
        let inner = self.inner.apply(&normal(&self.norms[1], &rows));
        rows + inner
    }
}

/// A layer of the part that writes, a word at a time.
pub(crate) struct Writing {
    norms: [Norm; 3],
    own: Attention,
    read: Attention,
    inner: Inner,
}

impl Writing {
    pub(crate) fn read(weights: &mut Weights<'_>, name: &str) -> Result<Self, Error> {
        Ok(Self {
            norms: [
                norm(weights, &format!("{name}.n1"))?,
                norm(weights, &format!("{name}.n2"))?,
                norm(weights, &format!("{name}.n3"))?,
            ],
            own: Attention::read(weights, &format!("{name}.at"))?,
            read: Attention::read(weights, &format!("{name}.cr"))?,
            inner: Inner::read(weights, &format!("{name}.ff"))?,
        })
    }

    /// What was read, as this layer looks at it.
    pub(crate) fn offered(&self, read: &Array2<f32>) -> Offered {
        self.read.offered(read)
    }

    /// One more row of each way; `before` are those that came before it, and it is added to them.
    pub(crate) fn apply(
        &self,
        rows: Array2<f32>,
        before: &mut [Option<Offered>],
        read: &Offered,
    ) -> Result<Array2<f32>, Error> {
        let own = normal(&self.norms[0], &rows);
        let here = self.own.offered(&own);
        let asks = self.own.asks.apply(&own);
        let mut seen = Array2::zeros(asks.dim());
        for (way, before) in before.iter_mut().enumerate() {
            let here = here.row(way);
            let known = match before {
                Some(known) => {
                    known.add(&here)?;
                    known
                }
                None => before.insert(here),
            };
            let part = Slice::from(way..=way);
            seen.slice_axis_mut(Axis(0), part).assign(&look(&asks.slice_axis(Axis(0), part), known));
        }
        let rows = rows + self.own.out.apply(&seen);
        let seen = self.read.apply(&normal(&self.norms[1], &rows), read);
        let rows = rows + seen;
        let inner = self.inner.apply(&normal(&self.norms[2], &rows));
        Ok(rows + inner)
    }
}
