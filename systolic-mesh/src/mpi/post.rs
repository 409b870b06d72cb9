//! The thread that makes all calls of MPI.
use super::{Shared, State};
use crate::error::Lost;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::point_to_point::{Message, Status};
use mpi::request::{Request, StaticScope, scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// A piece of a message; more follow.
const MORE: i32 = 1;
/// The last piece of a message.
const LAST: i32 = 2;
/// The sender has left.
const LEFT: i32 = 3;
/// A rank has failed: its number, then what happened.
const FAILED: i32 = 4;
/// The sender lives.
const ALIVE: i32 = 5;

/// The bytes of a piece, at most: MPI counts with 32 bits, and a piece is received without looking at others.
const PIECE: usize = 16 << 20;
/// How often a rank gives a sign of life.
const SIGN: Duration = Duration::from_millis(500);
/// After this time without one a rank is lost. With the time to tell all others it stays below ten seconds.
const SILENCE: Duration = Duration::from_secs(6);
/// How long a rank that leaves waits for the others after a failure: those that live leave too.
const FAREWELL: Duration = Duration::from_secs(2);

/// The content of a sign of life.
static BEAT: [u8; 1] = [0];

/// The post: MPI, and what it shares with the rest of the process.
pub struct Post {
    universe: Universe,
    world: SimpleCommunicator,
    shared: Arc<Shared>,
    /// The pieces of a message that is not complete, by sender.
    pieces: Vec<Vec<u8>>,
    /// When every rank was heard last.
    heard: Vec<Instant>,
    beaten: Instant,
    /// Signs of life on their way, by receiver.
    beats: Vec<Option<Note>>,
    /// Other notes on their way.
    notes: Vec<Note>,
}

/// A short message that nobody waits for: its content stays where it is, so it may also never arrive.
type Note = Request<'static, [u8], StaticScope>;

impl Post {
    /// Initialises MPI; `None` if it is initialised already.
    pub fn start() -> Option<Post> {
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        let world = universe.world();
        let ranks = world.size() as usize;
        let state = State {
            inbox: (0..ranks).map(|_| VecDeque::new()).collect(),
            outbox: VecDeque::new(),
            left: vec![false; ranks],
            failed: None,
            told: false,
            leaving: false,
            waiting: 0,
            ended: false,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let (pieces, heard) = (vec![Vec::new(); ranks], vec![Instant::now(); ranks]);
        let beats = (0..ranks).map(|_| None).collect();
        let (beaten, notes) = (Instant::now(), Vec::new());
        Some(Post { universe, world, shared, pieces, heard, beaten, beats, notes })
    }

    pub fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    pub fn ranks(&self) -> usize {
        self.world.size() as usize
    }

    pub fn shared(&self) -> Arc<Shared> {
        self.shared.clone()
    }

    /// Sends and receives until this process has left and all others have, or are lost.
    pub fn run(mut self) {
        let (mut idle, mut farewell) = (0, None);
        loop {
            let mut worked = self.collect();
            self.live();
            let next = self.shared.state().outbox.pop_front();
            if let Some((to, message)) = next {
                self.send(to, message);
                worked = true;
            }
            self.tell();
            if self.is_leaving() {
                let since = *farewell.get_or_insert_with(Instant::now);
                if self.say_goodbye(since) {
                    break;
                }
            }
            idle = if worked { 0 } else { idle + 1 };
            self.rest(idle);
        }
        self.end();
    }

    fn is_leaving(&self) -> bool {
        let state = self.shared.state();
        state.leaving && state.outbox.is_empty()
    }

    /// Tells all ranks that this one has left, once, and returns whether MPI can be left alone.
    fn say_goodbye(&mut self, since: Instant) -> bool {
        let here = self.rank();
        if !self.shared.state().left[here] {
            for rank in (0..self.ranks()).filter(|rank| *rank != here) {
                self.note(rank, LEFT, &[]);
            }
            self.shared.state().left[here] = true;
        }
        let state = self.shared.state();
        state.left.iter().all(|left| *left) || state.failed.is_some() && since.elapsed() > FAREWELL
    }

    /// Ends MPI if all ranks have left. If one is lost, MPI would wait for it forever.
    fn end(self) {
        let Post { universe, shared, beats, notes, .. } = self;
        let mut open: Vec<Note> = beats.into_iter().flatten().chain(notes).collect();
        let has_all = shared.state().left.iter().all(|left| *left);
        let began = Instant::now();
        while has_all && !open.is_empty() && began.elapsed() < FAREWELL {
            open = open.into_iter().filter_map(|note| note.test().err()).collect();
        }
        if has_all && open.is_empty() {
            drop(universe);
        } else {
            std::mem::forget((universe, open));
        }
        shared.state().ended = true;
        shared.changed.notify_all();
    }

    /// Waits a little if there was nothing to do, and longer if nobody waits for a message.
    fn rest(&self, idle: u32) {
        let state = self.shared.state();
        if idle < 100 {
            drop(state);
            return std::thread::yield_now();
        }
        let pause = Duration::from_micros(if state.waiting > 0 || state.leaving { 50 } else { 500 });
        let _ = self.shared.changed.wait_timeout(state, pause);
    }

    /// Receives all that has arrived.
    fn collect(&mut self) -> bool {
        let mut worked = false;
        while let Some((message, status)) = self.world.any_process().immediate_matched_probe() {
            self.accept(message, status);
            worked = true;
        }
        worked
    }

    fn accept(&mut self, message: Message, status: Status) {
        let (from, tag) = (status.source_rank() as usize, status.tag());
        let length =
            usize::try_from(status.count(<u8 as mpi::traits::Equivalence>::equivalent_datatype())).unwrap_or(0);
        let mut content = vec![0u8; length];
        scope(|scope| {
            let mut request = message.immediate_matched_receive_into(scope, &mut content[..]);
            let began = Instant::now();
            loop {
                match request.test() {
                    Ok(_) => break,
                    Err(open) => request = open,
                }
                self.live();
                self.tell();
                if began.elapsed() > SILENCE {
                    let how = "stopped in the middle of a message".to_string();
                    self.shared.fail(Lost { rank: from, how });
                    self.tell();
                    // The message cannot be taken back, so its memory stays where it is.
                    park();
                }
                std::thread::yield_now();
            }
        });
        self.heard[from] = Instant::now();
        self.deliver(from, tag, content);
    }

    fn deliver(&mut self, from: usize, tag: i32, content: Vec<u8>) {
        match tag {
            MORE => self.pieces[from].extend(content),
            LAST => {
                let mut whole = std::mem::take(&mut self.pieces[from]);
                if whole.is_empty() {
                    whole = content;
                } else {
                    whole.extend(content);
                }
                self.shared.state().inbox[from].push_back(whole);
            }
            LEFT => self.shared.state().left[from] = true,
            FAILED => {
                let (number, how) = content.split_at(content.len().min(8));
                let rank = number.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte));
                let how = String::from_utf8_lossy(how).into_owned();
                self.shared.fail(Lost { rank, how });
            }
            _ => return,
        }
        self.shared.changed.notify_all();
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        let mut pieces = message.chunks(PIECE).peekable();
        if pieces.peek().is_none() {
            self.transfer(to, LAST, &[]);
        }
        while let Some(piece) = pieces.next() {
            self.transfer(to, if pieces.peek().is_some() { MORE } else { LAST }, piece);
        }
    }

    /// Sends one piece, and receives meanwhile.
    fn transfer(&mut self, to: usize, tag: i32, content: &[u8]) {
        let (world, mut failed) = (self.universe.world(), None);
        scope(|scope| {
            let mut request = world.process_at_rank(to as i32).immediate_send_with_tag(scope, content, tag);
            loop {
                match request.test() {
                    Ok(_) => break,
                    Err(open) => request = open,
                }
                self.collect();
                self.live();
                self.tell();
                if self.shared.state().failed.is_none() {
                    failed = None;
                } else if failed.get_or_insert_with(Instant::now).elapsed() > FAREWELL {
                    // The receiver is lost, and the message cannot be taken back: its memory stays where it is.
                    self.shared.state().ended = true;
                    self.shared.changed.notify_all();
                    park();
                }
                std::thread::yield_now();
            }
        });
    }

    /// Gives a sign of life, and looks for those of others: rank 0 watches all, all watch rank 0.
    fn live(&mut self) {
        if self.beaten.elapsed() < SIGN {
            return;
        }
        self.beaten = Instant::now();
        let here = self.rank();
        let watched: Vec<usize> = if here == 0 { (1..self.ranks()).collect() } else { vec![0] };
        for rank in watched {
            let has_left = self.shared.state().left[rank];
            if has_left {
                continue;
            }
            let is_sent = match self.beats[rank].take().map(Request::test) {
                Some(Err(open)) => {
                    self.beats[rank] = Some(open);
                    false
                }
                Some(Ok(_)) | None => true,
            };
            if is_sent {
                let process = self.world.process_at_rank(rank as i32);
                self.beats[rank] = Some(process.immediate_send_with_tag(StaticScope, &BEAT[..], ALIVE));
            }
            if self.heard[rank].elapsed() > SILENCE {
                let how = format!("has given no sign of life for {} s", SILENCE.as_secs());
                self.shared.fail(Lost { rank, how });
            }
        }
    }

    /// Tells all other ranks of a failure, once.
    fn tell(&mut self) {
        let lost = {
            let mut state = self.shared.state();
            match &state.failed {
                Some(lost) if !state.told => {
                    let lost = lost.clone();
                    state.told = true;
                    // What was to be sent belongs to a call that has failed.
                    state.outbox.clear();
                    lost
                }
                _ => return,
            }
        };
        let mut content = (lost.rank as u64).to_le_bytes().to_vec();
        content.extend(lost.how.as_bytes());
        // Once per process.
        let content: &'static [u8] = content.leak();
        let here = self.rank();
        for rank in (0..self.ranks()).filter(|rank| *rank != here) {
            self.note(rank, FAILED, content);
        }
    }

    /// Sends a note, and forgets those that have arrived.
    fn note(&mut self, to: usize, tag: i32, content: &'static [u8]) {
        let process = self.world.process_at_rank(to as i32);
        let note = process.immediate_send_with_tag(StaticScope, content, tag);
        let open = std::mem::take(&mut self.notes).into_iter().filter_map(|note| note.test().err());
        self.notes = open.chain([note]).collect();
    }
}

impl Shared {
    /// Keeps the first failure.
    fn fail(&self, lost: Lost) {
        self.state().failed.get_or_insert(lost);
        self.changed.notify_all();
    }
}

/// Ends this thread's work without giving up what it has borrowed.
fn park() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
