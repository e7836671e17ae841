//! Mines an archive of the simulated web.

use super::WorkPass;
use anyhow::{Result, ensure};
use geotrawl_crawl::apps::ScriptAnalyzer;
use geotrawl_crawl::mine::run::{ArchiveMiner, MiningEvent};
use geotrawl_crawl::mine::{MineOptions, WebArchive};
use geotrawl_simweb::SimWebConfig;
use geotrawl_simweb::archive::{ArchiveOptions, ArchivePaths, write_archive};
use std::convert::Infallible;
use std::path::Path;
use std::sync::atomic::AtomicBool;

const BYTES: u64 = 400_000;

pub fn prepare(folder: &Path) -> Result<()> {
    let options =
        ArchiveOptions { gzip: true, bytes: Some(BYTES), warc: true, wat: false, wet: false, indexes: false };
    let config = SimWebConfig { seed: 3, hosts: 2, pages: Some(16), ..SimWebConfig::default() };
    write_archive(folder, &config, &options)?;
    Ok(())
}

pub fn begin_mining(folder: &Path) -> Result<Box<WorkPass>> {
    let archives = vec![WebArchive::open_file(&ArchivePaths::in_folder(folder, true).warc)?];
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    Ok(Box::new(move || {
        let miner = ArchiveMiner {
            archives: &archives,
            options: MineOptions { threads: 1, ..MineOptions::default() },
            students: ScriptAnalyzer::Here,
            runtime: runtime.handle().clone(),
            token: "geotrawl".to_owned(),
        };
        let (mut shown, mut faults) = (0, Vec::new());
        let Ok(_stopped) = miner.run(&AtomicBool::new(false), &mut |news| {
            match news {
                MiningEvent::Shown(candidates) => shown += candidates.len() as u64,
                MiningEvent::Finished(..) => {}
                MiningEvent::Problem(_, why) | MiningEvent::Failed(_, why) => faults.push(why),
            }
            Ok::<_, Infallible>(())
        });
        ensure!(faults.is_empty(), "{}", faults.join("; "));
        Ok(shown)
    }))
}
