//! Serves a simulated web until stdin closes: `serve SEED HOSTS PORT [hostile] [truth=FILE] [log=FILE]`.

#![expect(clippy::print_stdout, reason = "an example talks to the terminal")]

use geotrawl_simweb::{LogSink, SimWeb, SimWebConfig};
use std::io::{self, Read as _};
use std::net::TcpListener;
use std::path::Path;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |index: usize, default: u64| arguments.get(index).and_then(|a| a.parse().ok()).unwrap_or(default);
    let option = |name: &str| arguments.iter().find_map(|a| a.strip_prefix(name)?.strip_prefix('='));
    let began = std::time::Instant::now();
    let web = SimWeb::generate(SimWebConfig {
        seed: number(0, 1),
        hosts: number(1, 300) as usize,
        hostile: arguments.iter().any(|a| a == "hostile"),
        ..SimWebConfig::default()
    });
    let truth = web.truth();
    println!(
        "generated in {:?}: {} hosts, {} pages ({} reachable, depth {}), {} resources ({} surface), {} negatives",
        began.elapsed(),
        truth.hosts,
        truth.pages,
        truth.reachable_pages,
        truth.max_depth,
        truth.resources.len(),
        truth.resources.iter().filter(|r| r.surface).count(),
        truth.negatives.len()
    );
    if let Some(path) = option("truth") {
        std::fs::write(path, serde_json::to_vec_pretty(truth)?)?;
    }
    let log = option("log").map(|path| LogSink::file(Path::new(path))).transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = web.serve(TcpListener::bind(("127.0.0.1", number(2, 0) as u16))?, log)?;
        println!("listening on {}", server.address());
        let _ = tokio::task::spawn_blocking(|| io::stdin().read_to_end(&mut Vec::new())).await;
        println!("served {} requests", server.served());
        server.stop().await;
        Ok(())
    })
}
