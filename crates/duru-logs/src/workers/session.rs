//! What a worker carries a piece of a plan out with: the functions of the query, by its time and its zone.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::physical_plan::parquet::CachedParquetFileReaderFactory;
use datafusion::datasource::physical_plan::{FileScanConfig, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::SessionState;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_distributed::{
    DistributedExt, Worker, WorkerPlanRewriteEvent, WorkerPlanRewriteEventResponse, WorkerQueryContext,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;

use super::channels::Channels;
use crate::functions::Clock;
use crate::query::with_functions;
use crate::table::segments;

const NOW: HeaderName = HeaderName::from_static("x-duru-now");
const ZONE: HeaderName = HeaderName::from_static("x-duru-zone");

/// The query's time and zone, for whoever carries a piece of it out.
pub(super) fn headers(clock: &Clock) -> Result<HeaderMap> {
    let bad = |e| DataFusionError::External(Box::new(e));
    let zone = HeaderValue::from_str(&clock.zone_name).map_err(bad)?;
    Ok(HeaderMap::from_iter([(NOW, HeaderValue::from(clock.now)), (ZONE, zone)]))
}

fn clock(headers: &HeaderMap) -> Option<Clock> {
    let now = headers.get(NOW)?.to_str().ok()?.parse().ok()?;
    Clock::new(Timestamp::from_microsecond(now).ok()?, headers.get(ZONE)?.to_str().ok()?)
}

pub(super) fn worker(environment: &Arc<RuntimeEnv>, channels: &Channels, version: String) -> Worker {
    let (channels, reading) = (channels.clone(), Arc::clone(environment));
    let build = move |asked: WorkerQueryContext| {
        let built = session(asked, channels.clone(), Arc::clone(&reading));
        async move { built }
    };
    Worker::from_session_builder(build).with_runtime_env(Arc::clone(environment)).with_version(version)
}

fn session(
    asked: WorkerQueryContext,
    channels: Channels,
    environment: Arc<RuntimeEnv>,
) -> Result<SessionState> {
    let clock = clock(&asked.headers)
        .ok_or_else(|| DataFusionError::Configuration("no time and zone came with the plan".into()))?;
    let clock = Arc::new(clock);
    let mut builder = asked
        .builder
        .with_distributed_channel_resolver(channels)
        .with_distributed_passthrough_headers(headers(&clock)?)?
        .with_distributed_worker_plan_rewrite_handler(move |event: WorkerPlanRewriteEvent<'_>| {
            Ok(WorkerPlanRewriteEventResponse::new(with_cached_footers(event.plan, &environment)?))
        });
    if let Some(config) = builder.config() {
        config.options_mut().execution.time_zone = Some(clock.zone_name.clone());
    }
    Ok(with_functions(builder.build(), &clock))
}

/// How files are opened does not travel with a plan: their footers are kept here as for queries of one's own.
fn with_cached_footers(
    plan: Arc<dyn ExecutionPlan>,
    environment: &RuntimeEnv,
) -> Result<Arc<dyn ExecutionPlan>> {
    let store = environment.object_store(segments())?;
    let footers = environment.cache_manager.get_file_metadata_cache();
    let cached = plan.transform_up(|node| {
        let Some(scan) = node.downcast_ref::<DataSourceExec>() else { return Ok(Transformed::no(node)) };
        let Some(files) = scan.data_source().downcast_ref::<FileScanConfig>() else {
            return Ok(Transformed::no(node));
        };
        let Some(parquet) = files.file_source.downcast_ref::<ParquetSource>() else {
            return Ok(Transformed::no(node));
        };
        let reader = CachedParquetFileReaderFactory::new(store.clone(), footers.clone());
        let source = parquet.clone().with_parquet_file_reader_factory(Arc::new(reader));
        let files = FileScanConfigBuilder::from(files.clone()).with_source(Arc::new(source)).build();
        Ok(Transformed::yes(DataSourceExec::from_data_source(files) as Arc<dyn ExecutionPlan>))
    })?;
    Ok(cached.data)
}
