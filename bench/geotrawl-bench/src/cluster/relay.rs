//! A wire that can be cut: passes bytes of TCP connections on, until it is told not to.
//!
//! A cut stops the bytes in both directions and keeps the connections, as a network does that loses packets: those who
//! wait, wait. New connections are taken and hear nothing. What was on the way goes on when the wire is whole again, or is
//! lost with its connection ([`Relay::mend`]), as behind a router that forgot them.

use anyhow::Result;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::watch;

/// Bytes taken at once.
const CHUNK: usize = 64 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RelayState {
    whole: bool,
    /// How often all connections were let go.
    losses: u64,
}

/// A wire to one address.
pub struct TcpRelay {
    /// Where it begins.
    pub address: SocketAddr,
    state: watch::Sender<RelayState>,
}

impl TcpRelay {
    /// A wire to `target`, whole.
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

    /// Cuts it.
    pub fn pause(&self) {
        self.state.send_modify(|state| state.whole = false);
    }

    /// Makes it whole; with `lossy` the connections of before are gone, with all that was on the way.
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
    // Nobody there: the other side hears it by the end of its connection.
    let Ok(far) = TcpStream::connect(target).await else { return };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
    tokio::select! {
        () = copy(near_in, far_out, state.clone(), born) => {}
        () = copy(far_in, near_out, state.clone(), born) => {}
        _ = state.wait_for(|state| state.losses != born) => {}
    }
}

/// Passes bytes on until one side ends; what is read when the wire is cut waits.
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
