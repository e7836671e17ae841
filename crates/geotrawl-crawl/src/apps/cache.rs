//! Caches recently fetched scripts, which the pages of a site share.

use super::FetchedText;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;
use url::Url;

/// Maximum number of cached bytes.
const MOST_BYTES: usize = 64 << 20;
/// Maximum number of entries, including failures.
const MOST_ENTRIES: usize = 20_000;

#[derive(Default)]
struct CachedScripts {
    entries: HashMap<Url, Arc<OnceCell<FetchedText>>>,
    order: VecDeque<(Url, usize)>,
    bytes: usize,
}

/// A cache of answers; the oldest are dropped first.
#[derive(Default)]
pub(super) struct ScriptCache {
    held: Mutex<CachedScripts>,
}

impl ScriptCache {
    /// Returns the answer for a URL. Concurrent callers share one request.
    pub(super) async fn get<F: Future<Output = FetchedText>>(
        &self,
        url: &Url,
        fetch: impl FnOnce() -> F,
    ) -> FetchedText {
        let cell = Arc::clone(self.lock().entries.entry(url.clone()).or_default());
        if let Some(known) = cell.get() {
            return known.clone();
        }
        let mut mine = false;
        let answer = cell
            .get_or_init(|| async {
                mine = true;
                fetch().await
            })
            .await
            .clone();
        if mine {
            self.note(url, answer.as_ref().map_or(0, |body| body.len()));
        }
        answer
    }

    fn note(&self, url: &Url, bytes: usize) {
        let mut held = self.lock();
        held.bytes += bytes;
        held.order.push_back((url.clone(), bytes));
        while held.bytes > MOST_BYTES || held.order.len() > MOST_ENTRIES {
            let Some((oldest, bytes)) = held.order.pop_front() else { return };
            held.entries.remove(&oldest);
            held.bytes -= bytes;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, CachedScripts> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[tokio::test]
    async fn a_script_is_asked_for_once_until_it_is_pushed_out() {
        let cache = ScriptCache::default();
        let asked = AtomicU32::new(0);
        let url = Url::parse("http://a.example/app.js").unwrap();
        let fetch = |body: Arc<str>| {
            let asked = &asked;
            move || async move {
                asked.fetch_add(1, Ordering::Relaxed);
                Ok(body)
            }
        };
        let small: Arc<str> = "x".into();
        let (a, b) =
            tokio::join!(cache.get(&url, fetch(small.clone())), cache.get(&url, fetch(small.clone())));
        assert_eq!((a, b), (Ok(small.clone()), Ok(small.clone())));
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        let large: Arc<str> = " ".repeat(MOST_BYTES).into();
        let other = Url::parse("http://a.example/large.js").unwrap();
        cache.get(&other, fetch(large)).await.unwrap();
        cache.get(&url, fetch(small)).await.unwrap();
        assert_eq!(asked.load(Ordering::Relaxed), 3);
    }
}
