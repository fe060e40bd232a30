//! Queries: WITH, set operations, ORDER BY, LIMIT.

use std::rc::Rc;

use sqlparser::ast::{
    Cte, Distinct, Expr, Fetch, Ident, LimitClause, OffsetRows, OrderBy, OrderByExpr, OrderByKind, Query,
    SetExpr, SetOperator, SetQuantifier, Spanned, TableAlias, Values, With,
};

use super::endless;
use super::names::quote;
use super::refusal::{Refusal, Rule};
use super::scope::{Column, Ctes, Named, Scope, Shape};
use super::size::TABLE_ROWS;
use super::walk::{Result, Walk, absent, constant};

impl Walk<'_> {
    pub(super) fn query<'o>(
        &mut self,
        query: &mut Query,
        outer: Option<&'o Scope<'o>>,
        ctes: &Rc<Ctes>,
    ) -> Result<Shape> {
        self.deeper(|walk| walk.one_query(query, outer, ctes))
    }

    fn one_query<'o>(
        &mut self,
        query: &mut Query,
        outer: Option<&'o Scope<'o>>,
        ctes: &Rc<Ctes>,
    ) -> Result<Shape> {
        let Query {
            with,
            body,
            order_by,
            limit_clause,
            fetch,
            locks,
            for_clause,
            settings,
            format_clause,
            pipe_operators,
        } = query;
        absent(!locks.is_empty(), "FOR UPDATE, FOR SHARE")?;
        absent(for_clause.is_some(), "FOR XML, FOR JSON")?;
        absent(settings.is_some(), "SETTINGS")?;
        absent(format_clause.is_some(), "FORMAT")?;
        absent(!pipe_operators.is_empty(), "|>")?;
        let ctes = match with {
            Some(with) => self.with(with, outer, ctes)?,
            None => Rc::clone(ctes),
        };
        let (mut shape, scope) = self.body(body, outer, &ctes)?;
        if let Some(order_by) = order_by {
            self.order_by(order_by, &scope)?;
        }
        let beside = Scope::new(outer, ctes);
        let limit = self.limit(limit_clause.as_mut(), fetch.as_mut(), &beside)?;
        if let Some(limit) = limit {
            shape.rows = shape.rows.min(limit.max(1));
        }
        Ok(shape)
    }

    fn with<'o>(
        &mut self,
        with: &mut With,
        outer: Option<&'o Scope<'o>>,
        ctes: &Rc<Ctes>,
    ) -> Result<Rc<Ctes>> {
        let With { with_token: _, recursive, cte_tables } = with;
        if *recursive && self.guard.extra.no_recursion {
            return Err(Refusal::new(Rule::Extra, "WITH RECURSIVE"));
        }
        let mut names = Vec::with_capacity(cte_tables.len());
        for cte in cte_tables.iter_mut() {
            let span = cte.alias.name.span;
            let name = quote(&mut cte.alias.name)?;
            if names.contains(&name) {
                return Err(Refusal::new(Rule::Ambiguous, name).at(span));
            }
            names.push(name);
        }
        let mut known: Ctes = ctes.as_ref().clone();
        for (index, cte) in cte_tables.iter_mut().enumerate() {
            let mut visible = known.clone();
            if *recursive {
                // PostgreSQL lets these name what comes later, and themselves.
                let closed = names[index..].iter().map(|name| Named {
                    name: name.clone(),
                    shape: None,
                    itself: false,
                });
                visible.extend(closed);
            }
            let shape = self.cte(cte, &names[index], *recursive, outer, visible)?;
            known.push(Named { name: names[index].clone(), shape: Some(Rc::new(shape)), itself: false });
        }
        Ok(Rc::new(known))
    }

    fn cte<'o>(
        &mut self,
        cte: &mut Cte,
        name: &str,
        recursive: bool,
        outer: Option<&'o Scope<'o>>,
        mut visible: Ctes,
    ) -> Result<Shape> {
        let Cte { alias, query, from, materialized: _, closing_paren_token: _ } = cte;
        absent(from.is_some(), "WITH … FROM")?;
        let plain = query.with.is_none() && query.order_by.is_none() && query.limit_clause.is_none();
        let union = matches!(query.body.as_ref(), SetExpr::SetOperation { op: SetOperator::Union, .. });
        if !(recursive && plain && union) {
            let mut shape = self.query(query, outer, &Rc::new(visible))?;
            self.rename(alias, &mut shape)?;
            return Ok(shape);
        }
        let SetExpr::SetOperation { left, op: _, set_quantifier, right } = query.body.as_mut() else {
            return Err(Refusal::new(Rule::Construct, name));
        };
        quantifier(*set_quantifier)?;
        self.count_set_operation()?;
        let (mut shape, _) = self.body(left, outer, &Rc::new(visible.clone()))?;
        self.rename(alias, &mut shape)?;
        shape.rows = shape.rows.max(TABLE_ROWS);
        if let Some(closed) = visible.iter_mut().rev().find(|named| named.name == name) {
            closed.shape = Some(Rc::new(shape.clone()));
            closed.itself = true;
        }
        let before = self.itself;
        self.recursive += 1;
        let walked = self.body(right, outer, &Rc::new(visible));
        self.recursive -= 1;
        walked?;
        match self.itself - before {
            0 => {}
            1 if endless::ends(right, name) => {}
            1 => return Err(Refusal::new(Rule::Endless, name).at(right.span())),
            _ => return Err(Refusal::new(Rule::Recursion, name).at(right.span())),
        }
        // What stands beside the union is walked like that of any other query.
        let Query { with, body: _, order_by, limit_clause, fetch, locks, for_clause, .. } = query.as_ref();
        let beside = with.is_some() || order_by.is_some() || limit_clause.is_some() || fetch.is_some();
        absent(
            beside || !locks.is_empty() || for_clause.is_some(),
            "ORDER BY or LIMIT of a recursive query",
        )?;
        absent(query.settings.is_some() || query.format_clause.is_some(), "SETTINGS")?;
        absent(!query.pipe_operators.is_empty(), "|>")?;
        Ok(shape)
    }

    /// The columns' names as an alias gives them.
    pub(super) fn rename(&mut self, alias: &mut TableAlias, shape: &mut Shape) -> Result<()> {
        let TableAlias { explicit: _, name, columns, at } = alias;
        absent(at.is_some(), "AT")?;
        quote(name)?;
        if columns.len() > shape.columns.len() {
            return Err(Refusal::new(Rule::Column, name.value.clone()).at(name.span));
        }
        for (column, given) in shape.columns.iter_mut().zip(columns) {
            column.name = quote(&mut given.name)?;
            if let Some(data_type) = &mut given.data_type {
                self.data_type(data_type, given.name.span)?;
            }
        }
        Ok(())
    }

    /// What comes between WITH and ORDER BY; the scope is that of ORDER BY.
    pub(super) fn body<'o>(
        &mut self,
        body: &mut SetExpr,
        outer: Option<&'o Scope<'o>>,
        ctes: &Rc<Ctes>,
    ) -> Result<(Shape, Scope<'o>)> {
        match body {
            SetExpr::Select(select) => self.select(select, outer, ctes),
            SetExpr::Query(query) => {
                let shape = self.query(query, outer, ctes)?;
                Ok(only_outputs(shape, outer, ctes))
            }
            SetExpr::SetOperation { left, op, set_quantifier, right } => {
                self.count_set_operation()?;
                quantifier(*set_quantifier)?;
                let extra = &self.guard.extra;
                let forbidden = match op {
                    SetOperator::Union => extra.no_union || extra.no_set_operations,
                    SetOperator::Except | SetOperator::Intersect => extra.no_set_operations,
                    SetOperator::Minus => return Err(Refusal::new(Rule::Construct, "MINUS")),
                };
                if forbidden {
                    return Err(Refusal::new(Rule::Extra, op.to_string()).at(right.span()));
                }
                let (mut shape, other) = self
                    .deeper(|walk| Ok((walk.body(left, outer, ctes)?.0, walk.body(right, outer, ctes)?.0)))?;
                for (column, other) in shape.columns.iter_mut().zip(other.columns) {
                    column.size = column.size.max(other.size);
                }
                shape.rows = shape.rows.saturating_add(other.rows);
                Ok(only_outputs(shape, outer, ctes))
            }
            SetExpr::Values(values) => {
                let shape = self.values(values, outer, ctes)?;
                Ok(only_outputs(shape, outer, ctes))
            }
            SetExpr::Table(table) => {
                let mut name = Vec::new();
                name.extend(table.schema_name.as_deref());
                name.extend(table.table_name.as_deref());
                let name = name.into_iter().map(Ident::new).collect::<Vec<_>>();
                **table = sqlparser::ast::Table { table_name: None, schema_name: None };
                *body = self.table_command(name)?;
                self.body(body, outer, ctes)
            }
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => {
                Err(Refusal::new(Rule::NotAQuery, body.to_string()).at(body.span()))
            }
        }
    }

    fn values<'o>(
        &mut self,
        values: &mut Values,
        outer: Option<&'o Scope<'o>>,
        ctes: &Rc<Ctes>,
    ) -> Result<Shape> {
        let Values { explicit_row, value_keyword, rows } = values;
        absent(*explicit_row || *value_keyword, "VALUES ROW")?;
        let scope = Scope::new(outer, Rc::clone(ctes));
        let mut shape = Shape { columns: Vec::new(), rows: rows.len() as u64, keys: Vec::new() };
        for row in rows {
            for (index, expr) in row.content.iter_mut().enumerate() {
                let size = self.expr(expr, &scope)?;
                match shape.columns.get_mut(index) {
                    Some(column) => column.size = column.size.max(size),
                    None => shape.columns.push(Column { name: format!("column{}", index + 1), size }),
                }
            }
        }
        Ok(shape)
    }

    fn order_by(&mut self, order_by: &mut OrderBy, scope: &Scope<'_>) -> Result<()> {
        let OrderBy { kind, interpolate } = order_by;
        absent(interpolate.is_some(), "INTERPOLATE")?;
        match kind {
            OrderByKind::Expressions(keys) => self.keys(keys, scope),
            OrderByKind::All(_) => Err(Refusal::new(Rule::Construct, "ORDER BY ALL")),
        }
    }

    pub(super) fn keys(&mut self, keys: &mut [OrderByExpr], scope: &Scope<'_>) -> Result<()> {
        for OrderByExpr { expr, options: _, with_fill } in keys {
            absent(with_fill.is_some(), "WITH FILL")?;
            self.expr(expr, scope)?;
        }
        Ok(())
    }

    /// How many rows are left, if that is a constant.
    fn limit(
        &mut self,
        clause: Option<&mut LimitClause>,
        fetch: Option<&mut Fetch>,
        scope: &Scope<'_>,
    ) -> Result<Option<u64>> {
        let mut most: Option<u64> = None;
        let mut bound = |walk: &mut Self, expr: &mut Expr| -> Result<()> {
            walk.expr(expr, scope)?;
            let number = constant(expr).map(|number| number.max(0.0) as u64);
            if let (Some(allowed), given) = (walk.guard.extra.max_limit, number)
                && given.is_none_or(|given| given > allowed)
            {
                return Err(Refusal::new(Rule::Extra, format!("LIMIT > {allowed}")).at(expr.span()));
            }
            most = number;
            Ok(())
        };
        match clause {
            None => {}
            Some(LimitClause::LimitOffset { limit, offset, limit_by }) => {
                absent(!limit_by.is_empty(), "LIMIT BY")?;
                if let Some(limit) = limit {
                    bound(self, limit)?;
                }
                if let Some(offset) = offset {
                    match offset.rows {
                        OffsetRows::None | OffsetRows::Row | OffsetRows::Rows => {}
                    }
                    self.expr(&mut offset.value, scope)?;
                }
            }
            Some(LimitClause::OffsetCommaLimit { .. }) => {
                return Err(Refusal::new(Rule::Construct, "LIMIT a, b"));
            }
        }
        if let Some(Fetch { with_ties: _, percent, quantity }) = fetch {
            absent(*percent, "FETCH PERCENT")?;
            match quantity {
                Some(quantity) => bound(self, quantity)?,
                None => most = Some(1),
            }
        }
        Ok(most)
    }

    /// DISTINCT, and whether it is there.
    pub(super) fn distinct(&mut self, distinct: Option<&mut Distinct>, scope: &Scope<'_>) -> Result<bool> {
        match distinct {
            None | Some(Distinct::All) => Ok(false),
            Some(Distinct::Distinct) => Ok(true),
            Some(Distinct::On(keys)) => {
                for key in keys {
                    self.expr(key, scope)?;
                }
                Ok(true)
            }
        }
    }
}

fn only_outputs<'o>(shape: Shape, outer: Option<&'o Scope<'o>>, ctes: &Rc<Ctes>) -> (Shape, Scope<'o>) {
    let mut scope = Scope::new(outer, Rc::clone(ctes));
    scope.outputs.clone_from(&shape.columns);
    (shape, scope)
}

fn quantifier(quantifier: SetQuantifier) -> Result<()> {
    match quantifier {
        SetQuantifier::All | SetQuantifier::Distinct | SetQuantifier::None => Ok(()),
        SetQuantifier::ByName | SetQuantifier::AllByName | SetQuantifier::DistinctByName => {
            Err(Refusal::new(Rule::Construct, "BY NAME"))
        }
    }
}
