//! The browser process: started in its own directory, monitored, and terminated with all its
//! children.
//!
//! It is controlled over a pipe rather than a port, so nobody else can reach it, and it exits when
//! the pipe closes, even if this process is killed. A shell puts the ends of the pipe on
//! descriptors 3 and 4, where the browser expects them; Rust's standard library could do that only
//! with unsafe code.

use super::pipe::BrowserPipe;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// Why a browser cannot be used any longer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BrowserFailure {
    /// The process exited or closed its pipe.
    Exited,
    /// It did not respond in time.
    Hung,
    /// The page's renderer process crashed.
    Crashed,
    /// It used more memory than allowed, in bytes.
    Fat(u64),
}

/// Prefix of the browsers' directories, followed by the id of this process.
const DIRECTORY: &str = "geotrawl-browser-";
/// Age at which a directory left by a killed run is removed. Not earlier, because the process may
/// be alive in another container that shares the directory.
const STALE: Duration = Duration::from_hours(24);
/// How long to wait for killed processes before their directory is removed regardless.
const DYING: Duration = Duration::from_secs(2);

/// Puts the pipe on descriptors 3 and 4, keeps the browser from
/// writing to our output, disables core dumps.
const LAUNCH: &str = r#"ulimit -c 0; exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#;

/// A browser process with its directory. Dropping it terminates
/// the process and removes the directory.
pub(super) struct BrowserProcess {
    child: Child,
    /// Id of the process and of its process group.
    pid: u32,
    directory: Option<TempDir>,
}

impl BrowserProcess {
    /// Starts `browser` with a proxy for its own background traffic.
    pub fn start(browser: &Path, proxy: &str, viewport: (u32, u32)) -> std::io::Result<(Self, BrowserPipe)> {
        let directory =
            tempfile::Builder::new().prefix(&format!("{DIRECTORY}{}-", std::process::id())).tempdir()?;
        let log = std::fs::File::create(directory.path().join("log"))?;
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(LAUNCH).arg(browser).args(flags(directory.path(), proxy, viewport));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log).kill_on_drop(true);
        // Untrusted pages must not see the operator's environment or home directory.
        command.env_clear();
        for name in ["PATH", "LANG", "LD_LIBRARY_PATH", "FONTCONFIG_PATH", "FONTCONFIG_FILE"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        for name in ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"] {
            command.env(name, directory.path());
        }
        command.current_dir(directory.path());
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn()?;
        let (Some(to), Some(from), Some(pid)) = (child.stdin.take(), child.stdout.take(), child.id()) else {
            return Err(std::io::Error::other("the browser was started without a pipe"));
        };
        Ok((Self { child, pid, directory: Some(directory) }, BrowserPipe::new(to, from)))
    }

    /// Returns the last line of the browser's error output.
    pub fn last_error(&self) -> String {
        let log = self.directory.as_ref().and_then(|dir| std::fs::read(dir.path().join("log")).ok());
        let log = String::from_utf8_lossy(log.as_deref().unwrap_or_default()).into_owned();
        let last = log.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        last.chars().take(300).collect()
    }

    /// Returns the private memory of all browser processes in bytes, or 0 if it is unknown.
    pub fn memory_usage(&self) -> u64 {
        family(self.pid).into_iter().map(memory_of).sum()
    }

    /// Terminates the browser with its children, waits for them, and removes their directory.
    /// Usually blocks for milliseconds, at most for [`DYING`].
    pub fn terminate(&mut self) {
        let Some(directory) = self.directory.take() else { return };
        let waited_for = !matches!(self.child.try_wait(), Ok(None));
        // After the wait, the process id may have been reused, but
        // the group still holds the children.
        let family = if waited_for && is_running(self.pid) { Vec::new() } else { family(self.pid) };
        self.kill(&family);
        let start = std::time::Instant::now();
        while start.elapsed() < DYING {
            let gone = !matches!(self.child.try_wait(), Ok(None));
            if gone && !family.iter().any(|pid| is_running(*pid)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        if let Err(error) = directory.close() {
            tracing::debug!(%error, "the browser's directory was not removed");
        }
    }

    #[cfg(unix)]
    fn kill(&mut self, family: &[u32]) {
        use rustix::process::{Pid, Signal, kill_process, kill_process_group};
        let id = |pid: u32| i32::try_from(pid).ok().and_then(Pid::from_raw);
        if matches!(self.child.try_wait(), Ok(None))
            && let Some(group) = id(self.pid)
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
        // Children that left the group, and those that outlived a crashed browser.
        for pid in family.iter().filter_map(|pid| id(*pid)) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }

    #[cfg(not(unix))]
    fn kill(&mut self, _family: &[u32]) {
        let _ = self.child.start_kill();
    }
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        self.terminate();
    }
}

/// Removes directories of killed runs. Ignores all errors.
pub(super) fn remove_stale_directories() {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(DIRECTORY)) else { continue };
        let Some(pid) = rest.split('-').next().and_then(|pid| pid.parse::<u32>().ok()) else { continue };
        // Do not follow symbolic links that others may have created.
        let Ok(meta) = entry.path().symlink_metadata() else { continue };
        let age = meta.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        if meta.is_dir() && !is_running(pid) && age.is_some_and(|age| age > STALE) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Returns the process, its group and all their descendants from the process table.
fn family(root: u32) -> Vec<u32> {
    /// Process, parent, group.
    struct ProcessRow(u32, u32, u32);
    let mut rows: Vec<ProcessRow> = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        // The name in parentheses may contain any character, so
        // parse only after the last parenthesis.
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // Fields: state, parent, group.
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
        let state = fields.next().unwrap_or("Z");
        let mut number = || fields.next().and_then(|field| field.parse().ok());
        if let (Some(parent), Some(group)) = (number(), number())
            && state != "Z"
        {
            rows.push(ProcessRow(pid, parent, group));
        }
    }
    let mut family: Vec<u32> = Vec::new();
    let mut next: Vec<u32> =
        rows.iter().filter(|row| row.0 == root || row.2 == root).map(|row| row.0).collect();
    while let Some(pid) = next.pop() {
        if !family.contains(&pid) {
            family.push(pid);
            next.extend(rows.iter().filter(|row| row.1 == pid).map(|row| row.0));
        }
    }
    family
}

/// Returns anonymous and shared memory of a process, without the mapped program file.
fn memory_of(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kilobytes = |line: &str| line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok();
    let counted = |line: &&str| line.starts_with("RssAnon:") || line.starts_with("RssShmem:");
    status.lines().filter(counted).filter_map(kilobytes).sum::<u64>() * 1024
}

/// Whether the process exists and is not a zombie.
fn is_running(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with(['Z', 'X']))
}

/// The browser's command line.
fn flags(directory: &Path, proxy: &str, viewport: (u32, u32)) -> Vec<String> {
    let mut flags: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
    flags.push(format!("--user-data-dir={}", directory.display()));
    flags.push(format!("--proxy-server={proxy}"));
    flags.push(format!("--window-size={},{}", viewport.0, viewport.1));
    if runs_as_root() {
        // The browser refuses to run as root with its sandbox on.
        flags.push("--no-sandbox".to_owned());
    }
    flags
}

/// Whether this process runs as root, which the browser's sandbox does not support.
#[cfg(unix)]
pub(super) fn runs_as_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whether this process runs as root, which the browser's sandbox does not support.
#[cfg(not(unix))]
pub(super) fn runs_as_root() -> bool {
    false
}

const FLAGS: &[&str] = &[
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
    // Send everything to the proxy, including loopback, and resolve no names in the browser.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    // No background activity.
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-notifications",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,\
     CertificateTransparencyComponentUpdater,AutofillServerCommunication,InterestFeedContentSuggestions,\
     BackForwardCache,Prerender2,WebOTP,WebUSB,WebBluetooth",
    "--metrics-recording-only",
    "--no-pings",
    "--safebrowsing-disable-auto-update",
    "--deny-permission-prompts",
    "--disable-print-preview",
    "--mute-audio",
    "--hide-scrollbars",
    // Maps draw with WebGL; without a GPU it runs on the CPU.
    "--disable-gpu",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-dev-shm-usage",
    // Invisible pages must run at full speed.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--js-flags=--max-old-space-size=512",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn our_own_process_is_seen_with_its_memory() {
        let me = std::process::id();
        assert!(family(me).contains(&me));
        assert!(memory_of(me) > 100_000);
        assert!(is_running(me) && !is_running(u32::MAX));
        assert!(family(u32::MAX).is_empty());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn what_outlives_a_crash_is_ended_too() {
        let (mut process, mut wire, _browser) =
            start("sleep 1000 & sleep 1000 & printf '{}\\0' >&4; kill -9 $$");
        wire.next_message().await.unwrap();
        process.child.wait().await.unwrap();
        let family = family(process.pid);
        assert_eq!(family.len(), 2, "{family:?}");
        process.terminate();
        assert!(family.iter().all(|pid| !is_running(*pid)));
    }

    /// Starts a script instead of the browser.
    #[cfg(unix)]
    fn start(script: &str) -> (BrowserProcess, BrowserPipe, TempDir) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("browser");
        // Let another process write the file: one that this process
        // has open for writing cannot be executed.
        let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod 755 \"$0\"";
        let written = std::process::Command::new("sh").arg("-c").arg(write).arg(&path).arg(script).status();
        assert!(written.unwrap().success());
        let (process, wire) = BrowserProcess::start(&path, "http://127.0.0.1:1", (10, 10)).unwrap();
        (process, wire, directory)
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn the_end_takes_children_and_directory_along() {
        let (mut process, mut wire, _browser) =
            start("sleep 1000 &\nsetsid sleep 1000 &\nprintf '{}\\0' >&4\nwait");
        wire.next_message().await.unwrap();
        let directory = process.directory.as_ref().unwrap().path().to_path_buf();
        let family = family(process.pid);
        assert!(family.len() >= 3 && directory.exists(), "{family:?}");
        process.terminate();
        assert!(!directory.exists());
        assert!(family.iter().all(|pid| !is_running(*pid)));
    }
}
