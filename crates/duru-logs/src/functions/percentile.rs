//! `percentile_cont`, `percentile_disc` and `mode`: exact, over all values.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, new_empty_array};
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
        let of = args.input_fields[0].data_type().clone();
        let values =
            Field::new_list(format_state_name(args.name, "values"), Field::new("item", of, true), true);
        let at = Field::new(format_state_name(args.name, "at"), DataType::Float64, true);
        Ok(vec![Arc::new(values), Arc::new(at)])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Values {
            kind: self.kind,
            descending: self.descending,
            of: args.expr_fields[0].data_type().clone(),
            returns: args.return_field.data_type().clone(),
            values: Vec::new(),
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
    values: Vec<ArrayRef>,
    /// Which part of the values lies before the one that is asked for.
    at: Option<f64>,
}

impl Values {
    fn all(&self) -> Result<ArrayRef> {
        if self.values.is_empty() {
            return Ok(new_empty_array(&self.of));
        }
        let all: Vec<&dyn Array> = self.values.iter().map(AsRef::as_ref).collect();
        Ok(concat(&all)?)
    }

    fn push(&mut self, values: &ArrayRef) -> Result<()> {
        let values =
            if values.null_count() > 0 { filter(values, &is_not_null(values)?)? } else { values.clone() };
        if !values.is_empty() {
            self.values.push(values);
        }
        // Many groups bring their values in small pieces.
        if self.values.len() > 256 {
            self.values = vec![self.all()?];
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
    fn continuous(&self, sorted: &ArrayRef, at: f64) -> Result<ScalarValue> {
        let position = at * (sorted.len() - 1) as f64;
        let (low, high) = (position.floor() as usize, position.ceil() as usize);
        let between = |a: f64, b: f64| if low == high { a } else { a + (b - a) * (position - low as f64) };
        if let DataType::Duration(_) = self.returns {
            let values = sorted.as_primitive::<DurationMicrosecondType>();
            let value = between(values.value(low) as f64, values.value(high) as f64);
            return Ok(ScalarValue::DurationMicrosecond(Some(value.round_ties_even() as i64)));
        }
        let values = cast(sorted, &DataType::Float64)?;
        let values = values.as_primitive::<Float64Type>();
        Ok(ScalarValue::Float64(Some(between(values.value(low), values.value(high)))))
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
        let options = SortOptions { descending: self.descending, nulls_first: false };
        let sorted = sort(&self.all()?, Some(options))?;
        let none = || ScalarValue::try_from(&self.returns);
        if sorted.is_empty() {
            return none();
        }
        match (self.kind, self.at) {
            (Kind::Mode, _) => ScalarValue::try_from_array(&sorted, Self::most_frequent(&sorted)?),
            (_, None) => none(),
            (Kind::Continuous, Some(at)) => self.continuous(&sorted, at),
            (Kind::Discrete, Some(at)) => {
                let row = (at * sorted.len() as f64).ceil() as usize;
                ScalarValue::try_from_array(&sorted, row.saturating_sub(1))
            }
        }
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.values.iter().map(|values| values.get_array_memory_size()).sum::<usize>()
    }
}
