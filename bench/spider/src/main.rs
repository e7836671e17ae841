//! The `spider` crate on the bench's one-host site: `bench-spider URL CONCURRENCY`.
//!
//! It persists nothing; pages are received through its subscription and counted, which is the least that a
//! user of the crate would do with them.

use anyhow::{Context, Result};
use spider::website::Website;
use tokio::sync::broadcast::error::RecvError;

/// Pages that may wait for the subscriber; behind that, the oldest are dropped.
const WAITING: usize = 128;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let url = args.next().context("usage: bench-spider URL CONCURRENCY")?;
    let concurrency = args.next().context("usage: bench-spider URL CONCURRENCY")?.parse()?;

    let mut website = Website::new(&url);
    website
        .with_respect_robots_txt(false)
        .with_delay(0)
        .with_depth(0)
        .with_limit(u32::MAX)
        .with_concurrency_limit(Some(concurrency));
    let mut pages = website.subscribe(WAITING);
    let counting = tokio::spawn(async move {
        let (mut count, mut bytes, mut missed) = (0u64, 0u64, 0u64);
        loop {
            match pages.recv().await {
                Ok(page) => {
                    count += 1;
                    bytes += page.get_html_bytes_u8().len() as u64;
                }
                Err(RecvError::Lagged(n)) => missed += n,
                Err(RecvError::Closed) => return (count, bytes, missed),
            }
        }
    });
    website.crawl().await;
    website.unsubscribe();
    drop(website);
    let (count, bytes, missed) = counting.await?;
    println!(r#"{{"pages":{count},"bytes":{bytes},"missed":{missed}}}"#);
    Ok(())
}
