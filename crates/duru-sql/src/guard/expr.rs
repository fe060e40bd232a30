//! Expressions.

use sqlparser::ast::{
    AccessExpr, Array, BinaryOperator, CaseWhen, CastKind, CeilFloorKind, DataType, DateTimeField, Expr,
    Ident, Interval, Spanned, Subscript, TypedString, UnaryOperator, Value,
};
use sqlparser::tokenizer::Span;

use super::literal;
use super::names::{fold, quote, unknown};
use super::operators::{self, Effect};
use super::pattern;
use super::refusal::{Refusal, Rule};
use super::scope::Scope;
use super::size::{FLAG, NUMBER, Size, TEXT};
use super::types;
use super::walk::{Result, Walk, absent, constant, string};

impl Walk<'_> {
    /// Checks and rewrites an expression; how large its value may become.
    pub(super) fn expr(&mut self, expr: &mut Expr, scope: &Scope<'_>) -> Result<Size> {
        let span = expr.span();
        let size = self.deeper(|walk| walk.one(expr, scope)).map_err(|refusal| refusal.at(span))?;
        if !size.fits() {
            return Err(Refusal::new(Rule::TooLarge, expr.to_string()).at(span));
        }
        Ok(size)
    }

    fn all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e mut Expr>, scope: &Scope<'_>) -> Result<Size> {
        let mut sum = Size::default();
        for expr in exprs {
            sum = sum + self.expr(expr, scope)?;
        }
        Ok(sum)
    }

    fn one(&mut self, expr: &mut Expr, scope: &Scope<'_>) -> Result<Size> {
        match expr {
            Expr::Identifier(ident) => bare(ident, scope),
            Expr::CompoundIdentifier(_) => dotted(expr, scope),
            Expr::CompoundFieldAccess { .. } => self.access(expr, scope),
            Expr::Value(value) => literal::check(value),
            Expr::Nested(inner) => self.expr(inner, scope),
            Expr::BinaryOp { .. } => self.binary(expr, scope),
            Expr::UnaryOp { op, expr } => match op {
                UnaryOperator::Plus
                | UnaryOperator::Minus
                | UnaryOperator::Not
                | UnaryOperator::BitwiseNot
                | UnaryOperator::PGAbs
                | UnaryOperator::PGSquareRoot
                | UnaryOperator::PGCubeRoot => self.expr(expr, scope),
                UnaryOperator::AtDashAt
                | UnaryOperator::BangNot
                | UnaryOperator::DoubleAt
                | UnaryOperator::Hash
                | UnaryOperator::PGPostfixFactorial
                | UnaryOperator::PGPrefixFactorial
                | UnaryOperator::QuestionDash
                | UnaryOperator::QuestionPipe => Err(Refusal::new(Rule::Operator, op.to_string())),
            },
            Expr::IsFalse(inner)
            | Expr::IsNotFalse(inner)
            | Expr::IsTrue(inner)
            | Expr::IsNotTrue(inner)
            | Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::IsUnknown(inner)
            | Expr::IsNotUnknown(inner) => self.expr(inner, scope).map(|_| FLAG),
            Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
                self.all([left.as_mut(), right.as_mut()], scope).map(|_| FLAG)
            }
            Expr::InList { expr, list, negated: _ } => {
                self.expr(expr, scope)?;
                for item in list {
                    self.expr(item, scope)?;
                }
                Ok(FLAG)
            }
            Expr::InSubquery { expr, subquery, negated: _ } => {
                self.expr(expr, scope)?;
                self.query(subquery, Some(scope), &scope.ctes).map(|_| FLAG)
            }
            Expr::Between { expr, negated: _, low, high } => {
                self.expr(expr, scope)?;
                self.all([low.as_mut(), high.as_mut()], scope).map(|_| FLAG)
            }
            Expr::Like { negated: _, any, expr, pattern, escape_char }
            | Expr::ILike { negated: _, any, expr, pattern, escape_char } => {
                // PostgreSQL has it with an array in parentheses.
                absent(*any && !matches!(pattern.as_ref(), Expr::Nested(_)), "LIKE ANY without (…)")?;
                self.expr(expr, scope)?;
                self.expr(pattern, scope)?;
                escape_char.as_mut().map(literal::check).transpose()?;
                if string(pattern).is_some_and(|text| text.matches('%').count() > 32) {
                    return Err(Refusal::new(Rule::Pattern, "%").at(pattern.span()));
                }
                Ok(FLAG)
            }
            Expr::SimilarTo { negated: _, expr, pattern, escape_char } => {
                self.expr(expr, scope)?;
                self.expr(pattern, scope)?;
                escape_char.as_mut().map(literal::check).transpose()?;
                fixed(pattern)?;
                Ok(FLAG)
            }
            Expr::AnyOp { left, compare_op, right, is_some: _ } | Expr::AllOp { left, compare_op, right } => {
                operators::effect(compare_op)?;
                self.expr(left, scope)?;
                match right.as_mut() {
                    Expr::Subquery(query) => {
                        self.query(query, Some(scope), &scope.ctes)?;
                    }
                    other => {
                        self.expr(other, scope)?;
                    }
                }
                if operators::is_pattern(compare_op) {
                    fixed(right)?;
                }
                Ok(FLAG)
            }
            Expr::Cast { kind, expr, data_type, array, format } => {
                absent(!matches!(kind, CastKind::Cast | CastKind::DoubleColon), "TRY_CAST")?;
                absent(*array || format.is_some(), "CAST … FORMAT")?;
                self.cast(expr, data_type, scope)
            }
            Expr::TypedString(TypedString { data_type, value, uses_odbc_syntax }) => {
                absent(*uses_odbc_syntax, "{d '…'}")?;
                let span = value.span;
                self.data_type(data_type, span)?;
                let size = literal::check(value)?;
                let Value::SingleQuotedString(text) = &value.value else {
                    return Err(Refusal::new(Rule::Literal, value.to_string()).at(span));
                };
                if matches!(data_type, DataType::Numeric(_) | DataType::Decimal(_)) {
                    numeral(text)?;
                }
                let text = text.clone();
                if let Some(moment) = self.guard.clock.as_ref().and_then(|clock| clock.word(&text, data_type))
                {
                    *expr = moment;
                }
                Ok(size + NUMBER)
            }
            Expr::Interval(Interval {
                value,
                leading_field,
                leading_precision,
                last_field,
                fractional_seconds_precision,
            }) => {
                absent(
                    leading_precision.is_some() || fractional_seconds_precision.is_some(),
                    "INTERVAL (n)",
                )?;
                for field in [leading_field, last_field].into_iter().flatten() {
                    part_of_time(field)?;
                }
                match value.as_mut() {
                    Expr::Value(value) => {
                        literal::check(value)?;
                        let text = matches!(value.value, Value::SingleQuotedString(_));
                        absent(!text, "INTERVAL without '…'").map(|()| NUMBER + NUMBER)
                    }
                    other => Err(Refusal::new(Rule::Construct, other.to_string()).at(other.span())),
                }
            }
            Expr::AtTimeZone { timestamp, time_zone } => {
                self.all([timestamp.as_mut(), time_zone.as_mut()], scope).map(|_| TEXT)
            }
            Expr::Extract { field, syntax: _, expr } => {
                part_of_time(field)?;
                self.expr(expr, scope).map(|_| NUMBER)
            }
            Expr::Ceil { expr, field } | Expr::Floor { expr, field } => {
                let plain = matches!(field, CeilFloorKind::DateTimeField(DateTimeField::NoDateTime));
                absent(!plain, "CEIL … TO")?;
                self.expr(expr, scope)
            }
            Expr::Position { expr, r#in } => self.all([expr.as_mut(), r#in.as_mut()], scope).map(|_| NUMBER),
            Expr::Substring { expr, substring_from, substring_for, special: _, shorthand: _ } => {
                let size = self.expr(expr, scope)?;
                for part in [substring_from, substring_for].into_iter().flatten() {
                    self.expr(part, scope)?;
                    // `substring(text FROM 'pattern')`
                    if string(part).is_some() {
                        fixed(part)?;
                    }
                }
                Ok(size)
            }
            Expr::Trim { trim_where: _, trim_what, expr, trim_characters } => {
                if let Some(what) = trim_what {
                    self.expr(what, scope)?;
                }
                self.all(trim_characters.iter_mut().flatten(), scope)?;
                self.expr(expr, scope)
            }
            Expr::Overlay { expr, overlay_what, overlay_from, overlay_for } => {
                let size = self.all([expr.as_mut(), overlay_what.as_mut(), overlay_from.as_mut()], scope)?;
                if let Some(expr) = overlay_for {
                    self.expr(expr, scope)?;
                }
                Ok(size)
            }
            Expr::Collate { expr, collation } => {
                let span = collation.span();
                let words = super::names::parts(collation)?;
                let known = match words.as_slice() {
                    [word] => word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)),
                    _ => false,
                };
                if !known {
                    return Err(Refusal::new(Rule::Construct, words.join(".")).at(span));
                }
                // Collations are not folded: "C" was not written as c.
                self.expr(expr, scope)
            }
            Expr::Function(_) => self.call(expr, scope),
            Expr::Case { case_token: _, end_token: _, operand, conditions, else_result } => {
                if let Some(operand) = operand {
                    self.expr(operand, scope)?;
                }
                let mut size = Size::default();
                for CaseWhen { condition, result } in conditions {
                    self.expr(condition, scope)?;
                    size = size.max(self.expr(result, scope)?);
                }
                if let Some(result) = else_result {
                    size = size.max(self.expr(result, scope)?);
                }
                Ok(size)
            }
            Expr::Exists { subquery, negated: _ } => {
                self.query(subquery, Some(scope), &scope.ctes).map(|_| FLAG)
            }
            Expr::Subquery(query) => {
                let shape = self.query(query, Some(scope), &scope.ctes)?;
                Ok(shape.columns.iter().map(|column| column.size).sum())
            }
            Expr::Tuple(exprs) => self.all(exprs, scope),
            Expr::Array(Array { elem, named }) => {
                absent(!*named && self.arrays == 0, "[…] without ARRAY")?;
                self.array(elem, scope)
            }
            Expr::GroupingSets(_)
            | Expr::Cube(_)
            | Expr::Rollup(_)
            | Expr::JsonAccess { .. }
            | Expr::IsNormalized { .. }
            | Expr::InUnnest { .. }
            | Expr::RLike { .. }
            | Expr::Convert { .. }
            | Expr::Prefixed { .. }
            | Expr::Struct { .. }
            | Expr::Named { .. }
            | Expr::Dictionary(_)
            | Expr::Map(_)
            | Expr::MatchAgainst { .. }
            | Expr::Wildcard(_)
            | Expr::QualifiedWildcard(..)
            | Expr::OuterJoin(_)
            | Expr::Prior(_)
            | Expr::Lambda(_)
            | Expr::MemberOf(_) => Err(Refusal::new(Rule::Construct, expr.to_string())),
        }
    }

    fn array(&mut self, elements: &mut [Expr], scope: &Scope<'_>) -> Result<Size> {
        self.arrays += 1;
        let sizes = self.all(elements, scope);
        self.arrays -= 1;
        if self.recursive > 0 {
            return Err(Refusal::new(Rule::Recursion, "ARRAY"));
        }
        sizes
    }

    /// Operators in a row, without going deeper for each.
    fn binary(&mut self, expr: &mut Expr, scope: &Scope<'_>) -> Result<Size> {
        let mut rights = Vec::new();
        let mut rest = expr;
        while let Expr::BinaryOp { left, op, right } = rest {
            let effect = operators::effect(op).map_err(|refusal| refusal.at(right.span()))?;
            if op == &BinaryOperator::PGExp {
                exponent(right)?;
            }
            let size = self.expr(right, scope)?;
            if operators::is_pattern(op) {
                fixed(right)?;
            }
            if self.recursive > 0 {
                may_recur(op, left, right)?;
            }
            rights.push((effect, size));
            rest = left;
        }
        let mut size = self.expr(rest, scope)?;
        for (effect, right) in rights.into_iter().rev() {
            size = match effect {
                Effect::Flag => FLAG,
                Effect::Part => size + NUMBER,
                Effect::Sum => size + right,
                Effect::Power => (size + right).times(64),
            };
            if !size.fits() {
                return Ok(size);
            }
        }
        Ok(size)
    }

    fn cast(&mut self, expr: &mut Expr, data_type: &mut DataType, scope: &Scope<'_>) -> Result<Size> {
        let span = expr.span();
        let size = self.expr(expr, scope)?;
        self.data_type(data_type, span)?;
        match data_type {
            DataType::Numeric(_) | DataType::Decimal(_) | DataType::Dec(_) => match string(expr) {
                Some(text) => numeral(text).map(|()| size + NUMBER),
                // '1e99999' is short, but the number that it stands for is not.
                None if made_of_text(expr) => Err(Refusal::new(Rule::TooLarge, expr.to_string()).at(span)),
                None => Ok(size),
            },
            DataType::Char(Some(length)) | DataType::Character(Some(length)) => {
                let padded = length.to_string().parse().unwrap_or(u64::MAX);
                let padded = Size::plain(padded);
                self.grow(padded, expr)?;
                Ok(size + padded.times(3))
            }
            DataType::JSON | DataType::JSONB => Ok(size.times(2)),
            DataType::Bytea => Ok(size.times(4)),
            _ => {
                let word = string(expr).map(str::to_owned);
                if let (Some(word), Some(clock)) = (word, &self.guard.clock)
                    && let Some(moment) = clock.word(&word, data_type)
                {
                    *expr = moment;
                }
                Ok(size + NUMBER)
            }
        }
    }

    pub(super) fn data_type(&mut self, data_type: &mut DataType, span: Span) -> Result<()> {
        types::check(data_type, &self.guard.types).map_err(|refusal| refusal.at(span))
    }

    /// `(row).column`, `array[1]`, `json['key']`.
    fn access(&mut self, expr: &mut Expr, scope: &Scope<'_>) -> Result<Size> {
        let Expr::CompoundFieldAccess { root, access_chain } = expr else {
            return Err(Refusal::new(Rule::Construct, expr.to_string()));
        };
        let mut chain = access_chain.iter_mut().peekable();
        let size = match chain.next_if(|access| matches!(access, AccessExpr::Dot(_))) {
            Some(AccessExpr::Dot(Expr::Identifier(field))) => self.field(root, field, scope)?,
            Some(other) => return Err(Refusal::new(Rule::Attribute, other.to_string())),
            None => self.expr(root, scope)?,
        };
        for access in chain {
            match access {
                AccessExpr::Subscript(Subscript::Index { index }) => {
                    self.expr(index, scope)?;
                }
                AccessExpr::Subscript(Subscript::Slice { lower_bound, upper_bound, stride }) => {
                    absent(stride.is_some(), "[a:b:c]")?;
                    self.all([lower_bound, upper_bound].into_iter().flatten(), scope)?;
                }
                AccessExpr::Dot(field) => {
                    return Err(Refusal::new(Rule::Attribute, field.to_string()).at(field.span()));
                }
            }
        }
        Ok(size)
    }

    /// A dot after something. PostgreSQL calls a function if there is no such column.
    fn field(&mut self, root: &mut Expr, field: &mut Ident, scope: &Scope<'_>) -> Result<Size> {
        let attribute = |field: &Ident| Refusal::new(Rule::Attribute, fold(field)).at(field.span);
        let mut inner = &mut *root;
        while let Expr::Nested(nested) = inner {
            inner = nested;
        }
        match inner {
            Expr::Identifier(relation) => {
                let name = quote(relation)?;
                // A column of that name would be looked at first.
                let column = scope.relations.iter().any(|relation| relation.shape.column(&name).is_some());
                let found = scope.relation(&name).filter(|_| !column);
                let word = quote(field)?;
                let column = found.and_then(|relation| relation.shape.column(&word));
                column.map(|column| column.size).ok_or_else(|| attribute(field))
            }
            Expr::Function(function) => {
                let mut name = function.name.clone();
                let names = match self.function(&mut name)?.1 {
                    super::functions::Use::Rows(names) => names,
                    _ => return Err(attribute(field)),
                };
                let word = quote(field)?;
                if !names.contains(&word.as_str()) {
                    return Err(attribute(field));
                }
                self.expr(root, scope)
            }
            _ => Err(attribute(field)),
        }
    }
}

fn bare(ident: &mut Ident, scope: &Scope<'_>) -> Result<Size> {
    let name = quote(ident)?;
    scope.bare(&name).ok_or_else(|| unknown(ident))
}

/// `relation.column`, `schema.relation.column`.
fn dotted(expr: &mut Expr, scope: &Scope<'_>) -> Result<Size> {
    let Expr::CompoundIdentifier(parts) = expr else {
        return Err(Refusal::new(Rule::Construct, expr.to_string()));
    };
    for part in parts.iter_mut() {
        quote(part)?;
    }
    let (schema, relation, column) = match parts.as_slice() {
        [relation, column] => (None, relation, column),
        [schema, relation, column] => (Some(schema), relation, column),
        _ => return Err(Refusal::new(Rule::Attribute, expr.to_string())),
    };
    let found = scope
        .relation(&relation.value)
        .filter(|found| schema.is_none_or(|schema| found.schema.as_deref() == Some(schema.value.as_str())))
        .ok_or_else(|| Refusal::new(Rule::Table, relation.value.clone()).at(relation.span))?;
    let size = found.shape.column(&column.value).ok_or_else(|| unknown(column))?.size;
    if schema.is_some() {
        // The table became a subquery, which has no schema.
        parts.remove(0);
    }
    Ok(size)
}

fn part_of_time(field: &DateTimeField) -> Result<()> {
    match field {
        DateTimeField::Custom(ident) if ident.quote_style.is_some() => {
            Err(Refusal::new(Rule::Construct, ident.to_string()).at(ident.span))
        }
        DateTimeField::Week(Some(ident)) => {
            Err(Refusal::new(Rule::Construct, ident.to_string()).at(ident.span))
        }
        DateTimeField::Custom(ident) => {
            let known = ["isoyear", "julian", "timezone", "timezone_hour", "timezone_minute", "millennium"];
            if known.contains(&fold(ident).as_str()) {
                Ok(())
            } else {
                Err(Refusal::new(Rule::Construct, ident.to_string()).at(ident.span))
            }
        }
        _ => Ok(()),
    }
}

/// A number in a string, which may have an exponent.
fn numeral(text: &str) -> Result<()> {
    let exponent =
        text.to_ascii_lowercase().split_once('e').map_or(Some(0), |(_, e)| e.trim().parse::<i64>().ok());
    match exponent {
        Some(exponent) if text.len() <= 100 && exponent.abs() <= 60 => Ok(()),
        _ => Err(Refusal::new(Rule::TooLarge, text)),
    }
}

/// Whether an expression puts text together.
fn made_of_text(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => made_of_text(inner),
        Expr::BinaryOp { op: BinaryOperator::StringConcat, .. } => true,
        Expr::Function(function) => super::functions::builds(&function.name.to_string()),
        _ => false,
    }
}

/// An exponent that can't make a number of a hundred thousand digits.
pub(super) fn exponent(expr: &Expr) -> Result<()> {
    fn small(expr: &Expr) -> bool {
        match expr {
            Expr::Nested(inner) | Expr::Cast { expr: inner, .. } | Expr::UnaryOp { expr: inner, .. } => {
                small(inner)
            }
            Expr::Floor { expr, .. } | Expr::Ceil { expr, .. } => small(expr),
            Expr::Function(function) => {
                let name = function.name.to_string();
                let first = super::call::argument(function, 0);
                match name.as_str() {
                    "log" | "ln" | "log10" | "sqrt" | "cbrt" => true,
                    "floor" | "ceil" | "ceiling" | "round" | "trunc" => first.is_some_and(small),
                    _ => false,
                }
            }
            _ => false,
        }
    }
    match constant(expr) {
        Some(number) if number.abs() <= 64.0 => Ok(()),
        None if small(expr) => Ok(()),
        _ => Err(Refusal::new(Rule::TooLarge, format!("^ {expr}")).at(expr.span())),
    }
}

/// A pattern must be there to be looked at: constants, or columns and constants put together.
pub(super) fn fixed(expr: &Expr) -> Result<()> {
    match expr {
        Expr::Array(array) => return array.elem.iter().try_for_each(fixed),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => return fixed(inner),
        _ => {}
    }
    let mut text = String::new();
    put_together(expr, &mut text)?;
    match pattern::fault(&text) {
        Some(fault) => Err(Refusal::new(Rule::Pattern, fault).at(expr.span())),
        None => Ok(()),
    }
}

/// The text of a pattern, with a letter for what a column holds.
fn put_together(expr: &Expr, into: &mut String) -> Result<()> {
    match expr {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => into.push('x'),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => put_together(inner, into)?,
        Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right } => {
            put_together(left, into)?;
            put_together(right, into)?;
        }
        Expr::Value(_) => into.push_str(string(expr).unwrap_or_default()),
        other => return Err(Refusal::new(Rule::Pattern, other.to_string()).at(other.span())),
    }
    Ok(())
}

/// What may stand in the recursive part of a query: nothing that doubles at every turn.
fn may_recur(op: &BinaryOperator, left: &Expr, right: &Expr) -> Result<()> {
    let small = |expr| constant(expr).is_some_and(|number: f64| number.abs() <= 1_000.0);
    let allowed = match op {
        BinaryOperator::StringConcat | BinaryOperator::PGExp | BinaryOperator::PGBitwiseShiftLeft => false,
        BinaryOperator::Multiply => small(left) || small(right),
        _ => true,
    };
    if allowed { Ok(()) } else { Err(Refusal::new(Rule::Recursion, op.to_string()).at(right.span())) }
}
