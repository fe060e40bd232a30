//! Whether a plan may be divided among processes: whether its pieces give the rows of the whole.
//!
//! Its planner asks how many processes a piece is worth, and not whether an operator may be divided. Here every operator that several
//! carry out looks at rows one by one, or at rows that a shuffle has brought together; whatever else a query needs, it is carried out
//! by one process.

use std::sync::Arc;

use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use datafusion::physical_plan::{Distribution, ExecutionPlan, ExecutionPlanProperties, Partitioning};
use datafusion_distributed::{NetworkBoundaryExt, NetworkShuffleExec};

/// What has to be there before anything else, and once.
const SUBQUERIES: &str = "ScalarSubqueryExec";

/// `plan` is the whole, whose head one process carries out.
pub(crate) fn is_divisible(plan: &Arc<dyn ExecutionPlan>) -> bool {
    partitions(plan) == 1 && plan.children().into_iter().all(|child| is_piece_divisible(child, 1))
}

fn partitions(plan: &Arc<dyn ExecutionPlan>) -> usize {
    plan.output_partitioning().partition_count()
}

fn is_piece_divisible(node: &Arc<dyn ExecutionPlan>, processes: usize) -> bool {
    if let Some(boundary) = node.as_network_boundary() {
        let stage = boundary.input_stage();
        return stage.local_plan().is_some_and(|plan| is_piece_divisible(plan, stage.task_count()));
    }
    let is_divisible = node.name() != SUBQUERIES
        && has_what_it_needs(node, processes)
        && (processes == 1 || may_be_divided(node));
    is_divisible && node.children().into_iter().all(|child| is_piece_divisible(child, processes))
}

/// Nothing that makes one out of many: each process would make one of its own.
fn may_be_divided(node: &Arc<dyn ExecutionPlan>) -> bool {
    let gathers = node.is::<CoalescePartitionsExec>() || node.is::<SortPreservingMergeExec>();
    // The first rows of each part are counted again above; those of anything else are not.
    let is_cut = node.fetch().is_some() && !node.is::<SortExec>();
    !gathers && !is_cut
}

/// Whether all rows that belong together get to the operator together.
fn has_what_it_needs(node: &Arc<dyn ExecutionPlan>, processes: usize) -> bool {
    let needs = node.input_distribution_requirements().into_per_child();
    node.children().into_iter().zip(needs).all(|(child, needed)| {
        let is_one = processes == 1 && partitions(child) == 1;
        match needed {
            Distribution::UnspecifiedDistribution => true,
            Distribution::SinglePartition => is_one,
            Distribution::KeyPartitioned(_) => is_one || is_shuffled(child),
            // The older name of the same, which nothing of ours has.
            _ => false,
        }
    })
}

fn is_shuffled(node: &Arc<dyn ExecutionPlan>) -> bool {
    if node.is_network_boundary() {
        return node.is::<NetworkShuffleExec>();
    }
    if let Some(repartition) = node.downcast_ref::<RepartitionExec>() {
        return matches!(repartition.partitioning(), Partitioning::Hash(..));
    }
    match node.children().as_slice() {
        [child] => is_shuffled(child),
        _ => false,
    }
}
