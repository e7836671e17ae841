//! Level 2: scripts are parsed, and values followed to the calls and objects that use them.
//!
//! [`parse`] makes trees, [`collect`] walks each once and writes scopes, definitions and calls into a
//! [`table::Table`], [`eval`] gives values on demand, [`emit`] asks it for those that are worth an event, and
//! [`wants`] for what should be fetched.

mod address;
mod bundles;
mod collect;
mod emit;
mod eval;
mod maps;
mod modules;
mod names;
mod parse;
mod prescan;
mod table;
mod wants;

#[cfg(test)]
mod tests;

use crate::model::{App, Limits, Place, Script, Want};
use crate::value::Event;
use crate::{library, signs};
use oxc_allocator::Allocator;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;
use table::{NONE, Table, Unit};

/// What folding gave.
#[derive(Debug, Default)]
pub struct Folded {
    pub events: Vec<Event>,
    pub wants: Vec<Want>,
    pub issues: Vec<String>,
    pub read_bytes: u64,
}

/// What is worth an event.
pub trait Interest {
    /// A call of this name.
    fn call(&self, name: &[&str]) -> bool;
    /// An object with such a member.
    fn member(&self, name: &str) -> bool;
    /// An assignment to a member of this name.
    fn assignment(&self, name: &str) -> bool;
    /// Whether a script is a library, and not to be read.
    fn library(&self, script: &Script) -> bool;
}

/// What [`signs`] and [`library`] say.
struct Signs;

impl Interest for Signs {
    fn call(&self, name: &[&str]) -> bool {
        signs::telling_call(name)
    }

    fn member(&self, name: &str) -> bool {
        signs::telling_member(name)
    }

    fn assignment(&self, name: &str) -> bool {
        signs::telling_assignment(name)
    }

    fn library(&self, script: &Script) -> bool {
        script.url.as_deref().is_some_and(|url| library::by_url(url).is_some())
            || library::by_source(&script.source).is_some()
    }
}

/// Follows the values of all scripts of an application.
pub fn fold(app: &App, limits: &Limits) -> Folded {
    fold_for(app, limits, &Signs)
}

/// Room for the recursion of parser and walk; only what is used of it is ever touched.
const STACK: usize = 256 << 20;

/// As [`fold`], with another idea of what is worth an event.
pub fn fold_for(app: &App, limits: &Limits, interest: &dyn Interest) -> Folded {
    stacker::grow(STACK, || read(app, limits, interest))
}

thread_local! {
    /// Trees are built in the same memory application after application: fresh memory has to be cleared by the
    /// system.
    static SPARE: Cell<Option<Allocator>> = const { Cell::new(None) };
}

/// Memory beyond this is given back.
const MOST_SPARE: usize = 96 << 20;

fn read(app: &App, limits: &Limits, interest: &dyn Interest) -> Folded {
    let mut allocator = SPARE.take().unwrap_or_default();
    let folded = read_into(&allocator, app, limits, interest);
    if allocator.capacity() <= MOST_SPARE {
        allocator.reset();
        SPARE.set(Some(allocator));
    }
    folded
}

fn read_into(allocator: &Allocator, app: &App, limits: &Limits, interest: &dyn Interest) -> Folded {
    let mut folded = Folded::default();
    let mut table = Table::default();
    let mut loose = Vec::new();
    for (number, script) in app.scripts.iter().enumerate() {
        let number = number as u32;
        if interest.library(script) {
            continue;
        }
        if script.source.len() > limits.script_bytes {
            folded.issues.push(format!("{} is too long to be read", called(script)));
            continue;
        }
        folded.read_bytes += script.source.len() as u64;
        let mut whole = false;
        if let Some((originals, all)) = maps::originals(app, script) {
            for original in originals {
                let text = allocator.alloc_str(&original.text);
                if let parse::Parsed::Tree(program) = parse::parse(allocator, text, true, true) {
                    let unit = unit(number, Some(original.url), true, true);
                    table = collect::collect(table, interest, unit, program);
                    whole = all;
                }
            }
        }
        if whole {
            continue;
        }
        let typed = script.url.as_deref().is_some_and(is_typed);
        match parse::parse(allocator, &script.source, script.module, typed) {
            parse::Parsed::Tree(program) => {
                let module = script.module || program.source_type.is_module() && has_imports(program);
                let unit = unit(number, script.url.clone(), module, false);
                table.rotates |= prescan::rotates(&script.source);
                table = collect::collect(table, interest, unit, program);
            }
            parse::Parsed::Silent => {}
            parse::Parsed::Not(why) => {
                folded.issues.push(format!("{} is only searched for texts: {why}", called(script)));
                loose
                    .extend(parse::literals(&script.source).into_iter().map(|(at, text)| (number, at, text)));
            }
        }
    }
    let mut eval = eval::Eval::new(app, table);
    let mut emit = emit::Emit::new(&mut eval, interest);
    emit.all();
    folded.events = emit.events;
    folded.wants = wants::wants(app, &mut eval);
    if eval.exhausted {
        folded.issues.push("the code is too much to be followed to its end".to_owned());
    }
    for (script, offset, text) in loose {
        if address::address_like(&text) {
            let text = Rc::from(text.trim());
            folded.events.push(Event::Text { text, place: Place { script, offset } });
        }
    }
    folded
}

fn unit<'a>(script: u32, url: Option<String>, module: bool, mapped: bool) -> Unit<'a> {
    Unit {
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

fn called(script: &Script) -> String {
    script.url.clone().unwrap_or_else(|| format!("the script on line {}", script.line))
}

fn is_typed(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    [".ts", ".tsx", ".mts"].iter().any(|ending| path.ends_with(ending))
}

fn has_imports(program: &oxc_ast::ast::Program<'_>) -> bool {
    program.body.iter().any(oxc_ast::ast::Statement::is_module_declaration)
}
