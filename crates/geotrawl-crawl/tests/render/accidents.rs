use crate::site::{self, BrowserSite, fake_browser, quick_config, require_browser};
use geotrawl_crawl::fetch::{FetchConfig, GuardedClient};
use geotrawl_crawl::render::{PageRenderer, RenderConfig, RenderError, RenderErrorKind, StopReason};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[tokio::test]
async fn a_script_that_never_ends_costs_the_deadline_and_keeps_what_was_seen() {
    let site = BrowserSite::start(&[
        ("/", "text/html", "<title>Busy</title><script>new Image().src = '/wms?REQUEST=GetMap'; setTimeout(() => { for (;;); }, 200)</script>"),
        ("/next", "text/html", "<title>Next</title>"),
    ])
    .await;
    let Some(renderer) = site.build_renderer(|config| config.deadline = Duration::from_secs(4)) else {
        return;
    };
    let rendered = renderer.render(&site::page_url("/")).await.unwrap();
    // The page first counts as quiet, because it sends no
    // requests; only then is it found to be busy.
    assert_eq!(rendered.stopped, StopReason::Busy);
    assert!(rendered.requests.iter().any(|seen| seen.url.contains("GetMap")));
    assert!(rendered.millis < 15_000, "{}", rendered.millis);
    let next = renderer.render(&site::page_url("/next")).await.unwrap();
    assert_eq!(next.title, "Next");
}

/// Returns a browser that writes its process id to a file, so that a test can kill it.
fn marked(directory: &Path) -> Option<RenderConfig> {
    let real = require_browser()?;
    let pids = directory.join("pids");
    let script = format!("echo $$ >> '{}'\nexec '{}' \"$@\"", pids.display(), real.display());
    Some(RenderConfig { browser: Some(fake_browser(directory, &script)), ..quick_config()? })
}

fn pids(directory: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(directory.join("pids")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn kill(pid: &str) {
    std::process::Command::new("kill").args(["-9", pid]).status().unwrap();
}

/// Kills the renderer processes of the browser with this id.
fn kill_pages(browser: &str) {
    let mut family = vec![browser.to_owned()];
    // Renderers are grandchildren, so collect three generations.
    for _ in 0..3 {
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let parent = stat
                .rsplit(')')
                .next()
                .unwrap_or_default()
                .split_ascii_whitespace()
                .nth(1)
                .unwrap_or_default();
            let pid = entry.file_name().to_string_lossy().into_owned();
            if family.iter().any(|known| known == parent) && !family.contains(&pid) {
                family.push(pid);
            }
        }
    }
    for pid in family {
        let command = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        if command.contains("--type=renderer") {
            kill(&pid);
        }
    }
}

/// Renders a page while `harm` is done to the browser `times` times.
async fn harmed(times: usize, harm: fn(&str)) -> Option<(Result<String, RenderError>, usize)> {
    let directory = tempfile::tempdir().unwrap();
    let config = marked(directory.path())?;
    let (left, at) = (AtomicUsize::new(times), directory.path().to_path_buf());
    let hook = move |path: &str| {
        if path == "/harm.json"
            && left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok()
        {
            harm(pids(&at).last().unwrap());
        }
    };
    let pages =
        [("/", "text/html", "<script>fetch('/harm.json').then(() => document.title = 'Survived')</script>")];
    let site = BrowserSite::with_hook(&pages, Arc::new(hook)).await;
    let renderer = PageRenderer::new(config, &GuardedClient::new(site.fetch_config()).unwrap()).unwrap();
    let outcome = renderer.render(&site::page_url("/")).await;
    Some((outcome.map(|rendered| rendered.title), pids(directory.path()).len()))
}

#[tokio::test]
async fn a_crashed_page_is_tried_again_in_a_new_browser() {
    let Some((outcome, browsers)) = harmed(1, kill_pages).await else { return };
    assert_eq!((outcome.unwrap().as_str(), browsers), ("Survived", 2));
}

#[tokio::test]
async fn a_crashed_browser_is_replaced_once() {
    let Some((outcome, browsers)) = harmed(1, kill).await else { return };
    assert_eq!((outcome.unwrap().as_str(), browsers), ("Survived", 2));
    let Some((outcome, browsers)) = harmed(9, kill).await else { return };
    let failure = outcome.unwrap_err();
    assert_eq!((failure.kind, browsers), (RenderErrorKind::Crashed, 2));
    assert!(failure.requests.iter().any(|seen| seen.url.ends_with("/harm.json")), "what was seen is kept");
}

#[tokio::test]
async fn a_stopped_browser_is_found_to_hang() {
    fn stop(pid: &str) {
        std::process::Command::new("kill").args(["-STOP", pid]).status().unwrap();
    }
    let directory = tempfile::tempdir().unwrap();
    let Some(mut config) = marked(directory.path()) else { return };
    (config.answer_within, config.deadline) = (Duration::from_secs(3), Duration::from_secs(3));
    let at = directory.path().to_path_buf();
    let hook = move |path: &str| {
        if path == "/" && pids(&at).len() == 1 {
            stop(pids(&at).last().unwrap());
        }
    };
    let site = BrowserSite::with_hook(&[("/", "text/html", "<title>Back</title>")], Arc::new(hook)).await;
    let renderer = PageRenderer::new(config, &GuardedClient::new(site.fetch_config()).unwrap()).unwrap();
    let rendered = renderer.render(&site::page_url("/")).await.unwrap();
    assert_eq!((rendered.title.as_str(), pids(directory.path()).len()), ("Back", 2));
}

#[tokio::test]
async fn a_page_that_takes_too_much_memory_is_ended() {
    let pages = [
        (
            "/",
            "text/html",
            "<script>const all = []; const go = () => { all.push(new Uint8Array(16 << 20).fill(1)); setTimeout(go) }; go()</script>",
        ),
        ("/next", "text/html", "<title>Next</title>"),
    ];
    let site = BrowserSite::start(&pages).await;
    let Some(renderer) = site.build_renderer(|config| {
        config.memory = 700 << 20;
        config.at_least = config.deadline;
    }) else {
        return;
    };
    let failure = renderer.render(&site::page_url("/")).await.unwrap_err();
    assert_eq!(failure.kind, RenderErrorKind::Memory, "{failure}");
    assert!(failure.message.contains("the limit is 700 MB"), "{failure}");
    assert!(!failure.requests.is_empty(), "what was seen is kept");
}

#[tokio::test]
async fn a_browser_that_does_not_start_is_told_in_words() {
    let directory = tempfile::tempdir().unwrap();
    let path = fake_browser(directory.path(), "echo 'no usable sandbox' >&2; exit 1");
    let site = BrowserSite::start(&[]).await;
    let config = RenderConfig { browser: Some(path), ..RenderConfig::default() };
    let renderer = PageRenderer::new(config, &GuardedClient::new(site.fetch_config()).unwrap()).unwrap();
    let failure = renderer.render(&site::page_url("/")).await.unwrap_err();
    assert_eq!(failure.kind, RenderErrorKind::Start);
    assert!(failure.message.contains("no usable sandbox"), "{failure}");
}

#[tokio::test]
async fn a_server_that_gives_no_page_is_no_fault_of_the_browser() {
    let site = BrowserSite::start(&[]).await;
    let Some(mut config) = quick_config() else { return };
    config.deadline = Duration::from_secs(10);
    let mut fetching = site.fetch_config();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    fetching.resolve.insert(0, format!("closed.test={closed}").parse().unwrap());
    let renderer = PageRenderer::new(config, &GuardedClient::new(fetching).unwrap()).unwrap();
    let failure = renderer.render(&site::page_url("/missing")).await.unwrap_err();
    assert_eq!(failure.kind, RenderErrorKind::Unreachable);
    assert_eq!(failure.message, "The server responded with status 404 and no page", "{:?}", failure.requests);
    for scheme in ["http", "https"] {
        let url = format!("{scheme}://closed.test/").parse().unwrap();
        let failure = renderer.render(&url).await.unwrap_err();
        assert_eq!(failure.kind, RenderErrorKind::Unreachable, "{failure}");
        assert!(failure.message.contains("Could not connect"), "{failure}");
    }
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let Some(mut config) = quick_config() else { return };
    config.deadline = Duration::from_secs(2);
    let resolve = vec![format!("*.test={}", listener.local_addr().unwrap()).parse().unwrap()];
    let client = GuardedClient::new(FetchConfig { resolve, ..FetchConfig::default() }).unwrap();
    let renderer = PageRenderer::new(config, &client).unwrap();
    let failure = renderer.render(&site::page_url("/")).await.unwrap_err();
    assert_eq!(failure.kind, RenderErrorKind::Unreachable);
    assert!(failure.message.contains("no response within 2 s"), "{failure}");
}

#[tokio::test]
async fn nothing_is_left_behind() {
    let directory = tempfile::tempdir().unwrap();
    let Some(config) = marked(directory.path()) else { return };
    let homes: Arc<Mutex<Vec<String>>> = Arc::default();
    let (for_hook, at) = (Arc::clone(&homes), directory.path().to_path_buf());
    let hook = move |_: &str| {
        let command =
            std::fs::read_to_string(format!("/proc/{}/cmdline", pids(&at).last().unwrap())).unwrap();
        let home = command.split('\0').find_map(|flag| flag.strip_prefix("--user-data-dir=")).unwrap();
        for_hook.lock().unwrap().push(home.to_owned());
    };
    let site = BrowserSite::with_hook(&[("/", "text/html", "<title>x</title>")], Arc::new(hook)).await;
    let renderer = PageRenderer::new(config, &GuardedClient::new(site.fetch_config()).unwrap()).unwrap();
    renderer.render(&site::page_url("/")).await.unwrap();
    let home = homes.lock().unwrap()[0].clone();
    assert!(Path::new(&home).exists(), "kept for the next page");
    renderer.clone().render(&site::page_url("/")).await.unwrap();
    assert_eq!(pids(directory.path()).len(), 1, "one browser shows both");
    drop(renderer);
    assert!(!Path::new(&home).exists());
    assert!(!Path::new(&format!("/proc/{}/cmdline", pids(directory.path())[0])).exists());
}

#[tokio::test]
async fn a_page_that_talks_without_end_is_bounded() {
    let page = "<script>const say = () => { for (let i = 0; i < 100; i++) console.error('x'.repeat(10000)); \
         setTimeout(say) }; say(); for (let i = 0; i < 30; i++) setTimeout(() => { throw new Error('thrown ' + i) })</script>";
    let site = BrowserSite::start(&[("/", "text/html", page)]).await;
    let Some(rendered) = site.render("/").await else { return };
    assert_eq!((rendered.stopped, rendered.console.len() <= 10), (StopReason::Quiet, true));
    assert!(rendered.console.iter().all(|line| line.len() <= 1200));
}

/// Set in a copy of this program that is killed while its browser shows a page.
const DOOMED: &str = "GEOTRAWL_TEST_DOOMED";

#[tokio::test]
async fn a_killed_run_takes_its_browser_along() {
    if let Ok(doomed) = std::env::var(DOOMED) {
        let (directory, address) = doomed.split_once('|').unwrap();
        let resolve = vec![format!("*.test={address}").parse().unwrap()];
        let client = GuardedClient::new(FetchConfig { resolve, ..FetchConfig::default() }).unwrap();
        let renderer = PageRenderer::new(marked(Path::new(directory)).unwrap(), &client).unwrap();
        let _ = renderer.render(&site::page_url("/")).await;
        return;
    }
    if require_browser().is_none() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let run: Arc<Mutex<Option<std::process::Child>>> = Arc::default();
    let killed = Arc::new(tokio::sync::Notify::new());
    let (for_hook, told) = (Arc::clone(&run), Arc::clone(&killed));
    let hook = move |_: &str| {
        let mut run = for_hook.lock().unwrap();
        run.as_mut().unwrap().kill().unwrap();
        run.as_mut().unwrap().wait().unwrap();
        told.notify_one();
    };
    let site = BrowserSite::with_hook(&[], Arc::new(hook)).await;
    {
        let mut run = run.lock().unwrap();
        let command = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "accidents::a_killed_run_takes_its_browser_along"])
            .env(DOOMED, format!("{}|{}", directory.path().display(), site.address))
            .stdout(std::process::Stdio::null())
            .spawn();
        *run = Some(command.unwrap());
    }
    killed.notified().await;
    let browser = pids(directory.path()).pop().unwrap();
    // Ends as soon as the process with this id does.
    let waited = std::process::Command::new("timeout")
        .args(["20", "tail", &format!("--pid={browser}"), "-f", "/dev/null"])
        .status();
    assert!(waited.unwrap().success(), "the browser {browser} outlives us");
    // The directory remains; a later run would remove it, so the test does.
    let prefix = format!("geotrawl-browser-{}-", run.lock().unwrap().as_ref().unwrap().id());
    for entry in std::fs::read_dir(std::env::temp_dir()).unwrap().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
