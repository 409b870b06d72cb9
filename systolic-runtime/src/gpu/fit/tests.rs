//! Tests of the choice of an entry, without a device.
use super::*;
use crate::gpu::raw::{Function, Module};

/// The start state if no entry is requested.
const BEST: Fit = Fit { aligned: true, short: true };

fn code(wide: bool) -> Code {
    let entry = |k| Entry::known(Function(k));
    Code { module: Module(0), wide: wide.then(|| entry(1)), any: entry(2), long: entry(3) }
}

/// Returns `aligned` and `short`.
fn fit(arrays: &[(u64, &[usize], u64)], numbers: &[i64], wide: &Wide) -> (bool, bool) {
    let mut fit = BEST;
    for (address, steps, extent) in arrays {
        fit.array(Some(wide), *address, steps.iter().copied(), *extent);
    }
    numbers.iter().for_each(|n| fit.number(*n));
    (fit.aligned, fit.short)
}

#[test]
fn wide_accesses_need_every_place_and_pitch() {
    let wide = Wide { array: 0, bytes: 16, merged: 0 };
    assert_eq!(fit(&[(4096, &[160, 32], 100)], &[], &wide), (true, true));
    assert_eq!(fit(&[(4104, &[160, 32], 100)], &[], &wide), (false, true));
    assert_eq!(fit(&[(4096, &[168, 32], 100)], &[], &wide), (false, true));
    assert_eq!(fit(&[(4096, &[160, 40], 100)], &[], &wide), (false, true));
    assert_eq!(fit(&[(4096, &[160, 40], 100)], &[], &Wide { array: 0, bytes: 8, merged: 0 }), (true, true));
    assert_eq!(fit(&[(4096, &[], 100), (8, &[], 100)], &[], &wide), (false, true));
    // An array without vectorised accesses needs no alignment.
    let mut other = BEST;
    other.array(None, 3, [5].into_iter(), 10);
    assert!(other.aligned);
}

#[test]
fn short_indices_need_all_to_be_small() {
    let wide = Wide { array: 0, bytes: 16, merged: 0 };
    let check = |extent, numbers: &[i64]| fit(&[(0, &[], extent)], numbers, &wide).1;
    assert!(check((1 << 30) - 1, &[0, -((1 << 30) - 1), (1 << 30) - 1]));
    assert!(!check(1 << 30, &[]));
    assert!(!check(0, &[1 << 30]));
    assert!(!check(0, &[5, -(1 << 30)]));
    assert!(!check(0, &[i64::MIN]));
}

#[test]
fn the_entry_follows() {
    let check = |aligned, short, wide| Fit { aligned, short }.entry(&code(wide)).function;
    assert_eq!(check(true, true, true), Function(1));
    assert_eq!(check(true, true, false), Function(2));
    assert_eq!(check(false, true, true), Function(2));
    for (aligned, wide) in [(true, true), (true, false), (false, true), (false, false)] {
        assert_eq!(check(aligned, false, wide), Function(3));
    }
}

/// The entry for one array with accesses of 16 bytes, at this address and of this extent, if `asked` is requested.
fn entry(asked: Option<&str>, wide: bool, address: u64, extent: u64) -> Function {
    let mut fit = Fit::new(&Plan::NOTHING, 90, asked).unwrap();
    fit.array(Some(&Wide { array: 0, bytes: 16, merged: 0 }), address, [16].into_iter(), extent);
    fit.entry(&code(wide)).function
}

#[test]
fn an_entry_that_is_asked_for_is_taken_unless_a_more_general_one_is_needed() {
    let (small, large) = (100, 1 << 30);
    for (asked, aligned, crooked, long) in [(None, 1, 2, 3), (Some("any"), 2, 2, 3), (Some("64"), 3, 3, 3)] {
        assert_eq!(entry(asked, true, 4096, small), Function(aligned), "{asked:?}");
        assert_eq!(entry(asked, true, 4097, small), Function(crooked), "{asked:?}");
        assert_eq!(entry(asked, false, 4096, small), Function(crooked), "{asked:?}");
        for wide in [true, false] {
            assert_eq!(entry(asked, wide, 4096, large), Function(long), "{asked:?}");
        }
    }
}

#[test]
fn another_word_is_an_error() {
    let plan = Plan { kernel: "a test", ..Plan::NOTHING };
    for word in ["wide", "", "ANY"] {
        let said = Fit::new(&plan, 90, Some(word)).unwrap_err().to_string();
        assert!(said.contains("kernel `a test`"), "{said}");
        assert!(said.ends_with(&format!("SYSTOLIC_GPU_ENTRY is `{word}`, neither `any` nor `64`")), "{said}");
    }
}
