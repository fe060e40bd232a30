//! The scan: segments that can hold matching rows, what is in memory, without the deleted.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use datafusion::arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::catalog::Session;
use datafusion::common::{DFSchema, Result};
use datafusion::datasource::TableProvider;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::datasource::object_store::ObjectStoreUrl;
use datafusion::datasource::physical_plan::parquet::CachedParquetFileReaderFactory;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType, in_list, lit};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{CastExpr, Column};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::union::UnionExec;
use datafusion::prelude::ident;

use super::pushdown;
use crate::columns::{CREATED_AT, ID, SCHEMA, time_in};
use crate::disk::{Segment, Version, times};

/// Where plans find segments: under a root that is each process's own, a folder or a bucket.
pub(crate) fn segments() -> ObjectStoreUrl {
    static URL: LazyLock<ObjectStoreUrl> = LazyLock::new(|| {
        ObjectStoreUrl::parse("duru-logs://segments").unwrap_or_else(|_| ObjectStoreUrl::local_filesystem())
    });
    URL.clone()
}

/// `logs`, with times in the asker's zone.
#[derive(Debug)]
pub(crate) struct LogsTable {
    version: Arc<Version>,
    schema: SchemaRef,
}

impl LogsTable {
    pub(crate) fn new(version: Arc<Version>, zone: &str) -> Self {
        let fields: Vec<_> = SCHEMA
            .fields()
            .iter()
            .enumerate()
            .map(|(i, field)| match i {
                CREATED_AT => Arc::new(Field::new(field.name(), time_in(zone), field.is_nullable())),
                _ => field.clone(),
            })
            .collect();
        Self { version, schema: Arc::new(Schema::new(fields)) }
    }

    fn segments(&self, filters: &[Expr]) -> Vec<&Segment> {
        let (from, to) = pushdown::times(filters);
        let may_match = |segment: &&Segment| segment.meta.times.1 >= from && segment.meta.times.0 <= to;
        self.version.segments.iter().map(Arc::as_ref).filter(may_match).collect()
    }

    /// Which of the deleted lines these segments can hold.
    fn dead(&self, segments: &[&Segment]) -> HashSet<i64> {
        let within = |id: &&i64| segments.iter().any(|s| s.meta.ids.0 <= **id && **id <= s.meta.ids.1);
        self.version.dead.iter().filter(within).copied().collect()
    }

    fn scan_files(
        &self,
        state: &dyn Session,
        columns: &[usize],
        filters: &[Expr],
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let there = self.segments(filters);
        if there.is_empty() {
            return Ok(None);
        }
        let url = segments();
        let runtime = state.runtime_env();
        let reader = CachedParquetFileReaderFactory::new(
            runtime.object_store(&url)?,
            runtime.cache_manager.get_file_metadata_cache(),
        );
        let mut source = ParquetSource::new(SCHEMA.clone())
            .with_parquet_file_reader_factory(Arc::new(reader))
            .with_pushdown_filters(true);
        if let Some(condition) = conjunction(filters.iter().filter_map(pushdown::for_files)) {
            let schema = DFSchema::try_from(SCHEMA.as_ref().clone())?;
            // Only a filter: what the files can't check is checked above.
            if let Ok(condition) = state.create_physical_expr(unqualified(condition)?, &schema) {
                source = source.with_predicate(condition);
            }
        }
        let groups = state.config().target_partitions().clamp(1, there.len());
        let mut files = vec![Vec::new(); groups];
        for (i, segment) in there.iter().enumerate() {
            let mut file = PartitionedFile::new(String::new(), segment.meta.bytes);
            file.object_meta.location = segment.key.clone();
            files[i % groups].push(file);
        }
        let scan = FileScanConfigBuilder::new(url, Arc::new(source))
            .with_file_groups(files.into_iter().map(FileGroup::new).collect())
            .with_projection_indices(Some(columns.to_vec()))?
            .build();
        let plan: Arc<dyn ExecutionPlan> = DataSourceExec::from_data_source(scan);
        self.without_dead(state, plan, self.dead(&there)).map(Some)
    }

    fn scan_memory(
        &self,
        state: &dyn Session,
        columns: &[usize],
        filters: &[Expr],
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let (from, to) = pushdown::times(filters);
        let may_match = |(low, high): (i64, i64)| high >= from && low <= to;
        let batches: Vec<_> =
            self.version.in_memory().filter(|batch| times(batch).is_some_and(may_match)).cloned().collect();
        if batches.is_empty() {
            return Ok(None);
        }
        let groups = state.config().target_partitions().clamp(1, batches.len());
        let mut partitions = vec![Vec::new(); groups];
        for (i, batch) in batches.into_iter().enumerate() {
            partitions[i % groups].push(batch);
        }
        let plan = MemorySourceConfig::try_new_exec(&partitions, SCHEMA.clone(), Some(columns.to_vec()))?;
        self.without_dead(state, plan, self.version.dead.as_ref().clone()).map(Some)
    }

    fn without_dead(
        &self,
        state: &dyn Session,
        plan: Arc<dyn ExecutionPlan>,
        dead: HashSet<i64>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if dead.is_empty() {
            return Ok(plan);
        }
        let schema = DFSchema::try_from(plan.schema().as_ref().clone())?;
        let list = dead.into_iter().map(lit).collect();
        let alive = state.create_physical_expr(in_list(ident("id"), list, true), &schema)?;
        Ok(Arc::new(FilterExec::try_new(alive, plan)?))
    }

    /// The columns that were asked for, times in the asker's zone.
    fn presented(&self, plan: Arc<dyn ExecutionPlan>, wanted: &[usize]) -> Result<Arc<dyn ExecutionPlan>> {
        let from = plan.schema();
        let columns = wanted.iter().map(|&i| {
            let name = self.schema.field(i).name();
            let column = Column::new_with_schema(name, &from)?;
            let kind = self.schema.field(i).data_type();
            let column: Arc<dyn PhysicalExpr> = match i {
                CREATED_AT => Arc::new(CastExpr::new(Arc::new(column), kind.clone(), None)),
                _ => Arc::new(column),
            };
            Ok((column, name.clone()))
        });
        let columns: Vec<_> = columns.collect::<Result<_>>()?;
        Ok(Arc::new(ProjectionExec::try_new(columns, plan)?))
    }
}

/// Columns without the name of their table.
fn unqualified(e: Expr) -> Result<Expr> {
    use datafusion::common::tree_node::{Transformed, TreeNode};
    let done = e.transform(|e| match e {
        Expr::Column(column) if column.relation.is_some() => Ok(Transformed::yes(ident(column.name))),
        e => Ok(Transformed::no(e)),
    })?;
    Ok(done.data)
}

#[async_trait]
impl TableProvider for LogsTable {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        // Inexact: the plan checks them again.
        let can = |filter: &&Expr| match pushdown::for_files(filter) {
            Some(_) => TableProviderFilterPushDown::Inexact,
            None => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(can).collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let wanted: Vec<usize> = projection.cloned().unwrap_or_else(|| (0..SCHEMA.fields().len()).collect());
        let mut read = wanted.clone();
        if !self.version.dead.is_empty() && !read.contains(&ID) {
            read.push(ID);
        }
        let files = self.scan_files(state, &read, filters)?;
        let memory = self.scan_memory(state, &read, filters)?;
        let sources: Vec<_> = files.into_iter().chain(memory).collect();
        if sources.is_empty() {
            return Ok(Arc::new(EmptyExec::new(Arc::new(self.schema.project(&wanted)?))));
        }
        let sources = sources.into_iter().map(|plan| self.presented(plan, &wanted)).collect::<Result<_>>()?;
        UnionExec::try_new(sources)
    }
}
