//! `launch` takes a reference to a device array or to what holds one, infers the array's types, and gives a `&mut` back.
use std::sync::{Arc, Mutex};
use systolic::ndarray::{Ix1, arr2};
use systolic::{DeviceArray, Error, Gpu, systolic};

systolic! {
    kernel scale(x: [f32; N], by: f32) -> (y: [f32; N]) {
        for n in 0..N { y[n] = by * x[n]; }
    }

    /// Named as generics of emitted code may be.
    kernel A0<type A1 in [f32, f64]>(x: [A1; R, C]) -> (y: [A1; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r, c] + x[r, c]; }
    }
}

fn holders(gpu: &Gpu, x: &Arc<DeviceArray<f32, Ix1>>, y: &mut Box<DeviceArray<f32, Ix1>>) -> Result<(), Error> {
    let (stream, mut z) = (gpu.stream()?, gpu.zeros(4)?);
    scale::launch(&stream, x, 2.0, y)?;
    scale::launch(&stream, y, 2.0, &mut z)?;
    let shared = Mutex::new(z);
    scale::launch(&stream, &shared.lock().unwrap(), 2.0, y)?;
    scale::launch(&stream, y, 2.0, &mut shared.lock().unwrap())?;
    Ok(())
}

fn twice(gpu: &Gpu, x: &DeviceArray<f32, Ix1>, y: &mut DeviceArray<f32, Ix1>) -> Result<(), Error> {
    scale::launch(&gpu.stream()?, x, 2.0, y)?;
    scale::launch(&gpu.stream()?, x, 3.0, y)?;
    Ok(())
}

fn inferred(gpu: &Gpu) -> Result<(), Error> {
    let (x, mut y) = (gpu.upload(&arr2(&[[1.0]]))?, gpu.zeros((1, 1))?);
    A0::<f32>::launch(&gpu.stream()?, &x, &mut y)?;
    let (x, mut y) = (gpu.upload(&arr2(&[[1.0f64]]))?, gpu.zeros((1, 1))?);
    A0::launch(&gpu.stream()?, &x, &mut y)?;
    assert_eq!(y.download()?, arr2(&[[2.0]]));
    Ok(())
}

fn main() {
    let Ok(gpu) = Gpu::new(0) else { return };
    let mut y = gpu.zeros(4).unwrap();
    let x = Arc::new(gpu.zeros(4).unwrap());
    holders(&gpu, &x, &mut Box::new(gpu.zeros(4).unwrap())).unwrap();
    twice(&gpu, &x, &mut y).unwrap();
    inferred(&gpu).unwrap();
}
