//! Diagnoses of a store: one line per check, with advice.

use serde::Serialize;

/// Severity of a diagnosis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DiagnosisLevel {
    Ok,
    /// Works, but perhaps not as expected.
    Warning,
    /// Does not work.
    Fault,
}

/// Result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// Subject of the check, in one or two words.
    pub check: &'static str,
    pub verdict: DiagnosisLevel,
    /// What the check found.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

impl Diagnosis {
    /// Creates a diagnosis without problems.
    pub fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, verdict: DiagnosisLevel::Ok, message: message.into(), advice: None }
    }

    /// Creates a diagnosis of something that works but needs attention.
    pub fn warning(check: &'static str, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { check, verdict: DiagnosisLevel::Warning, message: message.into(), advice: Some(advice.into()) }
    }

    /// Creates a diagnosis of something that does not work.
    pub fn fault(check: &'static str, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { check, verdict: DiagnosisLevel::Fault, message: message.into(), advice: Some(advice.into()) }
    }
}

/// Facts about a PostgreSQL server, as queried by [`FACTS`] (one row, in this order). The schema
/// version is queried separately, because the schema may not exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostgresFacts {
    /// `server_version_num`, e.g. 150004.
    pub version_number: i64,
    pub version: String,
    /// PostGIS version in this database, and the version that could be installed.
    pub postgis: Option<String>,
    pub postgis_available: Option<String>,
    pub citus: Option<String>,
    /// Number of frontier tables that Citus distributes, and their total number.
    pub spread: (usize, usize),
    pub max_connections: i64,
    pub connections: i64,
    /// Whether the user may create a schema in this database.
    pub may_create: bool,
    /// The server's clock, in microseconds since 1970.
    pub clock: i64,
    pub synchronous_commit: String,
    pub encoding: String,
    /// The server is a read-only replica.
    pub is_replica: bool,
    /// Whether the user may install available extensions.
    pub is_superuser: bool,
    /// The clock of this machine at the time of the query.
    pub own_clock: i64,
    /// Version of our tables; `None` if there are none yet.
    pub schema: Option<u32>,
    /// Version that this program knows.
    pub known_schema: u32,
}

/// Query for [`PostgresFacts`].
pub const FACTS: &str = "SELECT current_setting('server_version_num')::bigint, current_setting('server_version'), \
     (SELECT extversion FROM pg_extension WHERE extname = 'postgis'), \
     (SELECT default_version FROM pg_available_extensions WHERE name = 'postgis'), \
     (SELECT extversion FROM pg_extension WHERE extname = 'citus'), \
     current_setting('max_connections')::bigint, (SELECT count(*) FROM pg_stat_activity), \
     has_database_privilege(current_database(), 'CREATE'), \
     (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, current_setting('synchronous_commit'), \
     getdatabaseencoding()::text, pg_is_in_recovery(), current_setting('is_superuser') = 'on'";

/// Oldest supported server version.
const OLDEST: i64 = 140_000;
/// Maximum number of connections per process.
const PER_PROCESS: i64 = 16;
/// Clock difference above which a warning is given, in microseconds.
const SKEW: i64 = 60_000_000;

/// Derives diagnoses from the facts.
pub fn diagnose(facts: &PostgresFacts) -> Vec<Diagnosis> {
    let mut found = Vec::new();
    let version = format!("PostgreSQL {}", facts.version);
    found.push(if facts.version_number < OLDEST {
        Diagnosis::fault("server", version, "Geotrawl needs PostgreSQL 14 or newer")
    } else if facts.is_replica {
        let advice = "use the primary server in --store";
        Diagnosis::fault("server", format!("{version}, a read-only replica"), advice)
    } else {
        Diagnosis::ok("server", version)
    });
    found.push(match (&facts.postgis, &facts.postgis_available) {
        (Some(version), _) => Diagnosis::ok("postgis", format!("PostGIS {version}")),
        (None, Some(version)) if facts.is_superuser => {
            let message = format!("PostGIS {version} is available; the first process that writes installs it");
            Diagnosis::ok("postgis", message)
        }
        (None, Some(version)) => Diagnosis::fault(
            "postgis",
            format!("PostGIS {version} is available on the server but not installed in this database"),
            "ask a database administrator to run CREATE EXTENSION postgis",
        ),
        (None, None) => Diagnosis::fault(
            "postgis",
            "PostGIS is not installed on the server",
            "install it there (for example, package postgresql-15-postgis-3), then run CREATE EXTENSION postgis",
        ),
    });
    if let Some(version) = &facts.citus {
        found.push(match facts.spread {
            (0, _) => Diagnosis::ok(
                "citus",
                format!(
                    "Citus {version}; `geotrawl store distribute` distributes the frontier over its nodes"
                ),
            ),
            (spread, all) if spread < all => Diagnosis::warning(
                "citus",
                format!("Citus {version}: {spread} of {all} frontier tables are distributed over its nodes"),
                "run `geotrawl store distribute`to distribute the others",
            ),
            _ => {
                Diagnosis::ok("citus", format!("Citus {version}: the frontier is distributed over its nodes"))
            }
        });
    }
    found.push(match facts.schema {
        Some(schema) if schema > facts.known_schema => Diagnosis::fault(
            "schema",
            format!("version {schema}; this program supports up to {}", facts.known_schema),
            "use a newer geotrawl",
        ),
        Some(schema) if schema < facts.known_schema => Diagnosis::warning(
            "schema",
            format!("version {schema}; this program has version {}", facts.known_schema),
            "the next process that opens the store for writing upgrades it; other processes can keep running",
        ),
        Some(schema) => Diagnosis::ok("schema", format!("version {schema}")),
        None if facts.may_create => {
            Diagnosis::ok("schema", "none yet; the first process that writes creates it")
        }
        None => Diagnosis::fault(
            "schema",
            "none yet, and this user may not create one",
            "GRANT CREATE ON DATABASE ... TO the user of --store, or create the schema as its owner",
        ),
    });
    let left = facts.max_connections - facts.connections;
    found.push(if left < PER_PROCESS {
        Diagnosis::warning(
            "connections",
            format!("{} of {} are in use", facts.connections, facts.max_connections),
            format!(
                "each process may use up to {PER_PROCESS}; raise max_connections or use a connection pooler"
            ),
        )
    } else {
        let processes = left / PER_PROCESS;
        let message =
            format!("{left} of {} free, enough for {processes} more processes", facts.max_connections);
        Diagnosis::ok("connections", message)
    });
    let skew = facts.clock.saturating_sub(facts.own_clock);
    let seconds = skew.unsigned_abs() / 1_000_000;
    found.push(if skew.abs() > SKEW {
        let message = format!("this machine's clock differs from the database server's by {seconds} s");
        Diagnosis::warning(
            "clock",
            message,
            "leases use the database's clock, but times in records will be wrong: use NTP",
        )
    } else {
        Diagnosis::ok("clock", "matches the database server's")
    });
    if facts.encoding != "UTF8" {
        let advice = "create the database with ENCODING 'UTF8'";
        found.push(Diagnosis::fault("encoding", format!("the database uses {}", facts.encoding), advice));
    }
    if facts.synchronous_commit == "off" {
        found.push(Diagnosis::warning(
            "durability",
            "synchronous_commit is off: a server crash loses the latest commits",
            "set it to on, unless this is intended",
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> PostgresFacts {
        PostgresFacts {
            version_number: 150_004,
            version: "15.4".into(),
            postgis: Some("3.3.2".into()),
            max_connections: 100,
            connections: 5,
            may_create: true,
            synchronous_commit: "on".into(),
            encoding: "UTF8".into(),
            schema: Some(1),
            known_schema: 1,
            ..PostgresFacts::default()
        }
    }

    fn worst(facts: &PostgresFacts) -> (DiagnosisLevel, &'static str) {
        let found = diagnose(facts);
        let worst = found.iter().max_by_key(|one| one.verdict).unwrap();
        assert_eq!(worst.verdict == DiagnosisLevel::Ok, worst.advice.is_none(), "{worst:?}");
        (worst.verdict, worst.check)
    }

    #[test]
    fn a_good_server_has_nothing_wrong() {
        assert!(diagnose(&good()).iter().all(|one| one.verdict == DiagnosisLevel::Ok));
    }

    #[test]
    fn what_is_wrong_is_named_with_what_to_do() {
        use DiagnosisLevel::{Fault, Warning};
        let of = |change: &dyn Fn(&mut PostgresFacts)| {
            let mut facts = good();
            change(&mut facts);
            worst(&facts)
        };
        assert_eq!(of(&|facts| facts.version_number = 130_000), (Fault, "server"));
        assert_eq!(of(&|facts| facts.is_replica = true), (Fault, "server"));
        assert_eq!(of(&|facts| facts.postgis = None), (Fault, "postgis"));
        let there = |facts: &mut PostgresFacts| {
            (facts.postgis, facts.postgis_available) = (None, Some("3.3.2".into()));
        };
        assert_eq!(of(&there), (Fault, "postgis"));
        let mut facts = PostgresFacts { is_superuser: true, ..good() };
        there(&mut facts);
        assert!(
            diagnose(&facts).iter().all(|one| one.verdict == DiagnosisLevel::Ok),
            "a superuser may install it"
        );
        assert_eq!(of(&|facts| facts.schema = Some(2)), (Fault, "schema"));
        assert_eq!(of(&|facts| facts.known_schema = 2), (Warning, "schema"));
        assert_eq!(of(&|facts| (facts.schema, facts.may_create) = (None, false)), (Fault, "schema"));
        let citus = |spread| {
            move |facts: &mut PostgresFacts| {
                (facts.citus, facts.spread) = (Some("13.2-1".into()), spread);
            }
        };
        assert_eq!(of(&citus((2, 5))), (Warning, "citus"));
        for spread in [(0, 5), (5, 5)] {
            assert_eq!(of(&citus(spread)).0, DiagnosisLevel::Ok);
        }
        assert_eq!(of(&|facts| facts.connections = 95), (Warning, "connections"));
        assert_eq!(of(&|facts| facts.clock = 120_000_000), (Warning, "clock"));
        assert_eq!(of(&|facts| facts.encoding = "SQL_ASCII".into()), (Fault, "encoding"));
        assert_eq!(of(&|facts| facts.synchronous_commit = "off".into()), (Warning, "durability"));
    }
}
