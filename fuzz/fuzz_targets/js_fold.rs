//! A script of a map application, parsed as a script and as a module, with its values followed to
//! calls and objects.

#![no_main]

use geotrawl_js::fold::fold;
use geotrawl_js::{App, Limits, Script};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|data: &[u8]| {
    let source = String::from_utf8_lossy(data);
    for module in [false, true] {
        let script = Script { url: None, source: Arc::from(&*source), module, line: 1 };
        let app = App {
            page: "https://page.example/maps/index.html".into(),
            base: "https://page.example/maps/".into(),
            scripts: vec![script],
            ..App::default()
        };
        let limits = Limits::default();
        let folded = fold(&app, &limits);
        assert!(folded.read_bytes <= source.len() as u64);
    }
});
