//! Responses of the simulated web: an ordinary response, a sparse file, or a script of bytes and
//! pauses for servers that misbehave.

use crate::file::SparseFile;
use bytes::Bytes;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// A response.
#[derive(Debug, Clone)]
pub(crate) struct SiteReply {
    pub status: u16,
    /// Empty: no `Content-Type` is sent.
    pub content_type: Cow<'static, str>,
    pub headers: Vec<(Cow<'static, str>, String)>,
    pub body: ReplyBody,
    /// Delay before the first byte.
    pub delay: Duration,
}

/// The body, or everything that is sent instead of a proper response.
#[derive(Debug, Clone)]
pub(crate) enum ReplyBody {
    Bytes(Bytes),
    /// A file, with or without support for byte ranges.
    File {
        file: Arc<SparseFile>,
        ranges: bool,
    },
    /// Raw bytes instead of head and body, for broken servers.
    Raw(Vec<ReplyAct>),
}

/// One step of a misbehaving server.
#[derive(Debug, Clone)]
pub(crate) enum ReplyAct {
    Send(Bytes),
    /// The same bytes, repeated.
    Repeat(Bytes, u64),
    /// Pieces generated one after the other, for content that must neither repeat nor be held in
    /// memory.
    Made(fn(u64) -> String, u64),
    /// One byte at a time, with a pause after each.
    Drip(Bytes, Duration),
    Pause(Duration),
}

impl ReplyBody {
    pub(crate) fn len_in_memory(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::File { .. } | Self::Raw(_) => 0,
        }
    }
}

impl SiteReply {
    pub(crate) fn new(
        status: u16,
        content_type: impl Into<Cow<'static, str>>,
        body: impl Into<Bytes>,
    ) -> Self {
        Self {
            status,
            content_type: content_type.into(),
            headers: Vec::new(),
            body: ReplyBody::Bytes(body.into()),
            delay: Duration::ZERO,
        }
    }

    pub(crate) fn html(status: u16, body: String) -> Self {
        Self::new(status, "text/html; charset=utf-8", body)
    }

    pub(crate) fn xml(body: impl Into<Bytes>) -> Self {
        Self::new(200, "text/xml", body)
    }

    pub(crate) fn redirect(status: u16, location: String) -> Self {
        let mut reply =
            Self::html(status, format!("<html><body>Moved <a href=\"{location}\">here</a></body></html>"));
        reply.headers.push(("Location".into(), location));
        reply
    }

    /// Creates a response that is not valid HTTP: sends only the acts, then closes the connection.
    pub(crate) fn raw(acts: Vec<ReplyAct>) -> Self {
        Self {
            status: 0,
            content_type: Cow::Borrowed(""),
            headers: Vec::new(),
            body: ReplyBody::Raw(acts),
            delay: Duration::ZERO,
        }
    }

    pub(crate) fn not_found() -> Self {
        Self::html(
            404,
            "<!DOCTYPE html><html><head><title>404</title></head><body><h1>Not found</h1></body></html>"
                .to_owned(),
        )
    }
}
