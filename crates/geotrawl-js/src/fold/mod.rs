//! Level 2: parses the scripts and follows values to the calls and objects that use them.
//!
//! [`parse`] builds syntax trees. [`collect`] walks each of them once and records scopes,
//! definitions and calls in a [`table::SymbolTable`]. [`eval`] computes values on demand, [`emit`]
//! requests those that are worth an event, and [`needed_resources`] those that should be fetched.

mod address;
mod bundles;
mod collect;
mod emit;
mod eval;
mod modules;
mod names;
mod needed_resources;
mod parse;
mod prescan;
mod source_maps;
mod table;

#[cfg(test)]
mod tests;

use crate::model::{AnalysisLimits, AppScript, MapApp, NeededResource, ScriptPosition};
use crate::value::CodeEvent;
use crate::{library, signs};
use oxc_allocator::Allocator;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;
use table::{NONE, SourceUnit, SymbolTable};

/// Result of folding.
#[derive(Debug, Default)]
pub struct FoldResult {
    pub events: Vec<CodeEvent>,
    pub wants: Vec<NeededResource>,
    pub issues: Vec<String>,
    pub read_bytes: u64,
}

/// Decides what is worth an event.
pub trait EventFilter {
    /// Returns whether a call with this name is worth an event.
    fn accepts_call(&self, name: &[&str]) -> bool;
    /// Returns whether an object with this member is worth an event.
    fn accepts_member(&self, name: &str) -> bool;
    /// Returns whether an assignment to a member with this name is worth an event.
    fn accepts_assignment(&self, name: &str) -> bool;
    /// Returns whether a script is a library, which is not analyzed.
    fn is_library(&self, script: &AppScript) -> bool;
}

/// Decides by [`signs`] and [`library`].
struct SignatureFilter;

impl EventFilter for SignatureFilter {
    fn accepts_call(&self, name: &[&str]) -> bool {
        signs::is_relevant_call(name)
    }

    fn accepts_member(&self, name: &str) -> bool {
        signs::is_relevant_member(name)
    }

    fn accepts_assignment(&self, name: &str) -> bool {
        signs::is_relevant_assignment(name)
    }

    fn is_library(&self, script: &AppScript) -> bool {
        script.url.as_deref().is_some_and(|url| library::find_by_url(url).is_some())
            || library::find_by_source(&script.source).is_some()
    }
}

/// Follows the values in all scripts of an application.
pub fn fold_app(app: &MapApp, limits: &AnalysisLimits) -> FoldResult {
    fold_app_with(app, limits, &SignatureFilter)
}

/// Stack size for the recursion of parser and walk; only the used part is ever committed.
const STACK: usize = 256 << 20;

/// Like [`fold_app`], with another filter of events.
pub fn fold_app_with(app: &MapApp, limits: &AnalysisLimits, interest: &dyn EventFilter) -> FoldResult {
    stacker::grow(STACK, || read(app, limits, interest))
}

thread_local! {
    /// Arena that is reused for the next application, because the system has to clear fresh memory.
    static SPARE: Cell<Option<Allocator>> = const { Cell::new(None) };
}

/// Larger arenas are freed instead.
const MOST_SPARE: usize = 96 << 20;

fn read(app: &MapApp, limits: &AnalysisLimits, interest: &dyn EventFilter) -> FoldResult {
    let mut allocator = SPARE.take().unwrap_or_default();
    let folded = read_into(&allocator, app, limits, interest);
    if allocator.capacity() <= MOST_SPARE {
        allocator.reset();
        SPARE.set(Some(allocator));
    }
    folded
}

fn read_into(
    allocator: &Allocator,
    app: &MapApp,
    limits: &AnalysisLimits,
    interest: &dyn EventFilter,
) -> FoldResult {
    let mut folded = FoldResult::default();
    let mut table = SymbolTable::default();
    let mut loose = Vec::new();
    for (number, script) in app.scripts.iter().enumerate() {
        let number = number as u32;
        if interest.is_library(script) {
            continue;
        }
        if script.source.len() > limits.script_bytes {
            folded.issues.push(format!("{} is too long to analyze", called(script)));
            continue;
        }
        folded.read_bytes += script.source.len() as u64;
        let mut whole = false;
        if let Some((originals, all)) = source_maps::read_originals(app, script) {
            for original in originals {
                let text = allocator.alloc_str(&original.text);
                if let parse::ParseOutcome::Tree(program) = parse::parse(allocator, text, true, true) {
                    let unit = unit(number, Some(original.url), true, true);
                    table = collect::collect_unit(table, interest, unit, program);
                    whole = all;
                }
            }
        }
        // Original sources replace the script only if they are complete.
        if whole {
            continue;
        }
        let typed = script.url.as_deref().is_some_and(is_typed);
        match parse::parse(allocator, &script.source, script.module, typed) {
            parse::ParseOutcome::Tree(program) => {
                let module = script.module || program.source_type.is_module() && has_imports(program);
                let unit = unit(number, script.url.clone(), module, false);
                table.rotates |= prescan::rotates_tables(&script.source);
                table = collect::collect_unit(table, interest, unit, program);
            }
            parse::ParseOutcome::Silent => {}
            parse::ParseOutcome::Not(why) => {
                folded.issues.push(format!("{} is only searched for string literals: {why}", called(script)));
                loose.extend(
                    parse::scan_literals(&script.source).into_iter().map(|(at, text)| (number, at, text)),
                );
            }
        }
    }
    let mut eval = eval::ExpressionEvaluator::new(app, table);
    let mut emit = emit::EventEmitter::new(&mut eval, interest);
    emit.emit_all();
    folded.events = emit.events;
    folded.wants = needed_resources::find_needed_resources(app, &mut eval);
    if eval.exhausted {
        folded.issues.push("the code is too complex to evaluate completely".to_owned());
    }
    for (script, offset, text) in loose {
        if address::is_address_like(&text) {
            let text = Rc::from(text.trim());
            folded.events.push(CodeEvent::Text { text, place: ScriptPosition { script, offset } });
        }
    }
    folded
}

fn unit<'a>(script: u32, url: Option<String>, module: bool, mapped: bool) -> SourceUnit<'a> {
    SourceUnit {
        script,
        url,
        module,
        mapped,
        scope: NONE,
        seeds: Vec::new(),
        calls: 0..0,
        objects: Vec::new(),
        members: 0..0,
        texts: Vec::new(),
        elements: Vec::new(),
        imports: Vec::new(),
        dynamic: Vec::new(),
        exports: FxHashMap::default(),
        reexports: Vec::new(),
    }
}

fn called(script: &AppScript) -> String {
    script.url.clone().unwrap_or_else(|| format!("the script on line {}", script.line))
}

fn is_typed(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    [".ts", ".tsx", ".mts"].iter().any(|ending| path.ends_with(ending))
}

fn has_imports(program: &oxc_ast::ast::Program<'_>) -> bool {
    program.body.iter().any(oxc_ast::ast::Statement::is_module_declaration)
}
