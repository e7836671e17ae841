//! Runs a page in the sandbox, from its scripts to the last callback.

use super::engine::{SandboxClock, ScriptEngine, error_message, without_nul};
use super::host::{self, SandboxHost};
use super::instrument::{self, PreparedScript};
use super::modules::{ModuleCatalogue, ModuleLoader, resolve_module};
use super::names;
use super::record::{EventRecorder, SandboxMessage};
use crate::library;
use crate::model::{AnalysisLimits, MapApp, ScriptPosition};
use rquickjs::context::EvalOptions;
use rquickjs::{Context, Ctx, Function, Module, Object, Promise, Runtime, Value};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::mpsc::Sender;
use std::time::Duration;

/// Code of the stand-ins: a function with two parameters.
const PRELUDE: &str = concat!(
    "(function(host,facts){'use strict';\n",
    include_str!("prelude/intrinsics.js"),
    include_str!("prelude/standin.js"),
    include_str!("prelude/jobs.js"),
    include_str!("prelude/classes.js"),
    include_str!("prelude/library.js"),
    include_str!("prelude/amd.js"),
    include_str!("prelude/dom.js"),
    include_str!("prelude/net.js"),
    include_str!("prelude/bounds.js"),
    include_str!("prelude/start.js"),
    "})"
);
/// Scripts up to this length cannot be nested deeply enough to overflow the parser on our thread.
const SURELY_SHALLOW: usize = 8 << 10;
/// Memory that compiling may take, per byte of source. The engine's parser crashes when it runs out
/// of memory (QuickJS does not check the growth of its scope table): it takes up to twenty bytes
/// per byte of source, and there are several copies of the source.
const COMPILING: usize = 40;
const MOST_TICKS: usize = 8_000;
const MOST_PROMISE_JOBS: usize = 50_000;
/// Functions that pages start by an attribute or by a library's callback.
const STARTERS: [&str; 14] = [
    "init",
    "Init",
    "initialize",
    "initMap",
    "init_map",
    "initmap",
    "loadMap",
    "createMap",
    "onLoad",
    "main",
    "start",
    "setup",
    "initialise",
    "showMap",
];

/// A script to run.
struct ScriptTask {
    index: usize,
    name: String,
    prepared: PreparedScript,
    module: bool,
}

/// Runs a page. Results are sent immediately, so that they are not lost if the engine hangs.
pub fn run(app: MapApp, limits: &AnalysisLimits, out: Sender<SandboxMessage>) {
    let clock = SandboxClock::new(limits.run_time);
    let mut recorder = EventRecorder::new(out);
    let mut catalogue = ModuleCatalogue::default();
    catalogue.read_import_maps(&app);
    let mut tasks = prepare(&app, limits, &clock, &mut catalogue, &mut recorder);
    fill(&mut catalogue, &mut tasks, &app);
    let catalogue = Rc::new(catalogue);
    let shared = Rc::new(SandboxHost::new(app, Rc::clone(&catalogue), Rc::clone(&clock), recorder));
    let engine = match ScriptEngine::new(clock, limits.run_memory) {
        Ok(engine) => engine,
        Err(error) => {
            shared.recorder.borrow_mut().record_issue(format!("the sandbox failed: {error}"));
            return;
        }
    };
    engine.runtime.set_loader(ModuleLoader(Rc::clone(&catalogue)), ModuleLoader(Rc::clone(&catalogue)));
    let facts = facts(&shared.app, &tasks);
    if let Err(error) = engine.context.with(|ctx| run_all(&ctx, &engine, &shared, &tasks, &facts)) {
        shared.recorder.borrow_mut().record_issue(format!("the sandbox failed: {error}"));
    }
    // Report the end before a large heap is freed, so that the caller need not wait for it.
    shared.recorder.borrow_mut().finish();
}

/// Prepares all scripts.
fn prepare(
    app: &MapApp,
    limits: &AnalysisLimits,
    clock: &Rc<SandboxClock>,
    catalogue: &mut ModuleCatalogue,
    recorder: &mut EventRecorder,
) -> Vec<ScriptTask> {
    let name = |index: usize| match app.scripts.get(index).and_then(|script| script.url.as_deref()) {
        Some(url) => url.to_owned(),
        None => format!("{}#script-{index}", if app.base.is_empty() { &app.page } else { &app.base }),
    };
    for (index, script) in app.scripts.iter().enumerate() {
        if script.module || is_imported(&script.source) {
            catalogue.addresses.insert(resolve_module(&name(index), &name(index)), index);
        }
    }
    let gate = NestingGate::new(clock, limits);
    let mut tasks = Vec::new();
    for (index, script) in app.scripts.iter().enumerate() {
        let is_library = script.url.as_deref().is_some_and(|url| library::find_by_url(url).is_some())
            || library::find_by_source(&script.source).is_some();
        if is_library {
            continue;
        }
        if script.source.len() > limits.script_bytes.min(limits.run_memory / COMPILING) {
            recorder.record_issue(format!("script {index} is too long for the sandbox"));
            continue;
        }
        if clock.is_over() {
            recorder.record_issue(format!("no time left for script {index} and later scripts"));
            break;
        }
        let name = name(index);
        let known = |request: &str| catalogue.find_module(&name, request).is_some();
        let mut module = script.module;
        let mut prepared = PreparedScript::default();
        let left = clock.time_left();
        let passed = gate.lets_pass(&script.source, module);
        // The longer, instrumented code is compiled again, and compiling cannot be interrupted.
        let compiling = left.saturating_sub(clock.time_left());
        if compiling.saturating_mul(3) > clock.time_left() {
            recorder.record_issue(format!("script {index} takes too long to compile"));
            continue;
        }
        if passed {
            prepared = instrument::prepare_script(&script.source, index, module, &known);
        }
        if prepared.source.is_none()
            && !module
            && is_imported(&script.source)
            && gate.lets_pass(&script.source, true)
        {
            prepared = instrument::prepare_script(&script.source, index, true, &known);
            module = prepared.source.is_some();
        }
        let most = limits.run_memory / COMPILING * 3 / 2;
        prepared.source = prepared.source.filter(|source| source.len() <= most);
        tasks.push(ScriptTask { index, name, prepared, module });
    }
    tasks
}

/// Returns whether a script looks like a module.
fn is_imported(source: &str) -> bool {
    let bytes = source.as_bytes();
    memchr::memmem::find(bytes, b"export").is_some() || memchr::memmem::find(bytes, b"import").is_some()
}

/// Adds the prepared code and the imported names to the catalogue.
fn fill(catalogue: &mut ModuleCatalogue, tasks: &mut [ScriptTask], app: &MapApp) {
    for task in tasks {
        let address = resolve_module(&task.name, &task.name);
        for (request, names) in &task.prepared.imports {
            let target = resolve_module(&task.name, request);
            catalogue.imported.entry(target).or_default().extend(names.iter().cloned());
        }
        if task.module {
            let source = task.prepared.source.take();
            let raw = app.scripts.get(task.index).map(|script| script.source.to_string());
            catalogue.sources.insert(address.clone(), source.or(raw).unwrap_or_default());
            catalogue.addresses.insert(address, task.index);
        }
    }
}

/// Rejects code that is nested too deeply for our parser, which has no limit: the engine's parser
/// has one and goes first.
struct NestingGate {
    scratch: Option<(Context, Runtime)>,
    clock: Rc<SandboxClock>,
}

impl NestingGate {
    fn new(clock: &Rc<SandboxClock>, limits: &AnalysisLimits) -> Self {
        let scratch = ScriptEngine::new(Rc::clone(clock), limits.run_memory).ok().map(|engine| {
            // Compiling a module loads its imports, which may be empty here.
            let empty = Rc::new(ModuleCatalogue::default());
            engine.runtime.set_loader(ModuleLoader(Rc::clone(&empty)), ModuleLoader(empty));
            (engine.context, engine.runtime)
        });
        Self { scratch, clock: Rc::clone(clock) }
    }

    fn lets_pass(&self, source: &str, module: bool) -> bool {
        if source.len() <= SURELY_SHALLOW {
            return true;
        }
        let Some((context, _)) = &self.scratch else { return false };
        self.clock.begin_slice(self.clock.time_left() / 4);
        let source = without_nul(source);
        context.with(|ctx| {
            let compiled = if module {
                Module::declare(ctx.clone(), "gate", source.as_bytes()).map(|_| ())
            } else {
                // The function is never called. Code that escapes it runs in an empty engine
                // without host functions.
                ctx.eval_with_options::<(), _>(format!("(function(){{{source}\n}});0"), sloppy("gate"))
            };
            if compiled.is_err() {
                ctx.catch();
            }
            compiled.is_ok()
        })
    }
}

fn sloppy(name: &str) -> EvalOptions {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.filename = Some(name.replace('\0', ""));
    options
}

/// Returns the data for the prelude as JSON.
fn facts(app: &MapApp, tasks: &[ScriptTask]) -> String {
    let mut declared: BTreeSet<&str> = BTreeSet::new();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for task in tasks {
        declared.extend(task.prepared.declared.iter().map(String::as_str));
        used.extend(task.prepared.free.iter().map(String::as_str));
    }
    // These names become stand-ins, unless scripts test for them to detect their environment.
    let names: Vec<&str> = used
        .into_iter()
        .filter(|name| !declared.contains(name) && !names::reveals_environment(name))
        .take(2_000)
        .collect();
    let page = url::Url::parse(&app.page).ok();
    let part = |read: &dyn Fn(&url::Url) -> String| page.as_ref().map(read).unwrap_or_default();
    let port = part(&|url| url.port().map(|port| port.to_string()).unwrap_or_default());
    let hostname = part(&|url| url.host_str().unwrap_or_default().to_owned());
    let elements: Vec<serde_json::Value> = app
        .elements
        .iter()
        .take(2_000)
        .map(|one| serde_json::json!({"tag": one.tag, "attributes": one.attributes, "text": one.text}))
        .collect();
    serde_json::json!({
        "location": {
            "href": app.page,
            "protocol": part(&|url| format!("{}:", url.scheme())),
            "host": if port.is_empty() { hostname.clone() } else { format!("{hostname}:{port}") },
            "hostname": hostname,
            "port": port,
            "pathname": part(&|url| url.path().to_owned()),
            "search": part(&|url| url.query().map(|query| format!("?{query}")).unwrap_or_default()),
            "hash": part(&|url| url.fragment().map(|hash| format!("#{hash}")).unwrap_or_default()),
        },
        "base": app.base,
        "title": app.title,
        "elements": elements,
        "names": names,
        "amd": tasks.iter().any(|task| task.prepared.amd),
    })
    .to_string()
}

fn run_all(
    ctx: &Ctx<'_>,
    engine: &ScriptEngine,
    shared: &Rc<SandboxHost>,
    tasks: &[ScriptTask],
    facts: &str,
) -> rquickjs::Result<()> {
    if engine.clock.is_over() {
        return Ok(());
    }
    engine.clock.begin_slice(engine.clock.time_left());
    let host = host::build_host_object(ctx, shared)?;
    let mut options = EvalOptions::default();
    options.filename = Some("prelude".into());
    let start: Function<'_> = ctx.eval_with_options(PRELUDE, options)?;
    let start: rquickjs::Result<Object<'_>> = start.call((host, ctx.json_parse(facts)?));
    let prelude = match start {
        Ok(prelude) => prelude,
        Err(error) => {
            shared
                .recorder
                .borrow_mut()
                .record_issue(format!("the stand-ins failed: {}", error_message(ctx, error)));
            return Ok(());
        }
    };
    let mut jobs = MOST_PROMISE_JOBS;
    let mut loading = Vec::new();
    // Modules are deferred: they run after the classic scripts.
    let (modules, classic): (Vec<&ScriptTask>, Vec<&ScriptTask>) = tasks.iter().partition(|task| task.module);
    for task in classic.into_iter().chain(modules) {
        if engine.clock.is_over() {
            shared
                .recorder
                .borrow_mut()
                .record_issue("the sandbox ran out of time before all scripts had run".into());
            break;
        }
        shared.recorder.borrow_mut().place =
            ScriptPosition { script: u32::try_from(task.index).unwrap_or(u32::MAX), offset: 0 };
        engine.clock.begin_slice(slice(engine.clock.time_left()));
        match run_script(ctx, shared, task, &prelude) {
            Ok(promise) => loading.extend(promise),
            Err(error) => note_failure(shared, task, engine.clock.was_stopped(), &error_message(ctx, error)),
        }
        run_jobs(ctx, &engine.clock, &mut jobs);
    }
    finish(shared, &prelude);
    run_rest(ctx, &engine.clock, &prelude, &mut jobs);
    force(tasks, &prelude);
    run_rest(ctx, &engine.clock, &prelude, &mut jobs);
    for promise in loading {
        if let Some(Err(error)) = promise.result::<Value<'_>>() {
            let text = error_message(ctx, error);
            shared.recorder.borrow_mut().record_issue(text);
        }
    }
    Ok(())
}

fn note_failure(shared: &SandboxHost, task: &ScriptTask, stopped: bool, text: &str) {
    let what = if stopped { "was stopped" } else { "failed" };
    shared.recorder.borrow_mut().record_issue(format!("script {} {what}: {text}", task.index));
}

/// Returns the time for one script, half of what is left, so that no script starves the others.
fn slice(left: Duration) -> Duration {
    (left / 2).max(Duration::from_millis(20))
}

fn run_script<'js>(
    ctx: &Ctx<'js>,
    shared: &SandboxHost,
    task: &ScriptTask,
    prelude: &Object<'js>,
) -> rquickjs::Result<Option<Promise<'js>>> {
    if task.module {
        return Module::import(ctx, without_nul(&resolve_module(&task.name, &task.name)).as_bytes())
            .map(Some);
    }
    let raw = shared.app.scripts.get(task.index).map(|script| &*script.source).unwrap_or_default();
    let source = without_nul(task.prepared.source.as_deref().unwrap_or(raw));
    // Undefined names are defined as stand-ins, and the script is restarted, up to a few times.
    for _ in 0..4 {
        let Err(error) = ctx.eval_with_options::<(), _>(source.as_bytes(), sloppy(&task.name)) else {
            return Ok(None);
        };
        if !matches!(error, rquickjs::Error::Exception) {
            return Err(error);
        }
        let thrown = ctx.catch();
        let text: String =
            thrown.as_object().and_then(|object| object.get::<_, String>("message").ok()).unwrap_or_default();
        let missing = text.strip_suffix(" is not defined").map(|name| name.trim_matches('\'').to_owned());
        let defined = match missing {
            Some(name) => {
                prelude.get::<_, Function<'js>>("define")?.call::<_, bool>((name,)).unwrap_or(false)
            }
            None => false,
        };
        if !defined {
            return Err(ctx.throw(thrown));
        }
    }
    Ok(None)
}

/// Calls what the page starts on load.
fn finish(shared: &SandboxHost, prelude: &Object<'_>) {
    let mut names: Vec<String> = STARTERS.iter().map(|&name| name.to_owned()).collect();
    for url in shared.app.scripts.iter().filter_map(|script| script.url.as_deref()) {
        let query = url.split_once('?').map(|(_, query)| query).unwrap_or_default();
        names.extend(query.split('&').filter_map(|pair| pair.strip_prefix("callback=")).map(str::to_owned));
    }
    if let Ok(finish) = prelude.get::<_, Function<'_>>("finish") {
        // Ignore exceptions: pending callbacks must still run.
        if finish.call::<_, ()>((names,)).is_err() {
            prelude.ctx().catch();
        }
    }
}

/// Calls functions that nothing has called, such as button handlers.
fn force(tasks: &[ScriptTask], prelude: &Object<'_>) {
    let named =
        tasks.iter().flat_map(|task| task.prepared.functions.iter().map(|name| (name.as_str(), task.index)));
    let (names, scripts): (Vec<&str>, Vec<u32>) =
        named.map(|(name, index)| (name, u32::try_from(index).unwrap_or(u32::MAX))).take(200).unzip();
    if let Ok(force) = prelude.get::<_, Function<'_>>("force")
        && force.call::<_, ()>((names, scripts)).is_err()
    {
        prelude.ctx().catch();
    }
}

fn run_jobs(ctx: &Ctx<'_>, clock: &SandboxClock, jobs: &mut usize) {
    while *jobs > 0 && !clock.is_over() && ctx.execute_pending_job() {
        *jobs -= 1;
        if clock.was_stopped() {
            clock.begin_slice(slice(clock.time_left()));
        }
    }
}

/// Runs timers, events and callbacks until none are left or the time is up.
fn run_rest<'js>(ctx: &Ctx<'js>, clock: &SandboxClock, prelude: &Object<'js>, jobs: &mut usize) {
    let Ok(tick) = prelude.get::<_, Function<'js>>("tick") else { return };
    for _ in 0..MOST_TICKS {
        if clock.is_over() {
            return;
        }
        clock.begin_slice(slice(clock.time_left()));
        run_jobs(ctx, clock, jobs);
        clock.begin_slice(slice(clock.time_left()));
        match tick.call::<_, bool>(()) {
            Ok(true) => {}
            Ok(false) => {
                if *jobs == 0 || !ctx.execute_pending_job() {
                    return;
                }
                *jobs -= 1;
            }
            Err(_) => {
                ctx.catch();
            }
        }
    }
}
