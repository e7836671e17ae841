//! Tests where a crawl looks: rankings that learn, groups of seeds, stop rules, budgets.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod site;

use geotrawl_crawl::fetch::FetchConfig;
use geotrawl_crawl::focus::RankingFactory;
use geotrawl_crawl::observe::CrawlObserver;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_crawl::pipeline::{CrawlRun, CrawlSpec, CrawlStopper, CrawlSummary};
use geotrawl_crawl::resources::{ResourceOptions, SharedResources};
use geotrawl_model::store::{CrawlStore, FocusStore};
use geotrawl_model::{CommitSummary, CrawlBatch, RankedSeed};
use geotrawl_rank::{FIRST, FrontierRanking, LinkToRank, PageFeedback, RankExplanation, TaskTopic};
use geotrawl_store::EmbeddedStore;
use site::{FocusSite, RunningSite};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// URLs and gains that the ranking was told.
type FeedbackLog = Arc<Mutex<Vec<(String, u32)>>>;

/// Ranks URLs by what their directory has yielded.
#[derive(Default)]
struct DirectoryRanking {
    gains: Mutex<BTreeMap<String, (u32, u32)>>,
    heard: FeedbackLog,
}

fn directory(url: &str) -> String {
    url.split('/').nth(3).unwrap_or_default().to_owned()
}

impl FrontierRanking for DirectoryRanking {
    fn name(&self) -> &'static str {
        "student"
    }
    fn rank_link(&self, link: &LinkToRank<'_>) -> u32 {
        let (pages, gained) =
            self.gains.lock().unwrap().get(&directory(link.url)).copied().unwrap_or_default();
        FIRST + 1_000 - 1_000 * (gained + 1) / (pages + 2)
    }
    fn is_learning(&self) -> bool {
        true
    }
    fn learn_from(&self, lesson: &PageFeedback<'_>) {
        let mut gains = self.gains.lock().unwrap();
        let (pages, gained) = gains.entry(directory(lesson.link.url)).or_default();
        *pages += 1;
        *gained += lesson.gained;
        assert!(lesson.page.is_some_and(|page| page.url == lesson.link.url));
        self.heard.lock().unwrap().push((lesson.link.url.to_owned(), lesson.gained));
    }
    fn explain_rank(&self, _: &LinkToRank<'_>) -> RankExplanation {
        RankExplanation::default()
    }
    fn serialize_model(&self) -> Vec<u8> {
        serde_json::to_vec(&*self.gains.lock().unwrap()).unwrap()
    }
}

/// Crawls of one site into a persistent store.
struct FocusLab {
    web: RunningSite,
    store: Arc<EmbeddedStore>,
    _data: tempfile::TempDir,
}

/// Inputs of a crawl besides its options.
#[derive(Default)]
struct CrawlInputs {
    ranked: Vec<RankedSeed>,
    ordering: Option<Box<RankingFactory>>,
}

/// Stops a crawl after a number of committed items.
struct StopAfter {
    left: Mutex<usize>,
    stopper: Mutex<Option<CrawlStopper>>,
}

impl CrawlObserver for StopAfter {
    fn on_fetch_start(&self, _: &str) {}
    fn on_commit(&self, batch: &CrawlBatch, _: &CommitSummary) {
        let mut left = self.left.lock().unwrap();
        *left = left.saturating_sub(batch.done.len());
        if *left == 0
            && let Some(stopper) = &*self.stopper.lock().unwrap()
        {
            stopper.stop();
        }
    }
    fn on_pulse(&self, _: usize, _: usize) {}
}

impl FocusLab {
    fn new(site: FocusSite) -> Self {
        let data = tempfile::tempdir().unwrap();
        Self { web: site.serve(), store: Arc::new(EmbeddedStore::open(data.path()).unwrap()), _data: data }
    }

    fn crawl(&self, name: &str, seeds: &[String], options: CrawlOptions, given: CrawlInputs) -> CrawlSummary {
        self.crawl_until(usize::MAX, name, seeds, options, given)
    }

    /// Crawls with one request at a time, so that the request order is that of the ranking.
    fn crawl_until(
        &self,
        items: usize,
        name: &str,
        seeds: &[String],
        options: CrawlOptions,
        given: CrawlInputs,
    ) -> CrawlSummary {
        let mut fetch = FetchConfig {
            resolve: vec![format!("*={}", self.web.address).parse().unwrap()],
            concurrency: 1,
            ..FetchConfig::default()
        };
        fetch.set_delay(Duration::ZERO);
        fetch.politeness.per_ip = 0;
        let observer = Arc::new(StopAfter { left: Mutex::new(items), stopper: Mutex::default() });
        let shared = ResourceOptions { cpu_threads: 1, ..ResourceOptions::default() };
        let resources = SharedResources::start(&fetch, shared).unwrap();
        let spec = CrawlSpec { name: name.into(), seeds: seeds.to_vec(), lists: vec![], options };
        let crawl = CrawlRun::builder(self.store.clone(), &resources, spec)
            .with_observer(observer.clone())
            .with_ranked_seeds(given.ranked);
        let crawl = match given.ordering {
            Some(make) => crawl.with_ranking(make),
            None => crawl,
        };
        let crawl = crawl.start().unwrap();
        *observer.stopper.lock().unwrap() = Some(crawl.stopper());
        crawl.wait().unwrap()
    }
}

fn options(change: impl FnOnce(&mut CrawlOptions)) -> CrawlOptions {
    let mut options = CrawlOptions { attempts: 1, ordering: "fifo".into(), ..CrawlOptions::default() };
    change(&mut options);
    options
}

/// Returns a learning ranking and the feedback it receives.
fn student() -> (CrawlInputs, FeedbackLog) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ears = Arc::clone(&heard);
    let make = move |_: &TaskTopic, saved: Option<&[u8]>| {
        let gains = saved.map(|bytes| serde_json::from_slice(bytes).unwrap()).unwrap_or_default();
        Arc::new(DirectoryRanking { gains: Mutex::new(gains), heard: Arc::clone(&ears) })
            as Arc<dyn FrontierRanking>
    };
    (CrawlInputs { ranked: Vec::new(), ordering: Some(Box::new(make)) }, heard)
}

const HEAD: &str = "lang=\"en\"><head><title>Town</title>";

/// Builds a site with many news pages, followed by maps that each show a service.
fn town(news: usize, maps: usize) -> FocusSite {
    let mut site = FocusSite::default();
    let mut links: Vec<(String, &str)> = (0..news).map(|n| (format!("/news/{n}"), "News")).collect();
    links.extend((0..maps).map(|n| (format!("/maps/{n}"), "Stadtplan")));
    site.add_page("a.example/", HEAD, &links);
    for n in 0..news {
        site.add_page(&format!("a.example/news/{n}"), HEAD, &[]);
    }
    for n in 0..maps {
        let wms = format!("/service{n}/wms");
        site.add_page(&format!("a.example/maps/{n}"), HEAD, &[(wms.clone(), "WMS")]);
        site.add_service(&format!("a.example{wms}"));
    }
    site
}

fn learning() -> CrawlOptions {
    options(|options| options.ordering = "student".into())
}

/// Returns the positions of a directory's pages in the request log.
fn places(asked: &[String], directory: &str) -> Vec<usize> {
    let here = format!("/{directory}/");
    asked.iter().enumerate().filter(|(_, at)| at.contains(&here)).map(|(place, _)| place).collect()
}

#[test]
fn lessons_come_once_change_the_order_and_are_kept_for_later_tasks() {
    let lab = FocusLab::new(town(120, 20));
    let seeds = ["http://a.example/".to_owned()];
    let (given, heard) = student();
    let summary = lab.crawl("first", &seeds, learning(), given);
    assert_eq!((summary.counters.resources, summary.interrupted), (20, false));
    let mut lessons = heard.lock().unwrap().clone();
    lessons.sort();
    let mut expected = vec![("http://a.example/".to_owned(), 0)];
    expected.extend((0..120).map(|n| (format!("http://a.example/news/{n}"), 0)));
    expected.extend((0..20).map(|n| (format!("http://a.example/maps/{n}"), 1)));
    expected.sort();
    assert_eq!(lessons, expected);
    // News pages come first, but the ranking soon learns that unknown pages are more promising.
    let asked = lab.web.requested_pages();
    let (maps, news) = (places(&asked, "maps"), places(&asked, "news"));
    assert!(maps.last() < news.last(), "{asked:?}");
    let terms = lab.store.indicative_terms(summary.run, 1).unwrap();
    // The words near a link count as well, and some news links are near the maps.
    assert_eq!((terms[0].term.as_str(), terms[0].gained), ("stadtplan", 20));
    assert!((20..=40).contains(&terms[0].seen), "{terms:?}");

    let model = lab.store.load_model("student").unwrap().unwrap().bytes;
    assert_eq!(String::from_utf8(model).unwrap(), r#"{"":[1,0],"maps":[20,20],"news":[120,0]}"#);
    let before = asked.len();
    let (given, _) = student();
    lab.crawl("second", &seeds, learning(), given);
    let asked = lab.web.requested_pages();
    let (maps, news) = (places(&asked[before..], "maps"), places(&asked[before..], "news"));
    assert!(maps.last() < news.first(), "a later task knows from the start: {:?}", &asked[before..]);
}

#[test]
fn a_crawl_that_was_cut_goes_on_with_what_it_had_learned() {
    let lab = FocusLab::new(town(400, 20));
    let seeds = ["http://a.example/".to_owned()];
    let (given, first) = student();
    let cut = lab.crawl_until(30, "t", &seeds, learning(), given);
    assert!(cut.interrupted && lab.store.load_model("student").unwrap().is_some());
    let (given, second) = student();
    let whole = lab.crawl("t", &seeds, learning(), given);
    assert!(whole.resumed && !whole.interrupted);
    assert_eq!(whole.counters.resources, 20);
    let asked = lab.web.requested_pages();
    let distinct: HashSet<&String> = asked.iter().collect();
    assert_eq!(distinct.len(), asked.len(), "nothing is asked twice");
    let (first, second) = (first.lock().unwrap().len(), second.lock().unwrap().len());
    assert!(first > 10 && second > 10 && first + second <= 421, "{first} + {second}");
}

fn hosts(count: usize) -> (FocusSite, Vec<String>) {
    let mut site = FocusSite::default();
    for n in 0..count {
        site.add_page(&format!("h{n}.example/"), HEAD, &[("/below".to_owned(), "more")]);
        site.add_page(&format!("h{n}.example/below"), HEAD, &[("/wms".to_owned(), "WMS")]);
        site.add_service(&format!("h{n}.example/wms"));
    }
    let seeds = (0..count).map(|n| format!("http://h{n}.example/")).collect();
    (site, seeds)
}

fn group_of(at: &str) -> usize {
    at.trim_start_matches('h').split('.').next().unwrap().parse::<usize>().unwrap() / 10
}

#[test]
fn a_group_of_seeds_is_exhausted_before_the_next_is_opened() {
    let (site, seeds) = hosts(35);
    let lab = FocusLab::new(site);
    let ranked = |seed: &String| RankedSeed { url: seed.clone(), weight: 1.0, ..RankedSeed::default() };
    let given = CrawlInputs { ranked: seeds[5..].iter().map(ranked).collect(), ordering: None };
    let summary = lab.crawl("t", &seeds[..5], options(|options| options.width = Some(3)), given);
    let groups: Vec<usize> = lab.web.requested_pages().iter().map(|at| group_of(at)).collect();
    assert!(groups.is_sorted(), "{groups:?}");
    assert_eq!(groups.last(), Some(&2), "the fourth is not opened");
    let widths = lab.store.list_seed_groups(summary.run).unwrap();
    let told: Vec<_> = widths.iter().map(|one| (one.width, one.seeds, one.finds, one.given_up)).collect();
    assert_eq!(told, [(1, 10, 10, false), (2, 10, 10, false), (3, 10, 10, false)]);
    assert!(widths.iter().all(|one| one.why.as_deref() == Some("All reachable pages were read")));
    assert_eq!(lab.store.ranked_seeds(summary.run).unwrap().len(), 30);
    let depths = lab.store.yield_by_depth(summary.run).unwrap();
    assert_eq!(
        depths.iter().map(|one| (one.depth, one.finds)).collect::<Vec<_>>(),
        [(0, 0), (1, 0), (2, 30)]
    );
    // Depth 0 holds the seeds and the sitemaps that were looked for with them.
    assert_eq!(depths[1].pages, 30);
}

#[test]
fn a_run_that_was_cut_goes_on_in_its_group() {
    let (site, seeds) = hosts(30);
    let lab = FocusLab::new(site);
    let two = || options(|options| options.width = Some(2));
    let cut = lab.crawl_until(55, "t", &seeds, two(), CrawlInputs::default());
    assert!(cut.interrupted);
    assert_eq!(lab.store.list_seed_groups(cut.run).unwrap().len(), 2, "it was in the second group");
    let whole = lab.crawl("t", &seeds, two(), CrawlInputs::default());
    assert_eq!((whole.run, whole.counters.resources), (cut.run, 20));
    let widths = lab.store.list_seed_groups(cut.run).unwrap();
    assert_eq!(widths.iter().map(|one| one.finds).collect::<Vec<_>>(), [10, 10]);
    assert!(widths.iter().all(|one| one.ended.is_some()));
}

#[test]
fn a_branch_and_a_group_that_stop_paying_are_given_up() {
    let lab = FocusLab::new(town(60, 5));
    let seeds = ["http://a.example/".to_owned()];
    // The limit for news is reached among the maps: the branch ends, the group continues.
    let summary =
        lab.crawl("t", &seeds, options(|options| options.patience = Some(20)), CrawlInputs::default());
    let explained = |n: usize| lab.store.explain(&format!("http://a.example/news/{n}")).unwrap().visits;
    let last = &explained(59)[0];
    assert_eq!(last.state, "skipped");
    assert!(last.reason.contains("20 consecutive pages without a find"), "{}", last.reason);
    assert_eq!(explained(3)[0].state, "ok");
    assert_eq!(summary.counters.pending, 0, "nothing is left open");
    let widths = lab.store.list_seed_groups(summary.run).unwrap();
    assert!(widths[0].given_up && widths[0].why.as_deref().unwrap().starts_with("Stopped"), "{widths:?}");

    // Maps in between keep the group going, while the news branch ends.
    let mut site = town(1_200, 50);
    let mut links: Vec<(String, &str)> = Vec::new();
    for n in 0..1_200 {
        links.push((format!("/news/{n}"), "News"));
        if n % 24 == 0 {
            links.push((format!("/maps/{}", n / 24), "Maps"));
        }
    }
    site.add_page("a.example/", HEAD, &links);
    let lab = FocusLab::new(site);
    let summary =
        lab.crawl("t", &seeds, options(|options| options.patience = Some(100)), CrawlInputs::default());
    assert_eq!(summary.counters.resources, 50);
    let last = &lab.store.explain("http://a.example/news/1199").unwrap().visits[0];
    assert!(last.reason.contains("(/news)"), "{}", last.reason);
    assert!(!lab.store.list_seed_groups(summary.run).unwrap()[0].given_up);
}

#[test]
fn time_and_pages_are_budgets() {
    let lab = FocusLab::new(town(60, 5));
    let seeds = ["http://a.example/".to_owned()];
    let late =
        lab.crawl("late", &seeds, options(|options| options.max_seconds = Some(0)), CrawlInputs::default());
    assert!(!late.interrupted && lab.web.requested_pages().is_empty());
    let why = |run| lab.store.list_seed_groups(run).unwrap()[0].why.clone().unwrap();
    assert!(why(late.run).contains("time"));
    let few =
        lab.crawl("few", &seeds, options(|options| options.max_pages = Some(7)), CrawlInputs::default());
    assert!(few.counters.pages <= 8 && why(few.run).contains("pages"), "{few:?}");
    assert!(lab.store.time_taken(few.run).unwrap() > 0);
}

#[test]
fn pages_in_other_languages_are_read_and_not_followed() {
    let mut site = FocusSite::default();
    let german = "lang=\"de-AT\"><head><title>Karten</title>";
    let links = |to: &str| vec![(to.to_owned(), "more"), ("/wms".to_owned(), "WMS")];
    site.add_page("a.example/", german, &links("/english"));
    site.add_page("a.example/english", HEAD, &links("/next"));
    site.add_page("a.example/next", german, &[]);
    site.add_service("a.example/wms");
    let lab = FocusLab::new(site);
    let only = options(|options| options.languages = vec!["de".into()]);
    let summary = lab.crawl("t", &["http://a.example/".to_owned()], only, CrawlInputs::default());
    let asked = lab.web.requested_pages();
    assert!(asked.contains(&"a.example/english".to_owned()) && !asked.contains(&"a.example/next".to_owned()));
    assert_eq!(summary.counters.resources, 1);
}
