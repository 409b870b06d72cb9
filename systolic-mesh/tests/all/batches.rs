//! Items that are dealt out by their cost, and meshes with their number of dimensions in the type.
use super::kernels::{align, items};
use super::table::floats;
use systolic::ndarray::{Array1, Array2};
use systolic::{Cpu, systolic};
use systolic_mesh::{Deal, Dealt, DistributedArray, Error, Mesh, MeshOf, threads};

systolic! {
    kernel blur(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 1, c] + x[r, c] + x[r + 1, c]; }
    }
}

const ITEMS: usize = 23;
const LENGTH: usize = 40;

/// A few long items among many short ones.
fn length(item: usize) -> u32 {
    if item % 9 == 4 { LENGTH as u32 } else { item as u32 % 5 }
}

fn letters(seed: usize) -> Array2<u8> {
    Array2::from_shape_fn((ITEMS, LENGTH), |(item, n)| ((item * 7 + n * n * seed + n) % 4) as u8)
}

#[test]
fn items_have_the_bits_and_the_order_of_one_device() {
    let x = Array2::from_shape_fn((ITEMS, LENGTH), |(item, n)| (item * 31 + n * 7) as i32 - 300);
    let lengths = Array1::from_shape_fn(ITEMS, length);
    let sums = items::run(&Cpu, &x, &lengths).unwrap();
    let scores = align::run(&Cpu, &letters(3), &letters(5)).unwrap();
    for ranks in [1, 2, 3, 6, 30] {
        let results = threads(ranks, |end| -> Result<_, Error> {
            let mesh = Mesh::new(end, &[ranks])?;
            let costs: Vec<u64> = lengths.iter().map(|n| u64::from(*n)).collect();
            let deal = Deal::new(&mesh, &costs)?;
            let most = deal.loads().iter().max().copied().unwrap_or(0);
            let least = costs.iter().sum::<u64>().div_ceil(ranks as u64).max(LENGTH as u64);
            assert!(most * 3 <= least * 4, "{ranks} ranks: {most}, {least}");
            // One array of every kind: from a function, from one rank, on all ranks.
            let mine = Dealt::from_fn(&deal, (ITEMS, LENGTH), |(item, n)| x[[item, n]])?;
            let root = ranks - 1;
            let n = Dealt::scatter(&deal, root, ITEMS, (mesh.rank() == root).then(|| lengths.view()))?;
            let (all, total) = items::run_on(&deal, &Cpu, &mine, &n)?;
            let dealt = all.gather(0)?.zip(total.gather(0)?);
            let aligned = align::run_on(&deal, &Cpu, &letters(3), &letters(5))?.gather(0)?;
            Ok(dealt.zip(aligned))
        });
        let mut results = results.into_iter().map(|result| result.unwrap().unwrap());
        assert_eq!(results.next().flatten(), Some((sums.clone(), scores.clone())), "{ranks} ranks");
        assert!(results.all(|result| result.is_none()));
    }
}

#[test]
fn what_is_no_batch_is_an_error_on_all_ranks() {
    let told = |run: &(dyn Fn(&Mesh) -> Result<(), Error> + Sync), expected: &str| {
        for result in threads(3, |end| run(&Mesh::new(end, &[3])?)) {
            let error = result.unwrap().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    };
    told(
        &|mesh| blur::run_on(&Deal::new(mesh, &[1; 9])?, &Cpu, &floats((9, 4))).map(|_| ()),
        "`blur` cannot be split along dimension 0: blocks: iterations of `r` are no items",
    );
    told(
        &|mesh| Deal::new(mesh, &[1 + u64::from(mesh.rank() == 1); 9]).map(|_| ()),
        "the ranks make different calls: rank 0 calls Deal::new with 9 items",
    );
    told(
        &|mesh| align::run_on(&Deal::new(mesh, &[1; 9])?, &Cpu, &letters(3), &letters(5)).map(|_| ()),
        "`align` has 23 rows of results, but there are 9 items",
    );
    told(
        &|mesh| Dealt::from_fn(&Deal::new(mesh, &[1; 9])?, 8, |n| n as f32).map(|_| ()),
        "expected 9 rows, one per item, got 8",
    );
}

#[test]
fn a_mesh_with_its_dimensions_in_the_type_computes_the_same() {
    let x = floats((20, 5));
    let whole = blur::run(&Cpu, &x).unwrap();
    let results = threads(4, |end| -> Result<_, Error> {
        let mesh = MeshOf::new(end, [2, 2])?;
        let part = DistributedArray::from_fn(&mesh, (20, 5), |at| x[at])?;
        blur::run_on(&mesh, &Cpu, &part)?.gather(0)
    });
    assert_eq!(results.into_iter().next().unwrap().unwrap().unwrap(), Some(whole));
}
