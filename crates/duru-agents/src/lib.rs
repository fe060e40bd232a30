//! The agents: ordinary graphs on the engine, one folder each.
