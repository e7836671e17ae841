//! Documents and scripts.

use super::WorkPass;
use anyhow::{Context, Result};
use geotrawl_js::fold::fold_app;
use geotrawl_js::{AnalysisLimits, AppScript, MapApp};
use geotrawl_kinds::kinds::read_document;
use geotrawl_testkit::documents::wms_capabilities;
use std::fmt::Write as _;
use std::path::Path;

const DOCUMENT: usize = 60_000;
const MODULES: usize = 60;

#[expect(clippy::unnecessary_wraps, reason = "one of several of this shape")]
pub fn begin_capabilities(_: &Path) -> Result<Box<WorkPass>> {
    let document = wms_capabilities(DOCUMENT);
    Ok(Box::new(move || {
        let read = read_document(&mut document.as_bytes(), None, "http://example.org/");
        let (_, _, read) = read.context("no kind parses it")?;
        Ok(read.resources.first().context("no resource found")?.dataset_count)
    }))
}

#[expect(clippy::unnecessary_wraps, reason = "one of several of this shape")]
pub fn begin_script(_: &Path) -> Result<Box<WorkPass>> {
    let page = "https://example.org/app/".to_owned();
    let script = AppScript {
        url: Some("https://example.org/app/main.js".to_owned()),
        source: bundle().into(),
        module: false,
        line: 1,
    };
    let app = MapApp { page: page.clone(), base: page, scripts: vec![script], ..MapApp::default() };
    Ok(Box::new(move || {
        let folded = fold_app(&app, &AnalysisLimits::default());
        Ok((folded.events.len() + folded.wants.len()) as u64)
    }))
}

/// Returns modules as written by bundlers: most about something else, some with layers and composed
/// addresses.
fn bundle() -> String {
    let mut out =
        String::from("!function(){var e={base:\"https://maps.example.org\",path:\"/geoserver/\",tiles:{}};");
    for number in 0..MODULES {
        let _ = write!(
            out,
            "function r{number}(t,n){{var o=[],i=0;for(i=0;i<t.length;i++){{var a=t[i];a&&a.id===n?o.push(a.name+\":\"+i):a.children&&o.concat(r{number}(a.children,n))}}\
             return o.map(function(t){{return t.trim().toLowerCase()}}).filter(Boolean)}}\
             var s{number}={{kind:\"item {number}\",size:{number},on:function(t,n){{return this[t]=n,this}},text:\"Eintrag {number}: \"+({number}+1)}};"
        );
        if number % 4 == 0 {
            let _ = write!(
                out,
                "var u{number}=e.base+e.path+\"work{number}/wms\",p{number}={{LAYERS:[\"roads_{number}\",\"rivers\"].join(\",\"),FORMAT:\"image/png\"}};\
                 e.tiles.l{number}=new ol.layer.Tile({{source:new ol.source.TileWMS({{url:u{number},params:p{number}}})}});\
                 L.tileLayer.wms(\"https://wms{number}.example.org/service?\",{{layers:\"l\"+{number}}}).addTo(map);\
                 fetch(e.base+\"/config/\"+\"app{number}.json\").then(function(t){{return t.json()}});"
            );
        }
    }
    out.push_str("}();");
    out
}
