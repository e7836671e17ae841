//! A conversation of one request: the answer is read like any other document.

use crate::probe::{Answer, Ask, Dialogue, Step, read_answer};
use url::Url;

/// What services that speak JSON are asked for.
/// (QGIS Server refuses a landing page to whoever would also take GeoJSON.)
pub const ACCEPT: &str = "application/json, text/html;q=0.1";
/// Descriptions of services are smaller than this; what is longer is cut, and read as far as it came.
pub const MAX_BYTES: u64 = 64 << 20;

struct OneAnswer {
    url: Url,
}

/// Asks `url` once.
pub fn ask(url: Url) -> (Box<dyn Dialogue>, Ask) {
    let ask = Ask::get(url.clone(), ACCEPT, MAX_BYTES);
    (Box::new(OneAnswer { url }), ask)
}

impl Dialogue for OneAnswer {
    fn answer(&mut self, answer: Answer<'_>) -> Step {
        Step::Done(Box::new(read_answer(&self.url, answer)))
    }
}
