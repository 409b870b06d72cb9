//! What blocks leave for other blocks and for later launches, as the runtime prepares it (`gpu/distant.rs` there): the faces that
//! hold values, and the tickets by which blocks begin in an order.
use crate::grid::{Grid, value};
use crate::params::Word;
use systolic_compiler::model::Int;
use systolic_compiler::program::{Face, Tickets};
use systolic_compiler::schedule::Schedule;
use systolic_runtime::gpu::Order;

/// A piece of device memory beside the arrays.
pub struct Room {
    pub bytes: u64,
    /// Its first bytes before a launch. The others hold no numbers, so that a value which is read too early is wrong.
    pub before: Vec<u8>,
    /// Whether it is filled before every launch, otherwise only before the first one.
    pub again: bool,
    /// What it must hold after the last launch; `None` if that is not known.
    pub after: Option<Vec<u8>>,
}

impl Room {
    /// Memory that kernels write and read.
    pub fn scratch(bytes: u64) -> Room {
        Room { bytes, before: Vec::new(), again: false, after: None }
    }
}

/// What is far from a block.
pub struct Far {
    pub rooms: Vec<Room>,
    /// The words of the parameter for the faces.
    pub faces: Vec<Word>,
    /// The words of the parameter for the order of blocks.
    pub order: Vec<Word>,
}

impl Far {
    /// `first` is the number of the first room. Returns `None` if a face has a length that is no number, or is longer than any memory.
    pub fn new(program: &Schedule, sizes: &[Int], grid: &Grid, first: usize) -> Option<Far> {
        let mut far = Far { rooms: Vec::new(), faces: Vec::new(), order: Vec::new() };
        for face in &program.faces {
            let (lengths, bytes) = extent(face, sizes)?;
            far.faces.push(Word::Address(first + far.rooms.len()));
            far.faces.extend(lengths.into_iter().map(Word::Number));
            far.rooms.push(Room::scratch(bytes));
        }
        if let Some(tickets) = &program.tickets {
            let next = first + far.rooms.len();
            far.rooms.extend(of_tickets(tickets, grid)?);
            far.order.extend((next..first + far.rooms.len()).map(Word::Address));
        }
        Some(far)
    }
}

/// The lengths of a face, and its bytes.
fn extent(face: &Face, sizes: &[Int]) -> Option<(Vec<u64>, u64)> {
    let lengths = face.dims.iter().map(|dim| u64::try_from(value(dim, sizes, &[])?.max(0)).ok());
    let lengths = lengths.collect::<Option<Vec<u64>>>()?;
    let bytes = lengths.iter().try_fold(face.ty.bytes() as u64, |bytes, n| bytes.checked_mul(*n))?;
    // A wide access may reach that far.
    Some((lengths, bytes.checked_next_multiple_of(16)?))
}

/// The counter of tickets, a flag per block, and the blocks in the order of their tickets. After a launch every block has taken a
/// ticket and has raised its flag.
fn of_tickets(tickets: &Tickets, grid: &Grid) -> Option<[Room; 3]> {
    let waits = tickets.waits.iter().map(|delta| three(delta)).collect::<Option<Vec<_>>>()?;
    let order = Order { tickets: three(&tickets.order)?, waits: &waits }.blocks(grid.count).ok()?;
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let room = |before: Vec<u8>, after: Vec<u8>| {
        let is_written = before != after;
        Room { bytes: before.len() as u64, before, again: is_written, after: Some(after) }
    };
    let count = order.len();
    Some([
        room(words(&[0]), words(&[u32::try_from(count).ok()?])),
        room(words(&vec![0; count]), words(&vec![1; count])),
        room(words(&order), words(&order)),
    ])
}

/// A vector over the axes of the grid; those that it does not use are the first ones.
fn three(vector: &[Int]) -> Option<[i64; 3]> {
    let mut all = [0; 3];
    let first = all.len().checked_sub(vector.len())?;
    for (to, from) in all[first..].iter_mut().zip(vector) {
        *to = i64::try_from(*from).ok()?;
    }
    Some(all)
}
