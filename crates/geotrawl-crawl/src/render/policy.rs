//! Decides on each request of a page: send it, answer it locally, or block it.
//!
//! Most requests of map pages are for images and tiles, and it is enough to see that they are made.
//! They get empty images and tiles, so that the map continues while its servers receive no load.
//! Everything that makes the page work (scripts, styles, configuration, data) is fetched through
//! the guard.

use super::result::RequestHandling;
use crate::fetch::guard::AddressGuard;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;
use std::sync::LazyLock;
use url::{Host, Url};

/// What to do with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestVerdict {
    Pass,
    Answer(StubResponse),
    Refuse(&'static str),
}

/// A locally generated response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StubResponse {
    /// A transparent image of the usual tile size.
    Picture,
    /// A vector tile without layers.
    EmptyTile,
    /// Not found: for models and terrain, which maps can do without.
    Missing,
}

impl StubResponse {
    /// Returns status, media type and body.
    pub fn response(self) -> (u16, &'static str, &'static [u8]) {
        match self {
            Self::Picture => (200, "image/png", &PICTURE),
            Self::EmptyTile => (200, "application/x-protobuf", b""),
            Self::Missing => (404, "text/plain", b""),
        }
    }
}

impl RequestVerdict {
    pub fn handling(self) -> RequestHandling {
        match self {
            Self::Pass => RequestHandling::Passed,
            Self::Answer(_) => RequestHandling::Stubbed,
            Self::Refuse(reason) => RequestHandling::Refused(reason),
        }
    }
}

/// Judges a request by its content. The proxy resolves and checks the host name later.
pub(super) fn judge_request(
    url: &Url,
    method: &str,
    resource_type: &str,
    guard: &AddressGuard,
) -> RequestVerdict {
    match url.scheme() {
        "http" | "https" => {}
        // These never leave the browser.
        "data" | "blob" | "about" if resource_type != "Document" => return RequestVerdict::Pass,
        "about" | "blob" => return RequestVerdict::Pass,
        _ => return RequestVerdict::Refuse("only http and https are allowed"),
    }
    // Read-only services are often queried with POST. Any other
    // effect is that of an ordinary visit.
    if !matches!(method, "GET" | "HEAD" | "POST" | "OPTIONS") {
        return RequestVerdict::Refuse("the method may change data");
    }
    if !may_contact(url, guard) {
        return RequestVerdict::Refuse("the address may not be contacted");
    }
    match resource_type {
        "Image" => return RequestVerdict::Answer(StubResponse::Picture),
        "Media" | "TextTrack" => return RequestVerdict::Refuse("audio and video show no maps"),
        "Font" => return RequestVerdict::Refuse("fonts show no maps"),
        "Ping" | "CSPViolationReport" => return RequestVerdict::Refuse("reports are not needed"),
        "Prefetch" | "SignedExchange" => return RequestVerdict::Refuse("prefetching is not needed"),
        "EventSource" | "WebSocket" => return RequestVerdict::Refuse("streams never end"),
        "Document" | "Script" | "Stylesheet" => return RequestVerdict::Pass,
        "Other" if url.path() == "/favicon.ico" => return RequestVerdict::Refuse("icons show no maps"),
        _ => {}
    }
    stub_for(url).map_or(RequestVerdict::Pass, RequestVerdict::Answer)
}

/// Checks what is known before the host name is resolved.
fn may_contact(url: &Url, guard: &AddressGuard) -> bool {
    if guard.check_url(url).is_err() {
        return false;
    }
    let port = url.port_or_known_default().unwrap_or(0);
    let ip = match url.host() {
        Some(Host::Ipv4(ip)) => ip.into(),
        Some(Host::Ipv6(ip)) => ip.into(),
        _ => return true,
    };
    guard.pinned_address(url.host_str().unwrap_or_default(), port).is_some() || guard.check_ip(ip).is_ok()
}

/// Returns a stub for data requests whose content is an image, a tile or a model.
fn stub_for(url: &Url) -> Option<StubResponse> {
    let path = url.path().to_ascii_lowercase();
    let query = url.query().unwrap_or_default().to_ascii_lowercase();
    let picture_format = || query.contains("format=image") || query.contains("format%3dimage");
    if query.contains("request=getmap")
        || query.contains("request%3dgetmap")
        || query.contains("request=gettile")
    {
        if query.contains("mapbox-vector-tile") {
            return Some(StubResponse::EmptyTile);
        }
        return (picture_format() || !query.contains("format=")).then_some(StubResponse::Picture);
    }
    if path.ends_with("/export") || path.ends_with("/exportimage") {
        return query.contains("f=image").then_some(StubResponse::Picture);
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "b3dm" | "i3dm" | "pnts" | "cmpt" | "glb" | "terrain" | "subtree" => Some(StubResponse::Missing),
        "pbf" | "mvt" => Some(StubResponse::EmptyTile),
        "png" | "jpg" | "jpeg" | "webp" | "gif" | "avif" => Some(StubResponse::Picture),
        _ if path.contains("/mapserver/tile/") || path.contains("/imageserver/tile/") => {
            Some(StubResponse::Picture)
        }
        _ => None,
    }
}

/// 256 x 256 transparent pixels. The size matters: some maps stop at a tile of another size.
static PICTURE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    const SIDE: u32 = 256;
    let mut header = Vec::new();
    header.extend(SIDE.to_be_bytes());
    header.extend(SIDE.to_be_bytes());
    // Bit depth 8, colour type RGBA.
    header.extend([8, 6, 0, 0, 0]);
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::best());
    // Each row starts with its filter type.
    let written = pixels.write_all(&vec![0; ((SIDE * 4 + 1) * SIDE) as usize]);
    let pixels = written.and_then(|()| pixels.finish()).unwrap_or_default();
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [(b"IHDR", header), (b"IDAT", pixels), (b"IEND", Vec::new())] {
        let mut sum = flate2::Crc::new();
        sum.update(name);
        sum.update(&data);
        png.extend((data.len() as u32).to_be_bytes());
        png.extend(name);
        png.extend(data);
        png.extend(sum.sum().to_be_bytes());
    }
    png
});

/// Removes features before the page's scripts run: background workers outlive the page, peer
/// connections bypass the proxy, and streams never end. Pages test for the first two and continue
/// without them. They take streams for granted, so those fail as if the server had disconnected.
pub(super) const BEFORE_SCRIPTS: &str = "
(() => {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'WebSocketStream',
    'SharedWorker']) {
    try { delete globalThis[name]; } catch {}
  }
  try { delete Navigator.prototype.serviceWorker; } catch {}
  class Stream extends EventTarget {
    constructor(url) {
      super();
      this.url = String(url);
      this.readyState = 3;
      setTimeout(() => {
        for (const type of ['error', 'close']) {
          const event = new Event(type);
          if (typeof this['on' + type] === 'function') this['on' + type](event);
          this.dispatchEvent(event);
        }
      });
    }
    send() {}
    close() {}
  }
  const states = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };
  for (const name of ['WebSocket', 'EventSource']) {
    if (name in globalThis) globalThis[name] = Object.assign(class extends Stream {}, states);
  }
  globalThis.print = () => {};
})();
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::FetchConfig;

    fn judged(url: &str, method: &str, resource_type: &str) -> RequestVerdict {
        let guard = AddressGuard::new(&FetchConfig::default());
        judge_request(&Url::parse(url).unwrap(), method, resource_type, &guard)
    }

    #[test]
    fn only_what_may_be_contacted_is_passed() {
        for url in [
            "file:///etc/passwd",
            "chrome://version/",
            "ftp://example.org/",
            "http://127.0.0.1:8080/",
            "http://2130706433/",
            "http://[::ffff:10.0.0.1]/",
            "http://169.254.169.254/latest/meta-data/",
            "http://example.org:25/",
        ] {
            for kind in ["Document", "Script", "Image", "XHR"] {
                assert!(matches!(judged(url, "GET", kind), RequestVerdict::Refuse(_)), "{url} {kind}");
            }
        }
        assert!(matches!(judged("data:text/html,x", "GET", "Document"), RequestVerdict::Refuse(_)));
        assert_eq!(judged("data:image/png;base64,", "GET", "Image"), RequestVerdict::Pass);
        assert_eq!(judged("https://example.org/", "GET", "Document"), RequestVerdict::Pass);
        assert_eq!(judged("https://example.org/wfs", "POST", "XHR"), RequestVerdict::Pass);
        assert!(matches!(judged("https://example.org/x", "DELETE", "XHR"), RequestVerdict::Refuse(_)));
    }

    #[test]
    fn pictures_and_tiles_are_answered_here() {
        for (url, kind, stub) in [
            ("https://a.org/logo.svg", "Image", StubResponse::Picture),
            ("https://a.org/wms?REQUEST=GetMap&FORMAT=image/png", "Fetch", StubResponse::Picture),
            (
                "https://a.org/p?url=http%3A%2F%2Fb.org%2Fwms%3Frequest%3DGetMap%26format%3Dimage%2Fpng",
                "XHR",
                StubResponse::Picture,
            ),
            ("https://a.org/arcgis/rest/services/x/MapServer/tile/3/2/1", "Fetch", StubResponse::Picture),
            ("https://a.org/arcgis/rest/services/x/MapServer/export?f=image", "Fetch", StubResponse::Picture),
            ("https://a.org/t/5/1/2.pbf", "Fetch", StubResponse::EmptyTile),
            ("https://a.org/t/5/1/2.webp", "Fetch", StubResponse::Picture),
            ("https://a.org/d/0/0/0.b3dm", "XHR", StubResponse::Missing),
        ] {
            assert_eq!(judged(url, "GET", kind), RequestVerdict::Answer(stub), "{url}");
        }
        for url in [
            "https://a.org/config.json",
            "https://a.org/wms?REQUEST=GetCapabilities",
            "https://a.org/wms?REQUEST=GetMap&FORMAT=application/json",
            "https://a.org/arcgis/rest/services/x/MapServer/export?f=json",
            "https://a.org/tiles.pmtiles",
        ] {
            assert_eq!(judged(url, "GET", "Fetch"), RequestVerdict::Pass, "{url}");
        }
    }

    #[test]
    fn the_picture_is_a_small_png() {
        assert!(PICTURE.starts_with(b"\x89PNG") && PICTURE.len() < 1500, "{}", PICTURE.len());
    }
}
