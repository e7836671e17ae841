//! Ctrl-C and termination signals.

use crate::exit::ExitStatus;
use crate::output;
use anyhow::Result;
use std::io::IsTerminal;

/// Calls `stop` on the first signal; exits immediately on the second. Committed results are kept in
/// both cases.
pub fn on_first_interrupt(stop: impl FnOnce() + Send + 'static) -> Result<()> {
    let mut stop = Some(stop);
    Ok(ctrlc::set_handler(move || match stop.take() {
        Some(stop) => stop(),
        None => std::process::exit(ExitStatus::Interrupted as i32),
    })?)
}

/// Says what happens after the first signal.
pub fn announce_stop(next: &str) {
    // The terminal has shown `^C` behind the last line of this program.
    let start = if std::io::stderr().is_terminal() { "\n" } else { "" };
    output::print_message(&format!("{start}Stopping: {next}"));
    output::print_message("Press Ctrl-C again to stop immediately.");
}

/// Waits for the first signal, and says what happens next.
pub fn wait_for_interrupt(next: &'static str) -> Result<()> {
    let (tell, told) = std::sync::mpsc::channel();
    on_first_interrupt(move || {
        announce_stop(next);
        let _ = tell.send(());
    })?;
    let _ = told.recv();
    Ok(())
}
