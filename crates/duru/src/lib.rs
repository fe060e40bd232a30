//! Durable, typed graphs of steps.
//!
//! A [`Graph`] is built from async functions over a [`State`], compiled, and run
//! in steps; on a [`store`] its threads survive crashes, wait for people and can
//! be looked back at. See the repository's `ARCHITECTURE.md` for how.

extern crate self as duru;

mod app;
mod clock;
mod compiled;
mod cx;
mod driver;
mod erased;
mod error;
pub mod failpoint;
mod graph;
mod ids;
mod log;
pub mod memory;
mod options;
mod outcome;
mod past;
mod run;
pub mod state;
mod stepper;
pub mod store;
mod stream;
#[cfg(feature = "testkit")]
pub mod testkit;
mod thread;
mod view;

pub use app::App;
pub use clock::{Clock, SystemClock, TokioClock};
pub use compiled::Compiled;
pub use cx::{AskedBy, Cx, Deadline, GrantedTables, Question, ToolCall};
pub use duru_macros::State;
pub use erased::{ErasedApp, ErasedGraph, ErasedThread, Schemas};
pub use error::{Error, Failure, FailureKind, NodeError, Result};
pub use graph::draw;
pub use graph::{
    Command, CompileError, END, Goto, Graph, Node, Policy, Problem, Reply, Retry, Send, Target, Targets,
    Worker,
};
pub use ids::{
    CheckpointId, Incarnation, InterruptId, InvalidInterruptId, InvalidThreadId, Namespace, RunId, TaskId,
    ThreadId,
};
pub use log::{Breakpoint, EndStatus, RunError, Source};
pub use options::{Durability, Unfinished};
pub use outcome::{NodeFailure, NotDone, Outcome};
pub use past::{
    Edit, EditWrite, Edited, HistoryQuery, Keep, Remembered, RunEnd, RunReport, RunTrace, ThreadLog,
};
pub use run::{Run, RunStream};
pub use state::{Channel, ChannelSet, FieldError, Json, Merge, Overwrites, State, Update};
pub use stream::{Event, LogLook, Mode, Reader, UnknownMode};
pub use thread::{TaskState, Thread, ThreadState};

/// For the derive's generated code only.
#[doc(hidden)]
pub mod __private {
    pub use {duru_messages, schemars, serde, serde_json};
}
