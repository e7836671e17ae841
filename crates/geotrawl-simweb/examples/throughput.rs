//! How many static pages a core serves: `throughput [HOSTS] [SECONDS] [IN_FLIGHT]`.
//!
//! The server runs on one thread; its processor time is read from the system, so that the figure holds on a busy
//! machine too. Clients walk over all pages of the site or web.

#![expect(clippy::print_stdout, reason = "an example talks to the terminal")]

use geotrawl_simweb::{BenchConfig, BenchSite, ServerHandle, SimWeb, SimWebConfig};
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

const CLIENTS: usize = 16;

fn main() -> io::Result<()> {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let hosts = arguments.first().copied().unwrap_or(300) as usize;
    let time = Duration::from_secs(arguments.get(1).copied().unwrap_or(5));

    let in_flight = arguments.get(2).copied().unwrap_or(1) as usize;
    let began = Instant::now();
    let web = SimWeb::generate(SimWebConfig { hosts, ..SimWebConfig::default() });
    println!("web of {hosts} hosts, {} pages: generated in {:?}", web.truth().pages, began.elapsed());
    let targets = page_targets(&web);
    measure("simulated web, every page in turn", time, in_flight, targets, move |listener| {
        web.serve(listener, None)
    })?;

    let site = BenchSite::generate(BenchConfig { pages: 4000, ..BenchConfig::default() });
    println!("bench site: {} pages, mean {} bytes", site.pages(), site.mean_bytes());
    let targets = (0..site.pages()).map(|page| ("h0.bench.test".to_owned(), format!("/p/{page}"))).collect();
    measure("bench site", time, in_flight, targets, move |listener| site.serve(listener, None))
}

/// Pages named in the sitemaps' form: every host's front page and its sections.
fn page_targets(web: &SimWeb) -> Vec<(String, String)> {
    web.page_urls()
        .filter_map(|url| {
            let rest = url.strip_prefix("http://")?;
            let (host, target) = rest.split_at(rest.find('/')?);
            Some((host.to_owned(), target.to_owned()))
        })
        .collect()
}

/// Processor seconds of the calling thread.
fn thread_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|f| f.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn measure(
    name: &str,
    time: Duration,
    in_flight: usize,
    targets: Vec<(String, String)>,
    serve: impl FnOnce(TcpListener) -> io::Result<ServerHandle> + Send + 'static,
) -> io::Result<()> {
    let (started, address) = mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = std::thread::spawn(move || -> io::Result<(u64, f64)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let server = serve(TcpListener::bind("127.0.0.1:0")?)?;
            let before = thread_seconds();
            let _ = started.send(server.address());
            let _ = stopped.await;
            Ok((server.served(), thread_seconds() - before))
        })
    });
    let Ok(address) = address.recv() else { return Err(io::ErrorKind::NotConnected.into()) };
    let over = AtomicBool::new(false);
    let began = Instant::now();
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (targets, over) = (&targets, &over);
            scope.spawn(move || load(address, targets, client * 997, in_flight, over));
        }
        std::thread::sleep(time);
        over.store(true, Ordering::Relaxed);
    });
    let wall = began.elapsed().as_secs_f64();
    let _ = stop.send(());
    if let Ok(Ok((served, seconds))) = server.join() {
        println!(
            "{name}: {served} requests, {:.0} a second of wall time, {:.0} a second of the server's core",
            served as f64 / wall,
            served as f64 / seconds
        );
    }
    Ok(())
}

/// One connection with that many requests in flight, until it is over.
fn load(address: SocketAddr, targets: &[(String, String)], mut next: usize, most: usize, over: &AtomicBool) {
    let Ok(mut stream) = TcpStream::connect(address) else { return };
    let mut buffer = vec![0; 1 << 18];
    let (mut filled, mut in_flight) = (0, 0);
    while !over.load(Ordering::Relaxed) {
        while in_flight < most {
            let (host, target) = &targets[next % targets.len()];
            next += 1;
            in_flight += 1;
            let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
            if stream.write_all(request.as_bytes()).is_err() {
                return;
            }
        }
        match answer_length(&buffer[..filled]) {
            Some(length) if length <= filled => {
                buffer.copy_within(length..filled, 0);
                filled -= length;
                in_flight -= 1;
            }
            length => {
                if length.is_some_and(|length| length > buffer.len()) {
                    buffer.resize(length.unwrap_or(0) + 1024, 0);
                }
                match stream.read(&mut buffer[filled..]) {
                    Ok(read) if read > 0 => filled += read,
                    _ => return,
                }
            }
        }
    }
}

/// Length of the first answer in the buffer, head included, once its head is there.
fn answer_length(buffer: &[u8]) -> Option<usize> {
    let head = &buffer[..buffer.len().min(1024)];
    let end = head.windows(4).position(|w| w == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&head[..end]).ok()?;
    let length = text.lines().find_map(|line| line.strip_prefix("Content-Length: "))?;
    length.trim().parse::<usize>().ok().map(|length| end + length)
}
