//! Bad input: shapes that do not fit, sizes of zero, sizes whose indices would overflow, views with every stride. Each
//! gives an error or the right result, the same through `reference`, `run` and `run_into`, on the CPU and on a GPU if
//! requested.
//!
//! Outputs that alias would be two mutable borrows of one array, which rustc rejects: `ui-tests` has its message.
// ndarray's slices are macros that contain unsafe code, so it cannot be forbidden here.
#![deny(unsafe_code)]
#![deny(warnings, missing_docs)]

#[allow(dead_code, unused_imports)]
#[path = "kernels/conv1d.rs"]
mod conv1d;
#[allow(dead_code, unused_imports)]
#[path = "kernels/matrices.rs"]
mod matrices;
#[allow(dead_code, unused_imports)]
#[path = "kernels/shapes.rs"]
mod shapes;

use conv1d::{conv1d_fbs, conv1d_fbs_folded, conv1d_fbs2, conv1d_sbm};
use matrices::{dot, lu, matvec, product, product_folded, trisolve};
use shapes::*;
use systolic::Cpu;
use systolic::ndarray::{Array1, Array2, Array3, Array4, Axis, ShapeBuilder, arr0, s};
use systolic_tests::{Data, assert_same, assert_says, gpu};

/// Runs the body on the CPU, then on the GPU if one is requested.
macro_rules! everywhere {
    (|$device:ident| $body:block) => {{
        {
            let $device = &Cpu;
            $body
        }
        if let Some($device) = gpu() {
            $body
        }
    }};
}

/// Asserts that every way to call a kernel rejects these arguments with these words and does not change the outputs.
macro_rules! refused {
    ($kernel:ident $(::<$generic:tt>)? ($($argument:expr),*), $output:expr, $words:expr) => {{
        assert_says($kernel $(::<$generic>)? ::reference($($argument),*), $words);
        everywhere!(|device| {
            assert_says($kernel $(::<$generic>)? ::run(device, $($argument),*), $words);
            let mut output = $output;
            let before = output.clone();
            assert_says($kernel $(::<$generic>)? ::run_into(device, $($argument,)* &mut output), $words);
            assert_same(stringify!($kernel), &output, &before);
        });
    }};
}

/// Asserts that every way to call a kernel gives this result.
macro_rules! given {
    ($kernel:ident $(::<$generic:tt>)? ($($argument:expr),*), $wanted:expr) => {{
        let wanted = $wanted;
        let name = stringify!($kernel);
        assert_same(name, &$kernel $(::<$generic>)? ::reference($($argument),*).unwrap(), &wanted);
        everywhere!(|device| {
            assert_same(name, &$kernel $(::<$generic>)? ::run(device, $($argument),*).unwrap(), &wanted);
            let mut output = Data::new(9).array(wanted.raw_dim());
            $kernel $(::<$generic>)? ::run_into(device, $($argument,)* &mut output).unwrap();
            assert_same(name, &output, &wanted);
        });
    }};
}

// ---------------- shapes that do not fit

#[test]
fn inputs_that_do_not_fit_each_other() {
    refused!(matvec(&Array2::zeros((7, 5)), &Array1::zeros(6)), Array1::zeros(7), &["x", "5", "6"]);
    refused!(product(&Array2::zeros((2, 3)), &Array2::zeros((4, 5))), Array2::zeros((2, 5)), &["b", "3", "4"]);
    refused!(product_folded(&Array2::zeros((2, 3)), &Array2::zeros((4, 5))), Array2::zeros((2, 5)), &["b", "3", "4"]);
    refused!(interleave(&[1, 2, 3], &[1, 2, 3, 4]), Array1::zeros(6), &["second", "3", "4"]);
    refused!(lu(&Array2::zeros((5, 6))), Array2::zeros((5, 5)), &["a", "5", "6"]);
    refused!(trisolve(&Array2::zeros((5, 5)), &Array1::zeros(7)), Array1::zeros(5), &["b", "5", "7"]);
}

#[test]
fn inputs_that_fit_no_size() {
    refused!(fixed(&Array2::zeros((4, 4))), Array1::zeros(12), &["grid", "3", "4"]);
    refused!(conv1d_fbs2::<5>(&[0.0; 8], &[0.0; 5]), Array1::zeros(2), &["x", "C", "8"]);
    refused!(quarters(&Array2::zeros((6, 5))), Array2::zeros((6, 5)), &["R", "6", "4"]);
    refused!(dot(&[1.0; 65], &[1.0; 65], 2), Array1::zeros(1), &["N", "m", "65", "2"]);
}

#[test]
fn outputs_that_do_not_fit() {
    let (x, w) = (Data::new(1).array::<f32, _>(40), [1.0, 2.0, 3.0, 4.0, 5.0]);
    everywhere!(|device| {
        for length in [0, 1, 35, 37, 64] {
            let (mut z, text) = (Array1::from_elem(length, 7.0), length.to_string());
            assert_says(conv1d_sbm::<5>::run_into(device, &x, &w, &mut z), &["z", "36", &text]);
            assert_says(conv1d_fbs_folded::<5>::run_into(device, &x, &w, &mut z), &["z", "36", &text]);
            assert_eq!(z, Array1::from_elem(length, 7.0));
        }
        // As many elements, but in another shape.
        let mut y = Array2::from_elem((40, 3), 7);
        assert_says(transpose::run_into(device, &Array2::zeros((40, 3)), &mut y), &["y", "3", "40"]);
        assert_eq!(y, Array2::from_elem((40, 3), 7));
        // The second of two outputs.
        let (mut even, mut odd) = (Array1::from_elem(2, 7), Array1::from_elem(3, 7));
        assert_says(deinterleave::run_into(device, &[1, 2, 3, 4], &mut even, &mut odd), &["odd", "2", "3"]);
        assert_eq!((even.to_vec(), odd.to_vec()), (vec![7; 2], vec![7; 3]));
    });
}

// ---------------- sizes of zero

#[test]
fn empty_outputs() {
    given!(conv1d_sbm::<5>(&[0.0; 4], &[1.0; 5]), Array1::zeros(0));
    given!(conv1d_fbs_folded::<5>(&[], &[1.0; 5]), Array1::zeros(0));
    given!(naturals(0), Array1::zeros(0));
    given!(transpose(&Array2::zeros((0, 7))), Array2::zeros((7, 0)));
    given!(transpose(&Array2::zeros((7, 0))), Array2::zeros((0, 7)));
    given!(rotate(&Array3::zeros((3, 0, 5))), Array3::zeros((5, 3, 0)));
    given!(permute(&Array4::zeros((3, 2, 0, 5))), Array4::zeros((5, 0, 2, 3)));
    given!(repeat(&[1.0, 2.0], 0), Array2::zeros((0, 2)));
    given!(repeat(&[], 3), Array2::zeros((3, 0)));
    given!(matvec(&Array2::zeros((0, 5)), &Array1::zeros(5)), Array1::zeros(0));
    given!(product(&Array2::zeros((0, 4)), &Array2::zeros((4, 3))), Array2::zeros((0, 3)));
    given!(product_folded(&Array2::zeros((3, 0)), &Array2::zeros((0, 0))), Array2::zeros((3, 0)));
    given!(spread(&[]), Array1::zeros(0));
    given!(lu(&Array2::zeros((0, 0))), Array2::zeros((0, 0)));
}

#[test]
fn a_size_of_zero_where_outputs_have_elements() {
    refused!(matvec(&Array2::zeros((3, 0)), &Array1::zeros(0)), Array1::zeros(3), &["N", "0"]);
    refused!(product(&Array2::zeros((2, 0)), &Array2::zeros((0, 3))), Array2::zeros((2, 3)), &["K", "0"]);
    refused!(iterate(&[1.0], 1.0, 0), Array1::zeros(1), &["steps", "0"]);
    refused!(dot(&[], &[], 1), Array1::zeros(1), &["N", "0"]);
}

// ---------------- sizes whose indices would overflow

/// Sizes just below, at and above powers of two: of the indices, of the bytes, and of the kernels' counters. All exceed
/// 2^40, the longest loop: a shorter one would be rejected only for lack of memory, and some machines promise any
/// amount.
fn enormous() -> Vec<usize> {
    let powers = [41, 48, 61, 62].map(|power| 1usize << power);
    let near = powers.into_iter().flat_map(|size| [size - 1, size, size + 1]);
    near.chain([isize::MAX as usize - 1, isize::MAX as usize]).collect()
}

#[test]
fn enormous_sizes() {
    for size in enormous().into_iter().chain([1 << 63, usize::MAX - 1, usize::MAX]) {
        refused!(naturals(size), Array1::zeros(1), &[]);
        refused!(repeat(&[1.0, 2.0, 3.0], size), Array2::zeros((1, 3)), &[]);
        refused!(repeat(&[], size), Array2::zeros((1, 0)), &[]);
        refused!(iterate(&[1.0, 2.0], 0.5, size), Array1::zeros(2), &[]);
        // 32 · m exceeds 64 bits before m does.
        refused!(dot(&[1.0], &[1.0], size), Array1::zeros(1), &[]);
    }
}

#[test]
fn enormous_arrays() {
    // One element repeated by broadcasting: a shape of any length without memory.
    let (float, double, integer, byte) = (arr0(1.5f32), arr0(1.5f64), arr0(3i32), arr0(3u8));
    for size in enormous() {
        let line = float.broadcast(size).unwrap();
        refused!(conv1d_sbm::<5>(line, &[1.0; 5]), Array1::zeros(4), &[]);
        refused!(conv1d_fbs::<5>(line, &[1.0; 5]), Array1::zeros(4), &[]);
        refused!(conv1d_fbs2::<5>(line, &[1.0; 5]), Array1::zeros(4), &[]);
        let line = integer.broadcast(size).unwrap();
        refused!(spread(line), Array1::zeros(4), &[]);
        refused!(interleave(line, line), Array1::zeros(4), &[]);
        refused!(concatenate(line, line), Array1::zeros(4), &[]);
        let (tall, wide) = (byte.broadcast((size, 1)).unwrap(), byte.broadcast((1, size)).unwrap());
        refused!(transpose(tall), Array2::zeros((1, 4)), &[]);
        refused!(transpose(wide), Array2::zeros((4, 1)), &[]);
        let (row, column) = (float.broadcast((1, size)).unwrap(), float.broadcast((size, 1)).unwrap());
        refused!(product(row, column), Array2::zeros((1, 1)), &[]);
        refused!(product_folded(column, row), Array2::zeros((4, 4)), &[]);
        refused!(matvec(double.broadcast((size, 1)).unwrap(), &[1.0]), Array1::zeros(4), &[]);
        // No elements, but large index ranges.
        let (empty, cut) = (Array2::<u8>::zeros((0, 1)), float.broadcast((0, size)).unwrap());
        refused!(product(cut, float.broadcast((size, 0)).unwrap()), Array2::zeros((1, 0)), &[]);
        refused!(transpose(empty.broadcast((0, size)).unwrap()), Array2::zeros((1, 0)), &[]);
    }
    // Each length is moderate, but their product is not.
    let flat = byte.broadcast((1 << 30, 1 << 30)).unwrap();
    refused!(transpose(flat), Array2::zeros((4, 4)), &[]);
    let deep = integer.broadcast((1 << 15, 1 << 15, 1 << 15, 1 << 15)).unwrap();
    refused!(permute(deep), Array4::zeros((1, 1, 1, 1)), &[]);
}

#[test]
fn one_element_seen_again_and_again() {
    let (float, byte) = (arr0(1.5f32), arr0(3u8));
    for size in [1, 31, 32, 33, 1000] {
        let line = float.broadcast(size + 4).unwrap();
        given!(conv1d_sbm::<5>(line, &[1.0; 5]), Array1::from_elem(size, 7.5));
        given!(conv1d_fbs_folded::<5>(line, &[1.0; 5]), Array1::from_elem(size, 7.5));
        given!(transpose(byte.broadcast((7, size)).unwrap()), Array2::from_elem((size, 7), 3));
    }
}

// ---------------- views of every stride

#[test]
fn inputs_of_every_stride() {
    let mut data = Data::new(3);
    let (x, w) = (data.array::<f32, _>(700), data.row::<f32, 5>());
    let views =
        [x.slice(s![..;-1]), x.slice(s![..;3]), x.slice(s![5..537;-2]), x.slice(s![1..]), x.slice(s![1..38;-1])];
    for view in views {
        let wanted = conv1d_sbm::<5>::reference(&view.to_owned(), &w).unwrap();
        given!(conv1d_sbm::<5>(view, &w), wanted.clone());
        given!(conv1d_fbs::<5>(view, &w), wanted.clone());
        given!(conv1d_fbs_folded::<5>(view, &w), wanted);
    }
    let a = data.array::<u8, _>((69, 131));
    for view in [
        a.slice(s![..;-1, ..]),
        a.slice(s![.., ..;-1]),
        a.slice(s![1..68;-2, 2..;3]),
        a.t(),
        a.slice(s![.., 3..4]),
        a.slice(s![7..8, ..;-1]),
    ] {
        given!(transpose(view), view.t().as_standard_layout().into_owned());
    }
    let (a, b) = (data.array::<f32, _>((40, 70)), data.array::<f32, _>((30, 70)));
    let wanted =
        product::reference(&a.slice(s![..;-1, ..]).to_owned(), &b.t().as_standard_layout().to_owned()).unwrap();
    given!(product(a.slice(s![..;-1, ..]), b.t()), wanted.clone());
    given!(product_folded(a.slice(s![..;-1, ..]), b.t()), wanted);
    let cube = data.array::<f64, _>((13, 34, 35));
    let turned = cube.view().permuted_axes([2, 0, 1]);
    given!(rotate(turned), turned.permuted_axes([2, 0, 1]).as_standard_layout().into_owned());
}

#[test]
fn outputs_of_every_stride() {
    let mut data = Data::new(4);
    for n in [1, 2, 31, 32, 33, 127, 128, 129, 517] {
        let (x, w) = (data.array::<f32, _>(n + 4), data.row::<f32, 5>());
        let wanted = conv1d_sbm::<5>::reference(&x, &w).unwrap();
        for step in [-3, -2, -1, 1, 2, 3] {
            let untouched = Array1::from_elem(3 * n + 2, -7.0);
            let (mut expected, part) = (untouched.clone(), s![1..3 * n + 1;step]);
            expected.slice_mut(part).slice_mut(s![..n]).assign(&wanted);
            everywhere!(|device| {
                let mut memory = untouched.clone();
                conv1d_sbm::<5>::run_into(device, &x, &w, memory.slice_mut(part).slice_mut(s![..n])).unwrap();
                assert_same("what lies between stays", &memory, &expected);
                let mut memory = untouched.clone();
                conv1d_fbs_folded::<5>::run_into(device, &x, &w, memory.slice_mut(part).slice_mut(s![..n])).unwrap();
                assert_same("what lies between stays", &memory, &expected);
            });
        }
    }
}

#[test]
fn outputs_of_two_dimensions_and_every_stride() {
    let mut data = Data::new(5);
    let (a, b) = (data.array::<f32, _>((37, 9)), data.array::<f32, _>((9, 131)));
    let wanted = product::reference(&a, &b).unwrap();
    everywhere!(|device| {
        let mut columns = Array2::from_elem((37, 131).f(), -7.0);
        product::run_into(device, &a, &b, &mut columns).unwrap();
        assert_same("column by column", &columns, &wanted);
        let mut turned = Array2::from_elem((131, 37), -7.0);
        product_folded::run_into(device, &a, &b, turned.view_mut().reversed_axes()).unwrap();
        assert_same("transposed", &turned.reversed_axes(), &wanted);
    });
    for part in [s![..37, ..131], s![3..40;-1, 2..133], s![..74;2, 1..132;-1], s![..111;-3, ..262;-2]] {
        let untouched = Array2::from_elem((111, 262), -7.0);
        let mut expected = untouched.clone();
        expected.slice_mut(part).assign(&wanted);
        everywhere!(|device| {
            let mut memory = untouched.clone();
            product::run_into(device, &a, &b, memory.slice_mut(part)).unwrap();
            assert_same("what lies between stays", &memory, &expected);
            let mut memory = untouched.clone();
            product_folded::run_into(device, &a, &b, memory.slice_mut(part)).unwrap();
            assert_same("what lies between stays", &memory, &expected);
        });
    }
}

#[test]
fn outputs_that_lie_between_each_other() {
    for n in [1, 31, 32, 33, 1000] {
        let both = Data::new(n as u64).array::<i32, _>(2 * n);
        let mut backwards = both.clone();
        backwards.invert_axis(Axis(0));
        everywhere!(|device| {
            let mut memory = Array1::zeros(2 * n);
            let (even, odd) = memory.multi_slice_mut((s![..;2], s![1..;2]));
            deinterleave::run_into(device, &both, even, odd).unwrap();
            assert_same("one array for both", &memory, &both);
            let (even, odd) = memory.multi_slice_mut((s![1..;-2], s![..2 * n - 1;-2]));
            deinterleave::run_into(device, &both, even, odd).unwrap();
            assert_same("one array for both, backwards", &memory, &backwards);
        });
    }
}
