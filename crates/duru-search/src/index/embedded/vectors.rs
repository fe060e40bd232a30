//! The vectors of segments, read once.

use std::collections::HashMap;
use std::sync::Arc;

use tantivy::SegmentReader;
use tantivy::index::SegmentId;

use super::{Error, engine};
use crate::index::packed::Matrix;

/// The vectors of the segments that are there now.
#[derive(Default)]
pub(super) struct Cache {
    segments: HashMap<SegmentId, Arc<Matrix>>,
}

impl Cache {
    /// The segment's vectors. Segments never change; those that are gone are forgotten.
    pub(super) fn of(&mut self, segment: &SegmentReader) -> Result<Arc<Matrix>, Error> {
        if let Some(matrix) = self.segments.get(&segment.segment_id()) {
            return Ok(Arc::clone(matrix));
        }
        let matrix = Arc::new(read(segment)?);
        self.segments.insert(segment.segment_id(), Arc::clone(&matrix));
        Ok(matrix)
    }

    pub(super) fn keep_only(&mut self, segments: &[SegmentReader]) {
        self.segments.retain(|id, _| segments.iter().any(|segment| segment.segment_id() == *id));
    }
}

/// One row for each of a segment's documents that has a vector.
fn read(segment: &SegmentReader) -> Result<Matrix, Error> {
    let mut matrix = Matrix::default();
    let Some(column) = segment.fast_fields().bytes("vector").map_err(engine)? else { return Ok(matrix) };
    let mut packed = Vec::new();
    for doc in 0..segment.max_doc() {
        let Some(ord) = column.term_ords(doc).next() else { continue };
        packed.clear();
        column.ord_to_bytes(ord, &mut packed).map_err(|error| Error::Engine(error.into()))?;
        matrix.push(doc, &packed)?;
    }
    Ok(matrix)
}
