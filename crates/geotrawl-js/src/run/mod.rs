//! Level 3: runs scripts in a sandbox, with stand-ins that record how they are called.
//!
//! Each application gets a separate engine on a separate thread, with limits on time, memory, stack
//! and recorded events. The only host functions record events or look up data of the application
//! ([`host`]). The stand-ins for browser and libraries are written in JavaScript (`prelude/`);
//! values of the page are read natively ([`value_reader`]).

mod engine;
mod host;
mod instrument;
mod modules;
mod names;
mod page;
mod record;
mod sandbox_values;
mod value_reader;

pub(crate) use engine::{SandboxClock, ScriptEngine, THREAD_STACK, without_nul};

use crate::model::{AnalysisLimits, MapApp, NeededResource};
use crate::value::CodeEvent;
use record::SandboxMessage;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Result of running an application.
#[derive(Debug, Default)]
pub struct RunResult {
    pub events: Vec<CodeEvent>,
    /// Documents that the code requested but that are not available.
    pub wants: Vec<NeededResource>,
    pub issues: Vec<String>,
}

/// The sandbox is abandoned after its time limit times `PATIENCE`, plus this grace period: its
/// engine is then in a function that cannot be interrupted. The limit is processor time, so
/// wall-clock time may be longer under load.
const GRACE: Duration = Duration::from_millis(600);
const PATIENCE: u32 = 3;
/// Issue of an abandoned sandbox; its process should not be reused.
pub const LEFT_ALONE: &str = "the sandbox did not stop in time and was abandoned";

/// Runs the scripts of an application.
#[expect(clippy::disallowed_methods, reason = "scripts that do not end must be stopped by the clock")]
pub fn run(app: &MapApp, limits: &AnalysisLimits) -> RunResult {
    let (app, limits) = (app.clone(), *limits);
    let (sender, receiver) = mpsc::channel();
    let end = Instant::now().checked_add(limits.run_time.saturating_mul(PATIENCE).saturating_add(GRACE));
    let work = move || page::run(app, &limits, sender);
    let mut ran = RunResult::default();
    if let Err(error) = thread::Builder::new().name("sandbox".into()).stack_size(THREAD_STACK).spawn(work) {
        ran.issues.push(format!("cannot start the sandbox: {error}"));
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
