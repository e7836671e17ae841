//! A TCP relay that can be paused.
//!
//! A pause stops data in both directions and keeps the connections, like a network that loses
//! packets. New connections are accepted, but receive nothing. When the relay resumes, data in
//! transit continues, or is lost together with its connection ([`TcpRelay::resume`]), as behind a
//! router that forgot the connections.

use anyhow::Result;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::watch;

/// Maximum number of bytes read at once.
const CHUNK: usize = 64 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RelayState {
    whole: bool,
    /// How often all connections were reset.
    losses: u64,
}

/// A relay to one address.
pub struct TcpRelay {
    /// Address to connect to.
    pub address: SocketAddr,
    state: watch::Sender<RelayState>,
}

impl TcpRelay {
    /// Starts a relay to `target`.
    pub fn start(runtime: &Handle, target: SocketAddr) -> Result<Self> {
        let (state, seen) = watch::channel(RelayState { whole: true, losses: 0 });
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        runtime.spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(pass(near, target, seen.clone()));
            }
        });
        Ok(Self { address, state })
    }

    /// Stops passing data.
    pub fn pause(&self) {
        self.state.send_modify(|state| state.whole = false);
    }

    /// Passes data again; with `lossy`, existing connections are reset and data in transit is lost.
    pub fn resume(&self, lossy: bool) {
        self.state.send_modify(|state| {
            state.whole = true;
            state.losses += u64::from(lossy);
        });
    }
}

async fn pass(near: TcpStream, target: SocketAddr, mut state: watch::Receiver<RelayState>) {
    let born = state.borrow().losses;
    let Ok(now) = state.wait_for(|state| state.whole).await.map(|state| *state) else { return };
    if now.losses != born {
        return;
    }
    // Target unavailable: the client notices it when its connection is closed.
    let Ok(far) = TcpStream::connect(target).await else { return };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
    tokio::select! {
        () = copy(near_in, far_out, state.clone(), born) => {}
        () = copy(far_in, near_out, state.clone(), born) => {}
        _ = state.wait_for(|state| state.losses != born) => {}
    }
}

/// Copies data until one side ends; data read during a pause waits.
async fn copy(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut state: watch::Receiver<RelayState>,
    born: u64,
) {
    let mut bytes = vec![0; CHUNK];
    loop {
        let Ok(read) = from.read(&mut bytes).await else { return };
        let Ok(now) = state.wait_for(|state| state.whole).await.map(|state| *state) else { return };
        if read == 0 || now.losses != born || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
