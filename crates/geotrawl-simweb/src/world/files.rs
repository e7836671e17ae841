//! Data files on hosts: KML, KMZ and zipped Shapefiles, some of them huge.

use super::services::draw_box;
use super::{DataFile, HostRole, HostRoute, WebSize, WorldPlan};
use crate::file::{FileSegment, ShapeZip, SparseFile, shape_zip, write_kml, write_kmz};
use crate::lexicon::parse_pairs;
use crate::rng::SeededRng;
use bytes::Bytes;
use std::sync::Arc;

const HUGE: u64 = 2_000_000_000;
/// Size beyond 4 GiB, which requires ZIP64.
const GIGANTIC: u64 = 5_000_000_000;

pub(super) fn plan_files(world: &mut WorldPlan, size: WebSize, rng: SeededRng) {
    let geo: Vec<usize> = (0..world.hosts.len()).filter(|&h| world.hosts[h].role == HostRole::Geo).collect();
    let mut number = 0;
    for &host in &geo {
        let mut rng = rng.fork(host as u64);
        let count = if size.even { 1 } else { rng.range(0, 4) };
        for _ in 0..count {
            file(world, host, number, &mut rng);
            number += 1;
        }
    }
}

fn file(world: &mut WorldPlan, host: usize, number: usize, rng: &mut SeededRng) {
    let owner = &world.hosts[host];
    let lexicon = owner.lexicon();
    let themes: Vec<(&str, &str)> = parse_pairs(lexicon.themes).collect();
    let (slug, theme) = *rng.pick(&themes);
    let bbox = draw_box(lexicon.area, rng);
    let title = format!("{theme} {}", owner.organisation);
    let ranges = rng.percent(85);
    let (kind, target, content_type, file, hinted, names) = match number % 7 {
        0 | 1 => {
            let text = write_kml(&title, bbox, rng.range(2, 60), number, rng.next());
            let content_type = *rng.pick(&["application/vnd.google-earth.kml+xml", "text/xml", "text/plain"]);
            ("kml", format!("/download/{slug}-{number}.kml"), content_type, plain(text), true, Vec::new())
        }
        2 => {
            let text = write_kml(&title, bbox, rng.range(2, 30), number, rng.next());
            let content_type = *rng.pick(&["text/plain", "application/xml", "application/octet-stream"]);
            let target = format!("/export/places.php?set={slug}-{number}");
            ("kml", target, content_type, plain(text), false, Vec::new())
        }
        3 => {
            let text = write_kml(&title, bbox, rng.range(2, 60), number, rng.next());
            let content_type = *rng.pick(&[
                "application/vnd.google-earth.kmz",
                "application/zip",
                "application/octet-stream",
            ]);
            (
                "kmz",
                format!("/download/{slug}-{number}.kmz"),
                content_type,
                write_kmz(&text, number),
                true,
                Vec::new(),
            )
        }
        _ => {
            let stems: Vec<String> = (0..if rng.percent(25) { rng.range(2, 4) } else { 1 })
                .map(|index| format!("{slug}_{index}"))
                .collect();
            let zeros = match number % 35 {
                4 if ranges => HUGE,
                18 if ranges => GIGANTIC,
                5 | 13 => 30_000_000,
                _ => 0,
            };
            let spec = ShapeZip {
                folder: if rng.percent(40) { format!("{slug}/") } else { String::new() },
                stems,
                bbox,
                zeros,
                upper_case: rng.percent(15),
                with_prj: rng.percent(85),
                mac_forks: rng.percent(10),
            };
            let target = format!("/download/{slug}_shp_{number}.zip");
            let content_type =
                *rng.pick(&["application/zip", "application/x-zip-compressed", "application/octet-stream"]);
            ("shapefile", target, content_type, shape_zip(&spec), true, spec.stems)
        }
    };
    let id = world.files.len();
    let owner = &mut world.hosts[host];
    if owner.routes.contains_key(&target) {
        return;
    }
    owner.routes.insert(target.clone(), HostRoute::File(id));
    // Without ranges, reading the end of a large file requires downloading all of it, which no
    // crawler should do.
    let ranges = ranges || file.len() > 1_000_000;
    world.files.push(DataFile {
        kind,
        host,
        target,
        title,
        bbox,
        content_type,
        file: Arc::new(file),
        ranges,
        hinted,
        datasets: (kind == "shapefile").then_some(names.len()),
        names,
    });
}

fn plain(text: String) -> SparseFile {
    SparseFile::new(vec![FileSegment::Data(Bytes::from(text))])
}
