//! Thread pool for parsing and extraction, off the I/O threads.

use crossbeam_channel::{Sender, unbounded};
use std::thread;

type CpuJob = Box<dyn FnOnce() + Send>;

/// A few threads that run short jobs. The queue needs no bound: every request in flight has at most
/// one job here, and the number of requests in flight is bounded.
#[derive(Clone)]
pub struct CpuPool {
    jobs: Sender<CpuJob>,
}

impl CpuPool {
    /// Starts the threads; they end when the last handle is dropped.
    pub fn new(threads: usize) -> std::io::Result<Self> {
        let (jobs, queue) = unbounded::<CpuJob>();
        for n in 0..threads.max(1) {
            let queue = queue.clone();
            thread::Builder::new().name(format!("cpu-{n}")).spawn(move || {
                for job in queue {
                    // A panic in a parser is a bug, but one page must not end the crawl. The job's
                    // drop guard reports the loss, and the thread continues.
                    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
                    if outcome.is_err() {
                        tracing::error!("a parser panicked on a document; the crawl continues");
                    }
                }
            })?;
        }
        Ok(Self { jobs })
    }

    /// Queues a job.
    pub fn run(&self, job: impl FnOnce() + Send + 'static) {
        // Fails only if every thread is gone, which happens only at process exit.
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
