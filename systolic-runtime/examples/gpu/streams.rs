//! Launches on streams: in order, and without conflicts between streams.
use crate::kernels::{LINE, LINES};
use std::thread;
use std::time::{Duration, Instant};
use systolic_runtime::emitted::gpu::{Launch, Plan};
use systolic_runtime::ndarray::{Array1, Ix1};
use systolic_runtime::{DeviceArray, Error, Gpu, Launched, Stream};

static PLAN: Plan = LINES;

type Line = DeviceArray<f32, Ix1>;

/// Launches `y = x * a`, which runs after this many microseconds.
pub fn slow(stream: &Stream, x: &Line, a: f32, microseconds: u32, y: &mut Line) -> Result<Launched, Error> {
    let call = LINE.call(&[x.shape()], &[])?;
    call.check_output(0, y.shape())?;
    let mut launch = Launch::new(stream, &PLAN, &call)?;
    launch.input(x)?;
    launch.scalar(a)?;
    launch.scalar(microseconds)?;
    launch.output(y)?;
    launch.go()
}

const LENGTH: usize = 1000;
const LONG: u32 = 20_000;

fn ramp() -> Array1<f32> {
    Array1::from_iter((0..LENGTH).map(|n| n as f32))
}

pub fn in_order(gpu: &Gpu) -> Result<(), Error> {
    let stream = gpu.stream()?;
    let (mut a, mut b) = (gpu.upload(&ramp())?, gpu.zeros(LENGTH)?);
    for _ in 0..5 {
        slow(&stream, &a, 2.0, 1000, &mut b)?;
        slow(&stream, &b, 0.5, 0, &mut a)?;
    }
    slow(&stream, &a, 3.0, 0, &mut b)?;
    assert_eq!(b.download()?, ramp() * 3.0);
    stream.synchronize()
}

/// Two streams pass an array to each other. The writer is slow, so the result is right only if the reader waits for it.
pub fn two(gpu: &Gpu) -> Result<(), Error> {
    let (one, two) = (gpu.stream()?, gpu.stream()?);
    let (mut a, mut b) = (gpu.upload(&ramp())?, gpu.zeros(LENGTH)?);
    for k in 0..6 {
        let (first, second) = if k % 2 == 0 { (&one, &two) } else { (&two, &one) };
        slow(first, &a, 2.0, LONG, &mut b)?;
        slow(second, &b, 1.0, LONG, &mut a)?;
    }
    assert_eq!(a.download()?, ramp() * 64.0);
    // A slow reader, then a writer on the other stream; the reader must see the old values.
    let mut c = gpu.zeros(LENGTH)?;
    slow(&one, &a, 1.0, LONG, &mut c)?;
    slow(&two, &c, 0.0, 0, &mut a)?;
    gpu.upload_into(&ramp(), &mut a)?;
    slow(&two, &a, 5.0, LONG, &mut b)?;
    gpu.upload_into(&(ramp() * 100.0), &mut a)?;
    assert_eq!(c.download()?, ramp() * 64.0);
    assert_eq!(b.download()?, ramp() * 5.0);
    // Streams run concurrently if they share no array.
    let (x, mut y, z) = (gpu.upload(&ramp())?, gpu.zeros(LENGTH)?, gpu.upload(&ramp())?);
    let mut w = gpu.zeros(LENGTH)?;
    slow(&one, &x, 1.0, 0, &mut y)?;
    slow(&two, &z, 1.0, 0, &mut w)?;
    let start = Instant::now();
    slow(&one, &x, 1.0, 5 * LONG, &mut y)?;
    slow(&two, &z, 1.0, 5 * LONG, &mut w)?;
    let issued = start.elapsed();
    one.synchronize()?;
    two.synchronize()?;
    let all = start.elapsed();
    let each = Duration::from_micros(5 * u64::from(LONG));
    assert!(issued < each / 2, "launches wait: {issued:?}");
    assert!(all >= each * 9 / 10 && all < each * 3 / 2, "two of {each:?} took {all:?}");
    Ok(())
}

pub fn dropped(gpu: &Gpu) -> Result<(), Error> {
    let stream = gpu.stream()?;
    for _ in 0..5 {
        let mut b = gpu.zeros(LENGTH)?;
        {
            let a = gpu.upload(&ramp())?;
            slow(&stream, &a, 2.0, LONG, &mut b)?;
        }
        // Gets the memory of the dropped array, if that was freed too early.
        let other = gpu.upload(&(ramp() * 9.0))?;
        assert_eq!(b.download()?, ramp() * 2.0);
        drop(other);
        let a = gpu.upload(&ramp())?;
        slow(&stream, &a, 2.0, LONG, &mut b)?;
        drop(b);
    }
    Ok(())
}

pub fn stream_dropped(gpu: &Gpu) -> Result<(), Error> {
    let (a, mut b) = (gpu.upload(&ramp())?, gpu.zeros(LENGTH)?);
    slow(&gpu.stream()?, &a, 2.0, LONG, &mut b)?;
    assert_eq!(b.download()?, ramp() * 2.0);
    Ok(())
}

pub fn threads(gpu: &Gpu) -> Result<(), Error> {
    let shared = gpu.upload(&ramp())?;
    let stream = gpu.stream()?;
    let work = |k: usize| {
        let own = gpu.stream()?;
        let mut y = gpu.zeros(LENGTH)?;
        for n in 0..200 {
            let on = if n % 2 == 0 { &own } else { &stream };
            slow(on, &shared, (k + n) as f32, (n % 3) as u32, &mut y)?;
            if n % 50 == 49 {
                assert_eq!(y.download()?, ramp() * (k + n) as f32);
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|k| scope.spawn(move || work(k))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })
}

pub fn time(gpu: &Gpu) -> Result<(), Error> {
    let (one, two) = (gpu.stream()?, gpu.stream()?);
    let (a, mut b) = (gpu.upload(&ramp())?, gpu.zeros(LENGTH)?);
    slow(&one, &a, 1.0, 0, &mut b)?;
    let (_, taken) = one.time(|stream| slow(stream, &a, 1.0, LONG, &mut b))?;
    let asked = Duration::from_micros(LONG.into());
    assert!(taken >= asked * 9 / 10 && taken < 2 * asked, "{taken:?}");
    let start = one.record()?;
    slow(&one, &a, 1.0, LONG, &mut b)?;
    let end = one.record()?;
    two.wait(&end)?;
    let later = two.record()?;
    assert!(later.since(&start)? >= asked * 9 / 10);
    Ok(())
}
