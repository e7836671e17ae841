//! `scale`: how far the design goes, by simulation. docs/scale.md says what is in the model and shows a run.
//!
//! `cargo run --release -p xtask -- scale [--urls N] [--hosts N] [--exponent X] [--most N] [--cost NAME=VALUE]...`

mod costs;
mod events;
mod fluid;
mod hosts;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, bail};
use costs::{Costs, DATABASES, Database, TABLE};
use std::time::Instant;

/// Workers that are tried.
const WORKERS: &[usize] = &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

struct Web {
    urls: f64,
    hosts: usize,
    exponent: f64,
    most: f64,
}

/// Runs the model and prints its tables in Markdown.
pub fn run(args: impl Iterator<Item = String>) -> Result<()> {
    let clock = Instant::now();
    let (web, mut costs) = settings(args)?;
    let sizes = hosts::sizes(web.hosts, web.urls, web.exponent, web.most);
    let pages: f64 = sizes.iter().map(|size| f64::from(*size)).sum();
    println!("## Costs\n\n| what | value | source |\n|---|---|---|");
    for line in TABLE {
        println!(
            "| {} | {} {} | {} |",
            line.name,
            shown(*(line.field)(&mut costs) / line.scale),
            line.unit,
            line.source
        );
    }
    politeness(&web, &costs, &sizes, pages);
    let plans: Vec<_> =
        WORKERS.iter().map(|workers| (*workers, fluid::plan(&costs, &sizes, *workers))).collect();
    for database in DATABASES {
        println!(
            "\n## {}: {} cores, {} GB for tables\n",
            database.name,
            database.cores,
            database.cache / 1e9
        );
        println!(
            "| workers | pages/s | half | 90 % | 99 % | all | first bottleneck |\n|---|---|---|---|---|---|---|"
        );
        for (workers, plan) in &plans {
            let told = fluid::run(&costs, database, plan, *workers);
            println!(
                "| {workers} | {} | {} | {} | {} | {} | {} |",
                thousands(told.rate),
                time(told.half),
                time(told.most),
                time(told.nearly),
                time(told.all),
                told.bottleneck
            );
        }
    }
    bearing(&costs, &plans);
    drivers(&costs, &plans);
    resources(&costs, pages);
    small_end(&costs);
    println!("\nCalculated in {:.1} s.", clock.elapsed().as_secs_f64());
    Ok(())
}

fn settings(mut args: impl Iterator<Item = String>) -> Result<(Web, Costs)> {
    let mut web = Web { urls: 1e9, hosts: 1_000_000, exponent: 0.8, most: 10_000.0 };
    let mut costs = Costs::default();
    while let Some(name) = args.next() {
        let value = args.next().with_context(|| format!("{name} needs a value"))?;
        let number =
            |text: &str| text.replace('_', "").parse::<f64>().with_context(|| format!("{text} is no number"));
        match name.as_str() {
            "--urls" => web.urls = number(&value)?,
            "--hosts" => web.hosts = number(&value)? as usize,
            "--exponent" => web.exponent = number(&value)?,
            "--most" => web.most = number(&value)?,
            "--cost" => {
                let (cost, value) = value.split_once('=').context("--cost wants NAME=VALUE")?;
                let line = TABLE.iter().find(|line| line.name == cost);
                let line =
                    line.with_context(|| format!("there is no cost '{cost}'; the table has their names"))?;
                *(line.field)(&mut costs) = number(value)? * line.scale;
            }
            other => bail!("{other} is not known here"),
        }
    }
    if web.hosts == 0 || web.urls < web.hosts as f64 || !(0.0..=3.0).contains(&web.exponent) || web.most < 1.0
    {
        bail!("there must be hosts with at least a page each, and an exponent between 0 and 3");
    }
    Ok((web, costs))
}

/// What no machine can buy.
fn politeness(web: &Web, costs: &Costs, sizes: &[u32], pages: f64) {
    let largest = sizes.iter().max().copied().unwrap_or_default();
    println!("\n## Politeness alone\n");
    println!(
        "{} pages on {} hosts; the largest has {}. One request at a time, {:.1} s from one to the next: its pages take {}, \
         whoever reads them.\n",
        thousands(pages),
        thousands(web.hosts as f64),
        thousands(f64::from(largest)),
        costs.cycle(),
        time(f64::from(largest) * costs.cycle())
    );
    println!("| most pages of a host | largest host | takes |\n|---|---|---|");
    for most in [1e3, 1e4, 1e5, 1e6, f64::from(u32::MAX)] {
        if most * (web.hosts as f64) < web.urls * 1.001 {
            println!("| {} | the web has fewer pages then | |", thousands(most));
            continue;
        }
        let largest =
            hosts::sizes(web.hosts, web.urls, web.exponent, most).into_iter().max().unwrap_or_default();
        let name = if most > 1e9 { "no limit".to_owned() } else { thousands(most) };
        println!(
            "| {name} | {} | {} |",
            thousands(f64::from(largest)),
            time(f64::from(largest) * costs.cycle())
        );
    }
}

/// What each thing would bear if it were the only one.
fn bearing(costs: &Costs, plans: &[(usize, fluid::Plan)]) {
    println!("\n## What each thing bears, in pages a second, with 1,024 workers\n");
    let names: Vec<&str> = DATABASES.iter().map(|database| database.name).collect();
    println!("| | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
    let Some((workers, plan)) = plans.last() else { return };
    let all: Vec<_> =
        DATABASES.iter().map(|database| fluid::limits(costs, database, plan, *workers)).collect();
    for (nth, (name, _)) in all.first().into_iter().flatten().enumerate() {
        let paces: Vec<String> = all
            .iter()
            .filter_map(|limits| limits.get(nth))
            .map(|(_, pace)| if *pace > fluid::MOST * 0.99 { "any".to_owned() } else { thousands(*pace) })
            .collect();
        println!("| {name} | {} |", paces.join(" | "));
    }
}

/// How much faster it would be if a cost were half of what it is.
fn drivers(costs: &Costs, plans: &[(usize, fluid::Plan)]) {
    println!("\n## What it would be worth to halve a cost, at 1,024 workers\n");
    let names: Vec<&str> = DATABASES.iter().map(|database| database.name).collect();
    println!("| cost | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
    let Some((workers, plan)) = plans.last() else { return };
    let rate = |costs: &Costs, database: &Database| fluid::run(costs, database, plan, *workers).rate;
    for line in TABLE {
        let mut halved = costs.clone();
        *(line.field)(&mut halved) /= 2.0;
        let gains: Vec<f64> =
            DATABASES.iter().map(|database| rate(&halved, database) / rate(costs, database) - 1.0).collect();
        if gains.iter().any(|gain| gain.abs() >= 0.03) {
            let gains: Vec<String> = gains.iter().map(|gain| format!("{:+.0} %", gain * 100.0)).collect();
            println!("| {} | {} |", line.name, gains.join(" | "));
        }
    }
}

/// What the whole crawl takes, however long.
fn resources(costs: &Costs, pages: f64) {
    let batch = 100.0;
    println!("\n## What the whole takes\n\n| | |\n|---|---|");
    println!("| fetched | {:.1} TB |", pages * costs.page_bytes / 1e12);
    println!("| CPU of the workers | {} core hours |", thousands(pages * costs.page_cpu / 3600.0));
    let cpu = pages / batch * costs.commit_cpu(batch);
    println!("| CPU of the database, in batches of {batch} | {} core hours |", thousands(cpu / 3600.0));
    println!("| known links on disk | {:.0} GB |", pages * costs.seen_row / 1e9);
    println!(
        "| log of the database, whole pages after checkpoints not counted | {:.1} TB |",
        pages * costs.wal_page / 1e12
    );
    let looks = 1024.0 * costs.driver_share * costs.look;
    println!(
        "| cores of the database that 1,024 workers without work keep busy by looking once a second | {looks:.0} |"
    );
}

/// The same small web in both models.
fn small_end(costs: &Costs) {
    println!("\n## Both models, 400 hosts with 20,000 pages, 32 hosts a worker\n");
    println!("| workers | every event | flows | difference | times as fast as 1 |\n|---|---|---|---|---|");
    let (costs, sizes) = small_web(costs);
    let Some(database) = DATABASES.first() else { return };
    let mut first = 0.0;
    for workers in [1, 2, 4, 8] {
        let exact = events::run(&costs, database, &sizes, workers);
        let flows = fluid::run(&costs, database, &fluid::plan(&costs, &sizes, workers), workers).all;
        first = if workers == 1 { exact } else { first };
        println!(
            "| {workers} | {exact:.1} s | {flows:.1} s | {:+.1} % | {:.2} |",
            (flows / exact - 1.0) * 100.0,
            first / exact
        );
    }
}

/// How a small crawl on one machine is set up.
pub struct Setting {
    /// Seconds that an answer takes.
    pub latency: f64,
    /// Pause after it.
    pub delay: f64,
    /// Hosts that a worker holds.
    pub hosts: usize,
}

/// Seconds that the model says for a crawl of hosts of these sizes (robots.txt not counted), database and workers on
/// one machine. `cluster scaling` puts it beside what it measures.
pub fn predicted(setting: &Setting, sizes: &[u32], workers: usize) -> f64 {
    let costs = Costs {
        latency: setting.latency,
        delay: setting.delay,
        worker_hosts: setting.hosts as f64,
        ..Costs::default()
    };
    let Some(server) = DATABASES.first() else { return f64::NAN };
    events::run(&costs, &Database { cores: 2.0, ..server.clone() }, sizes, workers)
}

/// A web small enough for every event, in which workers and not hosts are short.
fn small_web(costs: &Costs) -> (Costs, Vec<u32>) {
    let costs = Costs { worker_hosts: 32.0, ..costs.clone() };
    (costs, hosts::sizes(400, 20_000.0, 0.3, 100.0))
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number without noise behind it.
fn shown(value: f64) -> String {
    let rounded = (value * 1e4).round() / 1e4;
    rounded.to_string()
}
