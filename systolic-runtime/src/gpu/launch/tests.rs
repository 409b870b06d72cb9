//! Which entry fits, and where rows go, without a device.
use super::*;
use crate::gpu::raw::{Function, Module};

/// Whether it is aligned, and whether it is short.
fn fit(arrays: &[(u64, &[usize], u64)], numbers: &[i64], wide: &Wide) -> (bool, bool) {
    let mut fit = Fit { aligned: true, short: true };
    for (address, steps, extent) in arrays {
        fit.array(Some(wide), *address, steps.iter().copied(), *extent);
    }
    numbers.iter().for_each(|n| fit.number(*n));
    (fit.aligned, fit.short)
}

#[test]
fn wide_accesses_need_every_place_and_pitch() {
    let wide = Wide { array: 0, bytes: 16 };
    assert_eq!(fit(&[(4096, &[160, 32], 100)], &[], &wide), (true, true));
    assert_eq!(fit(&[(4104, &[160, 32], 100)], &[], &wide), (false, true));
    assert_eq!(fit(&[(4096, &[168, 32], 100)], &[], &wide), (false, true));
    assert_eq!(fit(&[(4096, &[160, 40], 100)], &[], &wide), (false, true));
    assert_eq!(fit(&[(4096, &[160, 40], 100)], &[], &Wide { array: 0, bytes: 8 }), (true, true));
    assert_eq!(fit(&[(4096, &[], 100), (8, &[], 100)], &[], &wide), (false, true));
    // An array that wide accesses do not touch lies anywhere.
    let mut other = Fit { aligned: true, short: true };
    other.array(None, 3, [5].into_iter(), 10);
    assert!(other.aligned);
}

#[test]
fn short_indices_need_all_to_be_small() {
    let wide = Wide { array: 0, bytes: 16 };
    let check = |extent, numbers: &[i64]| fit(&[(0, &[], extent)], numbers, &wide).1;
    assert!(check((1 << 30) - 1, &[0, -((1 << 30) - 1), (1 << 30) - 1]));
    assert!(!check(1 << 30, &[]));
    assert!(!check(0, &[1 << 30]));
    assert!(!check(0, &[5, -(1 << 30)]));
    assert!(!check(0, &[i64::MIN]));
}

#[test]
fn a_parameter_ends_in_its_blocks() {
    let grid = Grid { low: [-1, 2, 3], count: [4, 5, 6], blocks: 120, linear: true };
    assert_eq!(last(&grid, 4096, 64), [u64::MAX, 2, 3, 4, 5, 6, 1, 4096, 64]);
}

#[test]
fn the_entry_follows() {
    let code = |wide: bool| {
        let entry = |k| Entry::known(Function(k));
        Code { module: Module(0), wide: wide.then(|| entry(1)), any: entry(2), long: entry(3) }
    };
    let check = |aligned, short, wide| Fit { aligned, short }.entry(&code(wide)).function;
    assert_eq!(check(true, true, true), Function(1));
    assert_eq!(check(true, true, false), Function(2));
    assert_eq!(check(false, true, true), Function(2));
    for (aligned, wide) in [(true, true), (true, false), (false, true), (false, false)] {
        assert_eq!(check(aligned, false, wide), Function(3));
    }
}

#[test]
fn rows_lie_in_shared_memory_where_they_fit() {
    let plan = Plan { kernel: "a test", entry: "k", shared: 1024, high: |_| [0; 3], ..Plan::NOTHING };
    assert_eq!(place(&plan, 0, 1024), Ok((1024, false)));
    assert_eq!(place(&plan, 1024, 2048), Ok((2048, false)));
    assert_eq!(place(&plan, 1040, 2048), Ok((1024, true)));
    assert_eq!(place(&plan, u64::MAX, 2048), Ok((1024, true)));
    let what = "the shared memory of a block of kernel `a test`".to_string();
    assert_eq!(place(&plan, 0, 1023), Err(Error::Limit { what, value: 1024, limit: 1023 }));
    assert_eq!(all_rows(16, 10), Ok(160));
    let bytes = u128::from(u64::MAX) * 3;
    assert_eq!(all_rows(u64::MAX, 3), Err(Error::OutOfMemory { memory: "device", bytes }));
}
