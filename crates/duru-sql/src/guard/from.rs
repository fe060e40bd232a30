//! FROM: tables, subqueries, functions, joins.

use std::rc::Rc;

use sqlparser::ast::{
    Expr, FunctionArg, Ident, Join, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, Query, Spanned,
    Statement, TableAlias, TableFactor, TableFunctionArgs, TableSample, TableSampleKind, TableSampleMethod,
    TableSampleModifier, TableSampleSeedModifier, TableWithJoins, Value,
};

use super::functions::{self, Use};
use super::guard::Flaw;
use super::names::{parts, quote};
use super::refusal::{Refusal, Rule};
use super::scope::{Column, Relation, Scope, Shape};
use super::size::{NUMBER, Size, TEXT};
use super::walk::{Result, Walk, absent, constant};

/// What one FROM clause and its conditions say.
#[derive(Debug, Default)]
pub(super) struct From {
    /// Tables of the catalog: alias and index.
    pub(super) tables: Vec<(String, usize)>,
    pub(super) conditions: Vec<Expr>,
    /// Relations that USING joins, and whether by a column that tells rows apart.
    pub(super) links: Vec<(usize, usize, bool)>,
}

impl Walk<'_> {
    pub(super) fn item(
        &mut self,
        item: &mut TableWithJoins,
        scope: &mut Scope<'_>,
        sources: &mut From,
    ) -> Result<()> {
        let TableWithJoins { relation, joins } = item;
        let first = scope.relations.len();
        self.factor(relation, scope, sources, false)?;
        for Join { relation, global, join_operator } in joins {
            absent(*global, "GLOBAL JOIN")?;
            let before = scope.relations.len();
            self.factor(relation, scope, sources, true)?;
            let constraint = match join_operator {
                JoinOperator::Join(constraint)
                | JoinOperator::Inner(constraint)
                | JoinOperator::Left(constraint)
                | JoinOperator::LeftOuter(constraint)
                | JoinOperator::Right(constraint)
                | JoinOperator::RightOuter(constraint)
                | JoinOperator::FullOuter(constraint)
                | JoinOperator::CrossJoin(constraint) => constraint,
                other => return Err(Refusal::new(Rule::Construct, format!("{other:?}"))),
            };
            match constraint {
                JoinConstraint::On(on) => {
                    self.expr(on, scope)?;
                    sources.conditions.push(on.clone());
                }
                JoinConstraint::Using(columns) => {
                    for column in columns {
                        let span = column.span();
                        let name = parts(column)?;
                        let [name] = name.as_slice() else {
                            return Err(Refusal::new(Rule::Column, name.join(".")).at(span));
                        };
                        let has = |relations: &[Relation]| {
                            relations.iter().any(|relation| relation.shape.column(name).is_some())
                        };
                        if !has(&scope.relations[first..before]) || !has(&scope.relations[before..]) {
                            return Err(super::names::unknown(&Ident::new(name)).at(span));
                        }
                        let by_key =
                            scope.relations[first..].iter().any(|relation| relation.shape.is_key(name));
                        sources.links.push((first, before, by_key));
                    }
                }
                JoinConstraint::Natural => sources.links.push((first, before, true)),
                JoinConstraint::None => {}
            }
        }
        Ok(())
    }

    fn factor(
        &mut self,
        factor: &mut TableFactor,
        scope: &mut Scope<'_>,
        sources: &mut From,
        joined: bool,
    ) -> Result<()> {
        self.count_relation()?;
        let span = factor.span();
        match factor {
            TableFactor::Table {
                name,
                alias,
                args,
                with_hints,
                version,
                with_ordinality,
                partitions,
                json_path,
                sample,
                index_hints,
            } => {
                absent(!with_hints.is_empty() || !index_hints.is_empty(), "table hints")?;
                absent(version.is_some() || json_path.is_some() || !partitions.is_empty(), "table version")?;
                match args {
                    Some(TableFunctionArgs { args, settings }) => {
                        absent(settings.is_some(), "SETTINGS")?;
                        absent(sample.is_some(), "TABLESAMPLE")?;
                        let relation =
                            self.rows_function(name, args, alias.as_mut(), *with_ordinality, scope)?;
                        self.stop_clock(factor, &relation)?;
                        push(relation, scope, span)
                    }
                    None => {
                        absent(*with_ordinality, "WITH ORDINALITY")?;
                        self.table(factor, scope, sources, joined)
                    }
                }
            }
            TableFactor::Derived { lateral, subquery, alias, sample } => {
                absent(sample.is_some(), "TABLESAMPLE")?;
                let ctes = Rc::clone(&scope.ctes);
                let outer = if *lateral { Some(&*scope) } else { scope.outer };
                let shape = self.query(subquery, outer, &ctes)?;
                let relation = self.aliased(shape, alias.as_mut(), *lateral)?;
                push(relation, scope, span)
            }
            TableFactor::Function { lateral: _, name, args, with_ordinality, alias } => {
                let relation = self.rows_function(name, args, alias.as_mut(), *with_ordinality, scope)?;
                self.stop_clock(factor, &relation)?;
                push(relation, scope, span)
            }
            TableFactor::UNNEST { alias, array_exprs, with_offset, with_offset_alias, with_ordinality } => {
                absent(*with_offset || with_offset_alias.is_some(), "WITH OFFSET")?;
                let mut columns = Vec::new();
                for expr in array_exprs {
                    let size = self.expr(expr, scope)?;
                    columns.push(Column { name: "unnest".into(), size: size + TEXT });
                }
                let relation = self.function_relation(columns, alias.as_mut(), *with_ordinality, 10)?;
                push(relation, scope, span)
            }
            TableFactor::NestedJoin { table_with_joins, alias } => {
                absent(alias.is_some(), "(… JOIN …) AS")?;
                self.deeper(|walk| walk.item(table_with_joins, scope, sources))
            }
            other => Err(Refusal::new(Rule::Construct, other.to_string()).at(span)),
        }
    }

    /// A name of a WITH clause, or a table, which becomes the rows of it that may be seen.
    fn table(
        &mut self,
        factor: &mut TableFactor,
        scope: &mut Scope<'_>,
        sources: &mut From,
        joined: bool,
    ) -> Result<()> {
        let span = factor.span();
        let TableFactor::Table { name, alias, sample, .. } = factor else {
            return Err(Refusal::new(Rule::Construct, factor.to_string()).at(span));
        };
        let words = parts(name)?;
        if let [word] = words.as_slice()
            && let Some(named) = scope.cte(word)
        {
            absent(sample.is_some(), "TABLESAMPLE")?;
            let Some(shape) = &named.shape else {
                return Err(Refusal::new(Rule::Recursion, word).at(span));
            };
            self.itself += usize::from(named.itself);
            let mut shape = shape.as_ref().clone();
            let name = match alias {
                Some(alias) => {
                    self.rename(alias, &mut shape)?;
                    alias.name.value.clone()
                }
                None => word.clone(),
            };
            let shape = Rc::new(shape);
            let relation = Relation { name: Some(name), schema: None, shape, lateral: false };
            return push(relation, scope, span);
        }
        let unknown = || Refusal::new(Rule::Table, words.join(".")).at(span);
        let found = match self.guard.table(&words) {
            None if self.guard.flaw(Flaw::AnyTable) => return Ok(()),
            found => found,
        };
        let (index, prepared) = found.ok_or_else(unknown)?;
        if self
            .guard
            .extra
            .no_tables
            .iter()
            .any(|name| *name == prepared.name || *name == prepared.full_name())
        {
            return Err(Refusal::new(Rule::Extra, words.join(".")).at(span));
        }
        let query =
            prepared.query.as_ref().ok_or_else(|| Refusal::new(Rule::Catalog, words.join(".")).at(span))?;
        let mut query: Query = query.clone();
        if let Some(sample) = sample {
            let sample = self.sample(sample)?;
            place_sample(&mut query, sample)?;
        }
        let mut shape = prepared.shape.clone();
        let (alias, schema) = match alias.take() {
            Some(mut alias) => {
                self.rename(&mut alias, &mut shape)?;
                (alias, None)
            }
            None => {
                let name = Ident::with_quote('"', prepared.name.clone());
                let alias = TableAlias { explicit: true, name, columns: Vec::new(), at: None };
                (alias, Some(prepared.schema.clone()))
            }
        };
        let name = alias.name.value.clone();
        sources.tables.push((name.clone(), index));
        *factor = if joined && self.guard.flaw(Flaw::JoinedAsIs) {
            let name = ObjectName(vec![
                ObjectNamePart::Identifier(Ident::with_quote('"', prepared.schema.clone())),
                ObjectNamePart::Identifier(Ident::with_quote('"', prepared.name.clone())),
            ]);
            TableFactor::Table {
                name,
                alias: Some(TableAlias { explicit: true, ..alias }),
                args: None,
                with_hints: Vec::new(),
                version: None,
                with_ordinality: false,
                partitions: Vec::new(),
                json_path: None,
                sample: None,
                index_hints: Vec::new(),
            }
        } else {
            TableFactor::Derived {
                lateral: false,
                subquery: Box::new(query),
                alias: Some(TableAlias { explicit: true, ..alias }),
                sample: None,
            }
        };
        let relation = Relation { name: Some(name), schema, shape: Rc::new(shape), lateral: false };
        push(relation, scope, span)
    }

    /// A sample, of constants only.
    fn sample(&mut self, sample: &TableSampleKind) -> Result<TableSampleKind> {
        let (TableSampleKind::BeforeTableAlias(sample) | TableSampleKind::AfterTableAlias(sample)) = sample;
        let TableSample { modifier, name, quantity, seed, bucket, offset } = sample.as_ref();
        let method = matches!(name, Some(TableSampleMethod::Bernoulli | TableSampleMethod::System));
        let percent = quantity.as_ref().is_some_and(|quantity| {
            quantity.parenthesized
                && quantity.unit.is_none()
                && matches!(quantity.value, Expr::Value(_))
                && constant(&quantity.value).is_some()
        });
        let seeded = seed.as_ref().is_none_or(|seed| {
            matches!(seed.modifier, TableSampleSeedModifier::Repeatable)
                && matches!(seed.value.value, Value::Number(_, false))
        });
        let plain =
            matches!(modifier, TableSampleModifier::TableSample) && bucket.is_none() && offset.is_none();
        absent(!(method && percent && seeded && plain), "TABLESAMPLE of anything but constants")?;
        Ok(TableSampleKind::AfterTableAlias(sample.clone()))
    }

    /// A function in FROM.
    fn rows_function(
        &mut self,
        name: &mut ObjectName,
        args: &mut [FunctionArg],
        alias: Option<&mut TableAlias>,
        with_ordinality: bool,
        scope: &Scope<'_>,
    ) -> Result<Relation> {
        let (word, how) = match self.function(name) {
            Err(_) if self.guard.flaw(Flaw::AnyFunctionInFrom) => (name.to_string(), Use::Rows(&[])),
            checked => checked?,
        };
        let sizes = self.arguments(&word, args, scope)?;
        let all: Size = sizes.into_iter().sum();
        let rows = if word == "generate_series" { super::series::rows(args)? } else { 10 };
        let columns: Vec<Column> = match how {
            Use::Scalar | Use::Clock | Use::Rows([]) => {
                let size = if word == "generate_series" { NUMBER + NUMBER } else { all + NUMBER };
                vec![Column { name: word.clone(), size }]
            }
            Use::Rows(names) => {
                names.iter().map(|name| Column { name: (*name).into(), size: all + TEXT }).collect()
            }
            Use::Record => {
                let given = alias.as_ref().map_or(0, |alias| alias.columns.len());
                let typed = alias
                    .as_ref()
                    .is_some_and(|alias| alias.columns.iter().all(|column| column.data_type.is_some()));
                if given == 0 || !typed {
                    return Err(Refusal::new(Rule::Function, format!("{word} AS x(name type, …)")));
                }
                vec![Column { name: String::new(), size: all + TEXT }; given]
            }
            Use::Aggregate | Use::Gather | Use::Window => return Err(Refusal::new(Rule::Function, word)),
        };
        let typed =
            alias.as_ref().is_some_and(|alias| alias.columns.iter().any(|column| column.data_type.is_some()));
        absent(typed && how != Use::Record, "column types of a function")?;
        let rows = if matches!(how, Use::Scalar | Use::Clock) { 1 } else { rows };
        let mut relation = self.function_relation(columns, alias, with_ordinality, rows)?;
        if relation.name.is_none() {
            relation.name = Some(word);
        }
        Ok(relation)
    }

    /// A clock in FROM that stands still becomes a row of its own.
    fn stop_clock(&self, factor: &mut TableFactor, relation: &Relation) -> Result<()> {
        let (TableFactor::Table { name, alias, with_ordinality, .. }
        | TableFactor::Function { name, alias, with_ordinality, .. }) = factor
        else {
            return Ok(());
        };
        let word = name.to_string();
        let (Some(clock), Some(Use::Clock)) = (&self.guard.clock, functions::find(&word)) else {
            return Ok(());
        };
        absent(*with_ordinality, "WITH ORDINALITY")?;
        let column = relation.shape.columns.first().map_or(word.as_str(), |column| &column.name);
        let query = match super::text::parse(&format!("SELECT {} AS \"{column}\"", clock.moment(&word)))? {
            Statement::Query(query) => query,
            _ => return Err(Refusal::new(Rule::Construct, word)),
        };
        let name = Ident::with_quote('"', relation.name.clone().unwrap_or(word));
        let alias =
            alias.take().unwrap_or(TableAlias { explicit: true, name, columns: Vec::new(), at: None });
        *factor = TableFactor::Derived { lateral: false, subquery: query, alias: Some(alias), sample: None };
        Ok(())
    }

    fn function_relation(
        &mut self,
        mut columns: Vec<Column>,
        alias: Option<&mut TableAlias>,
        with_ordinality: bool,
        rows: u64,
    ) -> Result<Relation> {
        // PostgreSQL calls a lone column without a name of its own like the alias.
        if let (Some(alias), [column]) = (&alias, columns.as_mut_slice())
            && column.name != "value"
        {
            column.name = super::names::fold(&alias.name);
        }
        if with_ordinality {
            columns.push(Column { name: "ordinality".into(), size: NUMBER });
        }
        let shape = Shape { columns, rows, keys: Vec::new() };
        let mut relation = self.aliased(shape, alias, rows <= 10)?;
        if relation.name.is_none() {
            relation.name = relation.shape.columns.first().map(|column| column.name.clone());
        }
        Ok(relation)
    }

    fn aliased(
        &mut self,
        mut shape: Shape,
        alias: Option<&mut TableAlias>,
        lateral: bool,
    ) -> Result<Relation> {
        let name = match alias {
            Some(alias) => {
                let name = quote(&mut alias.name)?;
                self.rename(alias, &mut shape)?;
                Some(name)
            }
            None => None,
        };
        Ok(Relation { name, schema: None, shape: Rc::new(shape), lateral })
    }

    /// A function's name, its use, and the name as it is written from now on.
    pub(super) fn function(&mut self, name: &mut ObjectName) -> Result<(String, Use)> {
        let span = name.span();
        let words = parts(name)?;
        let refused = || Refusal::new(Rule::Function, words.join(".")).at(span);
        let word = match words.as_slice() {
            [word] => word,
            [schema, word] if schema == "pg_catalog" => word,
            _ => return Err(refused()),
        };
        let how = match functions::find(word) {
            Some(how) => how,
            None => return Err(refused()),
        };
        if self.guard.extra.no_functions.iter().any(|name| name == word) {
            return Err(Refusal::new(Rule::Extra, word).at(span));
        }
        let word = word.clone();
        // The names on our list can be read in one way only, without quotes, too;
        // some of them are PostgreSQL's own grammar, which quotes would undo.
        name.0 = vec![ObjectNamePart::Identifier(Ident::new(word.clone()))];
        Ok((word, how))
    }
}

fn place_sample(query: &mut Query, sample: TableSampleKind) -> Result<()> {
    let select = match query.body.as_mut() {
        sqlparser::ast::SetExpr::Select(select) => select,
        _ => return Err(Refusal::new(Rule::Construct, "TABLESAMPLE")),
    };
    match select.from.first_mut().map(|from| &mut from.relation) {
        Some(TableFactor::Table { sample: place, .. }) => {
            *place = Some(sample);
            Ok(())
        }
        _ => Err(Refusal::new(Rule::Construct, "TABLESAMPLE")),
    }
}

fn push(relation: Relation, scope: &mut Scope<'_>, span: sqlparser::tokenizer::Span) -> Result<()> {
    let same = |other: &Relation| relation.name.is_some() && other.name == relation.name;
    if scope.relations.iter().any(same) {
        return Err(Refusal::new(Rule::Ambiguous, relation.name.unwrap_or_default()).at(span));
    }
    scope.relations.push(relation);
    Ok(())
}
