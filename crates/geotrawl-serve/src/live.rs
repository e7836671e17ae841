//! Live events: one follower of the event table, any number of subscriptions.
//!
//! The follower reads new rows when the store signals them, and a few times per second in any case.
//! From each batch it builds one frame per room (a task, everything public, everything one user may
//! see, everything). A frame is an immutable byte buffer, so sending it to a subscription costs a
//! pointer. A subscription that falls behind is closed with a retry hint; the client resumes after
//! the last event it received and reads the gap from the store, so no event is lost.

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

/// Interval between reads of the event table with and without subscriptions.
const BUSY: Duration = Duration::from_millis(200);
const IDLE: Duration = Duration::from_secs(2);
/// Shortest interval between reads, however much is written.
const LEAST: Duration = Duration::from_millis(40);
/// Frames that a subscription may be behind.
pub(crate) const BACKLOG: usize = 256;
/// Events read per query.
const AT_ONCE: usize = 1_000;
/// Maximum number of subscriptions.
const MOST_WATCHERS: usize = 20_000;
/// From this number of subscriptions to one task, its live figures are sent less often.
const CROWD: usize = 500;

/// The audience of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventRoom {
    /// Subscriptions to one task.
    Task(JobId),
    /// Guests who follow everything.
    Public,
    /// A user who follows everything: own tasks and public ones.
    User(UserId),
    /// Admins, who see everything.
    All,
}

/// The events of one read, encoded for sending.
#[derive(Debug, Clone)]
pub struct EventFrame {
    bytes: Bytes,
    /// Number and offset of each event, in order.
    starts: Arc<[(i64, usize)]>,
    /// Offset of the events without a number.
    rest: usize,
}

impl EventFrame {
    /// Returns the number of the last event.
    pub fn last_number(&self) -> Option<i64> {
        self.starts.last().map(|(seq, _)| *seq)
    }

    /// Returns the part that follows event `seen`; `None` if nothing does.
    pub fn events_after(&self, seen: i64) -> Option<Bytes> {
        let from = self.starts.iter().find(|(seq, _)| *seq > seen).map_or(self.rest, |(_, start)| *start);
        (from < self.bytes.len()).then(|| self.bytes.slice(from..))
    }
}

/// Distributes events to subscriptions.
pub struct EventHub {
    rooms: Mutex<HashMap<EventRoom, OpenRoom>>,
    watchers: Arc<AtomicUsize>,
    wake: Notify,
    closing: watch::Sender<bool>,
    /// Becomes true when the follower has its start position; earlier events are read from the
    /// store.
    following: watch::Sender<bool>,
}

struct OpenRoom {
    frames: broadcast::Sender<EventFrame>,
    /// Run of the task, and when its live figures were last sent.
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

/// A subscription to a room; released when dropped.
pub struct EventSubscription {
    /// Receives new frames.
    pub frames: broadcast::Receiver<EventFrame>,
    /// Becomes true when the server stops.
    pub closing: watch::Receiver<bool>,
    following: watch::Receiver<bool>,
    count: Arc<AtomicUsize>,
}

impl EventSubscription {
    /// Waits until all further events arrive as frames.
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
    /// Returns the number of subscriptions.
    pub fn watcher_count(&self) -> usize {
        self.watchers.load(Ordering::Relaxed)
    }

    /// Ends all subscriptions and the follower, because the server stops.
    pub fn close(&self) {
        self.closing.send_replace(true);
        self.wake.notify_one();
    }

    /// Adds a subscription; `None` if there are too many. `job` is the task, for a room of one
    /// task.
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
        // Subscribe while the lock is held: the follower removes rooms without receivers.
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
            // Store calls block, so they run on the blocking pool; the follower moves there and
            // back.
            let looked = tokio::task::spawn_blocking(move || {
                let outcome = follower.read_events();
                (follower, outcome)
            })
            .await;
            let Ok((back, outcome)) = looked else {
                tracing::error!("the event follower stopped unexpectedly");
                return;
            };
            follower = back;
            let more = outcome.unwrap_or_else(|error| {
                tracing::warn!("cannot read events: {error}");
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

    /// Sends `frames` frames at once, to simulate a client that does not read.
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

/// Waits for new events. If the store cannot signal them, or the connection for that is lost, it
/// falls back to polling.
struct StoreEventWaiter {
    store: Arc<dyn Store>,
    heard: u64,
    /// The blocking wait cannot be cancelled, so the next call waits for the same thread.
    waiting: Option<tokio::task::JoinHandle<u64>>,
}

impl StoreEventWaiter {
    async fn wait(&mut self) {
        tokio::time::sleep(LEAST).await;
        let (store, heard) = (&self.store, self.heard);
        // Live figures are written without a signal, so polling continues in any case.
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
    /// Number of the last event sent.
    seen: Option<i64>,
    /// Last catalogue change sent, and when.
    catalogue: (i64, Instant),
}

/// Builds a frame.
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
        // Unnumbered events stay at the end of a frame, so that every suffix of the frame contains
        // them.
        self.rest.get_or_insert(self.bytes.len());
        self.bytes.extend_from_slice(format!("event: {kind}\ndata: {data}\n\n").as_bytes());
    }

    fn frame(self) -> EventFrame {
        let rest = self.rest.unwrap_or(self.bytes.len());
        EventFrame { bytes: self.bytes.freeze(), starts: self.starts.into(), rest }
    }
}

/// Encodes an event for sending. JSON contains no line breaks, so one `data` line is enough.
pub fn format_event(event: &StreamEvent) -> Bytes {
    format!("id: {}\nevent: {}\ndata: {}\n\n", event.seq, event.kind, event.body).into()
}

/// Whether an event is sent to subscriptions.
pub fn is_streamed(event: &StreamEvent) -> bool {
    matches!(event.kind.as_str(), "find" | "state")
}

impl EventFollower {
    /// Reads and sends new events; returns whether there may be more right away.
    fn read_events(&mut self) -> Result<bool, StoreError> {
        let seen = match self.seen {
            Some(seen) => seen,
            None => self.store.last_event()?,
        };
        self.seen = Some(seen);
        // From here on every new event arrives as a frame, so streams may read older ones from the
        // store.
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
                // Nobody is subscribed any more; the room is removed below.
                let _ = open.frames.send(draft.frame());
            }
        }
        rooms.retain(|_, open| open.frames.receiver_count() > 0);
        // Updated last: if a query fails, the next look reads the same events again.
        if let Some(last) = events.last() {
            self.seen = Some(last.seq);
        }
        Ok(events.len() == AT_ONCE)
    }

    /// Adds live figures of the followed tasks, and closes the rooms of tasks that became private.
    /// Clients that may still see such a task reconnect.
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
        // Release the lock during the query, so that new subscriptions do not wait for the store.
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

    /// Adds the size of the catalogue, for those who follow everything.
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
