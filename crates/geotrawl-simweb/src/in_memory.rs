//! Access to a simulated web without a network, for experiments that read every page.

use crate::SimWeb;
use crate::reply::ReplyBody;
use crate::request::SiteRequest;
use crate::server::RequestHandler;

/// A response of a simulated web.
#[derive(Debug, Clone, Default)]
pub struct InMemoryReply {
    pub status: u16,
    pub content_type: String,
    /// Target of a redirect.
    pub location: Option<String>,
    /// `Link` headers.
    pub links: Vec<String>,
    pub body: Vec<u8>,
    /// Total length of the file, and the offset of the body in it if a part was requested and
    /// returned.
    pub total: u64,
    pub from: Option<u64>,
}

/// A part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilePart {
    /// From the first to the last of these bytes.
    Span(u64, u64),
    /// This many bytes at the end.
    Last(u64),
}

/// Maximum number of bytes per response.
const MOST: u64 = 4 << 20;

impl SimWeb {
    /// Answers a GET request for `target` (path and query) on a host; `None` where a server would
    /// misbehave instead of answering.
    pub fn get(&self, host: &str, target: &str, part: Option<FilePart>) -> Option<InMemoryReply> {
        let reply = self.web.answer(&SiteRequest { method: "GET", host, target, ..SiteRequest::default() });
        let header =
            |name: &'static str| reply.headers.iter().filter(move |(key, _)| key.eq_ignore_ascii_case(name));
        let mut plain = InMemoryReply {
            status: reply.status,
            content_type: reply.content_type.to_string(),
            location: header("location").next().map(|(_, value)| value.clone()),
            links: header("link").map(|(_, value)| value.clone()).collect(),
            ..InMemoryReply::default()
        };
        match &reply.body {
            ReplyBody::Bytes(bytes) => {
                plain.body = bytes.to_vec();
                plain.total = bytes.len() as u64;
            }
            ReplyBody::File { file, ranges } => {
                plain.total = file.len();
                let (from, to) = match part.filter(|_| *ranges) {
                    Some(FilePart::Span(from, to)) => (from, to.saturating_add(1).min(plain.total)),
                    Some(FilePart::Last(count)) => (plain.total.saturating_sub(count), plain.total),
                    None => (0, plain.total),
                };
                if part.is_some() && *ranges {
                    if from >= plain.total {
                        plain.status = 416;
                        return Some(plain);
                    }
                    plain.status = 206;
                    plain.from = Some(from);
                }
                let wanted = to.saturating_sub(from).min(MOST);
                while (plain.body.len() as u64) < wanted {
                    let chunk = file.chunk(from + plain.body.len() as u64);
                    let left = (wanted - plain.body.len() as u64) as usize;
                    if chunk.is_empty() {
                        break;
                    }
                    plain.body.extend_from_slice(&chunk[..chunk.len().min(left)]);
                }
            }
            ReplyBody::Raw(_) => return None,
        }
        Some(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimWebConfig;

    #[test]
    fn the_front_page_answers_without_a_network_and_files_in_parts() {
        let web = SimWeb::generate(SimWebConfig { hosts: 60, ..SimWebConfig::default() });
        let seed = web.seeds().remove(0);
        let host = seed.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let page = web.get(&host, "/", None).unwrap();
        assert_eq!((page.status, page.total), (200, page.body.len() as u64));
        assert_eq!(web.get(&host, "/no-such-page", None).unwrap().status, 404);
        let world = &web.web.world;
        let file = world.files.iter().find(|file| file.ranges).unwrap();
        let ask = |part| web.get(&world.hosts[file.host].name, &file.target, part).unwrap();
        let tail = ask(Some(FilePart::Last(4)));
        assert_eq!((tail.status, tail.body.len(), tail.from), (206, 4, Some(tail.total - 4)));
        assert_eq!(ask(Some(FilePart::Span(0, 3))).body.len(), 4);
        assert_eq!(ask(Some(FilePart::Span(tail.total, tail.total + 3))).status, 416);
    }
}
