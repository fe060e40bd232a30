//! What is done to the workers, and to what they depend on.

use duru::testkit::sweep::ENGINE_FAILPOINTS;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Workers are killed, and nothing else.
    Kill,
    /// Some are stopped for longer than a lease and set going again.
    Pause,
    /// The database is stopped at once, and comes back.
    Down,
    /// Connections are cut around commits.
    Cut,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) postgres: bool,
    /// How many processes own the same threads at once.
    pub(crate) owners: usize,
    pub(crate) fault: Fault,
}

const fn scenario(name: &'static str, postgres: bool, owners: usize, fault: Fault) -> Scenario {
    Scenario { name, postgres, owners, fault }
}

/// In the order in which they are run.
pub(crate) const SCENARIOS: &[Scenario] = &[
    scenario("sqlite-one", false, 1, Fault::Kill),
    scenario("pg-one", true, 1, Fault::Kill),
    scenario("sqlite-several", false, 3, Fault::Kill),
    scenario("pg-several", true, 3, Fault::Kill),
    scenario("sqlite-zombie", false, 3, Fault::Pause),
    scenario("pg-zombie", true, 3, Fault::Pause),
    scenario("pg-down", true, 2, Fault::Down),
    scenario("pg-cut", true, 2, Fault::Cut),
];

const SQLITE_FAILPOINTS: &[&str] = &["store.commit.begin", "store.commit.written", "store.commit.done"];
const POSTGRES_FAILPOINTS: &[&str] = &["pg.commit.sent", "pg.commit.unknown", "pg.commit.done"];

impl Scenario {
    /// The failpoints that its workers pass.
    pub(crate) fn failpoints(&self) -> impl Iterator<Item = &'static str> {
        let store = if self.postgres { POSTGRES_FAILPOINTS } else { SQLITE_FAILPOINTS };
        ENGINE_FAILPOINTS.iter().chain(store).copied()
    }
}
