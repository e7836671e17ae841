//! Fixed work. `counted prepare NAME FOLDER` makes what a piece of it needs; `counted work NAME FOLDER` does it, once to warm up and
//! once between two looks at the allocator. `cargo xtask counts` runs the second under callgrind. Without words, as a test among others, it does
//! everything once.
#![expect(clippy::print_stdout, reason = "what was counted is told to the chore")]

mod works;

use anyhow::{Context, Result, bail, ensure};
use cap::Cap;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::path::PathBuf;

/// Not the program's allocator: that one gives memory back by the clock, and its work would differ from run to run.
#[global_allocator]
static ALLOCATOR: Cap<&StatsAlloc<System>> = Cap::new(&INSTRUMENTED_SYSTEM, usize::MAX);

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [list] = &args[..]
        && list == "list"
    {
        for work in works::WORKS {
            println!("{}\t{}\t{}", work.name, if work.threads { "threads" } else { "thread" }, work.about);
        }
        return Ok(());
    }
    let [what, name, folder] = &args[..] else { return all() };
    let folder = PathBuf::from(folder);
    let work = works::WORKS.iter().find(|work| work.name == name).context("there is no such work")?;
    match what.as_str() {
        "prepare" => (work.prepare)(&folder),
        "work" => {
            let mut pass = (work.begin)(&folder)?;
            // What is made once per process (automata, tables, buffers) is made here.
            pass()?;
            let region = Region::new(&INSTRUMENTED_SYSTEM);
            let result = measured(&mut *pass)?;
            let change = region.change();
            println!(
                "{}",
                serde_json::json!({
                    "result": result,
                    "allocations": change.allocations + change.reallocations,
                    "bytes": change.bytes_allocated,
                    "peak": ALLOCATOR.max_allocated(),
                })
            );
            Ok(())
        }
        _ => bail!("prepare or work, not {what}"),
    }
}

/// All work gives something, and twice the same.
fn all() -> Result<()> {
    for work in works::WORKS {
        let folder = tempfile::tempdir()?;
        (work.prepare)(folder.path())?;
        let mut pass = (work.begin)(folder.path())?;
        let (first, second) = (pass()?, pass()?);
        ensure!(first > 0 && first == second, "{} gave {first}, then {second}", work.name);
    }
    println!("{} pieces of fixed work are done", works::WORKS.len());
    Ok(())
}

/// Instructions count while this runs: callgrind knows it by its name.
#[inline(never)]
fn measured(pass: &mut works::WorkPass) -> Result<u64> {
    pass()
}
