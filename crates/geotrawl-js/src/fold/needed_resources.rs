//! Collects the scripts and documents that the analysis needs in addition.

use super::address;
use super::eval::{EvalEnv, ExpressionEvaluator, FoldValue};
use super::modules;
use super::source_maps::{self, SourceMapPointer};
use super::table::{CallNode, ValueDefinition};
use crate::library;
use crate::model::{MapApp, NeededResource, NeededResourceKind};
use oxc_ast::ast::{Argument, Expression};
use rustc_hash::FxHashSet;

/// Maximum number of needed resources per application.
const MOST_WANTS: usize = 400;

/// Collects needed resources.
pub(super) struct ResourceCollector<'a, 'e> {
    eval: &'e mut ExpressionEvaluator<'a>,
    documents: Vec<NeededResource>,
    scripts: Vec<NeededResource>,
    seen: FxHashSet<String>,
    /// Naming of chunks, looked up on first use.
    chunks: ChunkNaming,
}

/// How chunks are named.
enum ChunkNaming {
    NotAsked,
    Unknown,
    /// The function that names them, and their public path.
    Named(u32, Option<String>),
}

/// Returns the resources that the units need, most promising first.
pub(super) fn find_needed_resources<'a>(
    app: &'a MapApp,
    eval: &mut ExpressionEvaluator<'a>,
) -> Vec<NeededResource> {
    let mut seen: FxHashSet<String> = app.documents.iter().map(|document| document.url.clone()).collect();
    seen.extend(app.scripts.iter().filter_map(|script| script.url.clone()));
    let mut wants = ResourceCollector {
        eval,
        documents: Vec::new(),
        scripts: Vec::new(),
        seen,
        chunks: ChunkNaming::NotAsked,
    };
    for unit in 0..wants.eval.t.units.len() {
        wants.imports(unit);
        wants.calls(unit);
        wants.sources(unit);
    }
    let ResourceCollector { mut documents, scripts, mut seen, .. } = wants;
    documents.sort_by_key(|want| u8::from(!speaks_of_settings(&want.url)));
    documents.extend(scripts);
    for script in &app.scripts {
        if let Some(SourceMapPointer::Elsewhere(url)) = source_maps::find_pointer(script)
            && script.url.as_deref().is_none_or(|url| library::find_by_url(url).is_none())
            && seen.insert(url.clone())
        {
            documents.push(NeededResource { url, kind: NeededResourceKind::SourceMap });
        }
    }
    documents.truncate(MOST_WANTS);
    documents
}

impl<'a> ResourceCollector<'a, '_> {
    fn base(&self, unit: usize) -> String {
        let url = self.eval.t.units.get(unit).and_then(|unit| unit.url.clone());
        url.unwrap_or_else(|| self.eval.app.base.clone())
    }

    fn add(&mut self, url: Option<String>, kind: NeededResourceKind) {
        let Some(url) = url.filter(|url| url.starts_with("http") && !url.contains(crate::model::HOLE)) else {
            return;
        };
        let url = url.split('#').next().unwrap_or_default().to_owned();
        if kind == NeededResourceKind::Script && library::find_by_url(&url).is_some() {
            return;
        }
        let list = if kind == NeededResourceKind::Script { &mut self.scripts } else { &mut self.documents };
        if list.len() < MOST_WANTS && self.seen.insert(url.clone()) {
            list.push(NeededResource { url, kind });
        }
    }

    fn imports(&mut self, unit: usize) {
        let Some(known) = self.eval.t.units.get(unit) else { return };
        if known.mapped {
            return;
        }
        let (imports, dynamic) = (known.imports.clone(), known.dynamic.clone());
        let base = self.base(unit);
        for source in imports {
            self.module(unit, &base, source);
        }
        for import in dynamic {
            self.eval.begin_event();
            let value = self.eval.eval(&import.source, &EvalEnv::default());
            for source in value.alternatives() {
                if let FoldValue::Text(source) = source {
                    self.module(unit, &base, source);
                }
            }
        }
    }

    fn module(&mut self, unit: usize, base: &str, source: &str) {
        if self.eval.unit_of(unit as u32, source).is_some() {
            return;
        }
        let bare = !source.starts_with('.') && !source.starts_with('/') && !source.contains("://");
        let found = modules::module_urls(self.eval.app, base, source).into_iter().next();
        if bare && found == modules::join_url(base, source) {
            return;
        }
        let kind =
            if ends(source, &["json"]) { NeededResourceKind::Document } else { NeededResourceKind::Script };
        if ![".css", ".svg", ".png", ".wasm"].iter().any(|ending| source.ends_with(ending)) {
            self.add(found, kind);
        }
    }

    fn calls(&mut self, unit: usize) {
        let Some(calls) = self.eval.t.units.get(unit).map(|unit| unit.calls.clone()) else { return };
        let mapped = self.eval.t.units.get(unit).is_some_and(|unit| unit.mapped);
        for call in calls {
            let Some(call) = self.eval.t.calls.get(call as usize) else { continue };
            let (node, name) = (call.node, call.name);
            match name {
                "getScript" | "importScripts" | "loadScript" | "Worker" | "SharedWorker" => {
                    self.first_argument(unit, node, NeededResourceKind::Script);
                }
                "fetch" | "getJSON" | "json" | "get" | "ajax" | "axios" | "open" | "esriRequest"
                | "request" | "xhr" | "$fetch" | "loadJSON" | "getJson" | "jsonp" | "load" => {
                    self.first_argument(unit, node, NeededResourceKind::Document);
                }
                "e" if !mapped && node.arguments().len() == 1 => self.chunk(unit, node),
                "define" | "require" | "requirejs" if !mapped => self.loader(unit, node),
                _ => {}
            }
        }
    }

    /// Returns whether an argument can be a URL: nearly all calls of `get` are unrelated.
    fn may_be_address(&self, argument: Option<&Argument<'a>>) -> bool {
        match argument.and_then(Argument::as_expression) {
            Some(Expression::Identifier(name)) => match self.eval.t.resolve_name(name) {
                Some(binding) => self
                    .eval
                    .t
                    .definitions(binding)
                    .any(|def| matches!(def, ValueDefinition::Expr(_) | ValueDefinition::Import(..))),
                None => true,
            },
            Some(
                Expression::StringLiteral(_)
                | Expression::TemplateLiteral(_)
                | Expression::BinaryExpression(_)
                | Expression::ConditionalExpression(_)
                | Expression::LogicalExpression(_)
                | Expression::ObjectExpression(_)
                | Expression::StaticMemberExpression(_)
                | Expression::NewExpression(_),
            ) => true,
            _ => false,
        }
    }

    fn first_argument(&mut self, unit: usize, node: CallNode<'a>, kind: NeededResourceKind) {
        if !node.arguments().iter().take(2).any(|argument| self.may_be_address(Some(argument))) {
            return;
        }
        self.eval.begin_event();
        let args = self.eval.eval_args(node, &EvalEnv::default());
        let opens = matches!(node.callee(), Expression::StaticMemberExpression(member) if member.property.name == "open");
        let Some(first) = args.get(usize::from(opens)).cloned() else { return };
        let first = match first {
            FoldValue::Literal(..) | FoldValue::Fields(_) | FoldValue::With(_) => {
                self.eval.member_value(&first, "url")
            }
            first => first,
        };
        // Script URLs are relative to their script, document URLs to the page.
        let base =
            if kind == NeededResourceKind::Script { self.base(unit) } else { self.eval.app.base.clone() };
        for url in first.alternatives() {
            let Some(url) = url.known_text() else { continue };
            match kind {
                NeededResourceKind::Document if configuration(url) => {
                    let url = modules::join_url(&base, url);
                    self.add(url, NeededResourceKind::Document);
                }
                NeededResourceKind::Script => {
                    let page = self.eval.app.base.clone();
                    let worker = node.is_new();
                    self.add(
                        modules::join_url(if worker { &page } else { &base }, url),
                        NeededResourceKind::Script,
                    );
                }
                _ => {}
            }
        }
    }

    /// `n.e(12)`: adds the chunk with this number, named by the bundle's own function.
    fn chunk(&mut self, unit: usize, node: CallNode<'a>) {
        let id = match node.arguments().first().and_then(Argument::as_expression) {
            Some(Expression::NumericLiteral(number)) => FoldValue::Number(number.value),
            Some(Expression::StringLiteral(text)) => FoldValue::from_text(&text.value),
            _ => return,
        };
        self.eval.begin_event();
        if matches!(self.chunks, ChunkNaming::NotAsked) {
            self.chunks = match self.eval.chunk_names() {
                Some((file, public)) => ChunkNaming::Named(file, public),
                None => ChunkNaming::Unknown,
            };
        }
        let ChunkNaming::Named(file, public) = &self.chunks else { return };
        let (file, public) = (*file, public.clone());
        let base = self.base(unit);
        let named = self.eval.call_func(file, vec![id]);
        for name in named.alternatives() {
            let Some(name) = name.known_text() else { continue };
            // Without a public path, chunks are relative to the script, without the folder in their
            // own names.
            let url = if let Some(public) = &public {
                modules::join_url(&self.eval.app.base, &format!("{public}{name}"))
            } else {
                {
                    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
                    let here = base.rsplit_once('/').map_or("", |(here, _)| here);
                    let root = here.strip_suffix(folder).unwrap_or(here).trim_end_matches('/').to_owned();
                    modules::join_url(&format!("{root}/"), name)
                }
            };
            self.add(url, NeededResourceKind::Script);
        }
    }

    /// Adds modules of AMD loaders that are relative to the script; libraries come from elsewhere.
    fn loader(&mut self, unit: usize, node: CallNode<'a>) {
        let base = self.base(unit);
        for argument in node.arguments() {
            let Some(Expression::ArrayExpression(list)) = argument.as_expression() else { continue };
            for element in list.elements.iter().take(256) {
                let Some(Expression::StringLiteral(source)) = element.as_expression() else { continue };
                let source = source.value.as_str();
                if source.starts_with('.')
                    && !source.contains('!')
                    && self.eval.unit_of(unit as u32, source).is_none()
                {
                    let named =
                        if ends(source, &["js"]) { source.to_owned() } else { format!("{source}.js") };
                    self.add(modules::join_url(&base, &named), NeededResourceKind::Script);
                }
            }
        }
    }

    /// Adds scripts that are loaded by `script.src = "..."`.
    fn sources(&mut self, unit: usize) {
        let Some(members) = self.eval.t.units.get(unit).map(|unit| unit.members.clone()) else { return };
        for member in members {
            let Some(node) = self.eval.t.members.get(member as usize).map(|member| member.node) else {
                continue;
            };
            let Some(target) = node.left.as_member_expression() else { continue };
            if super::collect::member_name(target) != Some("src") {
                continue;
            }
            self.eval.begin_event();
            let value = self.eval.eval(&node.right, &EvalEnv::default());
            for url in value.alternatives() {
                let Some(url) = url.known_text() else { continue };
                let path = url.split(['?', '#']).next().unwrap_or_default();
                if ends(path, &["js", "mjs"]) {
                    let url = modules::join_url(&self.eval.app.base, url);
                    self.add(url, NeededResourceKind::Script);
                }
            }
        }
    }
}

/// Returns whether a URL looks like settings rather than data.
fn configuration(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    if path.ends_with(".geojson")
        || path.ends_with(".topojson")
        || url.starts_with("data:")
        || url.len() > 1_024
    {
        return false;
    }
    if address::has_service_words(url) && !ends(&path, &["json"]) {
        return false;
    }
    ends(&path, &["json", "jsonp"]) || speaks_of_settings(&path)
}

fn speaks_of_settings(url: &str) -> bool {
    let url = url.to_ascii_lowercase();
    ["config", "settings", "layers", "services", "context", "sources", "themes", "/app.json", "env"]
        .iter()
        .any(|word| url.contains(word))
}

/// Returns whether a path has one of these extensions.
fn ends(path: &str, extensions: &[&str]) -> bool {
    let last = path.rsplit_once('.').map_or("", |(_, last)| last);
    extensions.iter().any(|extension| last.eq_ignore_ascii_case(extension))
}
