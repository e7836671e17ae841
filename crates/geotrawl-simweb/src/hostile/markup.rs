//! Documents that are hard to parse: deep, wide, long, wrongly labelled.

use super::{CaseForm, case, common, repeat, send, unbounded};
use crate::reply::{ReplyAct, SiteReply};
use std::fmt::Write as _;

const HTML: &str = "text/html; charset=utf-8";

pub(super) static CASES: &[CaseForm] = &[
    case("deep-html", "/", "bounded", |_, _| {
        unbounded(HTML, "", vec![send("<!DOCTYPE html><html><body>"), repeat("<div>", 1_000_000)])
    }),
    case("deep-xml", "/deep.xml", "bounded", |_, _| {
        unbounded(
            "text/xml",
            "",
            vec![send("<?xml version=\"1.0\"?>"), repeat("<a>", 1_000_000), repeat("</a>", 1_000_000)],
        )
    }),
    case("deep-capabilities", "/wms?SERVICE=WMS&REQUEST=GetCapabilities", "bounded", |_, _| {
        let start = "<?xml version=\"1.0\"?><WMS_Capabilities version=\"1.3.0\" xmlns=\"http://www.opengis.net/wms\"><Service><Name>WMS</Name><Title>Deep</Title></Service><Capability>";
        unbounded("text/xml", "", vec![send(start), repeat("<Layer>", 500_000)])
    }),
    case("million-links", "/", "bounded", |_, _| {
        let thousand = |part: u64| {
            (part * 1000..(part + 1) * 1000).fold(String::new(), |mut links, number| {
                let _ = write!(links, "<a href=\"seite-{number}.html\">{number}</a>");
                links
            })
        };
        unbounded(HTML, "", vec![send("<!DOCTYPE html><html><body>"), ReplyAct::Made(thousand, 1000)])
    }),
    common(case("many-links", "/", "ok", |_, _| {
        let mut page = String::from("<!DOCTYPE html><html><head><title>Links</title></head><body>");
        for number in 0..5000 {
            let _ = write!(
                page,
                "<a href=\"#a{number}\">{number}</a> <a href=\"mailto:a{number}@many-links.hostile.test\">{number}</a>"
            );
        }
        page.push_str("</body></html>");
        SiteReply::html(200, page)
    })),
    case("huge-attribute", "/", "bounded", |_, _| {
        unbounded(
            HTML,
            "",
            vec![
                send("<html><body><a title=\""),
                repeat("aaaaaaaa", 5_000_000),
                send("\" href=\"/x\">x</a>"),
            ],
        )
    }),
    case("huge-token", "/", "bounded", |_, _| {
        unbounded(HTML, "", vec![send("<html><body><"), repeat("aaaaaaaa", 5_000_000)])
    }),
    case("huge-text", "/", "bounded", |_, _| {
        unbounded(HTML, "", vec![send("<html><body><p>http://"), repeat("aaaaaaaa", 5_000_000)])
    }),
    case("million-attributes", "/", "bounded", |_, _| {
        unbounded(HTML, "", vec![send("<html><body><div"), repeat(" a='b'", 2_000_000), send(">")])
    }),
    case("million-attributes-xml", "/wide.xml", "bounded", |_, _| {
        unbounded(
            "text/xml",
            "",
            vec![send("<?xml version=\"1.0\"?><r"), repeat(" a='b'", 2_000_000), send("/>")],
        )
    }),
    case("endless-comment", "/wms?SERVICE=WMS&REQUEST=GetCapabilities", "bounded", |_, _| {
        unbounded(
            "text/xml",
            "",
            vec![send("<?xml version=\"1.0\"?><!-- "), repeat("no root here ", 20_000_000)],
        )
    }),
    case("endless-doctype", "/wms?SERVICE=WMS&REQUEST=GetCapabilities", "bounded", |_, _| {
        unbounded(
            "text/xml",
            "",
            vec![send("<?xml version=\"1.0\"?><!DOCTYPE a ["), repeat("<!ELEMENT a ANY>\n", 20_000_000)],
        )
    }),
    common(case("invalid-utf8", "/", "ok", |_, _| {
        let mut page = b"<!DOCTYPE html><html><head><title>Bytes</title></head><body><p>".to_vec();
        page.extend((0..=255_u8).cycle().take(20_000).filter(|byte| *byte != b'<'));
        SiteReply::new(200, HTML, page)
    })),
    common(case("html-as-png", "/", "ok", |_, _| {
        SiteReply::new(
            200,
            "image/png",
            "<!DOCTYPE html><html><head><title>Not an image</title></head><body></body></html>",
        )
    })),
    common(case("binary-as-html", "/", "ok", |_, _| {
        SiteReply::new(
            200,
            HTML,
            (0..60_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect::<Vec<u8>>(),
        )
    })),
];
