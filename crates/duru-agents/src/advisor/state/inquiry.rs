//! What is asked, and how a question begins anew on what its conversation knows.

use std::collections::BTreeMap;

use duru_messages::Message;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::advice::{AdviceStatus, AdviceUpdate, Variant};
use super::before::Memories;
use super::execution::Execution;
use super::planning::Planning;
use crate::advisor::ab;
use crate::advisor::plan::Strategy;

/// What is asked. A chat client sends messages, others a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Inquiry {
    /// The question; without one, the last message of the person.
    pub query: Option<String>,
    pub messages: Vec<Message>,
    /// Whether somebody is there to answer questions.
    pub interactive: bool,
    /// Whose memory is used; without one, nobody's.
    pub user: Option<String>,
    /// Which gates run; where nothing is said, those of the variant that the person is in.
    pub variant: Option<Variant>,
    /// Search anew, whatever is known.
    pub force_search: bool,
    /// When it is asked, RFC 3339; now if nobody says.
    pub now: Option<String>,
}

impl Inquiry {
    /// Only a question.
    pub fn question(query: impl Into<String>) -> Self {
        Self { query: Some(query.into()), ..Self::default() }
    }

    /// Begins anew, but for the conversation and what it found.
    pub(in crate::advisor) fn update(self) -> AdviceUpdate {
        let said = self.messages.iter().rev().find(|message| message.is_human());
        let query = self.query.or_else(|| said.map(|message| message.text().into_owned()));
        let query = query.unwrap_or_default().trim().to_owned();
        let messages =
            if self.messages.is_empty() { vec![Message::human(query.as_str())] } else { self.messages };
        let now = self.now.unwrap_or_else(|| Timestamp::now().to_string());
        // Somebody without a name is in no experiment.
        let own =
            self.user.as_deref().filter(|user| !user.is_empty()).map(|user| ab::Variant::of(user).into());
        let variant = self.variant.or(own).unwrap_or_default();
        AdviceUpdate::new()
            .query(query)
            .user(self.user.unwrap_or_default())
            .interactive(self.interactive)
            .variant(variant)
            .force_search(self.force_search)
            .now(now)
            .messages(messages)
            .chat_history(Vec::new())
            .memories(Memories::default())
            .planning(Planning::default())
            .overwrite_steps(Vec::new())
            .strategy(Strategy::default())
            .active_teams(Vec::new())
            .overwrite_completed_teams(Vec::new())
            .overwrite_team_results(BTreeMap::new())
            .execution(Execution::default())
            .overwrite_orchestration_decisions(Vec::new())
            .overwrite_plan_changes(Vec::new())
            .collaboration_plan(None)
            .skip_remaining(false)
            .data_reused(false)
            .reused_data_source(None)
            .sufficiency_result(None)
            .sufficiency_reasoning(String::new())
            .skip_search_reason(None)
            .verify_search_data(false)
            .searched_at_once(false)
            .reused(Vec::new())
            .using_cached_data(false)
            .cached_data_source(None)
            .cached_data_quality(None)
            .user_confirmed(None)
            .overwrite_used(Vec::new())
            .overwrite_faults(Vec::new())
            .execution_review(None)
            .overwrite_execution_metadata(BTreeMap::new())
            .aggregated(None)
            .final_response(None)
            .status(AdviceStatus::Started)
            .overwrite_errors(Vec::new())
            .ended_at(None)
    }
}
