//! The floor, in a process of its own like everybody else.

use super::{Layout, Peer, Setting};
use anyhow::Result;

/// As many as the others use.
const CONCURRENCY: usize = 64;

pub fn prepare(_: &Setting) -> Result<Vec<Peer>> {
    let program = std::env::current_exe()?;
    let start = Box::new(move |setting: &Setting, site: &super::Ready, _: &std::path::Path| {
        let mut command = setting.cores.measured(&program);
        command.args(["floor", &site.seed, "--concurrency", &CONCURRENCY.to_string()]);
        command.args(["--per-host", &CONCURRENCY.div_ceil(site.hosts).to_string()]);
        command
    });
    Ok(vec![Peer {
        id: "floor",
        title: format!("floor: hyper + lol_html, c{CONCURRENCY}"),
        layouts: &[Layout::ManyHosts, Layout::OneHost],
        start,
        keeps: None,
        once: false,
    }])
}
