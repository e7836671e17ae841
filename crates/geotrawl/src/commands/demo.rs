//! `demo`: the program on a simulated web.

use super::serve::{self, ServerOptions};
use crate::cli::{DemoArgs, GlobalArgs};
use crate::config::Config;
use crate::exit::ExitStatus;
use crate::interrupt;
use crate::output;
use crate::progress::{CrawlProgress, ProgressFormat};
use crate::stores;
use anyhow::{Context, Result};
use geotrawl_crawl::fetch::AddressPin;
use geotrawl_crawl::options::CrawlOptions;
use geotrawl_crawl::pipeline::{CrawlRun, CrawlSpec};
use geotrawl_crawl::resources::SharedResources;
use geotrawl_model::RecordFilter;
use geotrawl_model::account::{NewUser, UserChange, UserRole};
use geotrawl_model::store::{CrawlStore, Store};
use geotrawl_model::task::{JobCommand, JobSpec, JobState};
use geotrawl_serve::auth;
use geotrawl_simweb::{GroundTruth, ServerHandle, SimWeb, SimWebConfig, report};
use jiff::Timestamp;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

/// Name of the demo's user.
const PERSON: &str = "demo";

/// Locations of the simulated hosts: city, country, latitude, longitude.
const CITIES: &[(&str, &str, f64, f64)] = &[
    ("Bern", "CH", 46.95, 7.45),
    ("Wien", "AT", 48.21, 16.37),
    ("Hamburg", "DE", 53.55, 9.99),
    ("Lyon", "FR", 45.76, 4.84),
    ("Utrecht", "NL", 52.09, 5.12),
    ("Tampere", "FI", 61.50, 23.76),
    ("Uppsala", "SE", 59.86, 17.64),
    ("Porto", "PT", 41.15, -8.61),
    ("Sevilla", "ES", 37.39, -5.99),
    ("Bologna", "IT", 44.49, 11.34),
    ("Brno", "CZ", 49.20, 16.61),
    ("Gdynia", "PL", 54.52, 18.53),
    ("Leeds", "GB", 53.80, -1.55),
    ("Cork", "IE", 51.90, -8.47),
    ("Halifax", "CA", 44.65, -63.58),
    ("Denver", "US", 39.74, -104.99),
    ("Recife", "BR", -8.05, -34.88),
    ("Valparaíso", "CL", -33.05, -71.61),
    ("Nairobi", "KE", -1.29, 36.82),
    ("Durban", "ZA", -29.86, 31.03),
    ("Pune", "IN", 18.52, 73.86),
    ("Kyoto", "JP", 35.01, 135.77),
    ("Hobart", "AU", -42.88, 147.33),
    ("Nelson", "NZ", -41.27, 173.28),
];

/// A simulated web on this machine, with one IP address per city.
struct DemoWeb {
    web: SimWeb,
    runtime: tokio::runtime::Runtime,
    servers: Vec<ServerHandle>,
    pins: Vec<AddressPin>,
}

/// Crawls a simulated web and shows the results in the application or, with `--no-serve`, in the
/// terminal.
pub fn run(global: &GlobalArgs, args: &DemoArgs) -> Result<ExitStatus> {
    stores::reject_shared_store(global, "demo")?;
    let simulated = simulate(args)?;
    let truth = simulated.web.truth();
    if !global.quiet {
        output::print_message(&format!(
            "Serving a simulated web of {} and about {} on this machine.",
            output::format_count(truth.hosts as u64, "host", "hosts"),
            output::format_count(truth.pages as u64, "page", "pages"),
        ));
    }
    let mut config = Config::load(global)?;
    // Only this process can resolve simulated names, so browsers can reach layers only through the
    // proxy.
    config.serve.proxy = true;
    // Check new records at once, so that scores appear while the user is watching.
    config.monitor.first_minutes = 0;
    config.monitor.at_once = 16;
    config.fetch.resolve.clone_from(&simulated.pins);
    config.fetch.set_delay(Duration::from_millis(global.delay.unwrap_or(20)));
    // Servers on this machine are never slow by accident: the stalls are simulated.
    config.fetch.timeouts.first_byte = Duration::from_secs(8);
    config.fetch.timeouts.idle = Duration::from_secs(4);
    config.fetch.timeouts.total = Duration::from_secs(global.timeout.unwrap_or(12));
    let exit = if args.no_serve {
        here(global, args, config, &simulated)
    } else {
        in_the_application(global, args, config, &simulated)
    };
    for server in simulated.servers {
        simulated.runtime.block_on(server.stop());
    }
    exit
}

fn simulate(args: &DemoArgs) -> Result<DemoWeb> {
    let config = SimWebConfig { seed: args.seed, hosts: args.hosts as usize, ..SimWebConfig::default() };
    let web = SimWeb::generate(config);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let (mut servers, mut addresses) = (Vec::new(), Vec::new());
    for city in 0..CITIES.len() {
        let listener = TcpListener::bind((city_address(city), 0))
            // Other systems than Linux have only one loopback address.
            .or_else(|_| TcpListener::bind("127.0.0.1:0"))?;
        addresses.push(listener.local_addr()?);
        servers.push(runtime.block_on(async { web.serve(listener, None) })?);
    }
    let mut pins = Vec::new();
    for (n, host) in web.host_names().enumerate() {
        let address = addresses.get(n % CITIES.len()).context("no address")?;
        pins.push(format!("{host}={address}").parse::<AddressPin>()?);
    }
    // Names without a host, and those that the simulated web creates while it runs.
    let first = addresses.first().context("no address")?;
    pins.push(format!("*={first}").parse::<AddressPin>()?);
    Ok(DemoWeb { web, runtime, servers, pins })
}

fn city_address(city: usize) -> Ipv4Addr {
    Ipv4Addr::new(127, 77, city as u8, 1)
}

/// Returns the GeoIP table for the addresses of the cities.
fn place_table() -> String {
    let row = |(n, (city, country, lat, lon)): (usize, &(&str, &str, f64, f64))| {
        format!("{}/32,{country},{city},{lat},{lon}\n", city_address(n))
    };
    CITIES.iter().enumerate().map(row).collect()
}

/// Crawls as a task of the application, which stays open until it is interrupted.
fn in_the_application(
    global: &GlobalArgs,
    args: &DemoArgs,
    config: Config,
    simulated: &DemoWeb,
) -> Result<ExitStatus> {
    let data = global.data.join("demo");
    let listen = args.listen.unwrap_or_else(|| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080));
    let setup = |listen, config| {
        serve::start(ServerOptions {
            config,
            location: stores::in_directory(&data),
            data: &data,
            listen,
            works: true,
            monitors: true,
            table: Some(place_table()),
        })
    };
    let running = match setup(listen, config.clone()) {
        // The default port is taken: use a free one.
        Err(_) if args.listen.is_none() && TcpListener::bind(listen).is_err() => {
            setup(SocketAddr::new(listen.ip(), 0), config)?
        }
        other => other?,
    };
    let store = running.store.clone();
    let secret = person(&*store)?;
    let spec = JobSpec {
        title: format!("The simulated web no. {}", args.seed),
        seeds: simulated.web.seeds(),
        depth: 30,
        max_pages: None,
        scope: "any".into(),
        public: true,
        ..JobSpec::default()
    };
    let job = store.add_job(None, &spec, Timestamp::now())?;
    store.apply_job_command(job.id, JobCommand::Start, u32::MAX, Timestamp::now())?;
    let page = format!("http://{}/tasks/{}", running.address, job.id);
    output::print_message(&format!("\n  Open    {page}"));
    output::print_message(&format!(
        "  Log in  {PERSON} / {secret}   (to start tasks, download and administer)\n"
    ));
    open_browser(&page);
    let name = job.name.clone();
    let truth = simulated.web.truth().clone();
    let (quiet, watched) = (global.quiet, store.clone());
    std::thread::Builder::new().name("demo".into()).spawn(move || {
        if ended(&*watched, job.id) && !quiet {
            compare(&*watched, &name, &truth);
            output::print_message("The application keeps running; press Ctrl-C to stop it.");
        }
    })?;
    interrupt::wait_for_interrupt("what was found is kept in the data directory.")?;
    running.stop();
    Ok(ExitStatus::Done)
}

/// Creates the demo's administrator, or resets the password if the account exists.
fn person(store: &dyn Store) -> Result<String> {
    let secret = auth::passwords::generate_password()?;
    let hash = auth::hash_password(&secret)?;
    if let Some((user, _)) = store.find_user_by_name(PERSON)? {
        let change = UserChange { password_hash: Some(hash), disabled: Some(false), ..UserChange::default() };
        store.change_user(user.id, &change)?;
    } else {
        let user = NewUser {
            name: PERSON.into(),
            email: None,
            role: UserRole::Admin,
            password_hash: Some(hash),
            identity: None,
            max_running: None,
        };
        store.add_user(&user, Timestamp::now())?;
    }
    Ok(secret)
}

/// Waits until a task has ended; returns `false` if the store becomes unavailable before that.
fn ended(store: &dyn Store, job: i64) -> bool {
    loop {
        std::thread::sleep(Duration::from_millis(500));
        match store.find_job(job) {
            Ok(Some(job))
                if matches!(job.state, JobState::Finished | JobState::Stopped | JobState::Failed) =>
            {
                return true;
            }
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => return false,
        }
    }
}

fn open_browser(page: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let seen = cfg!(target_os = "macos")
        || std::env::var_os("DISPLAY").is_some()
        || std::env::var_os("WAYLAND_DISPLAY").is_some();
    if seen {
        let quiet = std::process::Stdio::null;
        // Without a browser the user still has the address printed above.
        let _ = std::process::Command::new(opener).arg(page).stdout(quiet()).stderr(quiet()).spawn();
    }
}

/// Crawls in the terminal.
fn here(global: &GlobalArgs, args: &DemoArgs, config: Config, simulated: &DemoWeb) -> Result<ExitStatus> {
    let show = if global.json { ProgressFormat::Json } else { ProgressFormat::Text };
    let progress = Arc::new(CrawlProgress::new(show, global.quiet));
    let data = global.data.join("demo");
    let store = stores::in_directory(&data).open()?;
    let name = format!("demo-{}-{}", args.seed, args.hosts);
    let resources = SharedResources::start(&config.fetch, config.resource_options()?)?;
    let options = CrawlOptions { depth: 30, ..CrawlOptions::default() };
    let spec = CrawlSpec { name: name.clone(), seeds: simulated.web.seeds(), lists: Vec::new(), options };
    let crawl = CrawlRun::builder(store.to_shared(), &resources, spec);
    let summary = super::crawl::run_to_end(crawl, &progress)?;
    // The simulated web has dead seeds, so failures are expected and do not change the exit status.
    super::crawl::report_outcome(global, &progress, &summary, &name);
    if summary.interrupted {
        return Ok(ExitStatus::Interrupted);
    }
    if !global.quiet {
        let found = compare(&*store, &name, simulated.web.truth());
        let data = data.display();
        output::print_message("Next steps:");
        output::print_message(&format!("  geotrawl --data {data} search water"));
        output::print_message(&format!("  geotrawl --data {data} export --format geojson -o found.geojson"));
        if let Some(url) = found {
            output::print_message(&format!("  geotrawl --data {data} explain '{url}'"));
        }
        output::print_message("  geotrawl crawl https://your.site --scope domain");
    }
    Ok(ExitStatus::Done)
}

/// Prints recall and precision against the ground truth; returns one address that was found.
fn compare(store: &dyn CrawlStore, task: &str, truth: &GroundTruth) -> Option<String> {
    let mut found = Vec::new();
    let filter = RecordFilter { task: Some(task.to_owned()), ..RecordFilter::default() };
    let read = store.visit_records(&filter, &mut |record| {
        found.push((record.resource.kind, record.resource.url));
        true
    });
    if let Err(error) = read {
        output::print_message(&format!("geotrawl: cannot read the catalogue: {error}"));
        return None;
    }
    let pairs = found.iter().map(|(kind, url)| (kind.as_str(), url.as_str()));
    let score = report::recall_precision(truth, pairs, report::ExpectedResources::AllSurface);
    output::print_message(&format!(
        "Compared with the ground truth: recall {:.1} %, precision {:.1} %.",
        100.0 * score.recall(),
        100.0 * score.precision(),
    ));
    found.into_iter().next().map(|(_, url)| url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_store::geoip::GeoIpDatabases;

    #[test]
    fn every_city_is_found_at_its_address() {
        let places = GeoIpDatabases::default().with_table("demo", &place_table()).unwrap();
        for (n, (city, ..)) in CITIES.iter().enumerate() {
            assert_eq!(places.locate_address(city_address(n).into()).unwrap().city.as_deref(), Some(*city));
        }
    }
}
