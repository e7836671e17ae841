//! `seeds`: lists of addresses to start from.

use crate::cli::{Global, SeedsCommand, SeedsImportArgs};
use crate::exit::{Exit, UsageError};
use crate::output::{self, count, tame};
use anyhow::{Context, Result};
use geotrawl_crawl::seeds::{self, Format, Seed};
use geotrawl_store::{EmbeddedStore, Store};
use jiff::Timestamp;
use std::fs::File;

/// Seeds stored in one transaction.
const AT_ONCE: usize = 10_000;
/// The registry's licence asks for this wherever its data is used.
const REGISTRY_CREDIT: &str = "Data Portals Registry by Dateno, CC BY 4.0";

/// Imports, lists or shows.
pub fn run(global: &Global, what: &SeedsCommand) -> Result<Exit> {
    match what {
        SeedsCommand::Import(args) => import(global, args),
        SeedsCommand::List => list(global),
        SeedsCommand::Show { list } => show(global, list),
    }
}

fn import(global: &Global, args: &SeedsImportArgs) -> Result<Exit> {
    let name = args.list.clone().unwrap_or_else(|| {
        let first = args.files.first().and_then(|file| file.file_name()).unwrap_or_default();
        first.to_string_lossy().split('.').next().unwrap_or("seeds").to_owned()
    });
    let store = EmbeddedStore::open(&global.data)?;
    let (mut read, mut new, mut unreadable) = (0_u64, 0, 0);
    for path in &args.files {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        let mut kept: Vec<Seed> = Vec::new();
        let told = seeds::read(file, args.format, &mut |seed| {
            if wanted(args, &seed) {
                kept.push(seed);
            }
            true
        })
        .with_context(|| format!("cannot read {}", path.display()))?;
        let source = match (&args.source, told.format) {
            (Some(source), _) => source.clone(),
            (None, Some(Format::Registry)) => REGISTRY_CREDIT.to_owned(),
            (None, _) => path.display().to_string(),
        };
        read += kept.len() as u64;
        for piece in kept.chunks(AT_ONCE) {
            new += store.import_seeds(&name, &source, piece, Timestamp::now())?;
        }
        unreadable += told.unreadable;
        for problem in told.problems.iter().take(10) {
            output::remark(&format!("geotrawl: {}, {}", path.display(), tame(problem, 300)));
        }
    }
    if unreadable > 10 {
        output::remark(&format!(
            "geotrawl: {unreadable} entries could not be read, the first are named above"
        ));
    }
    if global.json {
        output::json(&serde_json::json!({"list": name, "read": read, "new": new, "unreadable": unreadable}));
    } else {
        let seeds = count(read, "seed", "seeds");
        output::line(&format!("{seeds} read into the list '{name}', {new} of them new."));
    }
    if !global.quiet && read > 0 {
        output::remark(&format!("Next: geotrawl crawl --seeds {name}  or  geotrawl harvest --seeds {name}"));
    }
    Ok(if unreadable > 0 { Exit::Failures } else { Exit::Done })
}

fn wanted(args: &SeedsImportArgs, seed: &Seed) -> bool {
    let country = args.country.is_empty()
        || seed
            .country
            .as_deref()
            .is_some_and(|at| args.country.iter().any(|one| one.eq_ignore_ascii_case(at)));
    let kind = args.kinds.is_empty()
        || seed.kind.as_deref().is_some_and(|kind| args.kinds.iter().any(|one| one == kind));
    country && kind
}

fn list(global: &Global) -> Result<Exit> {
    for list in super::catalogue(global)?.seed_lists()? {
        if global.json {
            output::json(&list);
        } else {
            let seeds = count(list.seeds, "seed", "seeds");
            output::line(&format!("{}  {seeds}  {}", list.name, tame(&list.source, 100)));
        }
    }
    Ok(Exit::Done)
}

fn show(global: &Global, name: &str) -> Result<Exit> {
    let store = super::catalogue(global)?;
    known(&store, name)?;
    store.seeds(name, &mut |seed| {
        if global.json {
            output::json(&seed);
        } else {
            let kind = seed.kind.as_deref().unwrap_or("-");
            let title = tame(seed.title.as_deref().unwrap_or_default(), 60);
            output::line(&format!("{kind:<18} {}  {title}", seed.url));
        }
        true
    })?;
    Ok(Exit::Done)
}

/// Refuses a name that no list has.
pub fn known(store: &dyn Store, name: &str) -> Result<()> {
    let lists = store.seed_lists()?;
    if lists.iter().any(|list| list.name == name) {
        return Ok(());
    }
    let names: Vec<_> = lists.iter().map(|list| list.name.as_str()).collect();
    let known = if names.is_empty() { "none is stored".to_owned() } else { names.join(", ") };
    Err(UsageError(format!("there is no list of seeds '{name}' ({known}); see `geotrawl seeds import`"))
        .into())
}
