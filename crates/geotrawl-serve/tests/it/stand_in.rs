use geotrawl_store::accounts::*;
use geotrawl_store::changes::{Change, Changes, Statistics};
use geotrawl_store::jobs::*;
use geotrawl_store::record::Record;
use geotrawl_store::*;
use jiff::Timestamp;
use serde_json::Value;

/// The embedded store with no tasks and no changes.
pub struct StandIn(pub EmbeddedStore);

macro_rules! delegate {
    ($trait:ident: $($name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {
        impl $trait for StandIn {
            $(fn $name(&self, $($arg: $type),*) -> Result<$out> { $trait::$name(&self.0, $($arg),*) })*
        }
    };
}

delegate! { Accounts:
    add_user(user: &NewUser, now: Timestamp) -> Option<User>;
    user(id: UserId) -> Option<User>;
    user_named(name: &str) -> Option<(User, Option<String>)>;
    user_identified(issuer: &str, subject: &str) -> Option<User>;
    users(offset: u64, limit: u64) -> (Vec<User>, u64);
    change_user(id: UserId, change: &UserChange) -> Option<User>;
    remove_user(id: UserId) -> bool;
    admins() -> u64;
    open_session(session: &Session) -> ();
    session(key: &[u8; 32], now: Timestamp) -> Option<(Session, User)>;
    close_session(key: &[u8; 32]) -> ();
    extend_session(key: &[u8; 32], expires: Timestamp) -> ();
    sweep_sessions(now: Timestamp) -> u64;
    add_token(token: &Token, key: &[u8; 32]) -> Token;
    token(key: &[u8; 32], now: Timestamp) -> Option<(Token, User)>;
    tokens(user: UserId) -> Vec<Token>;
    remove_token(user: UserId, id: i64) -> bool;
    audit(entry: &NewAudit, now: Timestamp) -> ();
    audit_log(before: i64, limit: u64) -> Vec<AuditEntry>;
    setting(key: &str) -> Option<Value>;
    settings() -> Vec<(String, Value)>;
    set_setting(key: &str, value: Option<&Value>) -> ();
    add_report(report: &NewReport, now: Timestamp) -> i64;
    reports(all: bool, limit: u64) -> Vec<Report>;
    close_report(id: i64) -> bool;
    size() -> u64;
}

delegate! { Store:
    open_task(spec: &TaskSpec, now: Timestamp) -> OpenTask;
    set_task_state(task: RunId, state: TaskState, now: Timestamp) -> ();
    add_links(task: RunId, links: &[NewLink]) -> Added;
    commit(batch: &Batch) -> Committed;
    hosts_with_work(task: RunId, limit: usize, skip: &dyn Fn(HostId) -> bool) -> Vec<HostWork>;
    pending(task: RunId, host: HostId, limit: usize, skip: &dyn Fn(ItemId) -> bool) -> Vec<Item>;
    host_history(task: RunId, host: HostId, limit: usize) -> Vec<PastPage>;
    counters(task: RunId) -> Counters;
    records(filter: &RecordFilter, visit: &mut dyn FnMut(Record) -> bool) -> ();
    harvested_at(catalogue: &str, connector: &str) -> Option<Timestamp>;
    harvested(catalogue: Option<&str>, visit: &mut dyn FnMut(HarvestedRecord) -> bool) -> ();
    import_seeds(list: &str, source: &str, seeds: &[Seed], now: Timestamp) -> u64;
    seed_lists() -> Vec<SeedList>;
    seeds(list: &str, visit: &mut dyn FnMut(Seed) -> bool) -> ();
    explain(what: &str) -> Explanation;
}

macro_rules! nothing {
    ($trait:ident: $($name:ident($($type:ty),*) -> $out:ty = $value:expr;)*) => {
        impl $trait for StandIn {
            $(fn $name(&self, $(_: $type),*) -> Result<$out> { $value })*
        }
    };
}

fn none<T>() -> Result<T> {
    Err(StoreError::Engine { doing: "standing in".into(), cause: "there are no tasks here".into() })
}

nothing! { Jobs:
    add_job(Option<UserId>, &JobSpec, Timestamp) -> Job = none();
    job(JobId) -> Option<Job> = Ok(None);
    job_of_run(RunId) -> Option<JobId> = Ok(None);
    jobs(&JobFilter) -> (Vec<Job>, u64) = Ok((Vec::new(), 0));
    change_job(JobId, &JobSpec) -> Option<Job> = Ok(None);
    remove_job(JobId) -> bool = Ok(false);
    wish(JobId, Wish, u32, Timestamp) -> Wished = Ok(Wished::Unknown);
    take_job(Timestamp) -> Option<Job> = Ok(None);
    job_wanted(JobId) -> JobState = none();
    job_run(JobId, RunId) -> () = Ok(());
    end_job(JobId, JobState, Option<&str>, Timestamp) -> () = Ok(());
    requeue_orphans(Timestamp) -> u64 = Ok(0);
    queue_due(Timestamp) -> u64 = Ok(0);
    write_live(&Live) -> () = Ok(());
    live(&[RunId]) -> Vec<Live> = Ok(Vec::new());
    samples(RunId) -> Vec<Sample> = Ok(Vec::new());
    events(i64, Option<RunId>, usize) -> Vec<Event> = Ok(Vec::new());
    last_event() -> i64 = Ok(0);
    finds(RunId, i64, usize) -> Vec<(i64, Record)> = Ok(Vec::new());
}

nothing! { Changes:
    changes(i64, usize) -> Vec<Change> = Ok(Vec::new());
    last_change() -> i64 = Ok(0);
    record(&str) -> Option<Record> = Ok(None);
    statistics() -> Statistics = Ok(Statistics::default());
}
