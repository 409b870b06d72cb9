//! Grids of launches, and what a launch costs.
use crate::kernels::{BOX, GRID, LINE, LINES, image};
use std::time::{Duration, Instant};
use systolic_runtime::emitted::gpu::{Launch, Plan, Wide};
use systolic_runtime::ndarray::Ix1;
use systolic_runtime::{DeviceArray, Error, Gpu};

/// Checks that every block of a box writes its number, and that the entry `variant` ran.
fn blocks(gpu: &Gpu, plan: &'static Plan, sizes: [usize; 3], variant: u32) -> Result<(), Error> {
    let all = sizes.iter().product::<usize>();
    let mut y = gpu.zeros::<u32, _>(all)?;
    launch(gpu, plan, sizes, &mut y)?;
    let y = y.download()?;
    let wrong = y.iter().enumerate().find(|(n, y)| **y != 8 * *n as u32 + variant);
    assert_eq!(wrong, None, "{sizes:?}: block and 8 * block + {variant}");
    Ok(())
}

fn launch(gpu: &Gpu, plan: &'static Plan, sizes: [usize; 3], y: &mut DeviceArray<u32, Ix1>) -> Result<(), Error> {
    let call = BOX.call(&[], &sizes)?;
    let mut launch = Launch::new(gpu.own_stream(), plan, &call)?;
    launch.output(y)?;
    launch.go().map(drop)
}

pub fn grids(gpu: &Gpu) -> Result<(), Error> {
    static PLAN: Plan = GRID;
    for sizes in [[1, 1, 1], [2, 3, 5], [65535, 1, 2], [65536, 1, 2], [2, 65536, 3], [1, 3, 1_000_000]] {
        blocks(gpu, &PLAN, sizes, 2)?;
    }
    // Without blocks nothing runs.
    let mut y = gpu.zeros(1)?;
    launch(gpu, Plan { high: |_| [-4, 2, 5], ..PLAN }.leak(), [1, 1, 1], &mut y)?;
    assert_eq!(y.download()?.to_vec(), [0]);
    Ok(())
}

pub fn rows(gpu: &Gpu) -> Result<(), Error> {
    static SMALL: Plan = Plan { rows: |_, _, _| 1024, ..GRID };
    static LARGE: Plan = Plan { rows: |_, _, _| 60 << 10, ..GRID };
    static BESIDE: Plan = Plan { rows: |_, _, _| 1 << 20, ..GRID };
    static VARIED: Plan = Plan { rows: |_, _, [_, b, c]| (16 << 10) * (b + c), rows_vary: true, ..GRID };
    for plan in [&SMALL, &LARGE, &BESIDE, &VARIED] {
        for sizes in [[1, 1, 1], [2, 3, 5], [1, 1, 500]] {
            blocks(gpu, plan, sizes, 2)?;
        }
    }
    // Scratch rows of more than a sixteenth of the memory: the grid is launched in several pieces.
    static TURNS: Plan = Plan { rows: |_, _, _| 64 << 20, ..GRID };
    let turn = gpu.properties().memory / 16 / (64 << 20);
    blocks(gpu, &TURNS, [2, 3, turn], 2)?;
    blocks(gpu, &TURNS, [1, 2, 2 * turn + 1], 2)?;
    Ok(())
}

pub fn entries(gpu: &Gpu) -> Result<(), Error> {
    static WIDE: Plan = Plan { wide: &[Wide { array: 0, bytes: 16, merged: 0 }], ..GRID };
    blocks(gpu, &WIDE, [1, 2, 3], 1)?;
    // No address is a multiple of these bytes.
    static NARROW: Plan = Plan { wide: &[Wide { array: 0, bytes: 3 << 29, merged: 0 }], ..GRID };
    blocks(gpu, &NARROW, [1, 2, 3], 2)?;
    // A size that is too large for 32-bit indices. Here the sizes are not the numbers of blocks.
    static LONG: Plan = Plan { wide: &[Wide { array: 0, bytes: 16, merged: 0 }], high: |_| [-3, 2, 5], ..GRID };
    let mut y = gpu.zeros(1)?;
    launch(gpu, &LONG, [1, 1, 1 << 30], &mut y)?;
    assert_eq!(y.download()?.to_vec(), [3]);
    static INDICES: Plan = Plan { magnitude: |sizes| i128::from(sizes[2]) << 29, ..GRID };
    blocks(gpu, &INDICES, [1, 1, 1], 2)?;
    blocks(gpu, &INDICES, [1, 1, 2], 3)
}

pub fn too_many(gpu: &Gpu) -> Result<(), Error> {
    static PLAN: Plan = GRID;
    let mut y = gpu.zeros(1)?;
    for sizes in [[1, 1, 1 << 31], [70_000, 70_000, 1]] {
        let error = launch(gpu, &PLAN, sizes, &mut y);
        assert!(matches!(error, Err(Error::Grid { kernel: "blocks", .. })), "{error:?}");
    }
    static GREEDY: Plan = Plan { shared: 1 << 20, ..GRID };
    assert!(matches!(launch(gpu, &GREEDY, [1, 1, 1], &mut y), Err(Error::Limit { .. })));
    static HUGE: Plan = Plan { rows: |_, _, _| 1 << 40, ..GRID };
    assert!(matches!(launch(gpu, &HUGE, [1, 1, 64], &mut y), Err(Error::OutOfMemory { .. })));
    static WARPS: Plan = Plan { warps: 33, ..GRID };
    assert!(matches!(launch(gpu, &WARPS, [1, 1, 1], &mut y), Err(Error::Driver { .. })));
    blocks(gpu, &PLAN, [1, 1, 1], 2)
}

/// Launches take a `&'static Plan`; this creates one at run time.
trait Leak {
    fn leak(self) -> &'static Plan;
}

impl Leak for Plan {
    fn leak(self) -> &'static Plan {
        Box::leak(Box::new(self))
    }
}

/// The least time per launch over several rounds.
fn least(
    rounds: usize,
    mut launch: impl FnMut() -> Result<(), Error>,
    done: impl Fn() -> Result<(), Error>,
) -> Result<Duration, Error> {
    const LAUNCHES: u32 = 500;
    let mut least = Duration::MAX;
    for _ in 0..rounds {
        let start = Instant::now();
        for _ in 0..LAUNCHES {
            launch()?;
        }
        least = least.min(start.elapsed() / LAUNCHES);
        done()?;
    }
    Ok(least)
}

pub fn price(gpu: &Gpu) -> Result<(), Error> {
    static PLAN: Plan = Plan { high: |_| [0, 0, 0], images: &[image(EMPTY)], entry: "empty", ..LINES };
    let (stream, x) = (gpu.stream()?, gpu.zeros::<f32, _>(1000)?);
    let mut y = gpu.zeros::<f32, _>(1000)?;
    let wrapped = least(
        20,
        || {
            let call = LINE.call(&[x.shape()], &[])?;
            call.check_output(0, y.shape())?;
            let mut launch = Launch::new(&stream, &PLAN, &call)?;
            launch.input(&x)?;
            launch.constants(&[1.0f32; 9])?;
            launch.output(&mut y)?;
            launch.go().map(drop)
        },
        || stream.synchronize(),
    )?;
    let bare = bare(gpu, &stream)?;
    println!("a launch: {wrapped:?}, a bare one: {bare:?}");
    assert!(cfg!(debug_assertions) || wrapped <= bare + Duration::from_micros(2), "more than 2 µs over a bare launch");
    Ok(())
}

/// A kernel that does nothing, with a parameter of the same size as in the launch above.
const EMPTY: &[u8] = concat!(
    ".version 6.4\n.target sm_75\n.address_size 64\n",
    ".visible .entry empty_wide(.param .align 8 .b8 p[152])\n{\nret;\n}\n",
    ".visible .entry empty_any(.param .align 8 .b8 p[152])\n{\nret;\n}\n",
    ".visible .entry empty_64(.param .align 8 .b8 p[152])\n{\nret;\n}\n",
)
.as_bytes();

/// The time of a launch of the same kernel by a plain driver call.
#[cfg(feature = "cuda")]
fn bare(gpu: &Gpu, stream: &systolic_runtime::Stream) -> Result<Duration, Error> {
    use std::ptr::null_mut;
    use systolic_runtime::interop::{self, cust};
    let _context = interop::context(gpu);
    let text = String::from_utf8_lossy(EMPTY);
    let module = cust::module::Module::from_ptx(text, &[]).expect("a module");
    let function = module.get_function("empty_any").expect("a function");
    let mut words = [0u64; 19];
    let mut parameters = [words.as_mut_ptr().cast()];
    let handle = interop::stream(stream);
    let launch = || {
        // SAFETY: the kernel takes one parameter of this many bytes and does nothing.
        let result = unsafe {
            cust::sys::cuLaunchKernel(
                function.to_raw(),
                1,
                1,
                1,
                32,
                2,
                1,
                0,
                handle,
                parameters.as_mut_ptr(),
                null_mut(),
            )
        };
        assert_eq!(result as i32, 0);
        Ok(())
    };
    least(20, launch, || stream.synchronize())
}

#[cfg(not(feature = "cuda"))]
fn bare(_: &Gpu, _: &systolic_runtime::Stream) -> Result<Duration, Error> {
    Err(Error::NoFeature)
}
