//! `percentile_cont`, `percentile_disc` and `mode`: exact, over all values.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Float64Array, MutableArrayData, make_array, new_empty_array,
};
use datafusion::arrow::compute::{SortOptions, cast, concat, filter, is_not_null, sort};
use datafusion::arrow::datatypes::{DataType, DurationMicrosecondType, Field, FieldRef, Float64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Signature, Volatility};

use super::decimal::Number;
use super::scalar::{fails, unsupported};
use duru_sql::Fault;

/// Those that a query may call, by the names that the rewrite gives them.
pub(crate) fn aggregates() -> Vec<Arc<AggregateUDF>> {
    let kinds = [Kind::Continuous, Kind::Discrete, Kind::Mode];
    let all =
        kinds.into_iter().flat_map(|kind| [false, true].map(|descending| OrderedSet::new(kind, descending)));
    all.map(|function| Arc::new(AggregateUDF::new_from_impl(function))).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Continuous,
    Discrete,
    Mode,
}

#[derive(Debug)]
struct OrderedSet {
    kind: Kind,
    descending: bool,
    signature: Signature,
}

impl OrderedSet {
    fn new(kind: Kind, descending: bool) -> Self {
        Self { kind, descending, signature: Signature::variadic_any(Volatility::Immutable) }
    }
}

impl OrderedSet {
    /// As what the values are kept: what lies between two numbers is no whole one, so they are all made floats at once.
    fn kept(&self, of: &DataType) -> DataType {
        match (self.kind, of) {
            (Kind::Continuous, kind) if Number::of(kind).is_some() => DataType::Float64,
            _ => of.clone(),
        }
    }
}

impl PartialEq for OrderedSet {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, self.descending) == (other.kind, other.descending)
    }
}

impl Eq for OrderedSet {}

impl Hash for OrderedSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.kind, self.descending).hash(state);
    }
}

impl AggregateUDFImpl for OrderedSet {
    fn name(&self) -> &str {
        match (self.kind, self.descending) {
            (Kind::Continuous, false) => "pg_percentile_cont",
            (Kind::Continuous, true) => "pg_percentile_cont_desc",
            (Kind::Discrete, false) => "pg_percentile_disc",
            (Kind::Discrete, true) => "pg_percentile_disc_desc",
            (Kind::Mode, false) => "pg_mode",
            (Kind::Mode, true) => "pg_mode_desc",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, args: &[DataType]) -> Result<DataType> {
        let of = args.first().ok_or_else(|| fails(Fault::WrongTypes))?;
        match (self.kind, of) {
            (Kind::Continuous, DataType::Duration(_)) => Ok(of.clone()),
            (Kind::Continuous, kind) if Number::of(kind).is_some() => Ok(DataType::Float64),
            (Kind::Continuous, _) => Err(unsupported("percentile_cont of something that is no number")),
            _ => Ok(of.clone()),
        }
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let of = self.kept(args.input_fields[0].data_type());
        let values =
            Field::new_list(format_state_name(args.name, "values"), Field::new("item", of, true), true);
        let at = Field::new(format_state_name(args.name, "at"), DataType::Float64, true);
        Ok(vec![Arc::new(values), Arc::new(at)])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let of = self.kept(args.expr_fields[0].data_type());
        let pile = if self.kind == Kind::Continuous && of == DataType::Float64 {
            Pile::Numbers(Vec::new())
        } else {
            Pile::Arrays(Vec::new())
        };
        Ok(Box::new(Values {
            kind: self.kind,
            descending: self.descending,
            of,
            returns: args.return_field.data_type().clone(),
            pile,
            at: None,
        }))
    }
}

#[derive(Debug)]
struct Values {
    kind: Kind,
    descending: bool,
    of: DataType,
    returns: DataType,
    pile: Pile,
    /// Which part of the values lies before the one that is asked for.
    at: Option<f64>,
}

/// What has come in so far. Both kinds hold copies: a slice would keep the whole batch of all groups alive, once per group.
#[derive(Debug)]
enum Pile {
    Numbers(Vec<f64>),
    Arrays(Vec<ArrayRef>),
}

impl Values {
    fn all(&self) -> Result<ArrayRef> {
        match &self.pile {
            Pile::Numbers(numbers) => Ok(Arc::new(Float64Array::from(numbers.clone()))),
            Pile::Arrays(pieces) => joined(pieces, &self.of),
        }
    }

    fn push(&mut self, values: &ArrayRef) -> Result<()> {
        match &mut self.pile {
            Pile::Numbers(numbers) => {
                let values = cast(values, &DataType::Float64)?;
                let values = values.as_primitive::<Float64Type>();
                if values.null_count() == 0 {
                    numbers.extend_from_slice(values.values());
                } else {
                    numbers.extend(values.iter().flatten());
                }
            }
            Pile::Arrays(pieces) => {
                let values = if values.null_count() > 0 {
                    filter(values, &is_not_null(values)?)?
                } else {
                    copied(values)?
                };
                if !values.is_empty() {
                    pieces.push(values);
                }
                // Many groups bring their values in small pieces.
                if pieces.len() > 256 {
                    *pieces = vec![joined(pieces, &self.of)?];
                }
            }
        }
        Ok(())
    }

    fn set_at(&mut self, column: &ArrayRef) -> Result<()> {
        if self.at.is_none() {
            let column = cast(column, &DataType::Float64)?;
            self.at = column.as_primitive::<Float64Type>().iter().flatten().next();
        }
        if self.at.is_some_and(|at| !(0.0..=1.0).contains(&at)) {
            return Err(fails(Fault::BadValue));
        }
        Ok(())
    }

    /// Between the two neighbours, as PostgreSQL computes it.
    fn continuous(&mut self, at: f64) -> Result<ScalarValue> {
        let descending = self.descending;
        if let Pile::Numbers(numbers) = &mut self.pile {
            let Some(place) = Place::of(at, numbers.len()) else { return Ok(ScalarValue::Float64(None)) };
            let order = |a: &f64, b: &f64| if descending { b.total_cmp(a) } else { a.total_cmp(b) };
            // Only the two neighbours need their places; sorting all would take several times as long.
            let (_, low, after) = numbers.select_nth_unstable_by(place.low, order);
            let low = *low;
            let high = after.iter().copied().min_by(order).filter(|_| place.share > 0.0).unwrap_or(low);
            return Ok(ScalarValue::Float64(Some(place.between(low, high))));
        }
        let sorted = self.sorted()?;
        let Some(place) = Place::of(at, sorted.len()) else { return ScalarValue::try_from(&self.returns) };
        let values = sorted.as_primitive::<DurationMicrosecondType>();
        let high = if place.share > 0.0 { place.low + 1 } else { place.low };
        let value = place.between(values.value(place.low) as f64, values.value(high) as f64);
        Ok(ScalarValue::DurationMicrosecond(Some(value.round_ties_even() as i64)))
    }

    fn sorted(&self) -> Result<ArrayRef> {
        let options = SortOptions { descending: self.descending, nulls_first: false };
        Ok(sort(&self.all()?, Some(options))?)
    }

    /// The first of the most frequent ones.
    fn most_frequent(sorted: &ArrayRef) -> Result<usize> {
        let (mut best, mut best_count) = (0, 0);
        for run in datafusion::arrow::compute::partition(std::slice::from_ref(sorted))?.ranges() {
            if run.len() > best_count {
                (best, best_count) = (run.start, run.len());
            }
        }
        Ok(best)
    }
}

impl Accumulator for Values {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        if let Some(at) = values.get(1) {
            self.set_at(at)?;
        }
        self.push(&values[0])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.set_at(&states[1])?;
        for list in states[0].as_list::<i32>().iter().flatten() {
            self.push(&list)?;
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let all = self.all()?;
        let list = datafusion::common::utils::SingleRowListArrayBuilder::new(all).build_list_scalar();
        Ok(vec![list, ScalarValue::Float64(self.at)])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        if let (Kind::Continuous, Some(at)) = (self.kind, self.at) {
            return self.continuous(at);
        }
        let sorted = self.sorted()?;
        let none = || ScalarValue::try_from(&self.returns);
        match (self.kind, self.at) {
            _ if sorted.is_empty() => none(),
            (Kind::Mode, _) => ScalarValue::try_from_array(&sorted, Self::most_frequent(&sorted)?),
            (_, None) => none(),
            (_, Some(at)) => {
                let row = (at * sorted.len() as f64).ceil() as usize;
                ScalarValue::try_from_array(&sorted, row.saturating_sub(1))
            }
        }
    }

    fn size(&self) -> usize {
        let pile = match &self.pile {
            Pile::Numbers(numbers) => numbers.capacity() * size_of::<f64>(),
            Pile::Arrays(pieces) => pieces.iter().map(|piece| piece.get_array_memory_size()).sum(),
        };
        size_of_val(self) + pile
    }
}

/// Where the value that is asked for lies among sorted ones.
struct Place {
    low: usize,
    /// How far it is to the next one, from 0 to 1.
    share: f64,
}

impl Place {
    /// None among no values.
    fn of(at: f64, count: usize) -> Option<Self> {
        let position = at * count.checked_sub(1)? as f64;
        Some(Self { low: position.floor() as usize, share: position - position.floor() })
    }

    fn between(&self, low: f64, high: f64) -> f64 {
        if self.share > 0.0 { low + (high - low) * self.share } else { low }
    }
}

fn joined(pieces: &[ArrayRef], of: &DataType) -> Result<ArrayRef> {
    if pieces.is_empty() {
        return Ok(new_empty_array(of));
    }
    let all: Vec<&dyn Array> = pieces.iter().map(AsRef::as_ref).collect();
    Ok(concat(&all)?)
}

/// The values alone, without the buffers that they are a slice of.
fn copied(values: &ArrayRef) -> Result<ArrayRef> {
    let data = values.to_data();
    let mut copy = MutableArrayData::new(vec![&data], false, values.len());
    copy.try_extend(0, 0, values.len())?;
    Ok(make_array(copy.freeze()))
}
