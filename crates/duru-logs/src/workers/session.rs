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
use super::panics;
use super::peers::Mark;
use crate::functions::Clock;
use crate::query::with_functions;
use crate::table::segments;

const NOW: HeaderName = HeaderName::from_static("x-duru-now");
const ZONE: HeaderName = HeaderName::from_static("x-duru-zone");
/// A worker may be another program than it was when it was last looked at.
const VERSION: HeaderName = HeaderName::from_static("x-duru-version");

/// The query's time and zone, for whoever carries a piece of it out, and which version that must be.
pub(super) fn headers(clock: &Clock, version: &str) -> Result<HeaderMap> {
    let bad = |e| DataFusionError::External(Box::new(e));
    let zone = HeaderValue::from_str(&clock.zone_name).map_err(bad)?;
    let version = HeaderValue::from_str(version).map_err(bad)?;
    Ok(HeaderMap::from_iter([(NOW, HeaderValue::from(clock.now)), (ZONE, zone), (VERSION, version)]))
}

fn clock(headers: &HeaderMap) -> Option<Clock> {
    let now = headers.get(NOW)?.to_str().ok()?.parse().ok()?;
    Clock::new(Timestamp::from_microsecond(now).ok()?, headers.get(ZONE)?.to_str().ok()?)
}

pub(super) fn worker(environment: &Arc<RuntimeEnv>, channels: &Channels, mark: &Mark) -> Worker {
    let (channels, reading, version) = (channels.clone(), Arc::clone(environment), mark.version.clone());
    let build = move |asked: WorkerQueryContext| {
        let built = session(asked, channels.clone(), Arc::clone(&reading), &version);
        async move { built }
    };
    Worker::from_session_builder(build).with_runtime_env(Arc::clone(environment)).with_version(mark.text())
}

fn session(
    asked: WorkerQueryContext,
    channels: Channels,
    environment: Arc<RuntimeEnv>,
    version: &str,
) -> Result<SessionState> {
    let bad = |what: &str| DataFusionError::Configuration(what.to_owned());
    if asked.headers.get(VERSION).is_none_or(|wanted| wanted != version) {
        return Err(bad("the plan is for a worker of another version, or of another bucket"));
    }
    let clock = clock(&asked.headers).ok_or_else(|| bad("no time and zone came with the plan"))?;
    let clock = Arc::new(clock);
    let mut builder = asked
        .builder
        .with_distributed_channel_resolver(channels)
        .with_distributed_passthrough_headers(headers(&clock, version)?)?
        .with_distributed_worker_plan_rewrite_handler(move |event: WorkerPlanRewriteEvent<'_>| {
            let piece = panics::guarded(with_cached_footers(event.plan, &environment)?)?;
            Ok(WorkerPlanRewriteEventResponse::new(piece))
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
