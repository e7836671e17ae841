use crate::{PostgresOptions, PostgresStore};
use geotrawl_model::StoreError;
use geotrawl_model::store::CrawlStore;
use geotrawl_testkit::postgres::{self, PostgresServer};
use std::path::PathBuf;

/// Creates two certificate authorities, and a certificate by the first for this machine's name but
/// not for its IP address. Run by the server, so that it owns the files.
const CERTIFICATES: &str = "set -e; umask 022; \
    for name in known strange; do \
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=$name -keyout $name.key -out $name.crt \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign; done; \
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=database -keyout server.key -out server.csr; \
    echo subjectAltName=DNS:localhost > server.ext; \
    openssl x509 -req -in server.csr -CA known.crt -CAkey known.key -CAcreateserial -days 2 -extfile server.ext -out server.crt; \
    chmod 600 server.key";

struct TlsServer {
    cluster: PostgresServer,
}

impl TlsServer {
    fn start() -> Option<Self> {
        if !postgres::is_available() {
            return None;
        }
        let cluster = PostgresServer::start(false).unwrap_or_else(|error| panic!("{error}"));
        let postgres = cluster.url("postgres");
        postgres::execute_sql(&postgres, &format!("COPY (SELECT 1) TO PROGRAM '{CERTIFICATES}'"));
        postgres::execute_sql(&postgres, "ALTER SYSTEM SET ssl = on");
        postgres::execute_sql(&postgres, "CREATE DATABASE secure");
        // A restart, because after a reload some sessions still start without TLS.
        assert!(
            cluster.stop_immediately() && cluster.restart(),
            "the server does not start with its certificate"
        );
        Some(Self { cluster })
    }

    fn url(&self, host: &str, rest: &str) -> String {
        format!("postgres://postgres@{host}:{}/secure?{rest}", self.cluster.port)
    }

    fn authority(&self, name: &str) -> String {
        let file: PathBuf = self.cluster.directory.join("data").join(format!("{name}.crt"));
        format!("sslrootcert={}", file.display())
    }

    /// Returns how many of the store's sessions are encrypted, and how many there are.
    fn encrypted(&self) -> (String, String) {
        let one = |sql: &str| postgres::query_column(&self.cluster.url("secure"), sql).remove(0);
        let ours = "FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'geotrawl'";
        (one(&format!("SELECT count(*) {ours} AND ssl")), one(&format!("SELECT count(*) {ours}")))
    }
}

fn open(url: &str) -> Result<PostgresStore, StoreError> {
    PostgresStore::connect(url, &PostgresOptions { connections: 2, ..PostgresOptions::default() })
}

fn refusal(url: &str) -> String {
    let error = open(url).err().unwrap_or_else(|| panic!("{url} is taken"));
    error.to_string()
}

#[test]
fn a_connection_is_as_secure_as_the_address_says() {
    let Some(secure) = TlsServer::start() else { return };
    let (known, strange) = (secure.authority("known"), secure.authority("strange"));
    for (host, rest) in [
        ("localhost", format!("sslmode=verify-full&{known}")),
        // verify-ca does not check the name.
        ("127.0.0.1", format!("sslmode=verify-ca&{known}")),
        // require and prefer do not check the authority either.
        ("127.0.0.1", "sslmode=require".to_owned()),
        ("127.0.0.1", "sslmode=prefer".to_owned()),
    ] {
        let store = open(&secure.url(host, &rest)).unwrap_or_else(|error| panic!("{rest}: {error}"));
        assert_eq!(store.seed_lists().unwrap(), []);
        let (encrypted, all) = secure.encrypted();
        assert!(encrypted == all && all != "0", "{rest}: {encrypted} of {all} sessions are encrypted");
        drop(store);
    }
    for (host, rest, about) in [
        ("localhost", format!("sslmode=verify-full&{strange}"), "UnknownIssuer"),
        ("localhost", format!("sslmode=verify-ca&{strange}"), "UnknownIssuer"),
        // Without sslrootcert the web's certificate authorities are trusted.
        ("localhost", "sslmode=verify-full".to_owned(), "UnknownIssuer"),
        ("127.0.0.1", format!("sslmode=verify-full&{known}"), "not valid for name"),
        (
            "localhost",
            "sslmode=verify-full&sslrootcert=/nowhere/ca.crt".to_owned(),
            "cannot read certificates in /nowhere/ca.crt",
        ),
    ] {
        let said = refusal(&secure.url(host, &rest));
        assert!(said.contains(about), "{rest}: {said}");
    }
    let store = open(&secure.url("127.0.0.1", "sslmode=disable")).unwrap();
    assert_eq!(secure.encrypted().0, "0");
    drop(store);
}

#[test]
fn a_server_without_tls_is_refused_where_it_is_required() {
    let Some(database) = crate::database() else { return };
    let said = refusal(&format!("{}?sslmode=require", database.url));
    assert!(said.contains("TLS"), "{said}");
}
