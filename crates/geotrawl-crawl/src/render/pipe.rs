//! The browser's debugging protocol over its pipe: JSON messages terminated by a zero byte.
//!
//! Messages are untyped on purpose: browsers send messages that no schema version lists, and
//! unreadable ones are skipped.

use super::process::BrowserFailure;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};

/// Longer messages are skipped. The longest one that is needed holds the document.
const MOST_BYTES: usize = 32 << 20;
/// The browser reads its pipe in a dedicated thread, so a longer delay means that it hangs.
const WRITE_WITHIN: Duration = Duration::from_secs(5);

/// A message sent by the browser.
#[derive(Debug, Default)]
pub(super) struct BrowserMessage {
    /// Id of the call that it answers; `None` for an event.
    pub id: Option<u64>,
    /// Session of the page, frame or worker; empty for the browser itself.
    pub session: String,
    /// Name of an event; empty for an answer.
    pub method: String,
    /// Parameters of an event or result of a call.
    pub body: Value,
    /// Why a call failed.
    pub error: Option<String>,
}

/// Both ends of the pipe.
pub(super) struct BrowserPipe {
    to: ChildStdin,
    from: ChildStdout,
    inbox: MessageBuffer,
    last_id: u64,
}

/// Bytes received, until a message is complete.
#[derive(Default)]
struct MessageBuffer {
    received: Vec<u8>,
    /// Length of the prefix of `received` that is known to contain no zero byte.
    searched: usize,
    /// Whether the current message is too long and is being skipped.
    skipping: bool,
}

impl BrowserPipe {
    pub fn new(to: ChildStdin, from: ChildStdout) -> Self {
        Self { to, from, inbox: MessageBuffer::default(), last_id: 0 }
    }

    /// Sends a call and returns its id.
    pub async fn send_call(
        &mut self,
        session: &str,
        method: &str,
        params: Value,
    ) -> Result<u64, BrowserFailure> {
        self.last_id += 1;
        let mut call = json!({ "id": self.last_id, "method": method, "params": params });
        if !session.is_empty() {
            call["sessionId"] = session.into();
        }
        let mut bytes = call.to_string().into_bytes();
        bytes.push(0);
        match tokio::time::timeout(WRITE_WITHIN, self.to.write_all(&bytes)).await {
            Ok(Ok(())) => Ok(self.last_id),
            Ok(Err(_closed)) => Err(BrowserFailure::Exited),
            Err(_elapsed) => Err(BrowserFailure::Hung),
        }
    }

    /// Returns the next message. Cancel-safe: no message is lost if the future is dropped.
    pub async fn next_message(&mut self) -> Result<BrowserMessage, BrowserFailure> {
        loop {
            while let Some(bytes) = self.inbox.take(MOST_BYTES) {
                if let Some(message) = read(&bytes) {
                    return Ok(message);
                }
            }
            match self.from.read_buf(&mut self.inbox.received).await {
                Ok(0) | Err(_) => return Err(BrowserFailure::Exited),
                Ok(_) => {}
            }
        }
    }
}

impl MessageBuffer {
    /// Removes the next complete message of at most `most` bytes.
    fn take(&mut self, most: usize) -> Option<Vec<u8>> {
        loop {
            let Some(at) = self.received[self.searched..].iter().position(|byte| *byte == 0) else {
                self.searched = self.received.len();
                // The message is too long: drop what arrived, and the rest of it later.
                if self.searched > most {
                    self.received = Vec::new();
                    self.searched = 0;
                    self.skipping = true;
                }
                return None;
            };
            let end = self.searched + at;
            let rest = self.received.split_off(end + 1);
            let mut message = std::mem::replace(&mut self.received, rest);
            self.searched = 0;
            message.pop();
            if !std::mem::take(&mut self.skipping) {
                return Some(message);
            }
        }
    }
}

fn read(bytes: &[u8]) -> Option<BrowserMessage> {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(bytes) else { return None };
    let text = |value: Option<Value>| match value {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let id = fields.get("id").and_then(Value::as_u64);
    let error = fields.remove("error").map(|error| {
        error.get("message").and_then(Value::as_str).unwrap_or("the browser rejected the call").to_owned()
    });
    Some(BrowserMessage {
        id,
        session: text(fields.remove("sessionId")),
        method: text(fields.remove("method")),
        body: fields.remove(if id.is_some() { "result" } else { "params" }).unwrap_or_default(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn messages_come_whole_however_they_are_cut(
            sent in proptest::collection::vec("[a-z]{0,12}", 0..8),
            cut in 1_usize..9,
        ) {
            let bytes: Vec<u8> = sent.iter().flat_map(|text| text.bytes().chain([0])).collect();
            let mut inbox = MessageBuffer::default();
            let mut taken = Vec::new();
            for piece in bytes.chunks(cut) {
                inbox.received.extend_from_slice(piece);
                while let Some(message) = inbox.take(100) {
                    taken.push(String::from_utf8(message).unwrap());
                }
            }
            prop_assert_eq!(taken, sent);
        }
    }

    #[test]
    fn a_message_that_is_too_long_is_skipped() {
        let mut inbox = MessageBuffer::default();
        for piece in ["aaaaaaaa", "bbbb", "cc\0short\0"] {
            inbox.received.extend_from_slice(piece.as_bytes());
            if piece.ends_with('\0') {
                assert_eq!(inbox.take(6).as_deref(), Some(&b"short"[..]));
            }
            assert_eq!(inbox.take(6), None);
        }
    }

    #[test]
    fn strange_messages_are_passed_over() {
        for junk in [&b"null"[..], b"", b"{", b"[1]", b"\xff\xfe", b"\"text\""] {
            assert!(read(junk).is_none(), "{junk:?}");
        }
        let odd = read(br#"{"id":"seven","method":3,"sessionId":null,"params":"none","more":{}}"#).unwrap();
        assert_eq!((odd.id, odd.method.as_str(), odd.session.as_str()), (None, "", ""));
        let answer = read(br#"{"id":7,"error":{"code":-1}}"#).unwrap();
        assert_eq!(answer.error.as_deref(), Some("the browser rejected the call"));
        let event = read(br#"{"method":"A.b","params":{"x":1},"sessionId":"S"}"#).unwrap();
        assert_eq!((event.session.as_str(), event.body["x"].as_u64()), ("S", Some(1)));
    }
}
