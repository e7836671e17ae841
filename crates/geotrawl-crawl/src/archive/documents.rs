//! Reads PDF in a separate process; a document that uses up its memory or time kills only that
//! process.

use crate::apps::analyzer::{restrict_access, set_resource_limit};
use bytes::Bytes;
use geotrawl_archive::pdf::{self, Document};
use rustix::process::Resource;
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

/// Name of the hidden command that reads one document.
pub const COMMAND: &str = "read-document";
/// CPU time per document, in seconds.
const CPU_SECONDS: u64 = 20;
/// Timeout per document, even if it uses no CPU time.
const PATIENCE: Duration = Duration::from_mins(1);
/// Address space of the process.
const MEMORY: u64 = 1 << 30;
/// Maximum length of the answer.
const LONGEST: u64 = 16 << 20;

/// Where documents are read.
#[derive(Debug, Clone)]
pub enum DocumentReader {
    /// On a thread of this process, for programs that cannot start themselves again.
    Here,
    /// In processes of this program.
    Process(PathBuf),
}

impl DocumentReader {
    /// Reads a document, or returns why that failed.
    pub async fn read_document(&self, bytes: &Bytes) -> Result<Document, String> {
        match self {
            Self::Here => {
                let bytes = bytes.clone();
                tokio::task::spawn_blocking(move || catch_unwind(AssertUnwindSafe(|| pdf::read(&bytes))))
                    .await
                    .map_err(|error| error.to_string())?
                    .map_err(|_panic| "the document made the PDF reader panic".to_owned())
            }
            Self::Process(program) => {
                match tokio::time::timeout(PATIENCE, read_in_process(program, bytes)).await {
                    Ok(Ok(document)) => Ok(document),
                    Ok(Err(_)) => Err("the document took too much time or memory to read".to_owned()),
                    // Dropping the child kills its process.
                    Err(_) => Err("the document took too long to read".to_owned()),
                }
            }
        }
    }
}

async fn read_in_process(program: &PathBuf, bytes: &Bytes) -> io::Result<Document> {
    let mut child = Command::new(program)
        .arg(COMMAND)
        .env_clear()
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (mut input, output) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
    input.write_all(bytes).await?;
    drop(input);
    let mut answer = Vec::new();
    output.take(LONGEST).read_to_end(&mut answer).await?;
    let _ = child.wait().await;
    serde_json::from_slice(&answer).map_err(io::Error::other)
}

/// Runs a reader process: reads one document from `input` and writes its contents to `output`.
pub fn serve_documents(mut input: impl Read, mut output: impl Write) -> io::Result<()> {
    set_resource_limit(Resource::As, MEMORY)?;
    set_resource_limit(Resource::Cpu, CPU_SECONDS)?;
    restrict_access().map_err(io::Error::other)?;
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let document = pdf::read(&bytes);
    serde_json::to_writer(&mut output, &document)?;
    output.flush()
}
