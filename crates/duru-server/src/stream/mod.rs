//! Watching runs over HTTP.
