//! A panic in the middle of a piece is an error, and no end of its rows.
//!
//! What sends rows to another process takes a part whose task has died for one that is exhausted.

use std::any::Any;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties,
    ReplaceChildrenOptions,
};
use datafusion_distributed::BroadcastExec;
use futures_util::StreamExt as _;

/// Has the piece tell of panics. Its head is exchanged for another where rows are sent to several, so it stays the head.
pub(super) fn guarded(piece: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let is_exchanged = piece.is::<RepartitionExec>() || piece.is::<BroadcastExec>();
    match piece.children().as_slice() {
        [below] if is_exchanged => {
            let below = Arc::new(PanicGuard { piece: Arc::clone(below) });
            piece
                .replace_children(vec![below], ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
        }
        _ => Ok(Arc::new(PanicGuard { piece })),
    }
}

#[derive(Debug)]
struct PanicGuard {
    piece: Arc<dyn ExecutionPlan>,
}

impl DisplayAs for PanicGuard {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PanicGuard")
    }
}

impl ExecutionPlan for PanicGuard {
    fn name(&self) -> &'static str {
        "PanicGuard"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.piece.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.piece]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let piece = children.into_iter().next().unwrap_or_else(|| Arc::clone(&self.piece));
        Ok(Arc::new(Self { piece }))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let rows = self.piece.execute(partition, context)?;
        let schema = rows.schema();
        let rows =
            AssertUnwindSafe(rows).catch_unwind().map(|row| row.unwrap_or_else(|panic| Err(error(&*panic))));
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }
}

fn error(panic: &(dyn Any + Send)) -> DataFusionError {
    let said = panic.downcast_ref::<&str>().map(|said| (*said).to_owned());
    let said = said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    DataFusionError::Execution(format!("a worker's thread has died: {said}"))
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::RecordBatch;
    use datafusion::arrow::datatypes::Schema;
    use datafusion::arrow::datatypes::SchemaRef;
    use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};

    use super::*;

    #[derive(Debug)]
    struct Dying(SchemaRef);

    impl PartitionStream for Dying {
        fn schema(&self) -> &SchemaRef {
            &self.0
        }

        fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
            let batch = RecordBatch::new_empty(Arc::clone(&self.0));
            let mut rows = 0;
            let rows = futures_util::stream::poll_fn(move |_| {
                rows += 1;
                assert!(rows < 2, "no more");
                std::task::Poll::Ready(Some(Ok(batch.clone())))
            });
            Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.0), rows))
        }
    }

    #[tokio::test]
    async fn a_piece_that_dies_fails_and_does_not_end() {
        let schema: SchemaRef = Arc::new(Schema::empty());
        let dying = Arc::new(Dying(Arc::clone(&schema)));
        let piece = StreamingTableExec::try_new(schema, vec![dying], None, vec![], false, None).unwrap();
        let piece = guarded(Arc::new(piece)).unwrap();
        let rows: Vec<_> = piece.execute(0, Arc::default()).unwrap().collect().await;
        assert!(rows[0].is_ok());
        let error = rows[1].as_ref().unwrap_err().to_string();
        assert!(error.contains("no more"), "{error}");
    }
}
