//! Parsing and extraction run here, off the I/O threads.

use crossbeam_channel::{Sender, unbounded};
use std::thread;

type CpuJob = Box<dyn FnOnce() + Send>;

/// A few threads that run short jobs. The queue needs no bound of its own: every request in flight has
/// at most one job here, and requests in flight are bounded.
#[derive(Clone)]
pub struct CpuPool {
    jobs: Sender<CpuJob>,
}

impl CpuPool {
    /// Starts `threads` workers; they end when the last handle is dropped.
    pub fn new(threads: usize) -> std::io::Result<Self> {
        let (jobs, queue) = unbounded::<CpuJob>();
        for n in 0..threads.max(1) {
            let queue = queue.clone();
            thread::Builder::new().name(format!("cpu-{n}")).spawn(move || {
                for job in queue {
                    // A panic in a parser is a bug, but one page must not end the crawl: the job's own
                    // drop guard reports the loss, the thread goes on.
                    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
                    if outcome.is_err() {
                        tracing::error!("a parser failed on a document; the crawl goes on");
                    }
                }
            })?;
        }
        Ok(Self { jobs })
    }

    /// Runs a job soon.
    pub fn run(&self, job: impl FnOnce() + Send + 'static) {
        // Fails only when every worker is gone, which happens only at the end of the process.
        let _ = self.jobs.send(Box::new(job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::bounded;

    #[test]
    fn a_job_that_panics_does_not_take_the_worker_along() {
        let pool = CpuPool::new(1).unwrap();
        let (tell, told) = bounded(1);
        pool.run(|| panic!("on purpose"));
        pool.run(move || tell.send(7).unwrap());
        assert_eq!(told.recv().unwrap(), 7);
    }
}
