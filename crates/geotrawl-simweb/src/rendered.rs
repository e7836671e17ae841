//! Keeps rendered pages while they fit a budget: load tests and repeated crawls ask for the same pages.

use crate::reply::SiteReply;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of pages that may be kept.
const BUDGET: usize = 64 << 20;

/// Pages by their number; what came first stays, so that reading needs no lock.
pub(crate) struct RenderedPages {
    pages: Vec<OnceLock<SiteReply>>,
    used: AtomicUsize,
}

impl RenderedPages {
    pub(crate) fn new(pages: usize) -> Self {
        Self { pages: (0..pages).map(|_| OnceLock::new()).collect(), used: AtomicUsize::new(0) }
    }

    /// The page, rendered now unless it was kept.
    pub(crate) fn get_or_render(&self, page: usize, render: impl FnOnce() -> SiteReply) -> SiteReply {
        let Some(slot) = self.pages.get(page) else { return render() };
        if let Some(reply) = slot.get() {
            return reply.clone();
        }
        let reply = render();
        let size = reply.body.len_in_memory();
        if self.used.fetch_add(size, Ordering::Relaxed) + size <= BUDGET {
            // Another request may have been quicker; both rendered the same bytes.
            let _ = slot.set(reply.clone());
        } else {
            self.used.fetch_sub(size, Ordering::Relaxed);
        }
        reply
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_rendered_once_while_they_fit() {
        let rendered = RenderedPages::new(3);
        let page = |size: usize| move || SiteReply::new(200, "text/html", vec![b'x'; size]);
        assert_eq!(rendered.get_or_render(0, page(10)).body.len_in_memory(), 10);
        assert_eq!(rendered.get_or_render(0, page(99)).body.len_in_memory(), 10);
        assert_eq!(rendered.get_or_render(1, page(BUDGET)).body.len_in_memory(), BUDGET);
        assert_eq!(rendered.get_or_render(1, page(20)).body.len_in_memory(), 20);
        assert_eq!(rendered.get_or_render(7, page(5)).body.len_in_memory(), 5);
    }
}
