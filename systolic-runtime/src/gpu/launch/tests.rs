//! Tests of the last words of the parameter and of the location of scratch rows, without a device.
use super::*;

#[test]
fn a_parameter_ends_in_its_blocks() {
    let grid = Grid { low: [-1, 2, 3], count: [4, 5, 6], blocks: 120, linear: true };
    assert_eq!(last(&grid, 4096, 64), [u64::MAX, 2, 3, 4, 5, 6, 1, 4096, 64]);
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
    assert_eq!(all_rows(u64::MAX, 3), Err(Error::no_device_memory("scratch rows", bytes)));
}
