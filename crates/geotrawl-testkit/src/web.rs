use geotrawl_simweb::{LogEntry, LogSink, ServerHandle, SimWeb, SimWebConfig};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::ops::Deref;
use tokio::runtime::{Builder, Runtime};

/// A site on an ephemeral loopback port, with its own runtime and a log of all requests.
pub struct ServedSite {
    pub address: SocketAddr,
    handle: ServerHandle,
    _runtime: Runtime,
}

impl ServedSite {
    /// Starts serving: `ServedSite::start(|listener, log| site.serve(listener, log))`.
    pub fn start(serve: impl FnOnce(TcpListener, Option<LogSink>) -> io::Result<ServerHandle>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("its address");
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let serving = async { serve(listener, Some(LogSink::memory())).expect("the site is served") };
        let handle = runtime.block_on(serving);
        Self { address, handle, _runtime: runtime }
    }

    /// Returns the value of `--resolve` that resolves all names to this site.
    pub fn resolve_all(&self) -> String {
        format!("*={}", self.address)
    }

    /// Returns all requests so far.
    pub fn log(&self) -> Vec<LogEntry> {
        self.handle.log()
    }

    /// Returns the number of requests so far, without copying the log.
    pub fn request_count(&self) -> u64 {
        self.handle.served_count()
    }
}

/// A generated web that is being served.
pub struct ServedSimWeb {
    pub sim: SimWeb,
    server: ServedSite,
}

impl ServedSimWeb {
    /// Generates a web and starts serving it.
    pub fn start(config: SimWebConfig) -> Self {
        let sim = SimWeb::generate(config);
        let server = ServedSite::start(|listener, log| sim.serve(listener, log));
        Self { sim, server }
    }
}

#[cfg(feature = "store")]
impl ServedSimWeb {
    /// Returns a command for the built binary on this store, with this web as the whole internet.
    pub fn geotrawl_command(&self, store: &crate::TestStore) -> std::process::Command {
        let mut command = store.geotrawl_command();
        command.arg("--resolve").arg(self.resolve_all());
        command
    }
}

impl Deref for ServedSimWeb {
    type Target = ServedSite;

    fn deref(&self) -> &ServedSite {
        &self.server
    }
}
