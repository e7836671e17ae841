//! Live events: one follower of the store's rows, any number of watchers.
//!
//! The follower reads what is new when the store says so, and a few times a second in any case, and makes one frame of it per room (a task, everything
//! public, everything that one person may see, everything). A frame is bytes that are ready to be sent: for a
//! watcher it costs a pointer. A watcher that falls behind is cut off with a hint to come back; it resumes by the
//! number of the last event it has, and reads the gap from the store, so no event is lost.

use bytes::{Bytes, BytesMut};
use geotrawl_model::account::UserId;
use geotrawl_model::store::Store;
use geotrawl_model::task::{Job, JobId};
use geotrawl_model::{RunId, StoreError, StreamEvent};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, broadcast, watch};

/// How often rows are looked at while anybody watches, and otherwise.
const BUSY: Duration = Duration::from_millis(200);
const IDLE: Duration = Duration::from_secs(2);
/// However much is written, rows are not looked at more often than this.
const LEAST: Duration = Duration::from_millis(40);
/// Frames that a watcher may be behind.
pub(crate) const BACKLOG: usize = 256;
/// Events read at a time.
const AT_ONCE: usize = 1_000;
/// Watchers at most.
const MOST_WATCHERS: usize = 20_000;
/// With so many watchers of one task, what goes on there is sent less often.
const CROWD: usize = 500;

/// Whom a frame is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventRoom {
    /// Watchers of one task.
    Task(JobId),
    /// Guests who watch everything.
    Public,
    /// A person who watches everything: own tasks and public ones.
    User(UserId),
    /// Admins.
    All,
}

/// Events of one look, ready to be sent.
#[derive(Debug, Clone)]
pub struct EventFrame {
    bytes: Bytes,
    /// Number of each event and where it begins, in order.
    starts: Arc<[(i64, usize)]>,
    /// Where events without a number begin.
    rest: usize,
}

impl EventFrame {
    /// The number of its last event.
    pub fn last_number(&self) -> Option<i64> {
        self.starts.last().map(|(seq, _)| *seq)
    }

    /// What of it comes after this event; `None` when nothing does.
    pub fn events_after(&self, seen: i64) -> Option<Bytes> {
        let from = self.starts.iter().find(|(seq, _)| *seq > seen).map_or(self.rest, |(_, start)| *start);
        (from < self.bytes.len()).then(|| self.bytes.slice(from..))
    }
}

/// Fans out what happens to those who watch.
pub struct EventHub {
    rooms: Mutex<HashMap<EventRoom, OpenRoom>>,
    watchers: Arc<AtomicUsize>,
    wake: Notify,
    closing: watch::Sender<bool>,
    /// Becomes true when the follower knows where it begins: what was before is read from the store.
    following: watch::Sender<bool>,
}

struct OpenRoom {
    frames: broadcast::Sender<EventFrame>,
    /// Run of the task, and when what goes on in it was last sent.
    run: Option<RunId>,
    live_at: Option<jiff::Timestamp>,
    live_sent: Option<Instant>,
    public: Option<bool>,
}

impl Default for EventHub {
    fn default() -> Self {
        Self {
            rooms: Mutex::default(),
            watchers: Arc::default(),
            wake: Notify::new(),
            closing: watch::Sender::new(false),
            following: watch::Sender::new(false),
        }
    }
}

/// A watcher's place; given back when dropped.
pub struct EventSubscription {
    /// What comes.
    pub frames: broadcast::Receiver<EventFrame>,
    /// Becomes true when the server ends.
    pub closing: watch::Receiver<bool>,
    following: watch::Receiver<bool>,
    count: Arc<AtomicUsize>,
}

impl EventSubscription {
    /// Waits until whatever happens from now on comes by frames.
    pub async fn wait_for_follower(&mut self) {
        let _ = self.following.wait_for(|following| *following).await;
    }
}

impl Drop for EventSubscription {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl EventHub {
    /// Watchers now.
    pub fn watcher_count(&self) -> usize {
        self.watchers.load(Ordering::Relaxed)
    }

    /// Lets all watchers go, and the follower too: the server ends.
    pub fn close(&self) {
        self.closing.send_replace(true);
        self.wake.notify_one();
    }

    /// Takes a watcher in; `None` when there are too many. `job` is the task, for a room of one.
    pub fn subscribe(&self, room: EventRoom, job: Option<&Job>) -> Option<EventSubscription> {
        let count = Arc::clone(&self.watchers);
        if count.fetch_add(1, Ordering::Relaxed) >= MOST_WATCHERS {
            count.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        let mut rooms = self.rooms();
        let open = rooms.entry(room).or_insert_with(|| OpenRoom {
            frames: broadcast::Sender::new(BACKLOG),
            run: None,
            live_at: None,
            live_sent: None,
            public: None,
        });
        if let Some(job) = job {
            open.run = job.run;
            open.public.get_or_insert(job.spec.public);
        }
        let frames = open.frames.subscribe();
        drop(rooms);
        self.wake.notify_one();
        let (closing, following) = (self.closing.subscribe(), self.following.subscribe());
        Some(EventSubscription { frames, closing, following, count })
    }

    /// Follows the store until the hub is closed.
    pub async fn follow_store(self: Arc<Self>, store: Arc<dyn Store>) {
        let mut closing = self.closing.subscribe();
        let mut follower = EventFollower {
            hub: Arc::clone(&self),
            store: Arc::clone(&store),
            seen: None,
            catalogue: (0, Instant::now()),
        };
        let mut news = StoreEventWaiter { store, heard: 0, waiting: None };
        while !*closing.borrow_and_update() {
            let looked = tokio::task::spawn_blocking(move || {
                let outcome = follower.look();
                (follower, outcome)
            })
            .await;
            let Ok((back, outcome)) = looked else {
                tracing::error!("following the events broke off");
                return;
            };
            follower = back;
            let more = outcome.unwrap_or_else(|error| {
                tracing::warn!("events cannot be read: {error}");
                false
            });
            if more {
                continue;
            }
            if self.watcher_count() > 0 {
                tokio::select! {
                    () = news.wait() => {}
                    _ = closing.changed() => {}
                }
            } else {
                tokio::select! {
                    () = tokio::time::sleep(IDLE) => {}
                    () = self.wake.notified() => {}
                    _ = closing.changed() => {}
                }
            }
        }
    }

    /// Sends so many frames at once, as a watcher that does not read sees them.
    #[cfg(test)]
    pub(crate) fn send_frames(&self, room: EventRoom, frames: usize) {
        let rooms = self.rooms();
        for _ in 0..frames {
            let mut draft = FrameBuilder::default();
            draft.add_unnumbered("live", "{}");
            let _ = rooms[&room].frames.send(draft.frame());
        }
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<EventRoom, OpenRoom>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for what is written. A store that is not told of it, or whose connection for that is lost, is looked at on the beat.
struct StoreEventWaiter {
    store: Arc<dyn Store>,
    heard: u64,
    /// The thread that waits cannot be called back: it is waited for again next time.
    waiting: Option<tokio::task::JoinHandle<u64>>,
}

impl StoreEventWaiter {
    async fn wait(&mut self) {
        tokio::time::sleep(LEAST).await;
        let (store, heard) = (&self.store, self.heard);
        // What goes on in a run is written without a word, so the beat is kept also where finds are told.
        let waiting = self.waiting.get_or_insert_with(|| {
            let store = Arc::clone(store);
            tokio::task::spawn_blocking(move || store.wait_for_writes(heard, BUSY.saturating_sub(LEAST)))
        });
        self.heard = waiting.await.unwrap_or(heard);
        self.waiting = None;
    }
}

struct EventFollower {
    hub: Arc<EventHub>,
    store: Arc<dyn Store>,
    /// The last event that was sent.
    seen: Option<i64>,
    /// The last change of the catalogue that was told, and when.
    catalogue: (i64, Instant),
}

/// A frame in the making.
#[derive(Default)]
struct FrameBuilder {
    bytes: BytesMut,
    starts: Vec<(i64, usize)>,
    rest: Option<usize>,
}

impl FrameBuilder {
    fn add(&mut self, event: &StreamEvent) {
        self.starts.push((event.seq, self.bytes.len()));
        self.bytes.extend_from_slice(&format_event(event));
    }

    fn add_unnumbered(&mut self, kind: &str, data: &str) {
        self.rest.get_or_insert(self.bytes.len());
        self.bytes.extend_from_slice(format!("event: {kind}\ndata: {data}\n\n").as_bytes());
    }

    fn frame(self) -> EventFrame {
        let rest = self.rest.unwrap_or(self.bytes.len());
        EventFrame { bytes: self.bytes.freeze(), starts: self.starts.into(), rest }
    }
}

/// An event as it is sent. JSON holds no line breaks, so one line of data is enough.
pub fn format_event(event: &StreamEvent) -> Bytes {
    format!("id: {}\nevent: {}\ndata: {}\n\n", event.seq, event.kind, event.body).into()
}

/// Whether watchers are told of an event.
pub fn is_streamed(event: &StreamEvent) -> bool {
    matches!(event.kind.as_str(), "find" | "state")
}

impl EventFollower {
    /// Reads what is new and sends it; whether there may be more at once.
    fn look(&mut self) -> Result<bool, StoreError> {
        let seen = match self.seen {
            Some(seen) => seen,
            None => self.store.last_event()?,
        };
        self.seen = Some(seen);
        self.hub.following.send_replace(true);
        let events = self.store.list_events(seen, None, AT_ONCE)?;
        let told: Vec<&StreamEvent> = events.iter().filter(|event| is_streamed(event)).collect();
        let mut drafts: HashMap<EventRoom, FrameBuilder> = HashMap::new();
        let tasks: HashSet<JobId> = told.iter().filter_map(|event| event.task).collect();
        let mut jobs: HashMap<JobId, (Option<UserId>, bool)> = HashMap::new();
        for task in tasks {
            if let Some(job) = self.store.find_job(task)? {
                jobs.insert(task, (job.owner, job.spec.public));
            }
        }
        let open: Vec<EventRoom> = self.hub.rooms().keys().copied().collect();
        for event in told {
            let Some((owner, public)) = event.task.and_then(|task| jobs.get(&task)) else { continue };
            for room in &open {
                let meant = match room {
                    EventRoom::Task(task) => event.task == Some(*task),
                    EventRoom::Public => *public,
                    EventRoom::User(user) => *public || *owner == Some(*user),
                    EventRoom::All => true,
                };
                if meant {
                    drafts.entry(*room).or_default().add(event);
                }
            }
        }
        self.add_live(&events, &jobs, &mut drafts)?;
        self.add_catalogue(&open, &mut drafts)?;
        let mut rooms = self.hub.rooms();
        for (room, draft) in drafts {
            if let Some(open) = rooms.get(&room) {
                // Nobody is in the room any more: it is closed below.
                let _ = open.frames.send(draft.frame());
            }
        }
        rooms.retain(|_, open| open.frames.receiver_count() > 0);
        if let Some(last) = events.last() {
            self.seen = Some(last.seq);
        }
        Ok(events.len() == AT_ONCE)
    }

    /// Adds what goes on in the tasks that are watched, and closes the rooms of those that became private: who
    /// may still see them comes back.
    fn add_live(
        &self,
        events: &[StreamEvent],
        jobs: &HashMap<JobId, (Option<UserId>, bool)>,
        drafts: &mut HashMap<EventRoom, FrameBuilder>,
    ) -> Result<(), StoreError> {
        let mut rooms = self.hub.rooms();
        rooms.retain(|room, open| match room {
            EventRoom::Task(task) => match (jobs.get(task), open.public) {
                (Some((_, public)), Some(was)) => *public || !was,
                _ => true,
            },
            _ => true,
        });
        let mut wanted: Vec<(EventRoom, RunId)> = Vec::new();
        for (room, open) in rooms.iter_mut() {
            let EventRoom::Task(task) = room else { continue };
            if let Some((_, public)) = jobs.get(task) {
                open.public = Some(*public);
            }
            let latest = events.iter().rev().find(|event| event.task == Some(*task) && event.run.is_some());
            open.run = latest.and_then(|event| event.run).or(open.run);
            let crowd = (open.frames.receiver_count() / CROWD) as u32;
            let pause = BUSY * crowd.min(10);
            if open.live_sent.is_none_or(|at| at.elapsed() >= pause) {
                wanted.extend(open.run.map(|run| (*room, run)));
            }
        }
        drop(rooms);
        let runs: Vec<RunId> = wanted.iter().map(|(_, run)| *run).collect();
        let live = self.store.live_figures(&runs)?;
        let mut rooms = self.hub.rooms();
        for (room, run) in wanted {
            let Some(live) = live.iter().find(|live| live.run == run) else { continue };
            let Some(open) = rooms.get_mut(&room).filter(|open| open.live_at != Some(live.at)) else {
                continue;
            };
            open.live_at = Some(live.at);
            open.live_sent = Some(Instant::now());
            let data = serde_json::to_string(live).unwrap_or_default();
            drafts.entry(room).or_default().add_unnumbered("live", &data);
        }
        Ok(())
    }

    /// Adds how much the catalogue holds, for those who watch everything.
    fn add_catalogue(
        &mut self,
        open: &[EventRoom],
        drafts: &mut HashMap<EventRoom, FrameBuilder>,
    ) -> Result<(), StoreError> {
        let (told, at) = self.catalogue;
        let rooms: Vec<&EventRoom> = open.iter().filter(|room| !matches!(room, EventRoom::Task(_))).collect();
        if rooms.is_empty() || at.elapsed() < Duration::from_secs(1) {
            return Ok(());
        }
        let last = self.store.last_change()?;
        if last != told {
            let totals = self.store.totals()?;
            let data =
                serde_json::json!({ "records": totals.records, "datasets": totals.datasets }).to_string();
            for room in rooms {
                drafts.entry(*room).or_default().add_unnumbered("catalogue", &data);
            }
        }
        self.catalogue = (last, Instant::now());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seq: i64) -> StreamEvent {
        let body = serde_json::json!({ "n": seq });
        StreamEvent {
            seq,
            at: jiff::Timestamp::UNIX_EPOCH,
            run: None,
            task: Some(1),
            kind: "find".into(),
            body,
        }
    }

    #[test]
    fn of_a_frame_only_what_is_new_is_sent() {
        let mut draft = FrameBuilder::default();
        for seq in [3, 5, 9] {
            draft.add(&event(seq));
        }
        draft.add_unnumbered("live", "{}");
        let frame = draft.frame();
        let count = |seen| {
            frame.events_after(seen).map(|bytes| String::from_utf8_lossy(&bytes).matches("id: ").count())
        };
        assert_eq!((count(0), count(3), count(4), count(9)), (Some(3), Some(2), Some(2), Some(0)));
        assert_eq!(&*frame.events_after(9).unwrap(), b"event: live\ndata: {}\n\n");
        assert_eq!(frame.last_number(), Some(9));
        let mut plain = FrameBuilder::default();
        plain.add(&event(1));
        assert!(plain.frame().events_after(1).is_none());
    }
}
