//! Making pieces of syntax trees.

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments,
    Ident, ObjectName, ObjectNamePart, UnaryOperator, Value, ValueWithSpan,
};
use sqlparser::tokenizer::Span;

pub(super) fn ident(name: &str) -> Ident {
    Ident::with_quote('"', name)
}

pub(super) fn object(name: &str) -> ObjectName {
    ObjectName(vec![ObjectNamePart::Identifier(Ident::new(name))])
}

pub(super) fn call(name: &str, args: Vec<Expr>) -> Expr {
    Expr::Function(function(name, args))
}

pub(super) fn function(name: &str, args: Vec<Expr>) -> Function {
    let args = args.into_iter().map(|arg| FunctionArg::Unnamed(FunctionArgExpr::Expr(arg))).collect();
    Function {
        name: object(name),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args,
            clauses: vec![],
        }),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: vec![],
    }
}

pub(super) fn value(value: Value) -> Expr {
    Expr::Value(ValueWithSpan { value, span: Span::empty() })
}

pub(super) fn text(text: &str) -> Expr {
    value(Value::SingleQuotedString(text.to_owned()))
}

pub(super) fn number(n: i64) -> Expr {
    value(Value::Number(n.to_string(), false))
}

pub(super) fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(nested(left)), op, right: Box::new(nested(right)) }
}

pub(super) fn nested(e: Expr) -> Expr {
    match e {
        Expr::BinaryOp { .. } | Expr::UnaryOp { .. } => Expr::Nested(Box::new(e)),
        e => e,
    }
}

pub(super) fn not(e: Expr) -> Expr {
    Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(nested(e)) }
}

/// All of them joined by one operator.
pub(super) fn chain(op: BinaryOperator, all: Vec<Expr>) -> Option<Expr> {
    all.into_iter().reduce(|left, right| binary(left, op.clone(), right))
}

/// The text of a literal.
pub(super) fn literal(e: &Expr) -> Option<&str> {
    match e {
        Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(text), .. }) => Some(text),
        Expr::Nested(e) => literal(e),
        _ => None,
    }
}
