//! Copies of arrays.
use crate::streams::slow;
use systolic_runtime::ndarray::{Array, Array1, Array2, Array3, Array4, s};
use systolic_runtime::{DeviceArray, Error, Gpu, Memory, bf16, f16};

pub fn round_trips(gpu: &Gpu) -> Result<(), Error> {
    let plane = Array2::from_shape_fn((37, 101), |(r, c)| (1000 * r + c) as f32);
    assert_eq!(gpu.upload(&plane)?.download()?, plane);
    for view in [
        plane.t(),
        plane.slice(s![..;-2, 3..;7]).t(),
        plane.slice(s![4..5, ..]).into_dyn().into_dimensionality().unwrap(),
    ] {
        assert_eq!(gpu.upload(view)?.download()?, view);
        let mut into = Array2::zeros(view.raw_dim());
        gpu.upload(&view)?.download_into(&mut into)?;
        assert_eq!(into, view);
    }
    // Into a view that is not contiguous.
    let mut wide = Array2::<f32>::zeros((74, 202));
    gpu.upload(&plane)?.download_into(wide.slice_mut(s![..;2, ..;2]))?;
    assert_eq!(wide.slice(s![..;2, ..;2]), plane);
    assert_eq!(wide.slice(s![1..;2, ..]).sum(), 0.0);
    assert_eq!(gpu.upload(&[1u8, 2, 3])?.download()?.to_vec(), [1, 2, 3]);
    assert_eq!(gpu.upload(&vec![true, false, true])?.download()?.to_vec(), [true, false, true]);
    assert_eq!(gpu.upload(&[[1i64, -2], [3, -4]])?.download()?, Array2::from(vec![[1, -2], [3, -4]]));
    let halves = Array1::from_iter((0..1000).map(f16::from_bits));
    assert_eq!(gpu.upload(&halves)?.download()?.mapv(f16::to_bits), halves.mapv(f16::to_bits));
    let box3 = Array3::from_shape_fn((3, 5, 1000), |(a, b, c)| bf16::from_bits((a * b + c) as u16));
    assert_eq!(gpu.upload(&box3)?.download()?.mapv(bf16::to_bits), box3.mapv(bf16::to_bits));
    let box4 = Array4::from_shape_fn((2, 3, 5, 7), |(a, b, c, d)| (a + 2 * b + 6 * c + 30 * d) as f64);
    assert_eq!(gpu.upload(&box4)?.download()?, box4);
    let mut again = gpu.upload(&box4)?;
    gpu.upload_into(&(&box4 + 1.0), &mut again)?;
    assert_eq!(again.download()?, &box4 + 1.0);
    let zeros: DeviceArray<i16, _> = gpu.zeros((33, 65))?;
    assert_eq!(zeros.download()?, Array2::<i16>::zeros((33, 65)));
    Ok(())
}

pub fn nothing(gpu: &Gpu) -> Result<(), Error> {
    assert_eq!(gpu.upload(&Array2::<f32>::zeros((0, 5)))?.download()?.shape(), [0, 5]);
    assert_eq!(gpu.upload(&[] as &[u8; 0])?.download()?.len(), 0);
    let mut none = gpu.zeros::<f64, _>((4, 0, 3))?;
    assert_eq!(none.download()?.shape(), [4, 0, 3]);
    let pinned = gpu.pinned::<f64, _>((4, 0, 3))?;
    gpu.stream()?.upload(&pinned, &mut none)?;
    assert_eq!(pinned.view()?.len(), 0);
    Ok(())
}

pub fn pinned(gpu: &Gpu) -> Result<(), Error> {
    let stream = gpu.stream()?;
    let mut from = gpu.pinned::<u32, _>((123, 457))?;
    assert_eq!(from.view()?.sum(), 0);
    from.view_mut()?.indexed_iter_mut().for_each(|((r, c), x)| *x = (r * 1000 + c) as u32);
    let expected = from.view()?.to_owned();
    let mut there = gpu.zeros((123, 457))?;
    let mut back = gpu.pinned((123, 457))?;
    for _ in 0..100 {
        stream.upload(&from, &mut there)?;
        stream.download(&there, &mut back)?;
    }
    assert_eq!(back.view()?, expected);
    // Writing to a pinned array waits until the copy has read it, and so does dropping it.
    let (line, mut other) = (gpu.zeros(100)?, gpu.zeros(100)?);
    slow(&stream, &line, 1.0, 20_000, &mut other)?;
    stream.upload(&from, &mut there)?;
    from.view_mut()?.fill(7);
    assert_eq!(there.download()?, expected);
    slow(&stream, &line, 1.0, 20_000, &mut other)?;
    stream.upload(&from, &mut there)?;
    drop(from);
    assert_eq!(there.download()?, Array::from_elem((123, 457), 7));
    Ok(())
}

pub fn shapes(gpu: &Gpu) -> Result<(), Error> {
    let mut there = gpu.zeros::<f32, _>((3, 4))?;
    let other = Array2::<f32>::zeros((4, 3));
    assert!(matches!(gpu.upload_into(&other, &mut there), Err(Error::Shape { .. })));
    assert!(matches!(there.download_into(&mut other.clone()), Err(Error::Shape { .. })));
    let pinned = gpu.pinned::<f32, _>((4, 3))?;
    assert!(matches!(gpu.stream()?.upload(&pinned, &mut there), Err(Error::Shape { .. })));
    Ok(())
}

pub fn too_much(gpu: &Gpu) -> Result<(), Error> {
    for shape in [(10_000, 1_000_000_000), (usize::MAX, 1), (usize::MAX, usize::MAX)] {
        let error = gpu.zeros::<u8, _>(shape).err();
        assert!(matches!(error, Some(Error::OutOfMemory { bytes, .. }) if bytes > 1 << 40), "{error:?}");
    }
    let error = gpu.pinned::<u64, _>(1 << 50).err();
    assert!(matches!(error, Some(Error::OutOfMemory { memory: Memory::Pinned, .. })), "{error:?}");
    // The GPU is still usable.
    assert_eq!(gpu.upload(&[5i8])?.download()?.to_vec(), [5]);
    Ok(())
}
