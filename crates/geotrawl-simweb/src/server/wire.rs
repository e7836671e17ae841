//! Writes to a client that may disconnect at any time.

use crate::file::SparseFile;
use crate::reply::ReplyAct;
use std::io::{self, IoSlice};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

/// A connection with counters.
pub(super) struct ReplyWriter {
    pub stream: TcpStream,
    /// Bytes sent for the current request.
    pub sent: u64,
    /// When the last write of the current request began. Taken before the write, because a stamp
    /// taken after it would race with the client's next request on another connection.
    pub last_write: Instant,
}

impl ReplyWriter {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, sent: 0, last_write: Instant::now() }
    }

    pub(super) fn begin_reply(&mut self) {
        self.sent = 0;
        self.last_write = Instant::now();
    }

    /// Sends head and body in as few system calls as possible.
    pub(super) async fn send(&mut self, head: &[u8], body: &[u8]) -> io::Result<()> {
        let (mut head, mut body) = (head, body);
        while !head.is_empty() || !body.is_empty() {
            self.last_write = Instant::now();
            let written = self.stream.write_vectored(&[IoSlice::new(head), IoSlice::new(body)]).await?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            self.sent += written as u64;
            let from_head = written.min(head.len());
            head = &head[from_head..];
            body = &body[written - from_head..];
        }
        Ok(())
    }

    /// Sends `length` bytes of `file` from `offset`.
    pub(super) async fn send_file(
        &mut self,
        file: &SparseFile,
        mut offset: u64,
        mut length: u64,
    ) -> io::Result<()> {
        while length > 0 {
            let chunk = file.chunk(offset);
            let take = (chunk.len() as u64).min(length);
            if take == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.send(&chunk[..take as usize], b"").await?;
            offset += take;
            length -= take;
        }
        Ok(())
    }

    /// Plays the script of a misbehaving server.
    pub(super) async fn play_acts(&mut self, acts: &[ReplyAct]) -> io::Result<()> {
        for act in acts {
            match act {
                ReplyAct::Send(bytes) => self.send(bytes, b"").await?,
                ReplyAct::Repeat(bytes, times) => {
                    for _ in 0..*times {
                        self.send(bytes, b"").await?;
                    }
                }
                ReplyAct::Made(piece, count) => {
                    for number in 0..*count {
                        self.send(piece(number).as_bytes(), b"").await?;
                    }
                }
                ReplyAct::Drip(bytes, pause) => {
                    for byte in bytes {
                        self.send(&[*byte], b"").await?;
                        self.pause(*pause).await?;
                    }
                }
                ReplyAct::Pause(pause) => self.pause(*pause).await?,
            }
        }
        Ok(())
    }

    /// Waits, but no longer than the client does, so that the log shows when a request really
    /// ended.
    pub(super) async fn pause(&mut self, pause: Duration) -> io::Result<()> {
        if pause.is_zero() {
            return Ok(());
        }
        let deadline = tokio::time::Instant::now() + pause;
        // Reading detects that the client disconnects; peeking leaves pipelined requests in the
        // socket.
        let mut byte = [0; 1];
        tokio::select! {
            () = tokio::time::sleep_until(deadline) => return Ok(()),
            peeked = self.stream.peek(&mut byte) => match peeked {
                Ok(0) => {
                    self.last_write = Instant::now();
                    return Err(io::ErrorKind::ConnectionAborted.into());
                }
                Ok(_) => {}
                Err(error) => {
                    self.last_write = Instant::now();
                    return Err(error);
                }
            },
        }
        // The next request has already arrived, so the connection is alive; only wait.
        tokio::time::sleep_until(deadline).await;
        Ok(())
    }

    pub(super) async fn close(mut self) {
        let _ = self.stream.shutdown().await;
    }
}
