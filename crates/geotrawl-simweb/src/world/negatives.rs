//! Look-alikes that must not be claimed. One entry and one function per form.

use super::{HostRole, HostRoute, NegativePlace, WorldPlan};
use crate::file::{ZipMember, ZipMethod, write_zip};
use crate::reply::{ReplyAct, ReplyBody, SiteReply};
use crate::rng::SeededRng;
use crate::service::{PIXEL, ows_exception, service_exception};
use bytes::Bytes;
use std::sync::Arc;
use std::time::Duration;

/// A form of look-alike.
pub(crate) struct NegativeForm {
    /// Why it is not a resource.
    pub reason: &'static str,
    /// `{n}` is a number.
    pub path: &'static str,
    /// Query parameters in the URL shown on pages.
    pub query: &'static str,
    /// Maximum number per web: some cost a crawler real time.
    pub most: usize,
    pub answer: fn(u64) -> SiteReply,
}

const CAPS: &str = "SERVICE=WMS&REQUEST=GetCapabilities";

const fn form(
    reason: &'static str,
    path: &'static str,
    query: &'static str,
    answer: fn(u64) -> SiteReply,
) -> NegativeForm {
    NegativeForm { reason, path, query, most: usize::MAX, answer }
}

static NEGATIVE_FORMS: &[NegativeForm] = &[
    form("gone-404", "/geoserver/alt{n}/wms", CAPS, |_| SiteReply::not_found()),
    form("gone-410", "/alt/wms/{n}", CAPS, |_| SiteReply::html(410, "<html><body>Gone</body></html>".into())),
    form("error-500", "/wfs/kaputt-{n}", "service=WFS&request=GetCapabilities", |_| {
        SiteReply::new(500, "text/plain", "java.lang.NullPointerException\n\tat service.Dispatcher.run\n")
    }),
    NegativeForm { most: 4, ..form("closed", "/wms/weg-{n}", CAPS, |_| SiteReply::raw(Vec::new())) },
    NegativeForm {
        most: 1,
        ..form("stalls", "/wms/haengt-{n}", CAPS, |_| {
            SiteReply::raw(vec![ReplyAct::Pause(Duration::from_mins(10))])
        })
    },
    NegativeForm {
        most: 1,
        ..form("too-slow", "/wms/traege-{n}", CAPS, |_| {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nConnection: close\r\n\r\n";
            let body = "<?xml version=\"1.0\"?>".repeat(200);
            SiteReply::raw(vec![
                ReplyAct::Send(Bytes::from_static(head.as_bytes())),
                ReplyAct::Drip(Bytes::from(body), Duration::from_secs(1)),
            ])
        })
    },
    form("exception-200", "/wms/fehler-{n}", CAPS, |_| {
        SiteReply::new(
            200,
            "application/vnd.ogc.se_xml",
            service_exception("1.1.1", "", "Map is not configured"),
        )
    }),
    form("ows-exception-200", "/csw/fehler-{n}", "service=CSW&request=GetCapabilities", |_| {
        SiteReply::xml(ows_exception(
            "http://www.opengis.net/ows",
            "1.2.0",
            "NoApplicableCode",
            "",
            "Catalogue is offline",
        ))
    }),
    form("login-200", "/geschuetzt/wms-{n}", CAPS, |_| login()),
    form("soft-404", "/mapserver/wms-{n}", CAPS, |seed| {
        SiteReply::html(
            200,
            format!(
                "<!DOCTYPE html><html><head><title>Page not found</title></head><body><h1>Sorry</h1><p>This page does not exist ({}).</p></body></html>",
                seed % 97
            ),
        )
    }),
    form("mention-html", "/hilfe/wms-{n}.html", "", |_| {
        SiteReply::html(
            200,
            "<!DOCTYPE html><html><head><title>What is a WMS?</title></head><body><p>A server answers SERVICE=WMS and REQUEST=GetCapabilities with a document whose root is WMS_Capabilities or WMT_MS_Capabilities.</p></body></html>".into(),
        )
    }),
    form("pre-capabilities", "/doku/wms-capabilities-{n}.html", "", |_| {
        SiteReply::html(
            200,
            "<!DOCTYPE html><html><head><title>Example answer</title></head><body><pre>&lt;?xml version=\"1.0\"?&gt;\n&lt;WMS_Capabilities version=\"1.3.0\" xmlns=\"http://www.opengis.net/wms\"&gt;\n  &lt;Service&gt;&lt;Name&gt;WMS&lt;/Name&gt;&lt;/Service&gt;\n&lt;/WMS_Capabilities&gt;</pre></body></html>".into(),
        )
    }),
    form("mention-rss", "/feeds/wms-{n}.rss", "", |_| {
        SiteReply::new(
            200,
            "text/xml",
            "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>GIS news</title><link>/</link><description>News</description><item><title>WMS_Capabilities explained</title><description>&lt;WMS_Capabilities version=\"1.3.0\"&gt; is the root of GetCapabilities</description></item></channel></rss>\n",
        )
    }),
    form("xml-other", "/xml/wms-{n}.xml", "", |_| {
        SiteReply::xml(
            "<?xml version=\"1.0\"?>\n<inventory><service type=\"WMS\"><capabilities>none</capabilities></service></inventory>\n",
        )
    }),
    form("unknown-namespace", "/ows/fremd-{n}", "SERVICE=WMTS&REQUEST=GetCapabilities", |_| {
        SiteReply::xml(
            "<?xml version=\"1.0\"?>\n<Capabilities version=\"1.0.0\" xmlns=\"http://ns.firma.example/device/1.0\"><Contents><Layer><Identifier>x</Identifier></Layer></Contents></Capabilities>\n",
        )
    }),
    form("truncated-before-root", "/wms/halb-{n}", CAPS, |_| {
        SiteReply::xml(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- generated by the map server -->\n<!DOCTYPE WMT_MS_Capabilities SYSTEM \"http://schemas.openg",
        )
    }),
    form("empty-200", "/wms/leer-{n}", CAPS, |_| SiteReply::new(200, "text/xml", "")),
    form("image-200", "/wms/bild-{n}", CAPS, |_| SiteReply::new(200, "image/png", PIXEL)),
    form("json-error-200", "/arcgis/services/zu{n}/MapServer/WMSServer", CAPS, |_| {
        SiteReply::new(
            200,
            "application/json",
            "{\"error\":{\"code\":499,\"message\":\"Token Required\",\"details\":[]}}",
        )
    }),
    form("blocked-403", "/schutz/wms-{n}", CAPS, |_| {
        SiteReply::html(403, "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.</body></html>".into())
    }),
    form("zip-without-shapefile", "/download/bilder_{n}.zip", "", |_| {
        archive(&[
            ZipMember::new("readme.txt", "photos", ZipMethod::Deflated),
            ZipMember::new("img/1.png", PIXEL, ZipMethod::Stored),
        ])
    }),
    form("kmz-without-kml", "/download/leer_{n}.kmz", "", |_| {
        archive(&[ZipMember::new("files/icon.png", PIXEL, ZipMethod::Stored)])
    }),
    form("html-as-kml", "/download/alt_{n}.kml", "", |_| {
        SiteReply::html(200, "<!DOCTYPE html><html><head><title>Download</title></head><body>The file has moved.</body></html>".into())
    }),
    form("html-as-zip", "/download/alt_{n}.zip", "", |_| login()),
];

fn login() -> SiteReply {
    SiteReply::html(
        200,
        "<!DOCTYPE html><html><head><title>Login</title></head><body><form method=\"post\" action=\"/login\"><input name=\"user\"><input type=\"password\" name=\"password\"><button>Login</button></form></body></html>".into(),
    )
}

fn archive(entries: &[ZipMember]) -> SiteReply {
    let mut reply = SiteReply::new(200, "application/zip", "");
    reply.body = ReplyBody::File { file: Arc::new(write_zip(entries, "")), ranges: true };
    reply
}

pub(super) fn plan_negatives(world: &mut WorldPlan, mut rng: SeededRng) {
    let places: Vec<usize> =
        (world.portals..world.hosts.len()).filter(|&h| world.hosts[h].role != HostRole::Portal).collect();
    if places.is_empty() {
        return;
    }
    // About one look-alike per three hosts, and each form at least once.
    let rounds = (world.hosts.len() / 3).div_ceil(NEGATIVE_FORMS.len()).max(1);
    for round in 0..rounds {
        for (index, form) in NEGATIVE_FORMS.iter().enumerate() {
            if round >= form.most {
                continue;
            }
            let host = *rng.pick(&places);
            let number = round * NEGATIVE_FORMS.len() + index;
            let target = form.path.replace("{n}", &number.to_string());
            let owner = &mut world.hosts[host];
            let url = if form.query.is_empty() {
                owner.url(&target)
            } else {
                owner.url(&format!("{target}?{}", form.query))
            };
            owner.routes.insert(target.clone(), HostRoute::Negative(world.negatives.len()));
            world.negatives.push(NegativePlace { form, host, target, url, seed: rng.next() });
        }
    }
}
