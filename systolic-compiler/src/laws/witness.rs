//! Points as witnesses, in the words of the kernel's loops.
use super::lengths;
use super::set::named;
use crate::fault::Witness;
use crate::model::{Int, Kernel, Places, Read};

/// A point over sizes and leaves as a witness in the kernel's loops.
pub fn loop_witness(kernel: &Kernel, places: &Places, point: &[Int]) -> Witness {
    let loops: Vec<Int> =
        places.nodes[..kernel.loops.len()].iter().map(|f| f.eval(point).unwrap_or_default()).collect();
    Witness { sizes: lengths::sizes(kernel, point, &loops), point: named(kernel, &loops), other: None, element: None }
}

/// The same for a read: its reader, and the point it reads from. Both are points of the kernel as it is written, before shifts.
pub fn read_witness(kernel: &Kernel, places: &Places, read: &Read, point: &[Int]) -> Witness {
    let mut witness = loop_witness(kernel, places, point);
    let shift = kernel.shift_of(read.reader);
    witness.point.iter_mut().zip(shift).for_each(|((_, at), by)| *at -= by);
    let distance = kernel.written_distance(read);
    let source = witness.point.iter().zip(distance).map(|((name, at), d)| (name.clone(), at - d));
    witness.other = Some(source.collect());
    witness
}
