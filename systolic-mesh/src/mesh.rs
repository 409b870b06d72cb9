//! A mesh: ranks in a Cartesian arrangement, and what they agree on before data moves.
use crate::cut;
use crate::error::{Error, Lost};
use crate::memory::Memory;
use crate::message::{Reader, Writer};
use crate::transport::Transport;
use std::ops::Range;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A Cartesian arrangement of ranks over the leading one, two or three dimensions of arrays. Ranks are numbered row by row.
///
/// A mesh is cheap to clone. All functions that exchange data must be called by all ranks, in the same order.
#[derive(Clone)]
pub struct Mesh {
    inner: Arc<Inner>,
}

struct Inner {
    transport: Box<dyn Transport>,
    shape: Vec<usize>,
    id: u64,
    step: AtomicU64,
    memory: Memory,
    /// How many iteration points a chunk of a pipeline has at least.
    grain: AtomicI64,
    /// The first error after which the ranks no longer know of each other where they stand.
    broken: Mutex<Option<Error>>,
}

/// How many iteration points a chunk of a pipeline has at least: fewer take less time than a message.
const GRAIN: i64 = 1 << 15;

/// Meshes of this process so far.
static MESHES: AtomicU64 = AtomicU64::new(0);

impl Mesh {
    /// Arranges the ranks of a transport. `shape` has the number of ranks along each of the leading dimensions.
    ///
    /// # Errors
    ///
    /// Fails if the product of the shape is not the number of ranks, if there are more than three dimensions, or if the
    /// ranks give different shapes.
    pub fn new(transport: impl Transport + 'static, shape: &[usize]) -> Result<Mesh, Error> {
        let (ranks, inner) = (transport.ranks(), Box::new(transport));
        let id = MESHES.fetch_add(1, Ordering::Relaxed);
        let (shape, step) = (shape.to_vec(), AtomicU64::new(0));
        let mesh = Mesh {
            inner: Arc::new(Inner {
                transport: inner,
                shape,
                id,
                step,
                memory: Memory::default(),
                grain: AtomicI64::new(GRAIN),
                broken: Mutex::new(None),
            }),
        };
        mesh.agree(
            fits(&mesh.inner.shape, ranks).map(|()| format!("Mesh::new with the shape {:?}", mesh.inner.shape)),
        )?;
        Ok(mesh)
    }

    /// The number of this rank.
    pub fn rank(&self) -> usize {
        self.inner.transport.rank()
    }

    /// The number of ranks.
    pub fn ranks(&self) -> usize {
        self.inner.transport.ranks()
    }

    /// The number of ranks along each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.inner.shape
    }

    /// Where a rank stands along each dimension.
    pub fn place(&self, rank: usize) -> Vec<usize> {
        let mut rest = rank;
        let mut place = vec![0; self.inner.shape.len()];
        for (at, ranks) in place.iter_mut().zip(&self.inner.shape).rev() {
            (*at, rest) = (rest % ranks.max(&1), rest / ranks.max(&1));
        }
        place
    }

    /// Sets how many iteration points a chunk of a pipeline has at least, for tests: all ranks must set the same.
    #[doc(hidden)]
    pub fn set_grain(&self, points: i64) {
        self.inner.grain.store(points, Ordering::Relaxed);
    }

    pub(crate) fn grain(&self) -> i64 {
        self.inner.grain.load(Ordering::Relaxed)
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.inner.memory
    }

    pub(crate) fn id(&self) -> u64 {
        self.inner.id
    }

    /// The rows of an array of this shape that belong to a rank: a range per dimension.
    pub(crate) fn part(&self, shape: &[usize], rank: usize) -> Vec<Range<usize>> {
        let place = self.place(rank);
        let range = |(axis, length): (usize, &usize)| match self.inner.shape.get(axis) {
            Some(ranks) => cut::part(*length, *ranks, place[axis]),
            None => 0..*length,
        };
        shape.iter().enumerate().map(range).collect()
    }

    /// Fails unless an array of this shape can be distributed so that every rank has a row.
    pub(crate) fn holds(&self, array: &str, shape: &[usize]) -> Result<(), Error> {
        let (dims, leading) = (shape.len(), self.inner.shape.len());
        if dims < leading {
            let why = format!("{array} has {dims} dimensions, but the mesh has {leading}");
            return Err(Error::Array { why });
        }
        for (axis, (rows, ranks)) in shape.iter().zip(&self.inner.shape).enumerate() {
            // One rank may hold an empty array.
            if rows < ranks && *ranks > 1 {
                return Err(Error::Rows { array: array.to_string(), axis, rows: *rows, ranks: *ranks });
            }
        }
        Ok(())
    }

    /// Sends a message of the current step.
    pub(crate) fn send(&self, to: usize, message: Writer) -> Result<(), Error> {
        self.whole()?;
        self.noted(self.inner.transport.send(to, message.finish()).map_err(Error::from))
    }

    /// An empty message of the current step.
    pub(crate) fn message(&self) -> Writer {
        Writer::new(self.inner.step.load(Ordering::Relaxed))
    }

    /// Waits for the message of the current step from a rank.
    pub(crate) fn receive(&self, from: usize) -> Result<Reader, Error> {
        self.whole()?;
        let bytes = self.noted(self.inner.transport.receive(from).map_err(Error::from))?;
        self.noted(Reader::new(bytes, from, self.inner.step.load(Ordering::Relaxed)))
    }

    /// Keeps an error after which the mesh is of no further use, and tells all ranks.
    pub(crate) fn noted<R>(&self, result: Result<R, Error>) -> Result<R, Error> {
        let lost = match &result {
            Ok(_) => return result,
            Err(Error::Lost(lost)) => lost.clone(),
            Err(error) => Lost { rank: self.rank(), how: format!("failed: {error}") },
        };
        if let Err(error) = &result {
            let mut broken = self.inner.broken.lock().unwrap_or_else(PoisonError::into_inner);
            broken.get_or_insert_with(|| error.clone());
        }
        self.inner.transport.give_up(&lost);
        result
    }

    /// Tells all ranks that this one failed in the middle of a call.
    pub(crate) fn failed(&self, what: &str) {
        let _ = self.noted::<()>(Err(Error::Lost(Lost { rank: self.rank(), how: format!("failed in {what}") })));
    }

    /// Fails if the mesh is of no further use.
    fn whole(&self) -> Result<(), Error> {
        match &*self.inner.broken.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    /// Goes on to the next step if all ranks are about to make the same call. Otherwise all get an error: a rank that cannot
    /// make the call gets its own, others one that names it.
    pub(crate) fn agree(&self, call: Result<String, Error>) -> Result<(), Error> {
        self.whole()?;
        self.inner.step.fetch_add(1, Ordering::Relaxed);
        let verdict = if self.rank() == 0 { self.judge(&call) } else { self.ask(&call) };
        call?;
        verdict
    }

    /// What rank 0 does: hears all calls, and tells all ranks the verdict.
    fn judge(&self, own: &Result<String, Error>) -> Result<(), Error> {
        let mut verdict = match own {
            Ok(_) => Ok(()),
            Err(error) => Err(Error::Elsewhere { rank: 0, why: error.to_string() }),
        };
        for rank in 1..self.ranks() {
            let mut message = self.receive(rank)?;
            let is_call = message.number()? == 1;
            let text = String::from_utf8_lossy(message.rest()).into_owned();
            let judged = match own {
                _ if !is_call => Err(Error::Elsewhere { rank, why: text }),
                Ok(call) if *call != text => {
                    Err(Error::Differ { rank: 0, call: call.clone(), other: rank, other_call: text })
                }
                _ => Ok(()),
            };
            verdict = verdict.and(judged);
        }
        for rank in 1..self.ranks() {
            let mut message = self.message();
            write_verdict(&verdict, &mut message);
            self.send(rank, message)?;
        }
        verdict
    }

    /// What the others do: tell rank 0 their call, and hear the verdict.
    fn ask(&self, own: &Result<String, Error>) -> Result<(), Error> {
        let mut message = self.message();
        message.number(u64::from(own.is_ok()));
        match own {
            Ok(call) => message.bytes(call.as_bytes()),
            Err(error) => message.bytes(error.to_string().as_bytes()),
        }
        self.send(0, message)?;
        read_verdict(self.receive(0)?)
    }
}

impl std::fmt::Debug for Mesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rank {} of a mesh of {:?}", self.rank(), self.shape())
    }
}

/// The kinds of a verdict.
const FINE: u64 = 0;
const ELSEWHERE: u64 = 1;

fn write_verdict(verdict: &Result<(), Error>, message: &mut Writer) {
    let mut text = |kind: u64, rank: usize, texts: [&str; 2]| {
        message.number(kind);
        message.number(rank as u64);
        message.number(texts[0].len() as u64);
        texts.iter().for_each(|text| message.bytes(text.as_bytes()));
    };
    match verdict {
        Ok(()) => text(FINE, 0, ["", ""]),
        Err(Error::Differ { call, other, other_call, .. }) => text(ELSEWHERE + 1, *other, [call, other_call]),
        Err(Error::Elsewhere { rank, why }) => text(ELSEWHERE, *rank, [why, ""]),
        Err(error) => text(ELSEWHERE, 0, [&error.to_string(), ""]),
    }
}

fn read_verdict(mut message: Reader) -> Result<(), Error> {
    let (kind, rank, length) = (message.number()?, message.number()? as usize, message.number()? as usize);
    let text = String::from_utf8_lossy(message.bytes(length)?).into_owned();
    let other_call = String::from_utf8_lossy(message.rest()).into_owned();
    match kind {
        FINE => Ok(()),
        ELSEWHERE => Err(Error::Elsewhere { rank, why: text }),
        _ => Err(Error::Differ { rank: 0, call: text, other: rank, other_call }),
    }
}

fn fits(shape: &[usize], ranks: usize) -> Result<(), Error> {
    let why = if shape.is_empty() || shape.len() > 3 {
        format!("a mesh has one to three dimensions, got {}", shape.len())
    } else if shape.iter().try_fold(1usize, |product, k| product.checked_mul(*k)) != Some(ranks) {
        format!("a mesh of the shape {shape:?} does not have {ranks} ranks")
    } else {
        return Ok(());
    };
    Err(Error::Mesh { why })
}
