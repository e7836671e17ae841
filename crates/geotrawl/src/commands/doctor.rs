//! `doctor`: finds problems before a crawl; prints one line per finding with advice.

use crate::cli::{DoctorArgs, GlobalArgs};
use crate::config::Config;
use crate::exit::ExitStatus;
use crate::output;
use crate::stores::{self, StoreLocation};
use geotrawl_crawl::render::find_browser;
use geotrawl_model::StoreError;
use geotrawl_store::diagnosis::{Diagnosis, DiagnosisLevel};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;

/// File name of an embedded catalogue.
const CATALOGUE: &str = "geotrawl.db";
/// Free space below which a crawl will soon fail.
const LEAST_SPACE: u64 = 1 << 30;
/// Files that are open in addition to connections.
const OTHER_FILES: u64 = 200;

/// Runs all diagnoses. Exit status 0: no faults; 1: faults; 3: the store is faulty.
pub fn run(global: &GlobalArgs, args: &DoctorArgs) -> ExitStatus {
    let mut exit = ExitStatus::Done;
    let mut tell = |found: Vec<Diagnosis>, broken: ExitStatus| {
        for one in found {
            if one.verdict == DiagnosisLevel::Fault && exit != ExitStatus::Store {
                exit = broken;
            }
            show(global, &one);
        }
    };
    match Config::load(global) {
        Ok(config) => {
            tell(settings(&config, args.listen), ExitStatus::Failures);
            tell(vec![browser(&config)], ExitStatus::Failures);
        }
        Err(error) => {
            let message = format!("{error:#}");
            tell(
                vec![Diagnosis::fault("configuration", message, "correct the file given by --config")],
                ExitStatus::Failures,
            );
        }
    }
    tell(directory(&global.data), ExitStatus::Failures);
    tell(vec![port(args.listen)], ExitStatus::Failures);
    tell(store(global), ExitStatus::Store);
    exit
}

fn show(global: &GlobalArgs, found: &Diagnosis) {
    if global.json {
        output::print_json(found);
        return;
    }
    let word = match found.verdict {
        DiagnosisLevel::Ok if global.quiet => return,
        DiagnosisLevel::Ok => "ok     ",
        DiagnosisLevel::Warning => "warning",
        DiagnosisLevel::Fault => "fault  ",
    };
    let advice = found.advice.as_ref().map(|advice| format!(" -> {advice}")).unwrap_or_default();
    output::print_line(&format!("{word}  {}: {}{advice}", found.check, found.message));
}

/// Checks the settings for missing values and conflicts.
fn settings(config: &Config, listen: SocketAddr) -> Vec<Diagnosis> {
    let mut found = Vec::new();
    let mut warn =
        |check, message: &str, advice: &str| found.push(Diagnosis::warning(check, message, advice));
    if config.fetch.user_agent.contains("geotrawl.example") {
        warn(
            "user agent",
            "server operators cannot reach you: it has no contact address",
            "add your contact address to fetch.user_agent (or --user-agent)",
        );
    }
    if config.fetch.politeness.delay.is_zero() {
        warn(
            "politeness",
            "there is no delay between requests to one host",
            "set fetch.politeness.delay unless you own all servers",
        );
    }
    if config.serve.public_url.is_empty() {
        if !listen.ip().is_loopback() {
            warn(
                "public URL",
                "serve would listen beyond this machine without serve.public_url",
                "set serve.public_url (https)",
            );
        }
        if config.mail.is_some() {
            warn("mail", "e-mails cannot link to records without serve.public_url", "set serve.public_url");
        }
        if config.serve.oidc.is_some() {
            warn(
                "login",
                "OpenID Connect requires serve.public_url for its redirect",
                "set serve.public_url",
            );
        }
    } else if config.serve.public_url.starts_with("http://") && !config.serve.public_url.contains("localhost")
    {
        warn(
            "public URL",
            "serve.public_url is not https: passwords are sent unencrypted",
            "use TLS, e.g. with a reverse proxy",
        );
    }
    if config.monitor.shortest_hours > config.monitor.longest_hours {
        warn(
            "monitor",
            "monitor.shortest_hours is longer than monitor.longest_hours",
            "shortest_hours takes precedence; correct one of them",
        );
    }
    if config.fetch.timeouts.total > config.fetch.timeouts.longest {
        warn(
            "timeouts",
            "fetch.timeouts.total is longer than fetch.timeouts.longest",
            "timeouts.longest takes precedence; correct one of them",
        );
    }
    if config.crawl.max_per_host == 0 {
        let advice = "set crawl.max_per_host to at least 1";
        found.push(Diagnosis::fault("crawl", "crawl.max_per_host is 0, so no host can be contacted", advice));
    }
    let needed = config.fetch.concurrency as u64 * 2 + OTHER_FILES;
    match rustix::process::getrlimit(rustix::process::Resource::Nofile).current {
        Some(limit) if limit < needed => found.push(Diagnosis::warning(
            "open files",
            format!("the limit is {limit}; {} concurrent requests need {needed}", config.fetch.concurrency),
            "raise the limit (ulimit -n, LimitNOFILE=) or lower fetch.concurrency",
        )),
        _ => {}
    }
    if found.is_empty() {
        found.push(Diagnosis::ok("configuration", "no conflicting settings"));
    }
    found
}

fn browser(config: &Config) -> Diagnosis {
    match find_browser(None) {
        Ok(path) => Diagnosis::ok("browser", path.display().to_string()),
        Err(failure) if config.crawl.render => {
            Diagnosis::fault("browser", failure.message, "install chromium, or turn off crawl.render")
        }
        Err(_) => Diagnosis::warning(
            "browser",
            "no Chromium found",
            "tasks that render map applications will fail; install chromium to use them",
        ),
    }
}

/// Checks whether the data directory is writable, and its free space.
fn directory(data: &Path) -> Vec<Diagnosis> {
    const CHECK: &str = "data directory";
    let shown = data.display();
    // The directory itself, or its nearest existing parent.
    let mut place = data;
    while !place.exists() {
        match place.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => place = parent,
            _ => place = Path::new("."),
        }
    }
    let probe = place.join(format!(".geotrawl-doctor-{}", std::process::id()));
    let written = std::fs::write(&probe, b"x").and_then(|()| std::fs::remove_file(&probe));
    if let Err(error) = written {
        return vec![Diagnosis::fault(
            CHECK,
            format!("{shown} is not writable: {error}"),
            "give this user write permission, or choose another directory with --data",
        )];
    }
    let mut found = vec![Diagnosis::ok(CHECK, format!("{shown} is writable"))];
    if let Ok(space) = rustix::fs::statvfs(place) {
        let free = space.f_bavail.saturating_mul(space.f_frsize);
        let message = format!("{:.1} GB free", free as f64 / 1e9);
        found.push(if free < LEAST_SPACE {
            Diagnosis::warning("space", message, "free some space: a catalogue needs about 5 kB per page")
        } else {
            Diagnosis::ok("space", message)
        });
    }
    found
}

fn port(listen: SocketAddr) -> Diagnosis {
    match TcpListener::bind(listen) {
        Ok(_) => Diagnosis::ok("port", format!("{listen} is free for `geotrawl serve`")),
        Err(error) => Diagnosis::warning(
            "port",
            format!("{listen} is not available: {error}"),
            "another server may be using it; choose another address with --listen",
        ),
    }
}

/// Checks whether the catalogue is readable and writable.
fn store(global: &GlobalArgs) -> Vec<Diagnosis> {
    match StoreLocation::from_args(global) {
        StoreLocation::Directory(data) => vec![embedded(&data)],
        StoreLocation::Database { url, data } => {
            let mut found = match stores::diagnose_store(&url) {
                Ok(found) => found,
                Err(error) => {
                    let advice = "check the address, the password and whether the server is running";
                    vec![Diagnosis::fault("store", error.to_string(), advice)]
                }
            };
            if geotrawl_store::EmbeddedStore::open_read_only(&data).is_ok() {
                found.push(Diagnosis::warning(
                    "store",
                    format!("the catalogue in {} is not used because of --store", data.display()),
                    "copy it to the database, or choose another directory with --data",
                ));
            }
            found
        }
    }
}

fn embedded(data: &Path) -> Diagnosis {
    const CHECK: &str = "store";
    let location = stores::in_directory(data);
    // The check must not create a store.
    let reader = match location.open_to_read() {
        Ok(reader) => reader,
        Err(error @ StoreError::TooNew { .. }) => {
            return Diagnosis::fault(CHECK, error.to_string(), "install a newer version of geotrawl");
        }
        Err(error @ StoreError::Incomplete { .. }) => {
            return Diagnosis::fault(CHECK, error.to_string(), "repeat the copy, or remove the directory");
        }
        Err(_) if !data.join(CATALOGUE).exists() => {
            return Diagnosis::ok(CHECK, "no catalogue yet; the first crawl creates it");
        }
        Err(error) => {
            return Diagnosis::fault(CHECK, error.to_string(), "restore the directory from a backup");
        }
    };
    if let Err(error) = reader.last_event() {
        return Diagnosis::fault(CHECK, error.to_string(), "restore the directory from a backup");
    }
    drop(reader);
    match location.open() {
        Ok(_) => Diagnosis::ok(CHECK, "the catalogue is readable and writable"),
        Err(StoreError::Locked { .. }) => Diagnosis::warning(
            CHECK,
            "the catalogue is readable; another process is writing to it",
            "stop that process before crawling, or share a database with --store",
        ),
        Err(error) => Diagnosis::fault(CHECK, error.to_string(), "restore the directory from a backup"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_contradicts_is_found() {
        let listen: SocketAddr = "0.0.0.0:80".parse().unwrap();
        let mut config = Config::default();
        config.fetch.set_delay(std::time::Duration::ZERO);
        config.monitor.shortest_hours = 9;
        config.monitor.longest_hours = 1;
        config.crawl.max_per_host = 0;
        let found = settings(&config, listen);
        let checks: Vec<&str> = found.iter().map(|one| one.check).collect();
        for check in ["user agent", "politeness", "public URL", "monitor", "crawl"] {
            assert!(checks.contains(&check), "{check} in {checks:?}");
        }
        assert!(found.iter().all(|one| one.advice.is_some()));
    }

    #[test]
    fn a_directory_without_a_catalogue_is_fine_and_none_is_made() {
        let place = tempfile::tempdir().unwrap();
        let data = place.path().join("deep/data");
        assert_eq!(embedded(&data).verdict, DiagnosisLevel::Ok);
        assert!(directory(&data).iter().all(|one| one.verdict != DiagnosisLevel::Fault));
        assert!(!data.exists());
        let _held = geotrawl_store::EmbeddedStore::open(place.path()).unwrap();
        assert_eq!(embedded(place.path()).verdict, DiagnosisLevel::Warning, "in use");
    }
}
