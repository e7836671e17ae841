//! Functions that the prelude can call. They only record events, or look up data of the
//! application.

use super::engine::SandboxClock;
use super::modules::ModuleCatalogue;
use super::names::HOOKS;
use super::record::EventRecorder;
use super::value_reader::{JOINT, KEY, ValueReader};
use crate::model::{MapApp, NeededResourceKind, ScriptPosition};
use rquickjs::function::Opt;
use rquickjs::{Ctx, Exception, Function, Object, Result, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use url::Url;

/// The application and the recorder, shared by all host functions.
pub struct SandboxHost {
    pub app: MapApp,
    pub recorder: RefCell<EventRecorder>,
    pub catalogue: Rc<ModuleCatalogue>,
    clock: Rc<SandboxClock>,
    base: Option<Url>,
    documents: HashMap<String, usize>,
}

impl SandboxHost {
    /// Creates the host for an application.
    pub fn new(
        app: MapApp,
        catalogue: Rc<ModuleCatalogue>,
        clock: Rc<SandboxClock>,
        recorder: EventRecorder,
    ) -> Self {
        let base = Url::parse(&app.base).or_else(|_| Url::parse(&app.page)).ok();
        let documents = app.documents.iter().enumerate().map(|(at, one)| (one.url.clone(), at)).collect();
        Self { app, recorder: RefCell::new(recorder), catalogue, clock, base, documents }
    }

    /// Resolves a URL of the code; returns it unchanged if that fails.
    pub fn resolve_url(&self, url: &str) -> String {
        match &self.base {
            Some(base) => base.join(url).map_or_else(|_| url.to_owned(), String::from),
            None => url.to_owned(),
        }
    }

    fn document(&self, url: &str, want: bool) -> Option<String> {
        let absolute = self.resolve_url(url);
        let bare = absolute.split(['?', '#']).next().unwrap_or_default();
        let found = self.documents.get(&absolute).or_else(|| self.documents.get(bare));
        if let Some(document) = found.and_then(|at| self.app.documents.get(*at)) {
            return Some(document.body.trim_start_matches('\u{feff}').to_owned());
        }
        if want {
            self.recorder.borrow_mut().record_needed_resource(absolute, NeededResourceKind::Document);
        }
        None
    }

    fn enter(&self, script: u32) {
        self.recorder.borrow_mut().place = ScriptPosition { script, offset: 0 };
    }

    fn script(&self) -> u32 {
        self.recorder.borrow().place.script
    }

    /// Returns the URL of the running script.
    fn address(&self) -> String {
        let script = self.script() as usize;
        self.app
            .scripts
            .get(script)
            .and_then(|script| script.url.clone())
            .unwrap_or_else(|| self.app.page.clone())
    }
}

fn names(joined: &str) -> Vec<String> {
    if joined.is_empty() { Vec::new() } else { joined.split(JOINT).map(str::to_owned).collect() }
}

fn parts<'js>(ctx: &Ctx<'js>, url: &Url) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    let port = url.port().map(|port| port.to_string()).unwrap_or_default();
    let hostname = url.host_str().unwrap_or_default();
    object.set("protocol", format!("{}:", url.scheme()))?;
    object.set("hostname", hostname)?;
    object.set("host", if port.is_empty() { hostname.to_owned() } else { format!("{hostname}:{port}") })?;
    object.set("port", port)?;
    object.set("pathname", url.path())?;
    object.set(
        "search",
        url.query().filter(|query| !query.is_empty()).map(|query| format!("?{query}")).unwrap_or_default(),
    )?;
    object.set("hash", url.fragment().map(|hash| format!("#{hash}")).unwrap_or_default())?;
    object.set("username", url.username())?;
    object.set("password", url.password().unwrap_or_default())?;
    object.set("opaque", url.cannot_be_a_base())?;
    object.set("href", url.as_str())?;
    Ok(object)
}

/// Builds the host object for the prelude.
pub fn build_host_object<'js>(ctx: &Ctx<'js>, shared: &Rc<SandboxHost>) -> Result<Object<'js>> {
    let host = Object::new(ctx.clone())?;
    host.set("key", KEY)?;
    host.set("hooks", HOOKS.to_vec())?;
    recording(ctx, &host, shared)?;
    looking_up(ctx, &host, shared)?;
    Ok(host)
}

fn recording<'js>(ctx: &Ctx<'js>, host: &Object<'js>, shared: &Rc<SandboxHost>) -> Result<()> {
    let it = Rc::clone(shared);
    let call = move |ctx: Ctx<'js>, name: String, new: bool, args: Value<'js>, probe: Function<'js>| {
        // The engine rarely checks the clock; code that only calls libraries would run for a long
        // time.
        if it.clock.must_stop() {
            return Err(Exception::throw_range(&ctx, "too late"));
        }
        if !it.recorder.borrow().is_full() {
            let args = ValueReader::new(&ctx, Some(&probe)).read_list(&args);
            it.recorder.borrow_mut().record_call(names(&name), new, args);
        }
        Ok(())
    };
    host.set("call", Function::new(ctx.clone(), call)?)?;

    let it = Rc::clone(shared);
    let assign = move |ctx: Ctx<'js>, name: String, key: String, value: Value<'js>, probe: Function<'js>| {
        let value = ValueReader::new(&ctx, Some(&probe)).read_value(&value);
        it.recorder.borrow_mut().record_assignment(names(&name), &key, value);
    };
    host.set("assign", Function::new(ctx.clone(), assign)?)?;

    let it = Rc::clone(shared);
    let object = move |ctx: Ctx<'js>, value: Value<'js>, script: u32, offset: u32, probe: Function<'js>| {
        if !it.recorder.borrow_mut().should_record(ScriptPosition { script, offset }) {
            return;
        }
        let members = ValueReader::new(&ctx, Some(&probe)).read_members(&value);
        let mut recorder = it.recorder.borrow_mut();
        recorder.place = ScriptPosition { script, offset };
        recorder.record_object(members);
    };
    host.set("object", Function::new(ctx.clone(), object)?)?;

    let it = Rc::clone(shared);
    let seen = move |ctx: Ctx<'js>, value: Value<'js>, probe: Function<'js>| {
        let members = ValueReader::new(&ctx, Some(&probe)).read_members(&value);
        it.recorder.borrow_mut().record_object(members);
    };
    host.set("seen", Function::new(ctx.clone(), seen)?)?;

    let it = Rc::clone(shared);
    let site = move |ctx: Ctx<'js>,
                     args: Value<'js>,
                     name: String,
                     new: bool,
                     at: Vec<u32>,
                     probe: Function<'js>| {
        let place = ScriptPosition {
            script: at.first().copied().unwrap_or(0),
            offset: at.get(1).copied().unwrap_or(0),
        };
        if !it.recorder.borrow_mut().should_record(place) {
            return;
        }
        let args = ValueReader::new(&ctx, Some(&probe)).with_small_budget().read_list(&args);
        let mut recorder = it.recorder.borrow_mut();
        recorder.place = place;
        recorder.record_call(names(&name), new, args);
    };
    host.set("site", Function::new(ctx.clone(), site)?)?;

    let it = Rc::clone(shared);
    let failed = move |text: String| {
        let text: String = text.chars().take(160).collect();
        it.recorder.borrow_mut().record_issue(text);
    };
    host.set("failed", Function::new(ctx.clone(), failed)?)?;

    let it = Rc::clone(shared);
    let want = move |url: String, kind: String| {
        let url = it.resolve_url(&url);
        let kind = if kind == "script" { NeededResourceKind::Script } else { NeededResourceKind::Document };
        it.recorder.borrow_mut().record_needed_resource(url, kind);
    };
    host.set("want", Function::new(ctx.clone(), want)?)?;
    Ok(())
}

fn looking_up<'js>(ctx: &Ctx<'js>, host: &Object<'js>, shared: &Rc<SandboxHost>) -> Result<()> {
    let it = Rc::clone(shared);
    let document = move |url: String, want: bool| it.document(&url, want);
    host.set("document", Function::new(ctx.clone(), document)?)?;
    let it = Rc::clone(shared);
    host.set("resolve", Function::new(ctx.clone(), move |url: String| it.resolve_url(&url))?)?;
    let it = Rc::clone(shared);
    let parse = move |ctx: Ctx<'js>, url: String, base: Opt<Option<String>>| -> Result<Option<Object<'js>>> {
        let parsed = match base.0.flatten() {
            Some(base) => Url::parse(&it.resolve_url(&base)).and_then(|base| base.join(&url)),
            None => Url::parse(&url).or_else(|_| Url::parse(&it.resolve_url(&url))),
        };
        parsed.ok().map(|url| parts(&ctx, &url)).transpose()
    };
    host.set("parts", Function::new(ctx.clone(), parse)?)?;
    let it = Rc::clone(shared);
    host.set("late", Function::new(ctx.clone(), move || it.clock.must_stop())?)?;
    let it = Rc::clone(shared);
    host.set("script", Function::new(ctx.clone(), move || it.script())?)?;
    let it = Rc::clone(shared);
    host.set("enter", Function::new(ctx.clone(), move |script: u32| it.enter(script))?)?;
    let it = Rc::clone(shared);
    host.set("address", Function::new(ctx.clone(), move || it.address())?)?;
    let it = Rc::clone(shared);
    let module = move |name: String| it.catalogue.find_module(&it.address(), &name).is_some();
    host.set("module", Function::new(ctx.clone(), module)?)?;
    Ok(())
}
