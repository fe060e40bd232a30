//! One DataFusion session per query: its functions know the query's clock.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use datafusion::catalog::TableProvider;
use datafusion::common::{DataFusionError, TableReference};
use datafusion::execution::SessionState;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::object_store::ObjectStore;
use datafusion::optimizer::{Analyzer, AnalyzerRule};
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion::sql::parser::Statement;
use duru_sql::{Answer, Asking, Error, Fault};
use futures_util::StreamExt;
use jiff::Timestamp;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use super::encode::Encoder;
use super::failure::failed;
use crate::Options;
use crate::dialect::{Operators, Types, translate};
use crate::functions::{Clock, aggregates, scalars};
use crate::table::segments;

/// What carries out queries: threads of their own, and memory for all together.
pub(crate) struct Engine {
    environment: Arc<RuntimeEnv>,
    /// None only while it is being dropped.
    runtime: Option<Runtime>,
    threads: usize,
    place: Option<String>,
}

/// Where segments are.
pub(crate) struct Root {
    pub(crate) store: Arc<dyn ObjectStore>,
    /// What a bucket is called.
    pub(crate) place: Option<String>,
}

/// A query, what it may read, and when it is asked.
pub(crate) struct Question {
    pub(crate) sql: String,
    pub(crate) tables: Vec<(String, Arc<dyn TableProvider>)>,
    pub(crate) now: Timestamp,
}

/// Ends a query whose asker is gone.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Engine {
    /// Spills to the folder, and finds segments under the root.
    pub(crate) fn new(options: &Options, spill: &Path, root: Option<Root>) -> Result<Self, Error> {
        let cant = |e: &dyn std::fmt::Display| Error::Unavailable {
            reason: format!("can't start the query engine: {e}"),
        };
        let environment = RuntimeEnvBuilder::new()
            .with_memory_pool(Arc::new(FairSpillPool::new(options.query_memory)))
            .with_temp_file_path(spill)
            .with_max_temp_directory_size(options.spill_bytes)
            .with_metadata_cache_limit(16 << 20)
            .build_arc()
            .map_err(|e| cant(&e))?;
        let place = root.and_then(|Root { store, place }| {
            drop(environment.register_object_store(segments().as_ref(), store));
            place
        });
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = options.threads.unwrap_or(cores).max(1);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads)
            .thread_name("logs-query")
            .enable_all()
            .build()
            .map_err(|e| cant(&e))?;
        Ok(Self { environment, runtime: Some(runtime), threads, place })
    }

    /// Runs beside the queries until it ends, or the engine does.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.runtime {
            drop(runtime.spawn(work));
        }
    }

    /// Runs off the caller's threads; ends early when told, or when nobody waits any more.
    pub(crate) async fn ask(&self, question: Question, asking: &Asking) -> Result<Answer, Error> {
        let begun = Instant::now();
        let Some(runtime) = &self.runtime else { return Err(Error::Cancelled) };
        let clock =
            Clock::new(question.now, &asking.timezone).ok_or(Error::Query { fault: Fault::NoTimeZone })?;
        let (environment, threads, limits) = (self.environment.clone(), self.threads, asking.limits);
        let place = self.place.clone();
        let work = async move {
            let clock = Arc::new(clock);
            let failed = |e: &DataFusionError| failed(e, place.as_deref());
            let state = session(environment, threads, &clock);
            let plan = planned(state, question, place.as_deref()).await?;
            let mut encoder = Encoder::new(&plan.schema(), clock, limits);
            let context = Arc::new(datafusion::execution::TaskContext::from(&plan.state));
            let mut batches = execute_stream(plan.physical, context).map_err(|e| failed(&e))?;
            while let Some(batch) = batches.next().await {
                let batch = batch.map_err(|e| failed(&e))?;
                if encoder.take(&batch).map_err(|e| failed(&e))?.is_break() {
                    break;
                }
            }
            Ok(encoder)
        };
        let mut work = AbortOnDrop(runtime.spawn(work));
        let encoder = tokio::select! {
            done = &mut work.0 => match done {
                Ok(done) => done?,
                Err(_) => return Err(Error::Query { fault: Fault::Other }),
            },
            () = asking.cancel.cancelled() => return Err(Error::Cancelled),
            () = tokio::time::sleep(limits.time) => return Err(Error::TimedOut { limit: limits.time }),
        };
        Ok(encoder.finish(begun.elapsed()))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Dropping it would wait, which async code must not.
            runtime.shutdown_background();
        }
    }
}

fn session(environment: Arc<RuntimeEnv>, threads: usize, clock: &Arc<Clock>) -> SessionState {
    let mut config = SessionConfig::new().with_target_partitions(threads).with_information_schema(false);
    let options = config.options_mut();
    options.sql_parser.parse_float_as_decimal = true;
    options.sql_parser.map_string_types_to_utf8view = false;
    options.execution.time_zone = Some(clock.zone_name.clone());
    options.optimizer.max_passes = 3;
    let functions = scalars(clock);
    let operators = Operators::new(&functions);
    let mut rules: Vec<Arc<dyn AnalyzerRule + Send + Sync>> = vec![Arc::new(Types(operators.calls()))];
    rules.extend(Analyzer::new().rules);
    let mut state = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(environment)
        .with_default_features()
        .with_analyzer_rules(rules)
        .build();
    let mut planners = state.expr_planners().to_vec();
    planners.insert(0, Arc::new(operators));
    state = SessionStateBuilder::new_from_existing(state).with_expr_planners(planners).build();
    for function in functions {
        register(datafusion::execution::FunctionRegistry::register_udf(&mut state, function));
    }
    for function in aggregates() {
        register(datafusion::execution::FunctionRegistry::register_udaf(&mut state, function));
    }
    state
}

/// Registering in memory can't fail; what it replaces is of no interest.
fn register<T>(result: Result<T, DataFusionError>) {
    drop(result);
}

struct Planned {
    state: SessionState,
    physical: Arc<dyn ExecutionPlan>,
}

impl Planned {
    fn schema(&self) -> datafusion::arrow::datatypes::SchemaRef {
        self.physical.schema()
    }
}

async fn planned(state: SessionState, question: Question, place: Option<&str>) -> Result<Planned, Error> {
    let failed = |e: &DataFusionError| failed(e, place);
    let statement = translate(&question.sql)?;
    let context = SessionContext::new_with_state(state);
    for (name, table) in question.tables {
        context.register_table(TableReference::partial("public", name), table).map_err(|e| failed(&e))?;
    }
    let state = context.state();
    let statement = Statement::Statement(Box::new(statement));
    let plan = state.statement_to_plan(statement).await.map_err(|e| failed(&e))?;
    let physical = state.create_physical_plan(&plan).await.map_err(|e| failed(&e))?;
    Ok(Planned { state, physical })
}
