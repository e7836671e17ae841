//! Hostile scripts of ten megabytes each: how long every level takes.

use super::level_combinations;
use anyhow::{Context, Result};
use geotrawl_crawl::apps::ScriptAnalyzer;
use geotrawl_js::{AppScript, MapApp};
use std::path::Path;
use std::time::{Duration, Instant};

/// The size for the target, and one that the sandbox accepts: it skips scripts above three
/// megabytes.
const SIZES: [usize; 2] = [10 << 20, 2 << 20];
/// The target, and the allowance for starting a process and passing ten megabytes to it.
const BAR: Duration = Duration::from_secs(2);

/// Measures `target/release/geotrawl` with every script and level.
pub fn run(root: &Path) -> Result<()> {
    let program = root.join("target/release/geotrawl");
    program.metadata().with_context(|| format!("{} not found: run `make build` first", program.display()))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let students = ScriptAnalyzer::with_processes(program);
    println!("{:<34} {:>10} {:>10} {:>10} {:>10}", "script", "level 1", "level 2", "level 3", "2 and 3");
    let mut worst = Duration::ZERO;
    for (size, (name, source)) in
        SIZES.into_iter().flat_map(|size| scripts(size).into_iter().map(move |one| (size, one)))
    {
        let app = MapApp {
            page: "http://page.invalid/".into(),
            base: "http://page.invalid/".into(),
            scripts: vec![AppScript { url: None, source: source.into(), module: false, line: 1 }],
            ..MapApp::default()
        };
        print!("{:<28} {:>2} MB", name, size >> 20);
        for (_, levels) in level_combinations() {
            let started = Instant::now();
            let study = runtime.block_on(students.analyze_app(&app, levels.unwrap_or_default()));
            let took = started.elapsed();
            worst = worst.max(took);
            let mark = if study.is_err() { "*" } else { " " };
            print!(" {:>8.2}s{mark}", took.as_secs_f64());
        }
        println!();
    }
    let verdict = if worst <= BAR { "within" } else { "BEYOND" };
    println!(
        "worst {:.2} s, {verdict} {} s (* = its process was killed)",
        worst.as_secs_f64(),
        BAR.as_secs()
    );
    Ok(())
}

fn scripts(size: usize) -> Vec<(&'static str, String)> {
    let mut scripts = deep_scripts(size);
    scripts.extend(endless_scripts(size));
    scripts
}

/// Returns scripts that are deeply nested, long or broken.
fn deep_scripts(size: usize) -> Vec<(&'static str, String)> {
    // Repeats a text up to the size.
    let again = |piece: &str| piece.repeat(size / piece.len());
    let nested = |open: &str, middle: &str, close: &str| {
        let depth = size / (open.len() + close.len());
        format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
    };
    vec![
        ("[ open", again("[")),
        ("( open", again("(")),
        ("{ open", again("{")),
        ("[[[]]]", nested("[", "1", "]")),
        ("((()))", nested("(", "1", ")")),
        ("f(f(f()))", nested("f(", "1", ")")),
        ("functions in functions", nested("function f(){", "", "}")),
        ("arrows", format!("x={}1", again("a=>"))),
        ("arrows in parentheses", nested("(a=", "1", ")=>1")),
        ("assignments in parentheses", nested("(a=", "1", ")")),
        ("not not not", format!("x={}1", again("!"))),
        ("new new new", format!("{}f", again("new "))),
        ("if if if", format!("{};", again("if(a)"))),
        ("else if", again("if(a){}else ")),
        ("1+1+1", format!("x={}1", again("1+"))),
        ("\"a\"+\"a\"", format!("x={}\"http://x.example/wms\"", again("\"a\"+"))),
        ("a?b:a?b:", format!("x={}1", again("a?b:"))),
        ("a.b.c.d", format!("x=a{}", again(".b"))),
        ("a()()()", format!("x=a{}", again("()"))),
        ("a=a=a", format!("{}1", again("a="))),
        ("templates in templates", nested("`${", "1", "}`")),
        ("classes in classes", nested("class A extends ", "B", "{}")),
        ("one long list", format!("x=[{}1]", again("\"http://x.example/wms\","))),
        ("one long object", format!("x={{{}a:1}}", again("url:\"http://x.example/wms\","))),
        (
            "many services",
            again("new ol.source.TileWMS({url:\"http://x.example/wms\",params:{LAYERS:\"a\"}});"),
        ),
        ("text that never ends", format!("x=\"{}", again("http://x.example/wms "))),
        ("template that never ends", format!("x=`{}", again("http://x.example/wms "))),
        ("comment that never ends", format!("/*{}", again("http://x.example/wms "))),
        ("expression that never ends", format!("x=/{}", again("(a+)+"))),
        ("noise", again("\u{0}\u{fffd}\\u{110000}'\"`/*//${")),
    ]
}

/// Returns scripts that never end or exhaust memory when run, each after `size` bytes that must be
/// parsed first.
fn endless_scripts(size: usize) -> Vec<(&'static str, String)> {
    let padded = |script: &str| {
        let piece = "var a1=\"http://x.example/wms\";f(a1,{url:a1});";
        format!("{}\n{script}", piece.repeat(size / piece.len()))
    };
    vec![
        ("an endless loop", padded("for(;;){}")),
        ("endless promises", padded("(function f(){Promise.resolve().then(f)})()")),
        ("endless timers", padded("(function f(){setTimeout(f,0);setTimeout(f,0)})()")),
        ("a regex bomb", padded("/^(a+)+$/.test('a'.repeat(50)+'b'); /(x+x+)+y/.test('x'.repeat(60))")),
        ("endless recursion", padded("(function f(){f();f()})()")),
        ("memory", padded("var a=[];for(;;)a.push(new Array(1e6).fill(a.length))")),
        ("a text that doubles", padded("var s='http://x.example/wms';for(;;)s+=s")),
        (
            "values that double",
            padded(
                &(0..2000)
                    .map(|n| format!("var v{}=v{n}+v{n}+'http://x.example/wms';", n + 1))
                    .collect::<Vec<_>>()
                    .concat(),
            ),
        ),
        (
            "functions that double",
            padded(
                &(0..200)
                    .map(|n| format!("function g{n}(a){{return g{}(a)+g{}(a)}};", n + 1, n + 1))
                    .collect::<Vec<_>>()
                    .concat(),
            ),
        ),
        (
            "prototype tricks",
            padded(
                "Object.defineProperty(Object.prototype,'url',{get(){for(;;){}},set(){throw 1}});Array.prototype.push=Array.prototype.map=function(){for(;;){}};String.prototype.indexOf=function(){throw this};Object.prototype.toString=Object.prototype.valueOf=function(){for(;;){}};JSON.stringify=Reflect.get=Proxy=null;L.tileLayer.wms({toString(){for(;;){}}},{layers:1});new ol.source.TileWMS({get url(){for(;;){}}})",
            ),
        ),
        (
            "getters that never end",
            padded(
                "L.tileLayer.wms(new Proxy({},{get(){return new Proxy({},this)},ownKeys(){return Array(1e5).fill(0).map((_,i)=>'k'+i)},getOwnPropertyDescriptor(){return{enumerable:true,configurable:true,value:1}}}))",
            ),
        ),
    ]
}
