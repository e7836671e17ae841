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
mod names;
mod page;
mod record;
mod seen;
mod walk;

pub(crate) use engine::{SandboxClock, ScriptEngine, THREAD_STACK, without_nul};

use crate::model::{AnalysisLimits, MapApp, NeededResource};
use crate::value::CodeEvent;
use record::SandboxMessage;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// What running gave.
#[derive(Debug, Default)]
pub struct RunResult {
    pub events: Vec<CodeEvent>,
    /// Documents that the code asked for and did not get.
    pub wants: Vec<NeededResource>,
    pub issues: Vec<String>,
}

/// A sandbox that has not ended after several times its limit and this is left alone: its engine is in a function
/// that it cannot interrupt. The limit is processor time, and the machine may have other things to do.
const GRACE: Duration = Duration::from_millis(600);
const PATIENCE: u32 = 3;
/// What is said of it; the process that it is in should not be used again.
pub const LEFT_ALONE: &str = "the sandbox did not end and was left alone";

/// Runs the scripts of an application.
#[expect(clippy::disallowed_methods, reason = "scripts that do not end must be stopped by the clock")]
pub fn run(app: &MapApp, limits: &AnalysisLimits) -> RunResult {
    let (app, limits) = (app.clone(), *limits);
    let (sender, receiver) = mpsc::channel();
    let end = Instant::now().checked_add(limits.run_time.saturating_mul(PATIENCE).saturating_add(GRACE));
    let work = move || page::run(app, &limits, sender);
    let mut ran = RunResult::default();
    if let Err(error) = thread::Builder::new().name("sandbox".into()).stack_size(THREAD_STACK).spawn(work) {
        ran.issues.push(format!("the sandbox did not start: {error}"));
        return ran;
    }
    loop {
        let left = end.map_or(GRACE, |end| end.saturating_duration_since(Instant::now()));
        match receiver.recv_timeout(left) {
            Ok(SandboxMessage::Event(event, place)) => ran.events.push(event.into_event(place)),
            Ok(SandboxMessage::Want(want)) => ran.wants.push(want),
            Ok(SandboxMessage::Issue(issue)) => ran.issues.push(issue),
            Ok(SandboxMessage::Done) | Err(RecvTimeoutError::Disconnected) => return ran,
            Err(RecvTimeoutError::Timeout) => {
                ran.issues.push(LEFT_ALONE.into());
                return ran;
            }
        }
    }
}

#[cfg(test)]
mod tests;
