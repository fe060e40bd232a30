//! Requests over real connections: through proxies, to servers with certificates of their own, and to nowhere inside.

mod certificates;
mod private;
mod proxies;
mod support;
