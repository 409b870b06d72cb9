//! The GPU and everything that contests share: inputs, copies, and comparisons of results.
use crate::Fallible;
use crate::code::{Arguments, Code, Kernel};
use crate::json::{self, Beside};
use crate::libraries::Libraries;
use crate::plan::Plan;
use crate::sizes::Count;
use systolic::interop::{self, cust::sys};
use systolic::{DeviceArray, Element, Gpu, Rank, Stream, f16};

/// Threads per block of the kernels in `tools.cu` and `reference.cu`.
pub const THREADS: u32 = 256;
/// The maximum number of rows along one axis of a grid.
const ROWS: u64 = 65535;
/// The number of blocks that together walk over a whole array.
const BLOCKS: u64 = 4096;

/// An element type of the arrays of this benchmark.
pub trait Number: Element {
    const NAME: &'static str;
    /// The allowed error of a sum in another order, relative to the largest possible sum.
    const MARGIN: f64;
}

impl Number for f16 {
    const NAME: &'static str = "f16";
    const MARGIN: f64 = 1e-3;
}

impl Number for f32 {
    const NAME: &'static str = "f32";
    const MARGIN: f64 = 1e-5;
}

impl Number for f64 {
    const NAME: &'static str = "f64";
    const MARGIN: f64 = 1e-14;
}

/// The position of an array: its rows and columns, and the distance between rows in elements.
#[derive(Clone, Copy)]
pub struct Rows {
    pub address: u64,
    pub rows: u64,
    pub columns: u64,
    pub pitch: u64,
    /// The size of an element in bytes.
    pub size: u64,
}

impl Rows {
    pub fn of<T: Element, D: Rank>(array: &DeviceArray<T, D>) -> Rows {
        let size = size_of::<T>() as u64;
        let (columns, outer) = array.shape().split_last().map_or((0, 1), |(c, o)| (*c, o.iter().product()));
        let pitch = interop::pitch(array) as u64 / size;
        Rows { address: interop::pointer(array), rows: outer as u64, columns: columns as u64, pitch, size }
    }

    /// A grid with one thread per element: columns along x, rows along y and z.
    pub fn grid(&self) -> [u64; 3] {
        [self.columns.div_ceil(THREADS.into()), self.rows.div_ceil(ROWS), self.rows.min(ROWS)]
    }

    /// The total size of the elements in bytes.
    pub fn bytes(&self) -> u64 {
        self.rows * self.columns * self.size
    }
}

pub struct Lab<'a> {
    pub gpu: Gpu,
    pub stream: Stream,
    pub code: Code,
    pub libraries: Libraries,
    /// The results of a script.
    pub beside: Beside,
    pub plan: &'a Plan,
    /// The results of checks at many sizes.
    pub count: Count,
}

impl<'a> Lab<'a> {
    pub fn new(plan: &'a Plan) -> Fallible<Lab<'a>> {
        let gpu = Gpu::new(0)?;
        let code = Code::load(&gpu)?;
        let beside = plan.beside.as_deref().map_or_else(|| Ok(Beside::new()), json::beside)?;
        let (stream, libraries) = (gpu.stream()?, Libraries::load(&gpu));
        Ok(Lab { stream, code, libraries, gpu, beside, plan, count: Count::default() })
    }

    /// An input of numbers between −1 and 1.
    pub fn input<T: Number, D: Rank>(&self, shape: D) -> Fallible<DeviceArray<T, D>> {
        let array = self.gpu.zeros(shape)?;
        self.gpu.own_stream().synchronize()?;
        let rows = Rows::of(&array);
        let arguments = Arguments::default().words([rows.address, rows.rows, rows.columns, rows.pitch]);
        self.code.kernel(&format!("fill_{}", T::NAME), rows.grid(), THREADS, arguments)?.launch(&self.stream)?;
        self.stream.synchronize()?;
        Ok(array)
    }

    /// Sets every element of an array to NaN, so that an earlier result cannot be taken for a later one.
    pub fn spoil(&self, rows: Rows) -> Fallible<()> {
        self.set(rows, 0xff)
    }

    /// Sets every element of an array to 0.
    pub fn clear(&self, rows: Rows) -> Fallible<()> {
        self.set(rows, 0)
    }

    fn set(&self, rows: Rows, byte: u8) -> Fallible<()> {
        let bytes = usize::try_from(rows.rows * rows.pitch * rows.size)?;
        // SAFETY: the array has this many bytes and lives until the stream is done.
        let result = unsafe { sys::cuMemsetD8Async(rows.address, byte, bytes, interop::stream(&self.stream)) };
        if result == sys::CUresult::CUDA_SUCCESS { Ok(()) } else { Err(format!("memset: {result:?}").into()) }
    }

    /// A copy of contiguous elements, 16 bytes per thread.
    pub fn copy(&self, from: Rows, to: Rows) -> Fallible<Kernel> {
        let arguments =
            Arguments::default().words([from.address, to.address, from.bytes() / 16, from.bytes() % 16 / 4]);
        self.code.kernel("copy", [(from.bytes() / 16).div_ceil(512), 1, 1], 512, arguments)
    }

    /// Checks that every bit is as expected.
    pub fn same_bits<T: Number>(&self, found: Rows, expected: Rows) -> Fallible<()> {
        let [wrong, first] = self.held::<T>("differ", found, expected, [0, u64::MAX])?;
        if wrong == 0 {
            return Ok(());
        }
        let (row, column) = (first / found.columns, first % found.columns);
        Err(format!("{wrong} elements differ in their bits, the first in row {row}, column {column}").into())
    }

    /// Checks that every element is within `margin` of the expected one.
    pub fn close<T: Number>(&self, found: Rows, expected: Rows, margin: f64) -> Fallible<()> {
        let [bits, _] = self.held::<T>("distance", found, expected, [0, 0])?;
        let distance = f64::from_bits(bits);
        // Written this way so that NaN fails.
        if distance <= margin {
            Ok(())
        } else {
            Err(format!("an element is off by {distance:e}, over {margin:e}").into())
        }
    }

    fn held<T: Number>(&self, question: &str, found: Rows, expected: Rows, begin: [u64; 2]) -> Fallible<[u64; 2]> {
        let answer = self.gpu.upload(&begin[..])?;
        let arguments = Arguments::default().words([found.address, expected.address, found.rows, found.columns]);
        let arguments = arguments.words([found.pitch, expected.pitch, interop::pointer(&answer)]);
        let name = format!("{question}_{}", T::NAME);
        self.code.kernel(&name, [BLOCKS, 1, 1], THREADS, arguments)?.launch(&self.stream)?;
        self.stream.synchronize()?;
        let answer = answer.download()?;
        Ok([answer[0], answer[1]])
    }
}
