//! Versions of a schema, and which programs may work on it.
//!
//! Replicas are replaced one by one. While some are newer, the others go on, and start again, on a schema that has had
//! migrations they do not know. So each migration says which version a program has to know to work after it, and the
//! schema keeps that where programs that do not know the migration find it.

use tokio_postgres::{Error, Row};

/// One step of a schema; the n-th (from 1) leads to version n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migration {
    /// The schema version that a program must know to go on working after this step. A step that only adds what older
    /// programs do not look at keeps that of the step before; one after which they would fail, or do something wrong,
    /// names its own version.
    pub oldest: u32,
    /// Its statements.
    pub sql: &'static str,
}

/// What a schema says of itself to a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SchemaVersion {
    /// How many migrations it has had.
    pub found: i64,
    /// The version that those of them ask for which the program does not know; 0 if it knows them all.
    pub oldest: i64,
}

impl SchemaVersion {
    /// The statement that reads it from a table of migrations, for a program that knows so many.
    pub fn query(migrations: &str, known: u32) -> String {
        // A table that an older program made has no column `oldest`. A migration that says nothing is one for programs
        // that know it.
        format!(
            "SELECT coalesce(max(m.version), 0), \
             coalesce(max(coalesce((to_jsonb(m) ->> 'oldest')::bigint, m.version)) \
                 FILTER (WHERE m.version > {known}), 0) FROM {migrations} AS m"
        )
    }

    /// The answer to it.
    ///
    /// # Errors
    /// If that is something else.
    pub fn read(row: Option<&Row>) -> Result<Self, Error> {
        let Some(row) = row else { return Ok(Self::default()) };
        Ok(Self { found: row.try_get(0)?, oldest: row.try_get(1)? })
    }

    /// Whether a program that knows so many migrations may work on it.
    ///
    /// ```
    /// use duru_postgres::SchemaVersion;
    ///
    /// let only_additions = SchemaVersion { found: 12, oldest: 10 };
    /// assert!(only_additions.admits(10));
    /// assert!(!only_additions.admits(9));
    /// ```
    pub fn admits(self, known: u32) -> bool {
        self.oldest <= i64::from(known)
    }

    /// Says once, when it is opened, that a newer program has been there; `what` names the schema.
    pub fn tell_if_newer(self, known: u32, what: impl std::fmt::Display) {
        let Self { found, oldest } = self;
        if found > i64::from(known) {
            tracing::warn!(
                "{what} has version {found}, and this program knows {known}: it goes on, because version {oldest} is \
                 enough for what was added; bring this program up to date as well"
            );
        }
    }
}

/// The statement that makes a table of migrations, or gives one that an older program made what it lacks.
pub fn migrations_table(migrations: &str) -> String {
    format!(
        "CREATE TABLE IF NOT EXISTS {migrations} \
             (version bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), oldest bigint); \
         ALTER TABLE {migrations} ADD COLUMN IF NOT EXISTS oldest bigint"
    )
}

/// The statement that notes that a migration was done.
pub fn note_migration(migrations: &str, version: i64, oldest: u32) -> String {
    format!("INSERT INTO {migrations} (version, oldest) VALUES ({version}, {oldest})")
}
