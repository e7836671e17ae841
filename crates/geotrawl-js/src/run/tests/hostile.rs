//! Hostile scripts: each ends in time and reaches nothing.

use super::*;
use std::time::{Duration, Instant};

/// Runs a hostile script followed by a good one. Must return in time even if the engine does not,
/// because compiling cannot be interrupted.
#[track_caller]
fn ends(script: &str) -> RunResult {
    let started = Instant::now();
    let limits = AnalysisLimits { run_time: Duration::from_millis(800), ..AnalysisLimits::default() };
    let ran = run(&app(&[script, "L.tileLayer('https://good.example/{z}');"]), &limits);
    let took = started.elapsed();
    assert!(took < Duration::from_secs(15), "{took:?} for {}", &script[..script.len().min(80)]);
    ran
}

/// Runs a hostile script; the engine must stop by itself.
#[track_caller]
fn survives(script: &str) -> RunResult {
    let ran = ends(script);
    assert!(!ran.issues.iter().any(|issue| issue.contains("abandoned")), "{:?}", ran.issues);
    ran
}

#[track_caller]
fn survives_and_goes_on(script: &str) {
    let ran = survives(script);
    assert_call(&ran, "L.tileLayer", "https://good.example/{z}");
}

#[test]
fn endless_loops_are_stopped() {
    survives_and_goes_on("for(;;){}");
    survives_and_goes_on("while(true){ try { for(;;){} } catch(e) {} finally { for(;;){} } }");
    survives_and_goes_on("function* g(){ for(;;) yield 1; } for (const x of g()) {}");
    survives_and_goes_on("(async function f(){ for(;;) await 0; })();");
    survives_and_goes_on("function f(){ Promise.resolve().then(f); } f();");
}

#[test]
fn storms_of_timers_are_bounded() {
    survives_and_goes_on(
        "function f(){ setTimeout(f, 0); setTimeout(f, 0); } f(); setInterval(f, 1); function r(){ requestAnimationFrame(r); } r();",
    );
}

#[test]
fn recursion_ends_at_the_stack_limit() {
    survives_and_goes_on("function f(){ f(); } f();");
    survives_and_goes_on("var o = {}; o.toString = function(){ return '' + o; }; '' + o;");
    survives_and_goes_on("var p = new Proxy({}, {get(t, k, r){ return r[k]; }}); p.x;");
}

#[test]
fn memory_is_bounded() {
    survives_and_goes_on("var a = 'a'.repeat(2**29);");
    survives_and_goes_on("var a = []; for(;;) a.push(new Array(1000).fill(a.length));");
    survives_and_goes_on("var s = 'x'; for(;;) s += s;");
    survives_and_goes_on("new Uint8Array(1e9); new ArrayBuffer(2**40); new Array(4294967295).fill(1);");
}

#[test]
fn regular_expressions_are_stopped() {
    survives_and_goes_on("/(a+)+$/.test('a'.repeat(40) + 'b');");
    survives_and_goes_on("'a'.repeat(30000).replace(/(a*)*(b|c)/g, 'x');");
}

#[test]
fn deep_nesting_hits_a_limit() {
    for part in ["[", "!", "a?", "(function(){", "for(;;){}", "if(a){}", "{let a}"] {
        ends(&part.repeat((10 << 20) / part.len()));
        ends(&part.repeat((3 << 20) / part.len()));
    }
    for part in ["(", "{", "a=>", "`${", "new ", "if(a)", "-", "a=", "x={a:", "class extends "] {
        ends(&part.repeat((1 << 20) / part.len()));
        ends(&part.repeat(SHALLOW / part.len()));
    }
    for part in ["a+", "a.a", ".a", "a&&", "a,", "a;", "?.a", "`x`", "a??"] {
        ends(&format!("a{}a", part.repeat((512 << 10) / part.len())));
        ends(&format!("a{}a", part.repeat(SHALLOW / part.len())));
    }
    let open = "[".repeat(1 << 20);
    ends(&format!("var x = {open}{}", "]".repeat(1 << 20)));
}

const SHALLOW: usize = 8 << 10;

#[test]
fn long_native_calls_are_bounded() {
    survives("new Array(4294967295).join('x');");
    survives("Array.prototype.indexOf.call({length: 2**53 - 1}, 1);");
    survives("Array.prototype.reverse.call({length: 2**53 - 1});");
    survives("Array.from({length: 1e9}); ");
    ends("var a = []; for (var i = 0; i < 2e6; i++) a.push(i % 7); a.sort(); a.sort(); a.sort();");
    ends("2n ** (10n ** 9n);");
    ends("var s = 'ab'.repeat(1e6); s.split('').reverse().join('').replaceAll('a', 'bb');");
    survives("JSON.parse('['.repeat(1e6));");
    ends("var o = {}; for (var i = 0; i < 1e6; i++) o['k' + i] = i; JSON.stringify(o); L.marker(o);");
}

#[test]
fn a_changed_world_does_not_stop_the_recording() {
    survives_and_goes_on(
        "Object.defineProperty(Object.prototype, 'get', {get(){ throw 1; }, set(){ throw 2; }, configurable: true});",
    );
    survives_and_goes_on(
        "Array.prototype.push = Array.prototype.slice = Array.prototype.join = function(){ throw 1; }; JSON.stringify = JSON.parse = null; Array.prototype[Symbol.iterator] = function(){ throw 1; };",
    );
    survives_and_goes_on(
        "Reflect.apply = Reflect.construct = null; Function.prototype.call = Function.prototype.apply = function(){ throw 1; }; WeakMap.prototype.get = function(){ return {}; };",
    );
    survives_and_goes_on(
        "Proxy = function(){}; Promise = null; Object = null; Array = null; String = null; Error = null; Symbol = null;",
    );
    survives_and_goes_on(
        "Object.defineProperty(Array.prototype, '0', {set(){ throw 1; }, get(){ throw 2; }, configurable: true});",
    );
    survives_and_goes_on(
        "String.prototype.split = String.prototype.indexOf = RegExp.prototype.exec = function(){ for(;;){} };",
    );
    survives_and_goes_on(
        "Object.prototype.value = 1; Object.prototype.writable = false; Object.prototype.then = function(){ throw 1; }; Object.prototype.url = 'x';",
    );
    survives_and_goes_on(
        "delete globalThis.Reflect; delete globalThis.document; globalThis.window = null; Object.setPrototypeOf(globalThis, null);",
    );
    survives_and_goes_on(
        "Object.freeze(Array.prototype); Object.freeze(Object.prototype); Object.freeze(Function.prototype);",
    );
}

#[test]
fn poisoned_arguments_are_read_with_care() {
    survives_and_goes_on("L.map({get url(){ throw new Error('no'); }, get x(){ for(;;){} }});");
    survives_and_goes_on("var o = {url: 'https://x.example/a'}; o.o = o; o.list = [o, o]; L.map(o);");
    survives_and_goes_on(
        "L.map(new Proxy({}, {ownKeys(){ throw 1; }, get(){ throw 2; }, getOwnPropertyDescriptor(){ throw 3; }}));",
    );
    survives_and_goes_on(
        "var r = Proxy.revocable({}, {}); r.revoke(); L.map(r.proxy); L.map({url: r.proxy});",
    );
    survives_and_goes_on(
        "L.map({url: {toString(){ throw 1; }, valueOf(){ throw 2; }}}); throw {toString(){ throw 3; }};",
    );
    survives_and_goes_on("new google.maps.ImageMapType({getTileUrl(){ for(;;){} }});");
    survives_and_goes_on(
        "L.map(window); L.map(document); L.map(globalThis, document.body, Symbol('x'), 10n, NaN);",
    );
    survives_and_goes_on(
        "var d = {}; var at = d; for (var i = 0; i < 1e5; i++) at = at.d = {}; L.map(d); L.map('\\uD800', {url: '\\uDC00https://x.example'});",
    );
}

#[test]
fn what_is_written_down_is_bounded() {
    let ran = survives(
        "for (var i = 0; i < 1e6; i++) L.tileLayer('https://x.example/' + i + '/' + 'y'.repeat(3000));",
    );
    assert!(ran.events.len() <= 5_001);
    survives("for (var i = 0; i < 1e5; i++) fetch('/config' + i + '.json');");
    let wants = survives("for (var i = 0; i < 1e4; i++) fetch('/config' + i + '.json');").wants;
    assert!(wants.len() <= 64);
}

#[test]
fn nothing_of_the_host_is_there() {
    let ran = ran(&[
        "var names = ['std', 'os', 'process', 'Deno', 'Bun', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'host', 'facts', 'print', 'scriptArgs', 'bjson', 'quit', 'gc', 'load', 'java'];\
         var there = names.filter(function(n){ return typeof globalThis[n] !== 'undefined'; });\
         L.tileLayer('https://good.example/' + there.join('-'));",
    ]);
    assert_call(&ran, "L.tileLayer", "https://good.example/print");
}

#[test]
fn files_and_system_modules_cannot_be_imported() {
    for name in ["std", "os", "file:///etc/passwd", "/etc/passwd", "node:fs", "../../../etc/passwd"] {
        let script = format!(
            "import('{name}').then(function(m){{ var f = m.loadFile || m.readFileSync; L.tileLayer('https://good.example/' + typeof m.default + String(f).length); }});"
        );
        let ran = ran(&[&script]);
        let all = format!("{:?}", ran.events);
        assert!(!all.contains("root:"), "{all}");
    }
}

#[test]
fn runs_do_not_see_each_other() {
    ran(&[
        "globalThis.secret = 'https://leak.example/'; Object.prototype.leak = 'https://leak.example/'; localStorage.setItem('a', 'https://leak.example/');",
    ]);
    let second = ran(&[
        "L.tileLayer('https://good.example/' + [typeof secret, ({}).leak, localStorage.getItem('a')].join());",
    ]);
    assert_call(&second, "L.tileLayer", "https://good.example/undefined,,");
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 48, ..proptest::test_runner::Config::default() })]

    #[test]
    fn random_scripts_end(parts in proptest::collection::vec(proptest::sample::select(vec![
        "L", ".", "tileLayer", "(", ")", "{", "}", "[", "]", "'https://x.example/'", "function", "=>", "var a=", "new ", "a", ";", ",",
        "for(;;)", "await ", "async ", "yield ", "`", "${", "=", "+", "class ", "extends ", "import ", "export ", "/", "*", "\\u0000",
        "try", "catch(e)", "...", "?", ":", "url:", "this", "null", "\n", "<!--", "-->", "if(a)", "else ",
    ]), 0..40)) {
        let limits = AnalysisLimits { run_time: Duration::from_millis(100), ..AnalysisLimits::default() };
        let started = Instant::now();
        let _ = run(&app(&[&parts.concat()]), &limits);
        proptest::prop_assert!(started.elapsed() < Duration::from_millis(900));
    }
}
