//! Level 3: scripts run in a sandbox, against stand-ins that write down what they are called with.
//!
//! Each application gets an engine of its own, on a thread of its own, with limits on time, memory, stack and
//! on what is written down. The engine has no functions of the host but those that write down or look up in
//! the application ([`host`]). The stand-ins for browser and libraries are JavaScript (`prelude/`); values of
//! the page's world are read natively ([`walk`]).

mod engine;
mod host;
mod instrument;
mod modules;
mod page;
mod record;
mod seen;
mod walk;

pub(crate) use engine::{Clock, Engine, THREAD_STACK, message, without_nul};

use crate::model::{App, Limits, Want};
use crate::value::Event;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// What running gave.
#[derive(Debug, Default)]
pub struct Ran {
    pub events: Vec<Event>,
    /// Documents that the code asked for and did not get.
    pub wants: Vec<Want>,
    pub issues: Vec<String>,
}

/// Time beyond the limit after which a sandbox is left alone: its engine is in a function that it cannot
/// interrupt.
const GRACE: Duration = Duration::from_millis(600);

/// Runs the scripts of an application.
pub fn run(app: &App, limits: &Limits) -> Ran {
    let (app, limits) = (app.clone(), *limits);
    let (sender, receiver) = mpsc::channel();
    let work = move || {
        // Nobody may be waiting any more; then the result is of no use.
        let _ = sender.send(page::run(app, &limits));
    };
    if let Err(error) = thread::Builder::new().name("sandbox".into()).stack_size(THREAD_STACK).spawn(work) {
        return Ran { issues: vec![format!("the sandbox did not start: {error}")], ..Ran::default() };
    }
    match receiver.recv_timeout(limits.run_time.saturating_add(GRACE)) {
        Ok(outcome) => Ran {
            events: outcome.events.into_iter().map(|(event, place)| event.at(place)).collect(),
            wants: outcome.wants,
            issues: outcome.issues,
        },
        Err(error) => Ran { issues: vec![format!("the sandbox gave no answer: {error}")], ..Ran::default() },
    }
}

#[cfg(test)]
mod tests;
