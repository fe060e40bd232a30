//! Runtimes of their own, for what must go on while nodes keep theirs busy.

use std::future::pending;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Handle};

/// A runtime on a thread of its own, which lasts as long as the process. No node
/// runs there, so that none can keep it from going on, however long it only
/// calculates.
pub fn dedicated_runtime(name: &str) -> std::io::Result<Handle> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    std::thread::Builder::new().name(name.to_owned()).spawn(move || runtime.block_on(pending::<()>()))?;
    Ok(handle)
}

/// Where this process renews its leases. Where there is no room for another
/// thread, that is where the caller runs.
pub fn lease_runtime() -> Handle {
    static RUNTIME: OnceLock<Option<Handle>> = OnceLock::new();
    RUNTIME.get_or_init(|| dedicated_runtime("duru-leases").ok()).clone().unwrap_or_else(Handle::current)
}
