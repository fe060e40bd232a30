//! One function of one query.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use super::clock::Clock;
use duru_sql::Fault;

/// Why a function has no result, without a value of any row.
#[derive(Debug)]
pub(crate) enum Failure {
    Fault(Fault),
    /// What the store can't do.
    Unsupported(String),
}

/// No person reads this: it is what arrives of a failure from another process, or from within a file's filter.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl std::error::Error for Failure {}

/// Those that functions have.
const FAULTS: [Fault; 11] = [
    Fault::DivisionByZero,
    Fault::OutOfRange,
    Fault::NotATime,
    Fault::NotALevel,
    Fault::NoTimeZone,
    Fault::NotOfType,
    Fault::BadPattern,
    Fault::BadJson,
    Fault::BadValue,
    Fault::WrongTypes,
    Fault::TooComplex,
];

/// The fault of a [`Failure`] that is written somewhere in a text.
pub(crate) fn fault_in(text: &str) -> Option<Fault> {
    FAULTS.into_iter().find(|fault| text.contains(&Failure::Fault(*fault).to_string()))
}

pub(crate) fn fails(fault: Fault) -> DataFusionError {
    DataFusionError::External(Box::new(Failure::Fault(fault)))
}

pub(crate) fn unsupported(what: impl fmt::Display) -> DataFusionError {
    DataFusionError::External(Box::new(Failure::Unsupported(what.to_string())))
}

/// Name, result type by the arguments' types, and what it does.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) returns: fn(&[DataType], &Clock) -> Result<DataType>,
    pub(crate) run: fn(&Call) -> Result<ArrayRef>,
}

/// One call, with arguments as columns of the same length.
pub(crate) struct Call<'a> {
    pub(crate) args: Vec<ArrayRef>,
    pub(crate) rows: usize,
    pub(crate) returns: &'a DataType,
    pub(crate) clock: &'a Clock,
}

impl Call<'_> {
    pub(crate) fn text(&self, i: usize) -> Result<StringArray> {
        Ok(self.of_type(i, &DataType::Utf8)?.as_string::<i32>().clone())
    }

    pub(crate) fn int(&self, i: usize) -> Result<Int64Array> {
        Ok(self.of_type(i, &DataType::Int64)?.as_primitive::<Int64Type>().clone())
    }

    pub(crate) fn of_type(&self, i: usize, kind: &DataType) -> Result<ArrayRef> {
        let column = self.args.get(i).ok_or_else(|| fails(Fault::WrongTypes))?;
        if column.data_type() == kind { Ok(column.clone()) } else { Ok(cast(column, kind)?) }
    }

    /// The n-th argument of the first row, for what must be the same in all.
    pub(crate) fn constant_text(&self, i: usize) -> Result<Option<String>> {
        let column = self.text(i)?;
        Ok((!column.is_empty() && column.is_valid(0)).then(|| column.value(0).to_owned()))
    }

    /// Text from text, row by row; null gives null.
    pub(crate) fn each_text(
        &self,
        mut one: impl FnMut(usize, &str) -> Result<Option<String>>,
    ) -> Result<ArrayRef> {
        let from = self.text(0)?;
        let mut to = datafusion::arrow::array::StringBuilder::with_capacity(self.rows, self.rows * 16);
        for (i, value) in from.iter().enumerate() {
            to.append_option(match value {
                Some(value) => one(i, value)?,
                None => None,
            });
        }
        Ok(Arc::new(to.finish()))
    }
}

pub(crate) struct Scalar {
    function: Function,
    signature: Signature,
    clock: Arc<Clock>,
}

impl Scalar {
    pub(super) fn new(function: Function, clock: Arc<Clock>) -> Self {
        // What now() gives does not change within one query.
        let volatility = Volatility::Immutable;
        let signature = match function.name {
            "pg_now" => Signature::nullary(volatility),
            _ => Signature::variadic_any(volatility),
        };
        Self { function, signature, clock }
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.name)
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        self.function.name == other.function.name
    }
}

impl Eq for Scalar {}

impl Hash for Scalar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl ScalarUDFImpl for Scalar {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, args: &[DataType]) -> Result<DataType> {
        (self.function.returns)(args, &self.clock)
    }

    /// Rounded to a constant number of places, a number has so many.
    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let types: Vec<_> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        let mut returns = self.return_type(&types)?;
        if matches!(self.function.name, "pg_round" | "pg_trunc")
            && let Some(Some(places)) = args.scalar_arguments.get(1)
            && let Ok(ScalarValue::Int64(Some(places @ 0..=30))) = places.cast_to(&DataType::Int64)
            && let Ok(scale) = i8::try_from(places)
        {
            returns = super::decimal::decimal(scale);
        }
        Ok(Arc::new(Field::new(self.name(), returns, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let constant = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let rows = if constant { 1 } else { args.number_rows };
        let columns = args.args.into_iter().map(|arg| arg.into_array(rows)).collect::<Result<Vec<_>>>()?;
        let returns = args.return_field.data_type();
        let call = Call { args: columns, rows, returns, clock: &self.clock };
        let result = (self.function.run)(&call)?;
        if constant {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?));
        }
        Ok(ColumnarValue::Array(result))
    }
}
