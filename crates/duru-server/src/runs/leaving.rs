//! Runs that only one client wants.

use crate::stream::Leave;

/// Stops a run when it is dropped, unless it was told to stay.
pub struct Leaving(pub(super) Leave);

impl Leaving {
    /// The run is over, or somebody else wants it.
    pub fn stay(&mut self) {
        self.0.armed = false;
    }
}
