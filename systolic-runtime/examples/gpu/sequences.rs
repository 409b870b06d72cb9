//! Recorded sequences, futures, and memory of `cust`.
use crate::streams::slow;
use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use std::thread::Thread;
#[cfg(feature = "cuda")]
use systolic_runtime::interop::{self, cust::memory::DeviceBuffer};
use systolic_runtime::ndarray::Array1;
use systolic_runtime::{Error, Gpu};

const LENGTH: usize = 1000;

fn ramp() -> Array1<f32> {
    Array1::from_iter((0..LENGTH).map(|n| n as f32))
}

pub fn replayed(gpu: &Gpu) -> Result<(), Error> {
    let (stream, other) = (gpu.stream()?, gpu.stream()?);
    let (mut a, mut b) = (gpu.upload(&ramp())?, gpu.zeros(LENGTH)?);
    let mut kept = None;
    let sequence = stream.sequence(|stream| {
        slow(stream, &a, 2.0, 1000, &mut b)?;
        slow(stream, &b, 0.5, 0, &mut a)?;
        slow(stream, &a, 3.0, 0, &mut b)?;
        kept = Some(stream.clone());
        assert!(matches!(stream.synchronize(), Err(Error::Recording { .. })));
        Ok(())
    })?;
    assert_eq!((sequence.kernels(), b.download()?.sum()), (3, 0.0), "nothing has run");
    for _ in 0..5 {
        sequence.replay(&stream)?;
        sequence.replay(&other)?;
    }
    assert_eq!(b.download()?, ramp() * 3.0);
    // Other work waits for a replay, and a replay for other work.
    gpu.upload_into(&(ramp() * 10.0), &mut a)?;
    sequence.replay(&other)?;
    slow(&stream, &b, 2.0, 0, &mut a)?;
    assert_eq!(a.download()?, ramp() * 60.0);
    let kept = kept.expect("it was set");
    assert!(matches!(slow(&kept, &a, 1.0, 0, &mut b), Err(Error::Recording { .. })), "the sequence has ended");
    assert!(matches!(sequence.replay(&kept), Err(Error::Recording { .. })));
    // The sequence keeps the memory, and its end waits.
    drop((a, b));
    sequence.replay(&stream)?;
    drop(sequence);
    stream.sequence(|_| Ok(()))?.replay(&stream)?;
    stream.synchronize()
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future on this thread.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Arc::new(Unpark(std::thread::current())).into();
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(result) => return result,
            Poll::Pending => std::thread::park(),
        }
    }
}

/// An executor may poll a task on any thread.
fn sent<F: Future + Send>(task: F) -> F {
    task
}

pub fn awaited(gpu: &Gpu) -> Result<(), Error> {
    let stream = gpu.stream()?;
    let (a, mut b) = (gpu.upload(&ramp())?, gpu.zeros(LENGTH)?);
    for _ in 0..3 {
        slow(&stream, &a, 2.0, 2000, &mut b)?;
        drop(stream.reached());
        let (first, last) = (stream.reached(), stream.reached());
        block_on(last)?;
        block_on(first)?;
    }
    assert_eq!(b.download()?, ramp() * 2.0);
    // Launches, which borrow nothing. Later ones on the stream do not disturb.
    let steps = async {
        slow(&stream, &a, 3.0, 2000, &mut b)?.await?;
        let (first, last) = (slow(&stream, &a, 4.0, 2000, &mut b)?, slow(&stream, &a, 5.0, 2000, &mut b)?);
        last.await?;
        first.await?;
        let sequence = stream.sequence(|stream| slow(stream, &a, 6.0, 2000, &mut b))?;
        sequence.replay(&stream)?.await?;
        slow(&gpu.stream()?, &a, 7.0, 2000, &mut b)?.await
    };
    block_on(sent(steps))?;
    assert_eq!(b.download()?, ramp() * 7.0);
    let mut recorded = None;
    stream.sequence(|stream| {
        recorded = Some(slow(stream, &a, 2.0, 0, &mut b)?);
        Ok(())
    })?;
    assert!(matches!(recorded.map(IntoFuture::into_future).map(block_on), Some(Err(Error::Recording { .. }))));
    // The stream goes before its future.
    let future = {
        let stream = gpu.stream()?;
        slow(&stream, &a, 2.0, 2000, &mut b)?;
        stream.reached()
    };
    block_on(future)
}

#[cfg(feature = "cuda")]
pub fn memory_of_others(gpu: &Gpu) -> Result<(), Error> {
    let stream = gpu.stream()?;
    let buffer = |values: &[f32]| {
        interop::cust::context::CurrentContext::set_current(interop::context(gpu)).expect("a context");
        DeviceBuffer::from_slice(values).expect("device memory")
    };
    let mut values = ramp().to_vec();
    values.push(-1.0);
    let x = interop::adopt(gpu, buffer(&values[..LENGTH]), LENGTH)?;
    let mut theirs = buffer(&values);
    // SAFETY: the buffer lives longer, and nobody else uses it.
    let mut y = unsafe { interop::array::<f32, _>(gpu, theirs.as_device_ptr().as_raw(), LENGTH)? };
    slow(&stream, &x, 2.0, 1000, &mut y)?;
    assert_eq!(y.download()?, ramp() * 2.0);
    drop(y);
    let mut kept = None;
    let last = interop::lend(gpu, &mut theirs, LENGTH + 1, |array| {
        let all = array.download()?;
        kept = Some(std::mem::replace(array, gpu.zeros(1)?));
        Ok(all[LENGTH])
    })?;
    assert_eq!(last, -1.0, "nothing after an array is written");
    assert!(matches!(kept.expect("it was kept").download(), Err(Error::GivenBack)));
    assert!(matches!(interop::lend(gpu, &mut theirs, LENGTH, |_| Ok(())), Err(Error::Foreign { .. })));
    let address = theirs.as_device_ptr().as_raw();
    // SAFETY: they are refused.
    let refused = unsafe {
        [
            interop::array::<f32, _>(gpu, address, 1 << 40),
            interop::array::<f32, _>(gpu, address + 1, 1),
            interop::array::<f32, _>(gpu, 4096, 1),
        ]
    };
    assert!(refused.iter().all(|result| matches!(result, Err(Error::Foreign { .. }))), "{refused:?}");
    Ok(())
}
