//! Calls of functions.

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgOperator,
    FunctionArgumentClause, FunctionArgumentList, FunctionArguments, Ident, Spanned, WindowFrameBound,
    WindowType,
};

use super::expr::{exponent, fixed};
use super::functions::{self, Use};
use super::names::{fold, quote};
use super::refusal::{Refusal, Rule};
use super::scope::Scope;
use super::size::{LARGE, NUMBER, Size};
use super::walk::{Result, Walk, absent, constant, string};

/// Of a text that is repeated so often as a column says.
const REPEATS: u64 = 1_000;

impl Walk<'_> {
    pub(super) fn call(&mut self, expr: &mut Expr, scope: &Scope<'_>) -> Result<Size> {
        let Expr::Function(function) = expr else {
            return Err(Refusal::new(Rule::Construct, expr.to_string()));
        };
        if let Some(size) = self.array_of_rows(function, scope)? {
            return Ok(size);
        }
        let Function { name, uses_odbc_syntax, parameters, args, filter, null_treatment, over, within_group } =
            &mut *function;
        absent(*uses_odbc_syntax, "{fn …}")?;
        absent(!matches!(parameters, FunctionArguments::None), "f(…)(…)")?;
        absent(null_treatment.is_some(), "IGNORE NULLS")?;
        let span = name.span();
        let (word, how) = self.function(name)?;
        let refused = || Refusal::new(Rule::Function, word.clone()).at(span);
        let gathers = matches!(how, Use::Aggregate | Use::Gather);
        let windowed = over.is_some();
        if (filter.is_some() || windowed || !within_group.is_empty()) && !gathers && how != Use::Window {
            return Err(refused());
        }
        if self.recursive > 0 && (functions::builds(&word) || how == Use::Gather) {
            return Err(Refusal::new(Rule::Recursion, word).at(span));
        }

        let mut distinct = false;
        let sizes = match args {
            FunctionArguments::None if how == Use::Clock => Vec::new(),
            FunctionArguments::None | FunctionArguments::Subquery(_) => return Err(refused()),
            FunctionArguments::List(FunctionArgumentList { duplicate_treatment, args, clauses }) => {
                distinct = matches!(duplicate_treatment, Some(DuplicateTreatment::Distinct));
                if duplicate_treatment.is_some() && !gathers {
                    return Err(refused());
                }
                for clause in clauses {
                    match clause {
                        FunctionArgumentClause::OrderBy(keys) if gathers => self.keys(keys, scope)?,
                        other => return Err(Refusal::new(Rule::Construct, other.to_string()).at(span)),
                    }
                }
                self.arguments(&word, args, scope)?
            }
        };
        if let Some(filter) = filter {
            self.expr(filter, scope)?;
        }
        self.keys(within_group, scope)?;
        let mut frame = None;
        match over {
            None => {}
            Some(WindowType::NamedWindow(name)) => self.window_name(name, scope)?,
            Some(WindowType::WindowSpec(spec)) => {
                self.window(spec, scope)?;
                frame = spec.window_frame.as_ref().and_then(|frame| match &frame.start_bound {
                    WindowFrameBound::Preceding(Some(rows)) => constant(rows).map(|rows| rows as u64 + 1),
                    _ => None,
                });
            }
        }
        let all: Size = sizes.iter().copied().sum();
        match how {
            Use::Clock => {
                if let Some(clock) = &self.guard.clock {
                    *expr = clock.moment(&word);
                }
                Ok(NUMBER + NUMBER)
            }
            Use::Gather => {
                let rows = match (windowed, frame) {
                    (false, _) if distinct => scope.group.min(LARGE),
                    (false, _) => scope.group,
                    (true, Some(rows)) => rows,
                    // Every row would hold all rows before it.
                    (true, None) => scope.group.saturating_mul(LARGE),
                };
                Ok((all + Size::plain(8)).gather(rows))
            }
            Use::Aggregate | Use::Window | Use::Record => {
                let within = within_group.iter().map(|_| Size::plain(128)).sum();
                Ok(all + within + NUMBER)
            }
            Use::Rows(_) => {
                if word == "generate_series" {
                    list(function).map(super::series::rows).transpose()?;
                }
                Ok(all + NUMBER)
            }
            Use::Scalar => self.scalar(&word, expr, &sizes),
        }
    }

    /// `ARRAY(SELECT …)`
    fn array_of_rows(&mut self, function: &mut Function, scope: &Scope<'_>) -> Result<Option<Size>> {
        let FunctionArguments::Subquery(query) = &mut function.args else { return Ok(None) };
        let word = function.name.to_string();
        if !word.eq_ignore_ascii_case("array") || function.over.is_some() || function.filter.is_some() {
            return Err(Refusal::new(Rule::Function, word).at(function.name.span()));
        }
        absent(function.uses_odbc_syntax || function.null_treatment.is_some(), "ARRAY(…)")?;
        absent(!matches!(function.parameters, FunctionArguments::None), "ARRAY(…)")?;
        absent(!function.within_group.is_empty() || self.recursive > 0, "ARRAY(…)")?;
        let shape = self.query(query, Some(scope), &scope.ctes)?;
        function.name = vec![Ident::new("ARRAY")].into();
        Ok(Some(shape.size().gather(shape.rows)))
    }

    /// The arguments of a call, and how large each may be.
    pub(super) fn arguments(
        &mut self,
        word: &str,
        args: &mut [FunctionArg],
        scope: &Scope<'_>,
    ) -> Result<Vec<Size>> {
        let mut sizes = Vec::with_capacity(args.len());
        for arg in args.iter_mut() {
            let value = match arg {
                FunctionArg::Unnamed(value) => value,
                FunctionArg::Named { name, arg, operator } => {
                    named(name, operator)?;
                    arg
                }
                FunctionArg::ExprNamed { name, arg, operator } => {
                    let Expr::Identifier(name) = name else {
                        return Err(Refusal::new(Rule::Construct, name.to_string()).at(name.span()));
                    };
                    named(name, operator)?;
                    arg
                }
            };
            match value {
                FunctionArgExpr::Expr(expr) => sizes.push(self.expr(expr, scope)?),
                FunctionArgExpr::Wildcard if word == "count" => sizes.push(NUMBER),
                FunctionArgExpr::QualifiedWildcard(name) if takes_row(word) => {
                    let words = super::names::parts(name)?;
                    let relation = match words.as_slice() {
                        [word] => scope.relation(word),
                        _ => None,
                    };
                    let relation = relation.ok_or_else(|| Refusal::new(Rule::Table, words.join(".")))?;
                    sizes.push(relation.shape.size());
                }
                FunctionArgExpr::Wildcard
                | FunctionArgExpr::QualifiedWildcard(_)
                | FunctionArgExpr::WildcardWithOptions(_) => {
                    return Err(Refusal::new(Rule::Construct, format!("{word}(*)")));
                }
            }
        }
        if functions::takes_pattern(word) {
            let pattern = args.get(1).and_then(value);
            pattern.map(fixed).transpose()?;
        }
        Ok(sizes)
    }

    /// How large the value of a call may be.
    fn scalar(&mut self, word: &str, expr: &mut Expr, sizes: &[Size]) -> Result<Size> {
        let shown = expr.clone();
        let Expr::Function(function) = expr else {
            return Err(Refusal::new(Rule::Construct, expr.to_string()));
        };
        let all: Size = sizes.iter().copied().sum();
        let first = sizes.first().copied().unwrap_or_default();
        let second = argument(function, 1);
        match word {
            "repeat" => {
                let one = first.max(Size::plain(1));
                let size = match second.map(|count| (constant(count), count)) {
                    Some((Some(count), _)) => one.times(count.max(0.0) as u64),
                    Some((None, _)) => {
                        let most = (REPEATS / one.plain.saturating_add(one.gathered).max(1)).max(1);
                        bound(function, most);
                        one.times(most)
                    }
                    None => return Ok(all),
                };
                self.grow(size, &shown)?;
                Ok(size.times(2))
            }
            "lpad" | "rpad" => {
                let width = match second.map(constant) {
                    Some(Some(width)) => width.max(0.0) as u64,
                    Some(None) => {
                        bound(function, REPEATS);
                        REPEATS
                    }
                    None => return Ok(all),
                };
                self.grow(Size::plain(width), &shown)?;
                Ok(Size::plain(width.saturating_mul(3)))
            }
            "format" => {
                let Some(template) = argument(function, 0).and_then(string) else {
                    return Err(Refusal::new(Rule::TooLarge, "format(?)").at(shown.span()));
                };
                // A width may also come from an argument: `%*s`.
                if template.contains('*') {
                    return Err(Refusal::new(Rule::TooLarge, template).at(shown.span()));
                }
                // `%1$s` may take the same argument again and again.
                let times = template.matches('%').count().max(1) as u64;
                let numbers = template.split(|character: char| !character.is_ascii_digit());
                let width: u64 =
                    numbers.map(|digits| digits.parse().unwrap_or(0)).fold(0, u64::saturating_add);
                self.grow(Size::plain(width), &shown)?;
                Ok(all.max(first.times(1))
                    + largest(&sizes[1..]).times(times)
                    + Size::plain(width.saturating_mul(3)))
            }
            "replace" => {
                let from = second.and_then(string).map_or(1, |text| text.chars().count().max(1) as u64);
                let to = argument(function, 2).and_then(string).map_or_else(
                    || sizes.get(2).map_or(1, |size| size.plain.saturating_add(size.gathered)),
                    |text| text.len() as u64,
                );
                Ok(first.times(to.div_ceil(from).max(1)))
            }
            "regexp_replace" => {
                let to = argument(function, 2).and_then(string).map_or_else(
                    || sizes.get(2).map_or(1, |size| size.plain.saturating_add(size.gathered)),
                    |text| (text.len() as u64).div_ceil(2) + text.matches('\\').count() as u64,
                );
                Ok(first.times(to.max(1)))
            }
            "array_to_string" => {
                let separator = sizes.get(1).map_or(0, |size| size.plain);
                Ok(first + first.times(separator.div_ceil(8)))
            }
            "array_replace" => Ok(first.times(1 + largest(&sizes[1..]).plain.div_ceil(4))),
            "power" => {
                second.map(exponent).transpose()?;
                Ok(all.times(64))
            }
            "round" | "trunc" => {
                let digits = second.map_or(Some(0.0), constant);
                match digits {
                    Some(digits) if digits.abs() <= 100.0 => Ok(all + NUMBER),
                    _ => Err(Refusal::new(Rule::TooLarge, shown.to_string()).at(shown.span())),
                }
            }
            "exp" => Ok(all + Size::plain(2_600)),
            "to_char" => {
                let pattern = second.and_then(string).map(|text| text.len() as u64);
                match pattern {
                    Some(length) if length <= 200 => Ok(Size::plain(length * 3 + 32)),
                    _ => Err(Refusal::new(Rule::TooLarge, shown.to_string()).at(shown.span())),
                }
            }
            "age" => {
                if let (Some(clock), [_]) = (&self.guard.clock, sizes)
                    && let FunctionArguments::List(list) = &mut function.args
                {
                    let today = FunctionArg::Unnamed(FunctionArgExpr::Expr(clock.moment("current_date")));
                    list.args.insert(0, today);
                }
                Ok(all + NUMBER)
            }
            "coalesce" | "greatest" | "least" | "nullif" => Ok(largest(sizes)),
            "length" | "char_length" | "character_length" | "octet_length" | "bit_length" | "strpos"
            | "ascii" | "cardinality" | "array_length" | "jsonb_array_length" | "json_array_length"
            | "starts_with" | "regexp_count" | "regexp_instr" | "regexp_like" | "num_nulls"
            | "num_nonnulls" | "isfinite" | "hashtext" | "hashtextextended" | "sign" | "width_bucket"
            | "array_position" => Ok(NUMBER),
            "md5" | "sha224" | "sha256" | "sha384" | "sha512" => Ok(Size::plain(140)),
            "date_trunc" | "date_bin" | "date_part" | "date" | "to_timestamp" | "to_date" | "make_date"
            | "make_interval" | "make_timestamp" | "make_timestamptz" | "timezone" => Ok(NUMBER + NUMBER),
            "left" | "right" | "substr" | "split_part" | "lower" | "upper" | "btrim" | "ltrim" | "rtrim"
            | "initcap" | "reverse" | "translate" | "regexp_substr" | "regexp_match" => Ok(first),
            "encode" | "jsonb_pretty" | "to_json" | "to_jsonb" | "row_to_json" | "array_to_json"
            | "to_tsvector" => Ok(first.times(2)),
            // Whatever else puts its arguments together, it puts each in once.
            _ => Ok(all + Size::plain(16 * sizes.len() as u64 + 16)),
        }
    }
}

/// Functions for which `relation.*` is the whole row.
fn takes_row(word: &str) -> bool {
    matches!(word, "count" | "row_to_json" | "to_json" | "to_jsonb" | "json_agg" | "jsonb_agg" | "array_agg")
}

fn largest(sizes: &[Size]) -> Size {
    sizes.iter().copied().fold(Size::default(), Size::max)
}

fn named(name: &mut Ident, operator: &FunctionArgOperator) -> Result<()> {
    let span = name.span;
    match operator {
        FunctionArgOperator::RightArrow | FunctionArgOperator::Assignment => quote(name).map(drop),
        FunctionArgOperator::Equals | FunctionArgOperator::Colon | FunctionArgOperator::Value => {
            Err(Refusal::new(Rule::Construct, fold(name)).at(span))
        }
    }
}

fn list(function: &Function) -> Option<&[FunctionArg]> {
    match &function.args {
        FunctionArguments::List(list) => Some(&list.args),
        FunctionArguments::None | FunctionArguments::Subquery(_) => None,
    }
}

fn value(arg: &FunctionArg) -> Option<&Expr> {
    match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
        | FunctionArg::Named { arg: FunctionArgExpr::Expr(expr), .. }
        | FunctionArg::ExprNamed { arg: FunctionArgExpr::Expr(expr), .. } => Some(expr),
        _ => None,
    }
}

/// The argument at a place.
pub(super) fn argument(function: &Function, index: usize) -> Option<&Expr> {
    list(function)?.get(index).and_then(value)
}

/// Lets the second argument be no larger than this.
fn bound(function: &mut Function, most: u64) {
    let FunctionArguments::List(list) = &mut function.args else { return };
    let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(count))) = list.args.get_mut(1) else { return };
    let number = Expr::value(sqlparser::ast::Value::Number(most.to_string(), false));
    let args = [count.clone(), number].map(|expr| FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)));
    *count = Expr::Function(Function {
        name: vec![Ident::new("least")].into(),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args: args.into(),
            clauses: Vec::new(),
        }),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    });
}
