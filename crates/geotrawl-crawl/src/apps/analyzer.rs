//! Analyzes scripts in separate processes. A script that makes a parser overflow or run forever
//! kills only its process, which is replaced.

use geotrawl_js::run::LEFT_ALONE;
use geotrawl_js::{AnalysisLevels, AnalysisLimits, MapApp, ScriptAnalysis};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetError,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Semaphore;

/// CPU time per analysis. The system counts whole seconds, so between one and two remain.
const CPU_SECONDS: u64 = 2;
/// An analyzer that does not answer within this time is stuck, even if it uses no CPU time.
const PATIENCE: Duration = Duration::from_secs(20);
/// Address space of an analyzer process.
const MEMORY: u64 = 4 << 30;
/// Maximum length of a message in either direction.
const LONGEST: u32 = 256 << 20;

/// Name of the hidden command that analyzes scripts.
pub const COMMAND: &str = "study-scripts";

#[derive(Serialize, Deserialize)]
struct AnalyzerTask<A> {
    app: A,
    levels: AnalysisLevels,
    limits: AnalysisLimits,
}

/// Where scripts are analyzed.
#[derive(Clone)]
pub enum ScriptAnalyzer {
    /// On a thread of this process, for programs that cannot start themselves again.
    Here,
    /// In processes of this program.
    Processes(Arc<AnalyzerPool>),
}

/// A pool of analyzer processes, started on demand.
pub struct AnalyzerPool {
    program: PathBuf,
    turns: Semaphore,
    idle: Mutex<Vec<AnalyzerProcess>>,
}

struct AnalyzerProcess {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl ScriptAnalyzer {
    /// Returns an analyzer with one process of `program` per core.
    pub fn with_processes(program: PathBuf) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Self::Processes(Arc::new(AnalyzerPool {
            program,
            turns: Semaphore::new(cores),
            idle: Mutex::default(),
        }))
    }

    /// Analyzes an application's code, or returns why that failed.
    pub async fn analyze_app(&self, app: &MapApp, levels: AnalysisLevels) -> Result<ScriptAnalysis, String> {
        let limits = AnalysisLimits::default();
        match self {
            Self::Here => {
                let app = app.clone();
                tokio::task::spawn_blocking(move || geotrawl_js::analyze_app(&app, levels, &limits))
                    .await
                    .map_err(|error| format!("the code could not be analyzed: {error}"))
            }
            Self::Processes(pool) => pool.analyze_task(&AnalyzerTask { app, levels, limits }).await,
        }
    }
}

impl AnalyzerPool {
    async fn analyze_task(&self, task: &AnalyzerTask<&MapApp>) -> Result<ScriptAnalysis, String> {
        let _turn = self.turns.acquire().await.map_err(|error| error.to_string())?;
        let message = serde_json::to_vec(task).map_err(|error| error.to_string())?;
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut student = match idle {
            Some(student) => student,
            None => self.start().map_err(|error| format!("the code could not be analyzed: {error}"))?,
        };
        match tokio::time::timeout(PATIENCE, student.ask(&message)).await {
            // The sandbox could not be stopped: its process is dropped with it.
            Ok(Ok(study)) if study.issues.iter().any(|issue| issue == LEFT_ALONE) => Ok(study),
            Ok(Ok(study)) => {
                self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(student);
                Ok(study)
            }
            // Dropping the process kills it.
            Ok(Err(_)) => {
                let _ = student.child.start_kill();
                let _ = student.child.wait().await;
                Err("analyzing the code took too much time or memory".to_owned())
            }
            Err(_) => Err("analyzing the code took too long".to_owned()),
        }
    }

    fn start(&self) -> io::Result<AnalyzerProcess> {
        let mut child = Command::new(&self.program)
            .arg(COMMAND)
            .env_clear()
            .current_dir(std::env::temp_dir())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        Ok(AnalyzerProcess { child, input, output })
    }
}

impl AnalyzerProcess {
    async fn ask(&mut self, message: &[u8]) -> io::Result<ScriptAnalysis> {
        let length = u32::try_from(message.len()).map_err(io::Error::other)?;
        self.input.write_all(&length.to_le_bytes()).await?;
        self.input.write_all(message).await?;
        self.input.flush().await?;
        let length = self.output.read_u32_le().await?;
        if length > LONGEST {
            return Err(io::Error::other("an answer that is too long"));
        }
        let mut answer = vec![0; length as usize];
        self.output.read_exact(&mut answer).await?;
        serde_json::from_slice(&answer).map_err(io::Error::other)
    }
}

/// Runs an analyzer process: analyzes the tasks from `input` until it ends.
pub fn serve_analyzer(mut input: impl Read, mut output: impl Write) -> io::Result<()> {
    set_resource_limit(Resource::As, MEMORY)?;
    restrict_access().map_err(io::Error::other)?;
    loop {
        let mut length = [0; 4];
        if let Err(error) = input.read_exact(&mut length) {
            return if error.kind() == io::ErrorKind::UnexpectedEof { Ok(()) } else { Err(error) };
        }
        let length = u32::from_le_bytes(length);
        if length > LONGEST {
            return Err(io::Error::other("a task that is too long"));
        }
        let mut message = vec![0; length as usize];
        input.read_exact(&mut message)?;
        let AnalyzerTask { app, levels, limits } = serde_json::from_slice::<AnalyzerTask<MapApp>>(&message)?;
        drop(message);
        // The system kills the process when its CPU time is used up, wherever it is.
        let used = u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or(0);
        set_resource_limit(Resource::Cpu, used + CPU_SECONDS)?;
        let study = geotrawl_js::analyze_app(&app, levels, &limits);
        let answer = serde_json::to_vec(&study)?;
        let length = u32::try_from(answer.len()).map_err(io::Error::other)?;
        output.write_all(&length.to_le_bytes())?;
        output.write_all(&answer)?;
        output.flush()?;
    }
}

/// Drops access to files and the network, where the system supports it. The sandbox offers neither,
/// and this also covers faults in an engine written in C.
pub(crate) fn restrict_access() -> Result<(), RulesetError> {
    let abi = ABI::V5;
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .create()?
        .restrict_self()?;
    Ok(())
}

/// Sets a soft resource limit, at most the hard limit.
pub(crate) fn set_resource_limit(resource: Resource, most: u64) -> io::Result<()> {
    let maximum = getrlimit(resource).maximum;
    let current = maximum.map_or(most, |maximum| maximum.min(most));
    Ok(setrlimit(resource, Rlimit { current: Some(current), maximum })?)
}
