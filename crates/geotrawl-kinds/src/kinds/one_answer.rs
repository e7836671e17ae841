//! A conversation of one request: the answer is read like any other document.

use crate::probe::{ProbeRequest, ProbeResponse, ProbeStep, ServiceProbe, read_response};
use url::Url;

/// What services that speak JSON are asked for.
/// (QGIS Server refuses a landing page to whoever would also take GeoJSON.)
pub const ACCEPT: &str = "application/json, text/html;q=0.1";
/// Descriptions of services are smaller than this; what is longer is cut, and read as far as it came.
pub const MAX_BYTES: u64 = 64 << 20;

struct SingleResponseProbe {
    url: Url,
}

/// Asks `url` once.
pub fn start(url: Url) -> (Box<dyn ServiceProbe>, ProbeRequest) {
    let ask = ProbeRequest::get(url.clone(), ACCEPT, MAX_BYTES);
    (Box::new(SingleResponseProbe { url }), ask)
}

impl ServiceProbe for SingleResponseProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        ProbeStep::Done(Box::new(read_response(&self.url, answer)))
    }
}
