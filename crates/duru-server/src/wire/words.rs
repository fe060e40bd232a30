//! Words that requests choose from. The document names all of a set, and whoever sends another word is told which there
//! are.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

/// A type with one variant for each word. What it is called in requests is part of what a wrong word gets.
macro_rules! words {
    ($(#[$about:meta])* $name:ident in $field:tt { $($variant:ident = $word:tt),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
        $(#[$about])*
        pub(crate) enum $name {
            $(#[serde(rename = $word)] $variant),+
        }

        impl $name {
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),+];

            pub(crate) fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let word = String::deserialize(d)?;
                let known = Self::ALL.iter().copied().find(|known| known.word() == word);
                known.ok_or_else(|| {
                    let all: Vec<&str> = Self::ALL.iter().map(|known| known.word()).collect();
                    D::Error::custom(format!("{} must be one of {}, not {word:?}", $field, all.join(", ")))
                })
            }
        }
    };
}

words! {
    /// What becomes of a run, or of those before it, on a busy thread.
    MultitaskStrategy in "multitask_strategy" {
        Enqueue = "enqueue",
        Reject = "reject",
        Interrupt = "interrupt",
        Rollback = "rollback",
    }
}

words! {
    /// Whether a run's thread is made if it is not there.
    IfNotExists in "if_not_exists" { Create = "create", Reject = "reject" }
}

words! {
    /// What happens if there is one already.
    IfExists in "if_exists" { Raise = "raise", DoNothing = "do_nothing" }
}

words! {
    /// What becomes of a run when whoever watches it goes.
    OnDisconnect in "on_disconnect" { Cancel = "cancel", Continue = "continue" }
}

words! {
    /// What becomes of a thread that was made for one run.
    OnCompletion in "on_completion" { Delete = "delete", Keep = "keep" }
}

words! {
    /// When the steps of a run are stored.
    #[schema(as = Durability)]
    DurabilityWord in "durability" { Sync = "sync", Async = "async", Exit = "exit" }
}

words! {
    /// What a stream shows.
    StreamMode in "stream_mode" {
        Values = "values",
        Updates = "updates",
        Messages = "messages",
        MessagesTuple = "messages-tuple",
        Custom = "custom",
        Debug = "debug",
        Tasks = "tasks",
        Checkpoints = "checkpoints",
        Events = "events",
    }
}

words! {
    /// How a run is stopped: where it is, or as if it had never been.
    CancelAction in "action" { Interrupt = "interrupt", Rollback = "rollback" }
}

words! {
    /// Where a run stands.
    #[schema(as = RunStatus)]
    RunStatusWord in "status" {
        Pending = "pending",
        Running = "running",
        Success = "success",
        Error = "error",
        Timeout = "timeout",
        Interrupted = "interrupted",
    }
}

words! {
    /// Where a thread stands.
    #[schema(as = ThreadStatus)]
    ThreadStatusWord in "status" {
        Idle = "idle",
        Busy = "busy",
        Interrupted = "interrupted",
        Error = "error",
    }
}

words! {
    /// What becomes of threads whose time is over.
    PruneStrategy in "strategy" { Delete = "delete", KeepLatest = "keep_latest" }
}

words! {
    AssistantSort in "sort_by" {
        Created = "created_at",
        Updated = "updated_at",
        Id = "assistant_id",
        Name = "name",
        Graph = "graph_id",
    }
}

words! {
    ThreadSort in "sort_by" {
        Created = "created_at",
        Updated = "updated_at",
        StateUpdated = "state_updated_at",
        Id = "thread_id",
        Status = "status",
    }
}

words! {
    CronSort in "sort_by" {
        Created = "created_at",
        Updated = "updated_at",
        Id = "cron_id",
        Assistant = "assistant_id",
        NextRun = "next_run_date",
    }
}

/// One stream mode or several: requests are read as text, to say which of them is wrong.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only names the shape")]
#[serde(untagged)]
pub(crate) enum StreamModes {
    One(StreamMode),
    Many(Vec<StreamMode>),
}

/// Lists go down unless they are told to go up.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only names the shape: any word but asc means down")]
#[serde(rename_all = "lowercase")]
pub(crate) enum SortOrder {
    Asc,
    Desc,
}

/// Which runs are stopped where none is named.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only names the shape: other statuses are let pass, and nothing fits them")]
#[serde(rename_all = "lowercase")]
pub(crate) enum StoppedRuns {
    Pending,
    Running,
    All,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use utoipa::PartialSchema;

    #[test]
    fn a_word_is_read_written_and_described() {
        for mode in StreamMode::ALL {
            assert_eq!(serde_json::from_value::<StreamMode>(json!(mode)).unwrap(), *mode);
            assert_eq!(json!(mode), mode.word());
        }
        let schema = serde_json::to_value(MultitaskStrategy::schema()).unwrap();
        assert_eq!(schema["enum"], json!(["enqueue", "reject", "interrupt", "rollback"]));
        assert_eq!(serde_json::to_value(SortOrder::schema()).unwrap()["enum"], json!(["asc", "desc"]));
    }

    #[test]
    fn a_wrong_word_is_told_which_there_are() {
        let error = serde_json::from_value::<DurabilityWord>(json!("later")).unwrap_err();
        assert_eq!(error.to_string(), "durability must be one of sync, async, exit, not \"later\"");
    }
}
