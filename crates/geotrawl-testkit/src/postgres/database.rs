use super::PostgresServer;
use crate::require_tool;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use tokio_postgres::SimpleQueryMessage::Row;

const SERVER_VARIABLE: &str = "GEOTRAWL_TEST_POSTGRES";
const INSTALL: &str = "run `make database` (Debian: apt-get install postgresql postgresql-postgis), or set a server \
                       with GEOTRAWL_TEST_POSTGRES=postgres://…";

/// The server shared by all tests of this process.
enum SharedServer {
    Named(String),
    Started(PostgresServer),
    Missing(String),
}

static SERVER: OnceLock<SharedServer> = OnceLock::new();
/// Name of the template. Locked while a database is created, because a template cannot be copied
/// twice at once.
static TEMPLATE: Mutex<Option<String>> = Mutex::new(None);
static NUMBER: AtomicU64 = AtomicU64::new(0);

fn shared_server() -> &'static SharedServer {
    SERVER.get_or_init(|| match std::env::var(SERVER_VARIABLE) {
        Ok(url) => SharedServer::Named(url),
        // A static is never dropped. The keeper stops the server
        // when its input closes with this process.
        Err(_) => PostgresServer::start(false).map_or_else(SharedServer::Missing, SharedServer::Started),
    })
}

fn url_of(database: &str) -> Result<String, &'static str> {
    match shared_server() {
        SharedServer::Missing(error) => Err(error),
        SharedServer::Started(server) => Ok(server.url(database)),
        SharedServer::Named(url) => {
            let mut url =
                url::Url::parse(url).unwrap_or_else(|error| panic!("{SERVER_VARIABLE}: {error}: {url}"));
            url.set_path(database);
            Ok(url.into())
        }
    }
}

/// Returns whether there is a server; `false` means that the test is to be skipped.
///
/// # Panics
/// Panics if there is no server and skips are not allowed.
#[track_caller]
pub fn is_available() -> bool {
    require_tool("PostgreSQL with PostGIS", url_of("postgres"), INSTALL).is_some()
}

/// A database on the shared server; removed when dropped.
pub struct TestDatabase {
    name: String,
    pub url: String,
}

impl TestDatabase {
    /// Creates a copy of this process's template, which `prepare` fills on first use (it gets the
    /// URL). `None` means that the test is to be skipped, see [`is_available`].
    #[track_caller]
    pub fn new(prepare: impl FnOnce(&str)) -> Option<Self> {
        is_available().then(|| Self::create(prepare).unwrap_or_else(|error| panic!("{error}")))
    }

    fn create(prepare: impl FnOnce(&str)) -> Result<Self, &'static str> {
        let server = url_of("postgres")?;
        let mut template = TEMPLATE.lock().unwrap_or_else(PoisonError::into_inner);
        if template.is_none() {
            let name = format!("geotrawl_template_{}", std::process::id());
            execute_sql(&server, &format!("CREATE DATABASE {name}"));
            let url = url_of(&name)?;
            // Tests use only one of the thousands of reference systems of PostGIS, and a small
            // template is copied faster.
            execute_sql(
                &url,
                "CREATE EXTENSION IF NOT EXISTS postgis; DELETE FROM spatial_ref_sys WHERE srid <> 4326",
            );
            prepare(&url);
            execute_sql(&url, "VACUUM FULL");
            *template = Some(name);
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("geotrawl_test_{}_{number}", std::process::id());
        let copy = format!("CREATE DATABASE {name} TEMPLATE {}", template.as_deref().unwrap_or("template1"));
        // Servers before 15 use this strategy but reject its name.
        if try_execute(&server, &format!("{copy} STRATEGY file_copy")).is_err() {
            execute_sql(&server, &copy);
        }
        Ok(Self { url: url_of(&name)?, name })
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let Ok(url) = url_of("postgres") else { return };
        let dropped = try_execute(&url, &format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
        // A second panic would abort the process and hide the first.
        if !std::thread::panicking() {
            dropped.unwrap_or_else(|error| panic!("{} cannot be removed: {error}", self.name));
        }
    }
}

/// Runs statements on a new connection.
pub fn execute_sql(url: &str, sql: &str) {
    if let Err(error) = try_execute(url, sql) {
        panic!("{sql}: {error}: {:?}", error.as_db_error());
    }
}

fn try_execute(url: &str, sql: &str) -> Result<(), tokio_postgres::Error> {
    with_client(url, async |client| client.batch_execute(sql).await)
}

/// Returns the first column of each row of a query as text; empty for NULL.
pub fn query_column(url: &str, sql: &str) -> Vec<String> {
    let answer = with_client(url, async |client| client.simple_query(sql).await);
    let rows = answer.unwrap_or_else(|error| panic!("{sql}: {error}: {:?}", error.as_db_error()));
    rows.iter()
        .filter_map(|message| match message {
            Row(row) => Some(row.get(0).unwrap_or_default().to_owned()),
            _ => None,
        })
        .collect()
}

/// Opens a connection on a new thread, because callers may be inside a runtime.
fn with_client<T: Send>(
    url: &str,
    work: impl AsyncFnOnce(&tokio_postgres::Client) -> Result<T, tokio_postgres::Error> + Send,
) -> Result<T, tokio_postgres::Error> {
    std::thread::scope(|scope| {
        let thread = scope.spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
                let connection = tokio::spawn(connection);
                let result = work(&client).await;
                drop(client);
                // The server closes the session before this ends.
                let _ = connection.await;
                result
            })
        });
        thread.join().expect("the thread ends")
    })
}
