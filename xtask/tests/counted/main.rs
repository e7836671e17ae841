//! Fixed work. `counted prepare NAME FOLDER` creates what a piece of work needs; `counted work NAME
//! FOLDER` does it twice: once to warm up, then once between two readings of the allocator. `cargo
//! xtask counts` runs the latter under callgrind. Without arguments, as a normal test, it does all
//! work once.
#![expect(clippy::print_stdout, reason = "what was counted is told to the chore")]

mod works;

use anyhow::{Context, Result, bail, ensure};
use cap::Cap;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::path::PathBuf;

/// Not the program's allocator, which returns memory depending on time, so that counts would vary.
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
    let work = works::WORKS.iter().find(|work| work.name == name).context("unknown work")?;
    match what.as_str() {
        "prepare" => (work.prepare)(&folder),
        "work" => {
            let mut pass = (work.begin)(&folder)?;
            // Things created once per process (automata, tables, buffers) are created here.
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
        _ => bail!("expected prepare or work, not {what}"),
    }
}

/// Checks that all work has a result, and the same result twice.
fn all() -> Result<()> {
    for work in works::WORKS {
        let folder = tempfile::tempdir()?;
        (work.prepare)(folder.path())?;
        let mut pass = (work.begin)(folder.path())?;
        let (first, second) = (pass()?, pass()?);
        ensure!(first > 0 && first == second, "{} returned {first}, then {second}", work.name);
    }
    println!("{} pieces of fixed work are done", works::WORKS.len());
    Ok(())
}

/// Instructions are counted while this runs; callgrind knows it by its name.
#[inline(never)]
fn measured(pass: &mut works::WorkPass) -> Result<u64> {
    pass()
}
