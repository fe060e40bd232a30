//! One DataFusion session per query: its functions know the query's clock.

use std::path::Path;
use std::sync::{Arc, OnceLock};
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
use datafusion_distributed::DistributedExec;
use duru_sql::{Answer, Asking, Error, Fault, Limits};
use futures_util::StreamExt;
use jiff::Timestamp;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use super::encode::Encoder;
use super::failure::{failed, is_of_the_query};
use super::one_store::OneStore;
use crate::Options;
use crate::dialect::{Operators, Types, translate};
use crate::functions::{Clock, aggregates, scalars};
use crate::table::segments;
use crate::workers::{WorkerOptions, Workers, WorkersSeen, is_divisible};

/// What carries out queries: threads of their own, and memory for all together.
pub(crate) struct Engine {
    environment: Arc<RuntimeEnv>,
    /// None only while it is being dropped.
    runtime: Option<Runtime>,
    threads: usize,
    place: Option<Arc<str>>,
    /// None where every query is carried out here.
    workers: OnceLock<Arc<Workers>>,
}

/// Where segments are.
pub(crate) struct Root {
    pub(crate) store: Arc<dyn ObjectStore>,
    /// What a bucket is called.
    pub(crate) place: Option<String>,
}

/// A query, what it may read, and when it is asked.
#[derive(Clone)]
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
            .with_object_store_registry(Arc::new(OneStore::default()))
            .build_arc()
            .map_err(|e| cant(&e))?;
        let place = root.and_then(|Root { store, place }| {
            drop(environment.register_object_store(segments().as_ref(), store));
            place.map(Arc::from)
        });
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = options.threads.unwrap_or(cores).max(1);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads)
            .thread_name("logs-query")
            .enable_all()
            .build()
            .map_err(|e| cant(&e))?;
        Ok(Self { environment, runtime: Some(runtime), threads, place, workers: OnceLock::new() })
    }

    /// Runs beside the queries until it ends, or the engine does.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.runtime {
            drop(runtime.spawn(work));
        }
    }

    /// From now on, spreads queries over workers and, where there is a listener, works for others.
    pub(crate) async fn work_together(
        &self,
        options: WorkerOptions,
        listener: Option<TcpListener>,
    ) -> Result<(), Error> {
        let secret = options.secret.clone();
        let place = self.place.as_deref().unwrap_or_default();
        let workers = Arc::new(Workers::new(options, &self.environment, place)?);
        if self.workers.set(Arc::clone(&workers)).is_err() {
            return Err(Error::Unavailable { reason: "workers were named before".into() });
        }
        if let Some(listener) = listener {
            let worker = Arc::clone(&workers);
            self.spawn(async move { worker.serve(listener, secret).await });
        }
        workers.look().await;
        self.spawn(workers.watch());
        Ok(())
    }

    /// None where every query is carried out here.
    pub(crate) fn workers_seen(&self) -> Option<WorkersSeen> {
        self.workers.get().map(|workers| workers.seen())
    }

    /// Runs off the caller's threads; ends early when told, or when nobody waits any more.
    pub(crate) async fn ask(&self, question: Question, asking: &Asking) -> Result<Answer, Error> {
        let begun = Instant::now();
        let Some(runtime) = &self.runtime else { return Err(Error::Cancelled) };
        let clock =
            Clock::new(question.now, &asking.timezone).ok_or(Error::Query { fault: Fault::NoTimeZone })?;
        let limits = asking.limits;
        let work = Work {
            environment: self.environment.clone(),
            threads: self.threads,
            place: self.place.clone(),
            clock: Arc::new(clock),
            limits,
        };
        let workers = self.workers.get().filter(|workers| workers.are_there()).cloned();
        let mut work = AbortOnDrop(runtime.spawn(async move { work.together(question, workers).await }));
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

/// What a query is carried out with.
struct Work {
    environment: Arc<RuntimeEnv>,
    threads: usize,
    place: Option<Arc<str>>,
    clock: Arc<Clock>,
    limits: Limits,
}

impl Work {
    /// With workers, where there are any and the plan may be divided. What goes wrong with one is no fault of the query: it is
    /// carried out once more, here alone.
    async fn together(&self, question: Question, workers: Option<Arc<Workers>>) -> Result<Encoder, Error> {
        if let Some(workers) = workers
            && let Ok(plan) = self.planned(question.clone(), Some(&workers)).await
        {
            if !plan.physical.is::<DistributedExec>() {
                return self.carried_out(plan).await;
            }
            if is_divisible(&plan.physical) {
                match self.carried_out(plan).await {
                    Ok(rows) => {
                        workers.count_distributed();
                        return Ok(rows);
                    }
                    Err(error) if is_of_the_query(&error) => return Err(error),
                    Err(_) => workers.count_fallback(),
                }
            }
        }
        let plan = self.planned(question, None).await?;
        self.carried_out(plan).await
    }

    async fn planned(&self, question: Question, workers: Option<&Workers>) -> Result<Planned, Error> {
        let state = self.session(workers).map_err(|e| failed(&e, self.place.as_deref()))?;
        planned(state, question, self.place.as_deref()).await
    }

    async fn carried_out(&self, plan: Planned) -> Result<Encoder, Error> {
        let failed = |e: &DataFusionError| failed(e, self.place.as_deref());
        let mut encoder = Encoder::new(&plan.schema(), Arc::clone(&self.clock), self.limits);
        let context = Arc::new(datafusion::execution::TaskContext::from(&plan.state));
        let mut batches = execute_stream(plan.physical, context).map_err(|e| failed(&e))?;
        while let Some(batch) = batches.next().await {
            let batch = batch.map_err(|e| failed(&e))?;
            if encoder.take(&batch).map_err(|e| failed(&e))?.is_break() {
                break;
            }
        }
        Ok(encoder)
    }

    fn session(&self, workers: Option<&Workers>) -> datafusion::common::Result<SessionState> {
        let mut config =
            SessionConfig::new().with_target_partitions(self.threads).with_information_schema(false);
        let options = config.options_mut();
        options.sql_parser.parse_float_as_decimal = true;
        options.sql_parser.map_string_types_to_utf8view = false;
        options.execution.time_zone = Some(self.clock.zone_name.clone());
        options.optimizer.max_passes = 3;
        let operators = Operators::new(&scalars(&self.clock));
        let mut rules: Vec<Arc<dyn AnalyzerRule + Send + Sync>> = vec![Arc::new(Types(operators.calls()))];
        rules.extend(Analyzer::new().rules);
        let mut builder = SessionStateBuilder::new()
            .with_config(config)
            .with_runtime_env(self.environment.clone())
            .with_default_features()
            .with_analyzer_rules(rules);
        if let Some(workers) = workers {
            builder = workers.spreading(builder, &self.clock)?;
        }
        let state = builder.build();
        let mut planners = state.expr_planners().to_vec();
        planners.insert(0, Arc::new(operators));
        let state = SessionStateBuilder::new_from_existing(state).with_expr_planners(planners).build();
        Ok(with_functions(state, &self.clock))
    }
}

/// Makes the functions of a query known, by its time and zone.
pub(crate) fn with_functions(mut state: SessionState, clock: &Arc<Clock>) -> SessionState {
    for function in scalars(clock) {
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
