//! Ctrl-C and termination signals.

use crate::exit::ExitStatus;
use crate::output;
use anyhow::Result;

/// Calls `stop` on the first signal; exits immediately on the second. Committed results are kept in
/// both cases.
pub fn on_first_interrupt(stop: impl FnOnce() + Send + 'static) -> Result<()> {
    let mut stop = Some(stop);
    Ok(ctrlc::set_handler(move || match stop.take() {
        Some(stop) => stop(),
        None => std::process::exit(ExitStatus::Interrupted as i32),
    })?)
}

/// Waits for the first signal, and says what happens next.
pub fn wait_for_interrupt(next: &'static str) -> Result<()> {
    let (tell, told) = std::sync::mpsc::channel();
    on_first_interrupt(move || {
        output::print_message(&format!("\nStopping: {next} Press Ctrl-C again to stop immediately."));
        let _ = tell.send(());
    })?;
    let _ = told.recv();
    Ok(())
}
