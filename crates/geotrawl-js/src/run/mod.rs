//! Level 3: scripts run in a sandbox, against stand-ins that write down what they are called with.

use crate::model::{App, Limits, Want};
use crate::value::Event;

/// What running gave.
#[derive(Debug, Default)]
pub struct Ran {
    pub events: Vec<Event>,
    /// Documents that the code asked for and did not get.
    pub wants: Vec<Want>,
    pub issues: Vec<String>,
}

/// Runs the scripts of an application.
pub fn run(_app: &App, _limits: &Limits) -> Ran {
    Ran::default()
}
