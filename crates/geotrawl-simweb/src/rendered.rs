//! Caches rendered pages within a memory budget: load tests and repeated crawls request the same
//! pages.

use crate::reply::SiteReply;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum total size of cached pages in bytes.
const BUDGET: usize = 64 << 20;

/// Cached pages by number. Entries are never evicted, so reading needs no lock.
pub(crate) struct RenderedPages {
    pages: Vec<OnceLock<SiteReply>>,
    used: AtomicUsize,
}

impl RenderedPages {
    pub(crate) fn new(pages: usize) -> Self {
        Self { pages: (0..pages).map(|_| OnceLock::new()).collect(), used: AtomicUsize::new(0) }
    }

    /// Returns a page from the cache, or renders it.
    pub(crate) fn get_or_render(&self, page: usize, render: impl FnOnce() -> SiteReply) -> SiteReply {
        let Some(slot) = self.pages.get(page) else { return render() };
        if let Some(reply) = slot.get() {
            return reply.clone();
        }
        let reply = render();
        let size = reply.body.len_in_memory();
        if self.used.fetch_add(size, Ordering::Relaxed) + size <= BUDGET {
            // A concurrent request may have stored the page; both rendered the same bytes.
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
