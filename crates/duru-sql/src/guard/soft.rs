//! Which rows may be seen: the rule of a table, prepared, and whether a query
//! says it itself.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, GroupByExpr, Ident, Query, SelectItem, SetExpr, Statement, UnaryOperator, Value,
    Visit, VisitMut, Visitor, VisitorMut,
};

use super::endless::conjuncts;
use super::from::From;
use super::refusal::{Refusal, Rule};
use super::scope::{Column, Shape};
use super::size::{FLAG, NUMBER, Size, TABLE_ROWS, TEXT};
use super::walk::{Result, Walk};
use crate::catalog::{Kind, Table};

/// A table as every reference to it is written.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    pub(super) schema: String,
    pub(super) name: String,
    pub(super) shape: Shape,
    primary_key: Vec<String>,
    /// The rows and columns that may be seen; none if the rule can't be read.
    pub(super) query: Option<Query>,
    rule: Option<Expr>,
}

impl Prepared {
    pub(super) fn new(table: &Table) -> Self {
        let columns =
            table.columns.iter().map(|column| Column { name: column.name.clone(), size: size(&column.kind) });
        // A large table is like any other; of a small one more may be asked.
        let rows = table.rows.map_or(TABLE_ROWS, |rows| rows.clamp(1, TABLE_ROWS));
        let unique = table.unique.iter().chain([&table.primary_key]).filter(|key| key.len() == 1);
        let foreign = table.foreign_keys.iter().flat_map(|key| &key.columns);
        let keys = unique.flatten().chain(foreign).cloned().collect();
        let shape = Shape { columns: columns.collect(), rows, keys };
        let query = query(table);
        let rule = query
            .as_ref()
            .and_then(|query| query.body.as_select())
            .and_then(|select| select.selection.clone());
        let primary_key = table.primary_key.clone();
        Self { schema: table.schema.clone(), name: table.name.clone(), shape, primary_key, query, rule }
    }

    pub(super) fn full_name(&self) -> String {
        format!("{}.{}", self.schema, self.name)
    }
}

fn size(kind: &Kind) -> Size {
    match kind {
        Kind::Integer | Kind::Bigint | Kind::Numeric | Kind::Double => NUMBER,
        Kind::Text | Kind::Other(_) => TEXT,
        Kind::Boolean => FLAG,
        Kind::Timestamp | Kind::LocalTimestamp | Kind::Date | Kind::Uuid | Kind::Ordered(_) => {
            NUMBER + NUMBER
        }
        Kind::Json => TEXT + TEXT,
    }
}

/// `SELECT columns FROM schema.table WHERE rule`, every name in quotes.
fn query(table: &Table) -> Option<Query> {
    let plain = |name: &str| !name.is_empty() && name.len() <= 63 && !name.contains(['"', '\\', '\0']);
    let names = table.columns.iter().map(|column| column.name.as_str());
    if table.columns.is_empty() || !names.clone().chain([&*table.schema, &*table.name]).all(plain) {
        return None;
    }
    let columns: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    let mut text = format!("SELECT {} FROM \"{}\".\"{}\"", columns.join(", "), table.schema, table.name);
    if let Some(rule) = &table.soft_delete {
        text = format!("{text} WHERE ({rule})");
    }
    let mut statement = super::text::parse(&text).ok()?;
    let Statement::Query(query) = &mut statement else { return None };
    let SetExpr::Select(select) = query.body.as_mut() else { return None };
    let lone = query.with.is_none() && query.order_by.is_none() && query.limit_clause.is_none();
    if !lone
        || select.from.len() != 1
        || !matches!(select.group_by, GroupByExpr::Expressions(ref keys, _) if keys.is_empty())
    {
        return None;
    }
    let selection = match select.selection.take() {
        Some(Expr::Nested(rule)) => {
            let mut rule = *rule;
            // Only the table's own columns, each in quotes.
            let mut quoting = Quoting { table };
            if VisitMut::visit(&mut rule, &mut quoting).is_break() {
                return None;
            }
            Some(rule)
        }
        Some(_) => return None,
        None => None,
    };
    select.selection = selection;
    Some((**query).clone())
}

struct Quoting<'t> {
    table: &'t Table,
}

impl VisitorMut for Quoting<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match expr {
            Expr::Identifier(ident) => match super::names::quote(ident) {
                Ok(name) if self.table.column(&name).is_some() => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            },
            Expr::CompoundIdentifier(_) | Expr::CompoundFieldAccess { .. } => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Walk<'_> {
    /// Notes whether a table's rule was missing from what the query says.
    pub(super) fn own_rules(&mut self, sources: &From) {
        let mut said = Vec::new();
        for condition in &sources.conditions {
            conjuncts(condition, &mut said);
        }
        for (alias, index) in &sources.tables {
            let Some(rule) = self.guard.tables.get(*index).and_then(|table| table.rule.as_ref()) else {
                continue;
            };
            if !said.iter().any(|piece| says(piece, rule, alias)) {
                self.soft_delete_added = true;
            }
        }
    }

    /// A table's key in GROUP BY stands for all its columns; a subquery's does
    /// not, so those that are used are named, too.
    pub(super) fn widen(
        &mut self,
        keys: &mut Vec<Expr>,
        projection: &[SelectItem],
        having: Option<&Expr>,
        sources: &From,
    ) {
        for (alias, index) in &sources.tables {
            let Some(table) = self.guard.tables.get(*index) else { continue };
            let column = |expr: &Expr| match expr {
                Expr::Identifier(ident) if sources.tables.len() == 1 => Some(ident.value.clone()),
                Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                    [relation, column] if relation.value == *alias => Some(column.value.clone()),
                    _ => None,
                },
                _ => None,
            };
            let primary: &[String] = &table.primary_key;
            let usual = ["id".to_owned()];
            let primary = if primary.is_empty() { &usual } else { primary };
            let grouped = |name: &String| keys.iter().any(|key| column(key).as_ref() == Some(name));
            if !primary.iter().all(grouped) {
                continue;
            }
            let mut used = Used { names: Vec::new(), column: &column };
            // It never breaks off.
            let _: ControlFlow<()> = projection.iter().try_for_each(|item| item.visit(&mut used));
            let _: ControlFlow<()> = having.iter().try_for_each(|having| having.visit(&mut used));
            let mut names = used.names;
            let every = projection
                .iter()
                .any(|item| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..)));
            if every {
                names.extend(table.shape.columns.iter().map(|column| column.name.clone()));
            }
            for name in names {
                let known = table.shape.column(&name).is_some();
                if known && !keys.iter().any(|key| column(key).as_deref() == Some(name.as_str())) {
                    let parts = vec![Ident::with_quote('"', alias.clone()), Ident::with_quote('"', name)];
                    keys.push(Expr::CompoundIdentifier(parts));
                }
            }
        }
    }

    /// `TABLE name` is `SELECT * FROM name`.
    pub(super) fn table_command(&mut self, name: Vec<Ident>) -> Result<SetExpr> {
        let name: Vec<String> = name.iter().map(ToString::to_string).collect();
        let refused = || Refusal::new(Rule::Table, name.join("."));
        let plain = |part: &String| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if name.is_empty() || !name.iter().all(plain) {
            return Err(refused());
        }
        match super::text::parse(&format!("SELECT * FROM {}", name.join(".")))? {
            Statement::Query(query) => Ok(*query.body),
            _ => Err(refused()),
        }
    }
}

struct Used<'c> {
    names: Vec<String>,
    column: &'c dyn Fn(&Expr) -> Option<String>,
}

impl Visitor for Used<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.names.extend((self.column)(expr));
        ControlFlow::Continue(())
    }
}

/// Whether a piece of a condition says a rule about a relation.
fn says(piece: &Expr, rule: &Expr, alias: &str) -> bool {
    let piece = unqualified(piece, alias);
    if piece == *rule {
        return true;
    }
    // `deleted = FALSE` can be said in many ways.
    let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = rule else { return false };
    let (Expr::Identifier(_), Some(false)) = (left.as_ref(), truth(right)) else { return false };
    let column = |expr: &Expr| bared(expr) == left.as_ref();
    match &piece {
        Expr::IsFalse(expr) | Expr::IsNotTrue(expr) => column(expr),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => column(expr),
        Expr::BinaryOp { left: one, op: BinaryOperator::Eq, right: other } => {
            column(one) && truth(other) == Some(false) || column(other) && truth(one) == Some(false)
        }
        Expr::BinaryOp { left: one, op: BinaryOperator::NotEq, right: other } => {
            column(one) && truth(other) == Some(true) || column(other) && truth(one) == Some(true)
        }
        _ => false,
    }
}

fn bared(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) => bared(inner),
        other => other,
    }
}

fn truth(expr: &Expr) -> Option<bool> {
    match bared(expr) {
        Expr::Value(value) => match &value.value {
            Value::Boolean(truth) => Some(*truth),
            Value::SingleQuotedString(text) => match text.to_ascii_lowercase().as_str() {
                "f" | "false" | "no" | "off" | "0" => Some(false),
                "t" | "true" | "yes" | "on" | "1" => Some(true),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// A piece of a condition without the relation's name before its columns.
fn unqualified(piece: &Expr, alias: &str) -> Expr {
    struct Baring<'a>(&'a str);
    impl VisitorMut for Baring<'_> {
        type Break = ();
        fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
            if let Expr::CompoundIdentifier(parts) = expr
                && let [relation, column] = parts.as_slice()
                && relation.value == self.0
            {
                *expr = Expr::Identifier(column.clone());
            }
            ControlFlow::Continue(())
        }
    }
    let mut piece = piece.clone();
    // It never breaks off.
    let _: ControlFlow<()> = VisitMut::visit(&mut piece, &mut Baring(alias));
    piece
}
