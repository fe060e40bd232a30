//! One expression whose parts are already rewritten.

use sqlparser::ast::helpers::attached_token::AttachedToken;
use sqlparser::ast::{
    Array, BinaryOperator as Op, CaseWhen, CeilFloorKind, DateTimeField, Expr, TrimWhereField, UnaryOperator,
    Value,
};

use super::build::{binary, call, chain, literal, nested, not, number, text, value};
use super::{calls, casts};
use crate::functions::{similar_to, unreadable_path};

pub(super) fn rewrite(e: &mut Expr) -> Result<(), String> {
    // Taken out, looked at, put back.
    let taken = std::mem::replace(e, value(Value::Null));
    *e = rewritten(taken)?;
    Ok(())
}

fn rewritten(e: Expr) -> Result<Expr, String> {
    Ok(match e {
        Expr::Value(mut value) => {
            casts::plain(&mut value)?;
            Expr::Value(value)
        }
        Expr::Function(function) => calls::rewrite(function)?,
        Expr::Cast { expr, data_type, .. } => casts::rewrite(*expr, &data_type)?,
        Expr::TypedString(typed) => {
            let mut value = typed.value;
            casts::plain(&mut value)?;
            casts::rewrite(Expr::Value(value), &typed.data_type)?
        }
        Expr::BinaryOp { left, op, right } => operator(*left, op, *right)?,
        Expr::UnaryOp { op, expr } => match op {
            UnaryOperator::Not => Expr::UnaryOp { op, expr },
            UnaryOperator::Plus => *expr,
            // A constant stays one: LIMIT and offsets want it so.
            UnaryOperator::Minus if matches!(*expr, Expr::Value(_)) => Expr::UnaryOp { op, expr },
            UnaryOperator::Minus => call("pg_neg", vec![*expr]),
            op => return Err(format!("the operator {op}")),
        },
        Expr::Between { expr, negated, low, high } => {
            let inside =
                binary(binary((*expr).clone(), Op::GtEq, *low), Op::And, binary(*expr, Op::LtEq, *high));
            nested(if negated { not(inside) } else { inside })
        }
        Expr::InList { expr, list, negated } => {
            let any = list.into_iter().map(|one| equal(&expr, one)).collect::<Result<_, _>>()?;
            let any = chain(Op::Or, any).ok_or("an empty list after IN")?;
            nested(if negated { not(any) } else { any })
        }
        Expr::AnyOp { left, compare_op, right, .. } => quantified(*left, compare_op, *right, Op::Or)?,
        Expr::AllOp { left, compare_op, right } => quantified(*left, compare_op, *right, Op::And)?,
        Expr::IsDistinctFrom(a, b) => distinct(*a, *b),
        Expr::IsNotDistinctFrom(a, b) => not(distinct(*a, *b)),
        Expr::Like { negated, any, expr, pattern, escape_char } => {
            let pattern = Box::new(like_pattern(*pattern, any, escape_char.as_ref().map(|v| &v.value))?);
            Expr::Like { negated, any, expr, pattern, escape_char: None }
        }
        Expr::ILike { negated, any, expr, pattern, escape_char } => {
            let pattern = Box::new(like_pattern(*pattern, any, escape_char.as_ref().map(|v| &v.value))?);
            Expr::ILike { negated, any, expr, pattern, escape_char: None }
        }
        Expr::SimilarTo { negated, expr, pattern, escape_char } => {
            let escape = escape(escape_char.as_ref().map(|v| &v.value))?;
            let pattern = literal(&pattern).ok_or("SIMILAR TO with a pattern that is computed")?;
            let found = call("pg_regex_is_match", vec![*expr, text(&similar_to(pattern, escape))]);
            if negated { not(found) } else { found }
        }
        Expr::AtTimeZone { timestamp, time_zone } => call("pg_timezone", vec![*time_zone, *timestamp]),
        Expr::Extract { field, expr, .. } => {
            let field = field_name(&field);
            let name = match field.as_str() {
                "epoch" | "second" | "seconds" | "milliseconds" | "microseconds" => "pg_extract_fraction",
                _ => "pg_extract",
            };
            call(name, vec![text(&field), *expr])
        }
        Expr::Ceil { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) } => {
            call("pg_ceil", vec![*expr])
        }
        Expr::Floor { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) } => {
            call("pg_floor", vec![*expr])
        }
        Expr::Position { expr, r#in } => call("strpos", vec![*r#in, *expr]),
        Expr::Substring { expr, substring_from, substring_for, .. } => {
            match (substring_from, substring_for) {
                (Some(pattern), None) if literal(&pattern).is_some() => {
                    call("pg_regexp_substring", vec![*expr, *pattern])
                }
                (from, length) => {
                    let from = from.map_or_else(|| number(1), |from| *from);
                    call("substr", [*expr, from].into_iter().chain(length.map(|length| *length)).collect())
                }
            }
        }
        Expr::Trim { trim_where, trim_what, expr, trim_characters } => {
            let name = match trim_where {
                Some(TrimWhereField::Leading) => "ltrim",
                Some(TrimWhereField::Trailing) => "rtrim",
                _ => "btrim",
            };
            let what = trim_what.map(|what| *what).into_iter().chain(trim_characters.into_iter().flatten());
            call(name, std::iter::once(*expr).chain(what).collect())
        }
        Expr::Overlay { expr, overlay_what, overlay_from, overlay_for } => {
            let args = [*expr, *overlay_what, *overlay_from].into_iter().chain(overlay_for.map(|e| *e));
            call("overlay", args.collect())
        }
        Expr::Case { case_token, end_token, operand, conditions, else_result } => {
            let conditions = match operand {
                None => conditions,
                Some(operand) => conditions
                    .into_iter()
                    .map(|when| CaseWhen {
                        condition: binary((*operand).clone(), Op::Eq, when.condition),
                        result: when.result,
                    })
                    .collect(),
            };
            Expr::Case { case_token, end_token, operand: None, conditions, else_result }
        }
        Expr::Collate { expr, collation } if collation.to_string().trim_matches('"') == "C" => *expr,
        Expr::Interval(interval) => match literal(&interval.value) {
            Some(_) => Expr::Interval(interval),
            None => return Err("an interval that is computed".into()),
        },
        e @ (Expr::Identifier(_)
        | Expr::CompoundIdentifier(_)
        | Expr::CompoundFieldAccess { .. }
        | Expr::IsFalse(_)
        | Expr::IsNotFalse(_)
        | Expr::IsTrue(_)
        | Expr::IsNotTrue(_)
        | Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::IsUnknown(_)
        | Expr::IsNotUnknown(_)
        | Expr::InSubquery { .. }
        | Expr::Nested(_)
        | Expr::Exists { .. }
        | Expr::Subquery(_)
        | Expr::GroupingSets(_)
        | Expr::Cube(_)
        | Expr::Rollup(_)
        | Expr::Tuple(_)
        | Expr::Array(_)) => e,
        e => return Err(format!("the expression {e}")),
    })
}

/// `Week(None)` and the like, by PostgreSQL's names.
fn field_name(field: &DateTimeField) -> String {
    let name = field.to_string().to_lowercase();
    match name.trim_matches(['\'', '"']) {
        "dayofweek" => "dow".into(),
        "dayofyear" => "doy".into(),
        "millisecond" => "milliseconds".into(),
        "microsecond" => "microseconds".into(),
        name => name.to_owned(),
    }
}

fn equal(left: &Expr, right: Expr) -> Result<Expr, String> {
    match (left, right) {
        (Expr::Tuple(left), Expr::Tuple(right)) if left.len() == right.len() => {
            let each = left.iter().zip(right).map(|(left, right)| equal(left, right));
            chain(Op::And, each.collect::<Result<_, _>>()?).ok_or_else(|| "an empty row".into())
        }
        (Expr::Tuple(_), _) => Err("comparing a row with something else".into()),
        (left, right) => Ok(binary(left.clone(), Op::Eq, right)),
    }
}

/// `ANY` and `ALL` over a written list; `= ANY (SELECT …)` as IN.
fn quantified(left: Expr, op: Op, right: Expr, join: Op) -> Result<Expr, String> {
    match right {
        Expr::Nested(right) => quantified(left, op, *right, join),
        Expr::Array(Array { elem, .. }) => {
            let each = elem.into_iter().map(|one| operator(left.clone(), op.clone(), one));
            chain(join, each.collect::<Result<_, _>>()?).map(nested).ok_or_else(|| "an empty list".into())
        }
        Expr::Subquery(subquery) => match (op, join) {
            (Op::Eq, Op::Or) => Ok(Expr::InSubquery { expr: Box::new(left), subquery, negated: false }),
            (Op::NotEq, Op::And) => Ok(Expr::InSubquery { expr: Box::new(left), subquery, negated: true }),
            _ => Err("ANY and ALL of a query with this operator".into()),
        },
        right => match (op, join) {
            (Op::Eq, Op::Or) => Ok(call("array_has", vec![right, left])),
            _ => Err("ANY and ALL of a list that is computed with this operator".into()),
        },
    }
}

fn distinct(a: Expr, b: Expr) -> Expr {
    let null = |e: &Expr| Expr::IsNull(Box::new(nested(e.clone())));
    let (a_null, b_null) = (null(&a), null(&b));
    let one_null = binary(a_null.clone(), Op::Or, b_null.clone());
    let both_null = binary(a_null, Op::And, b_null);
    Expr::Case {
        case_token: AttachedToken::empty(),
        end_token: AttachedToken::empty(),
        operand: None,
        conditions: vec![CaseWhen { condition: one_null, result: not(both_null) }],
        else_result: Some(Box::new(binary(a, Op::NotEq, b))),
    }
}

fn escape(written: Option<&Value>) -> Result<Option<char>, String> {
    match written {
        None => Ok(Some('\\')),
        Some(Value::SingleQuotedString(text)) => {
            let mut chars = text.chars();
            let first = chars.next();
            if chars.next().is_some() { Err("an ESCAPE of several characters".into()) } else { Ok(first) }
        }
        Some(_) => Err("this ESCAPE".into()),
    }
}

/// The pattern with a backslash as its escape.
fn like_pattern(pattern: Expr, any: bool, written: Option<&Value>) -> Result<Expr, String> {
    if any {
        return Err("LIKE ANY".into());
    }
    let escape = escape(written)?;
    if escape == Some('\\') {
        return Ok(pattern);
    }
    let Some(from) = literal(&pattern) else { return Err("ESCAPE with a pattern that is computed".into()) };
    let mut to = String::new();
    let mut chars = from.chars();
    while let Some(c) = chars.next() {
        match c {
            c if Some(c) == escape => {
                to.push('\\');
                to.extend(chars.next());
            }
            '\\' => to.push_str("\\\\"),
            c => to.push(c),
        }
    }
    Ok(text(&to))
}

fn operator(left: Expr, op: Op, right: Expr) -> Result<Expr, String> {
    let regex = |left, right, flags: &str| call("pg_regex_is_match", vec![left, right, text(flags)]);
    let json = |e: Expr| if literal(&e).is_some() { call("pg_to_json", vec![e]) } else { e };
    Ok(match op {
        Op::Arrow => call("pg_json_get", vec![left, right]),
        Op::LongArrow => call("pg_json_get_text", vec![left, right]),
        Op::HashArrow => call("pg_json_path", vec![left, path(right)?]),
        Op::HashLongArrow => call("pg_json_path_text", vec![left, path(right)?]),
        Op::AtArrow => call("pg_json_contains", vec![json(left), json(right)]),
        Op::ArrowAt => call("pg_json_contains", vec![json(right), json(left)]),
        Op::AtQuestion => call("pg_json_path_exists", vec![left, json_path(right)?]),
        Op::AtAt => call("pg_json_path_match", vec![left, json_path(right)?]),
        Op::Question => call("pg_json_has", vec![left, right]),
        Op::QuestionPipe | Op::QuestionAnd => {
            let Expr::Array(Array { elem, .. }) = right else {
                return Err(format!("{op} of a list that is computed"));
            };
            let each = elem.into_iter().map(|key| call("pg_json_has", vec![left.clone(), key])).collect();
            let join = if op == Op::QuestionPipe { Op::Or } else { Op::And };
            nested(chain(join, each).ok_or("an empty list")?)
        }
        Op::StringConcat => call("pg_cat", vec![left, right]),
        Op::PGRegexMatch => regex(left, right, ""),
        Op::PGRegexIMatch => regex(left, right, "i"),
        Op::PGRegexNotMatch => not(regex(left, right, "")),
        Op::PGRegexNotIMatch => not(regex(left, right, "i")),
        Op::PGLikeMatch | Op::PGNotLikeMatch | Op::PGILikeMatch | Op::PGNotILikeMatch => {
            let negated = matches!(op, Op::PGNotLikeMatch | Op::PGNotILikeMatch);
            let (expr, pattern) = (Box::new(left), Box::new(right));
            if matches!(op, Op::PGLikeMatch | Op::PGNotLikeMatch) {
                Expr::Like { negated, any: false, expr, pattern, escape_char: None }
            } else {
                Expr::ILike { negated, any: false, expr, pattern, escape_char: None }
            }
        }
        Op::Overlaps => overlaps(left, right)?,
        Op::Eq if matches!(left, Expr::Tuple(_)) => nested(equal(&left, right)?),
        _ if matches!(left, Expr::Tuple(_)) || matches!(right, Expr::Tuple(_)) => {
            return Err(format!("{op} of rows"));
        }
        Op::Plus
        | Op::Minus
        | Op::Multiply
        | Op::Divide
        | Op::Modulo
        | Op::Eq
        | Op::NotEq
        | Op::Lt
        | Op::LtEq
        | Op::Gt
        | Op::GtEq
        | Op::And
        | Op::Or => Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) },
        op => return Err(format!("the operator {op}")),
    })
}

/// `'{a,b}'`, or a written list of keys.
fn path(e: Expr) -> Result<Expr, String> {
    match e {
        Expr::Array(Array { elem, .. }) => {
            let words: Option<Vec<&str>> = elem.iter().map(literal).collect();
            let words = words.ok_or("a path that is computed")?;
            Ok(text(&format!("{{{}}}", words.join(","))))
        }
        e => Ok(e),
    }
}

/// A JSON path is read once for all rows.
fn json_path(e: Expr) -> Result<Expr, String> {
    let text = literal(&e).ok_or("a JSON path that is computed")?;
    match unreadable_path(text) {
        Some(what) => Err(what),
        None => Ok(e),
    }
}

/// As the standard says it, of times in any order.
fn overlaps(left: Expr, right: Expr) -> Result<Expr, String> {
    let (Expr::Tuple(left), Expr::Tuple(right)) = (left, right) else {
        return Err("OVERLAPS of this".into());
    };
    let ([a, b], [c, d]) = (&left[..], &right[..]) else { return Err("OVERLAPS of this".into()) };
    let ends = |x: &Expr, y: &Expr| {
        let both = || vec![x.clone(), y.clone()];
        (call("least", both()), call("greatest", both()))
    };
    let ((s1, e1), (s2, e2)) = (ends(a, b), ends(c, d));
    let after = |s: &Expr, other_start: &Expr, other_end: &Expr| {
        binary(
            binary(s.clone(), Op::Gt, other_start.clone()),
            Op::And,
            binary(s.clone(), Op::Lt, other_end.clone()),
        )
    };
    let same = binary(s1.clone(), Op::Eq, s2.clone());
    let either = binary(after(&s1, &s2, &e2), Op::Or, after(&s2, &s1, &e1));
    Ok(nested(binary(same, Op::Or, either)))
}
