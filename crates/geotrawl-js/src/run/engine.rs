//! The engine with its limits: time in slices, memory, stack. Nothing of the host is in it.

use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Error, Runtime};
use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// Stack that scripts and the engine's own parser may use. The thread has much more: what the engine calls
/// of ours stands on the same stack.
pub const ENGINE_STACK: usize = 1 << 20;
/// Stack of the thread on which an engine lives.
pub const THREAD_STACK: usize = 96 << 20;

/// When the engine has to stop, in processor time of its thread: what a program shows must not depend on what else
/// the machine does.
pub struct SandboxClock {
    end: Duration,
    slice: Cell<Duration>,
    stopped: Cell<bool>,
}

impl SandboxClock {
    /// A clock for this much time.
    pub fn new(time: Duration) -> Rc<Self> {
        let end = now().saturating_add(time);
        Rc::new(Self { end, slice: Cell::new(end), stopped: Cell::new(false) })
    }

    /// No time is left.
    pub fn is_over(&self) -> bool {
        now() >= self.end
    }

    /// The time that is left.
    pub fn time_left(&self) -> Duration {
        self.end.saturating_sub(now())
    }

    /// Gives what runs next this much time, and no more than is left.
    pub fn begin_slice(&self, time: Duration) {
        self.slice.set(now().saturating_add(time).min(self.end));
        self.stopped.set(false);
    }

    /// Whether something was stopped in this slice.
    pub fn was_stopped(&self) -> bool {
        self.stopped.get()
    }

    /// Whether the slice is over; what runs is stopped then.
    pub fn must_stop(&self) -> bool {
        let stop = now() >= self.slice.get();
        if stop {
            self.stopped.set(true);
        }
        stop
    }
}

/// Processor time of this thread so far.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// An engine of its own for one application.
pub struct ScriptEngine {
    // The context goes before the runtime that it lives in.
    pub context: Context,
    pub runtime: Runtime,
    pub clock: Rc<SandboxClock>,
}

impl ScriptEngine {
    /// An empty engine.
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

/// What an error says, for people; short.
pub fn error_message(ctx: &Ctx<'_>, error: Error) -> String {
    let text = match Err::<(), _>(error).catch(ctx) {
        Err(CaughtError::Exception(exception)) => exception.message().unwrap_or_default(),
        Err(CaughtError::Error(error)) => error.to_string(),
        _ => String::from("a value was thrown"),
    };
    text.chars().take(200).collect()
}

/// Sources with a NUL cannot be handed over; it means nothing in code.
pub fn without_nul(source: &str) -> std::borrow::Cow<'_, str> {
    if memchr::memchr(0, source.as_bytes()).is_some() {
        source.replace('\0', " ").into()
    } else {
        source.into()
    }
}
