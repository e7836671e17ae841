//! Probes with a single request, whose response is read like any other document.

use crate::probe::{ProbeRequest, ProbeResponse, ProbeStep, ServiceProbe, read_response};
use url::Url;

/// `Accept` header for services with JSON. It excludes GeoJSON because QGIS Server otherwise
/// refuses to return its landing page.
pub const ACCEPT: &str = "application/json, text/html;q=0.1";
/// Maximum size of a service description; anything longer is cut off and read as far as it goes.
pub const MAX_BYTES: u64 = 64 << 20;

struct SingleResponseProbe {
    url: Url,
}

/// Starts a probe of `url`.
pub fn start(url: Url) -> (Box<dyn ServiceProbe>, ProbeRequest) {
    let ask = ProbeRequest::get(url.clone(), ACCEPT, MAX_BYTES);
    (Box::new(SingleResponseProbe { url }), ask)
}

impl ServiceProbe for SingleResponseProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        ProbeStep::Done(Box::new(read_response(&self.url, answer)))
    }
}
