//! Checks our maps at many sizes, from one element to several blocks along every axis: every bit is compared with the
//! reference, and nothing is timed.
use crate::Fallible;
use crate::contest::progress;
use crate::lab::{Lab, Number, Rows};
use crate::taps::Taps;
use std::cell::Cell;
use systolic::ndarray::{Ix1, Ix2, Ix3};
use systolic::{DeviceArray, Error, Launched, Rank, Stream};

/// Lengths of an axis: less than a wide access, less than a warp, whole blocks, parts of blocks, and enough for
/// interior blocks.
const LINES: [usize; 9] = [1, 3, 33, 512, 1021, 4096, 4099, 65536, 100_003];
const ROWS: [usize; 7] = [1, 2, 9, 64, 129, 520, 1203];
const COLUMNS: [usize; 10] = [1, 3, 63, 128, 130, 512, 1024, 1025, 3076, 3079];
const PLANES: [usize; 6] = [1, 2, 5, 33, 70, 195];
const FEW_ROWS: [usize; 5] = [1, 3, 16, 37, 64];
const FEW_COLUMNS: [usize; 7] = [1, 2, 63, 128, 260, 384, 391];

/// The shapes to test of a rank.
pub trait Shapes: Rank {
    fn shapes() -> Vec<Self>;
}

impl Shapes for Ix1 {
    fn shapes() -> Vec<Ix1> {
        LINES.map(Ix1).to_vec()
    }
}

impl Shapes for Ix2 {
    fn shapes() -> Vec<Ix2> {
        ROWS.iter().flat_map(|r| COLUMNS.map(|c| Ix2(*r, c))).collect()
    }
}

impl Shapes for Ix3 {
    fn shapes() -> Vec<Ix3> {
        PLANES.iter().flat_map(|l| FEW_ROWS.iter().flat_map(|r| FEW_COLUMNS.map(|c| Ix3(*l, *r, c)))).collect()
    }
}

/// The results so far.
#[derive(Default)]
pub struct Count {
    maps: Cell<usize>,
    launches: Cell<usize>,
    wrong: Cell<usize>,
}

impl Count {
    /// The summary, if anything was checked, and whether all results are right.
    pub fn say(&self) -> Option<(String, bool)> {
        let [maps, launches, wrong] = [&self.maps, &self.launches, &self.wrong].map(Cell::get);
        (maps > 0).then(|| (format!("{maps} maps, {launches} launches, {wrong} wrong"), wrong == 0))
    }
}

/// Checks a map at all sizes of an output, from which the size of the input follows. Differences are printed and
/// counted.
pub fn hold<T: Number, D: Shapes>(
    lab: &Lab,
    title: &str,
    taps: &Taps,
    input: impl Fn(&D) -> D,
    ours: impl Fn(&Stream, &DeviceArray<T, D>, &mut DeviceArray<T, D>) -> Result<Launched, Error>,
) -> Fallible<()> {
    let count = &lab.count;
    let mut wrong = 0;
    for shape in D::shapes() {
        progress(&format!("{title}: {:?}", shape.slice()));
        let x = lab.input::<T, D>(input(&shape))?;
        let mut z = lab.gpu.zeros::<T, D>(shape.clone())?;
        lab.gpu.own_stream().synchronize()?;
        let expected = taps.expected(lab, &x, shape.clone())?;
        lab.spoil(Rows::of(&z))?;
        ours(&lab.stream, &x, &mut z)?;
        lab.stream.synchronize()?;
        if let Err(why) = lab.same_bits::<T>(Rows::of(&z), Rows::of(&expected)) {
            println!("{title}, output {:?}: {why}", shape.slice());
            wrong += 1;
        }
        count.launches.set(count.launches.get() + 1);
    }
    progress("");
    count.maps.set(count.maps.get() + 1);
    count.wrong.set(count.wrong.get() + wrong);
    println!("{title}: {wrong} of {} sizes wrong", D::shapes().len());
    Ok(())
}
