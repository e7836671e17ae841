//! Serves the map applications until stdin closes: `serve_apps FOLDER PORT [truth=FILE] [log=FILE]`.

#![expect(clippy::print_stdout, reason = "an example talks to the terminal")]

use geotrawl_simweb::{AppSite, LogSink};
use std::io::{self, Read as _};
use std::net::TcpListener;
use std::path::Path;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| arguments.iter().find_map(|a| a.strip_prefix(name)?.strip_prefix('='));
    let folder = arguments.first().map_or("target/apps", String::as_str);
    let port = arguments.get(1).and_then(|a| a.parse().ok()).unwrap_or(0);
    let site = AppSite::load(Path::new(folder))?;
    let truth = site.truth();
    println!("{} applications, {} services", truth.apps.len(), truth.services.len());
    if let Some(path) = option("truth") {
        std::fs::write(path, serde_json::to_vec_pretty(truth)?)?;
    }
    let log = option("log").map(|path| LogSink::file(Path::new(path))).transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = site.serve(TcpListener::bind(("127.0.0.1", port))?, log)?;
        println!("listening on {}", server.address());
        let _ = tokio::task::spawn_blocking(|| io::stdin().read_to_end(&mut Vec::new())).await;
        println!("served {} requests", server.served());
        server.stop().await;
        Ok(())
    })
}
