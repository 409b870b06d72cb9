//! Upper bounds of the device: multiply-adds in registers only, and NVIDIA's own matrix product.
use crate::Fallible;
use crate::code::Arguments;
use crate::contest::{Contest, Contestant, Entry};
use crate::lab::{Lab, Number, Rows, THREADS};
use crate::standing::{Role, Standing, Subject};
use crate::weights::Weight;
use std::rc::Rc;
use systolic::ndarray::{Ix1, Ix2};

/// Blocks per multiprocessor, products per chain, chains per thread, as in `roof.cu`.
const BLOCKS: u64 = 16;
const LENGTH: u64 = 4096;
const CHAINS: u64 = 8;
/// The number of rows and of columns of the matrices.
const SIDE: usize = 8192;

pub fn contests(lab: &Lab) -> Fallible<Vec<Standing>> {
    let held = [products::<f32>(lab)?, products::<f64>(lab)?, matrices(lab)?];
    Ok(held.into_iter().flatten().collect())
}

/// Measures multiply-adds. Every chain of `x / 2 + 1` converges to 2, whatever its start.
fn products<T: Number + Weight>(lab: &Lab) -> Fallible<Option<Standing>> {
    let title = format!("roof fma {}", T::NAME);
    if !lab.plan.wants(&title) {
        return Ok(None);
    }
    let blocks = BLOCKS * u64::from(lab.gpu.properties().multiprocessors);
    let threads = blocks * u64::from(THREADS);
    let (x, count) = (lab.input::<T, _>(Ix1(usize::try_from(threads)?))?, usize::try_from(threads)?);
    let expected = Rc::new(lab.gpu.upload(&vec![T::from(2 * CHAINS as i16); count])?);
    let found = Rows::of(&x);
    let (one, two) = (T::from(1), T::from(2));
    let arguments = T::pass(&[one], T::pass(&[one / two], Arguments::default().words([found.address])));
    let arguments = arguments.ints([LENGTH as i32]);
    let kernel = lab.code.kernel(&format!("roof_{}", T::NAME), [blocks, 1, 1], THREADS, arguments)?;
    let contestant = Contestant {
        name: "registers alone".to_string(),
        role: Role::Roof,
        entry: Entry::Ready(Box::new(move |stream| kernel.launch(stream))),
        check: Box::new(move || lab.same_bits::<T>(found, Rows::of(&*expected))),
        // The chains start with the contents of the array, which must not be NaN.
        spoil: Box::new(move || lab.clear(found)),
    };
    let (operations, cells) = (threads * LENGTH * CHAINS, threads);
    let subject = Subject { family: title.clone(), title, size: 1, bytes: 2 * found.bytes(), operations, cells };
    Ok(Some(Contest { subject, contestants: vec![contestant] }.hold(lab)))
}

/// cuBLAS, verified by a kernel with one thread per element.
fn matrices(lab: &Lab) -> Fallible<Option<Standing>> {
    let title = format!("SGEMM {SIDE}");
    if !lab.plan.wants(&title) {
        return Ok(None);
    }
    let shape = Ix2(SIDE, SIDE);
    let [a, c, expected] = [lab.input::<f32, _>(shape)?, lab.gpu.zeros(shape)?, lab.gpu.zeros(shape)?];
    lab.gpu.own_stream().synchronize()?;
    let [from, found, right] = [&a, &c, &expected].map(Rows::of);
    let arguments = Arguments::default().words([from.address, right.address, from.rows, from.pitch, right.pitch]);
    lab.code.kernel("square_of_matrix", right.grid(), THREADS, arguments)?.launch(&lab.stream)?;
    lab.stream.synchronize()?;
    let contestant = Contestant {
        name: "cuBLAS".to_string(),
        role: Role::Peer,
        entry: lab.libraries.cublas.square(from, found),
        check: Box::new(move || lab.close::<f32>(found, right, f32::MARGIN * SIDE as f64)),
        spoil: Box::new(move || lab.spoil(found)),
    };
    let (cells, bytes) = ((SIDE * SIDE) as u64, from.bytes() + found.bytes());
    let subject = Subject { family: title.clone(), title, size: SIDE, bytes, operations: cells * SIDE as u64, cells };
    Ok(Some(Contest { subject, contestants: vec![contestant] }.hold(lab)))
}
