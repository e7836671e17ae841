//! The JavaScript engine with its limits: time in slices, memory, stack. It has no host functions.

use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Error, Runtime};
use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// Stack limit for scripts and the engine's own parser. The thread's stack is much larger, because
/// our callbacks run on it, too.
pub const ENGINE_STACK: usize = 1 << 20;
/// Stack size of the thread that runs an engine.
pub const THREAD_STACK: usize = 96 << 20;

/// Time limit of an engine, in processor time of its thread, so that results do not depend on other
/// load.
pub struct SandboxClock {
    end: Duration,
    slice: Cell<Duration>,
    stopped: Cell<bool>,
}

impl SandboxClock {
    /// Starts a clock with this much time.
    pub fn new(time: Duration) -> Rc<Self> {
        let end = now().saturating_add(time);
        Rc::new(Self { end, slice: Cell::new(end), stopped: Cell::new(false) })
    }

    /// Returns whether the time is used up.
    pub fn is_over(&self) -> bool {
        now() >= self.end
    }

    /// Returns the remaining time.
    pub fn time_left(&self) -> Duration {
        self.end.saturating_sub(now())
    }

    /// Starts a slice of this length, limited to the remaining time.
    pub fn begin_slice(&self, time: Duration) {
        self.slice.set(now().saturating_add(time).min(self.end));
        self.stopped.set(false);
    }

    /// Returns whether something was interrupted in this slice.
    pub fn was_stopped(&self) -> bool {
        self.stopped.get()
    }

    /// Returns whether the slice is over, so that the running code must be interrupted.
    pub fn must_stop(&self) -> bool {
        let stop = now() >= self.slice.get();
        if stop {
            self.stopped.set(true);
        }
        stop
    }
}

/// Returns the processor time of this thread.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// An engine for one application.
pub struct ScriptEngine {
    // Declared first, because the context must be dropped before its runtime.
    pub context: Context,
    pub runtime: Runtime,
    pub clock: Rc<SandboxClock>,
}

impl ScriptEngine {
    /// Creates an empty engine.
    pub fn new(clock: Rc<SandboxClock>, memory: usize) -> rquickjs::Result<Self> {
        let runtime = Runtime::new()?;
        runtime.set_memory_limit(memory.max(8 << 20));
        runtime.set_max_stack_size(ENGINE_STACK);
        let handler = Rc::clone(&clock);
        runtime.set_interrupt_handler(Some(Box::new(move || handler.must_stop())));
        let context = Context::full(&runtime)?;
        Ok(Self { context, runtime, clock })
    }
}

/// Returns a short, human-readable error message.
pub fn error_message(ctx: &Ctx<'_>, error: Error) -> String {
    let text = match Err::<(), _>(error).catch(ctx) {
        Err(CaughtError::Exception(exception)) => exception.message().unwrap_or_default(),
        Err(CaughtError::Error(error)) => error.to_string(),
        _ => String::from("a value was thrown"),
    };
    text.chars().take(200).collect()
}

/// Replaces NUL characters, which the engine does not accept and which mean nothing in code.
pub fn without_nul(source: &str) -> std::borrow::Cow<'_, str> {
    if memchr::memchr(0, source.as_bytes()).is_some() {
        source.replace('\0', " ").into()
    } else {
        source.into()
    }
}
