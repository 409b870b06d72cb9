//! Calls: which arrays they accept, which shapes they reject and with which message, and the results for empty arrays.
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
#[path = "kernels/sequences.rs"]
mod sequences;
#[allow(dead_code, unused_imports)]
#[path = "kernels/shapes.rs"]
mod shapes;

use conv1d::{conv1d_fbs2, conv1d_sbm};
use matrices::{dot, lu, matvec, product, trisolve};
use sequences::{edit_distance, smith_waterman};
use shapes::*;
use systolic::ndarray::{Array1, Array2, Array3, ArrayView1, ArrayView2, ArrayViewMut1, Ix1, Ix2, aview1, aview2, s};
use systolic::{Auto, Cpu, Device};
use systolic_tests::{Data, assert_same, assert_says};

// ---------------- accepted arguments

#[test]
#[allow(clippy::needless_borrows_for_generic_args)] // a reference to a view is one of the accepted types
fn one_dimension_in_every_dress() {
    let w = [0.5, -1.5];
    let vector: Vec<f32> = vec![1.0, 2.0, 4.0, 8.0];
    let mut owned = Array1::from(vector.clone());
    let wanted = Array1::from(vec![-2.5, -5.0, -10.0]);
    let slice: &[f32] = &vector;
    let view: ArrayView1<'_, f32> = owned.view();
    assert_eq!(conv1d_sbm::<2>::reference(&vector, &w).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::reference(slice, &w).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::reference(&[1.0, 2.0, 4.0, 8.0], &w).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::reference(view, &w).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::reference(&view, &w).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::reference(aview1(&vector), &w).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::reference(&owned, &w).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::reference(&owned.to_shared(), &w).unwrap(), wanted);
    let mutable: ArrayViewMut1<'_, f32> = owned.view_mut();
    assert_eq!(conv1d_sbm::<2>::reference(&mutable, &w).unwrap(), wanted);
}

#[test]
#[allow(clippy::needless_borrows_for_generic_args)] // a reference to a view is one of the accepted types
fn two_dimensions_in_every_dress() {
    let rows = [[1u8, 2, 3], [4, 5, 6]];
    let owned = Array2::from(rows.to_vec());
    let wanted = Array2::from(vec![[1u8, 4], [2, 5], [3, 6]]);
    let view: ArrayView2<'_, u8> = owned.view();
    assert_eq!(transpose::reference(&owned).unwrap(), wanted);
    assert_eq!(transpose::reference(view).unwrap(), wanted);
    assert_eq!(transpose::reference(&view).unwrap(), wanted);
    assert_eq!(transpose::reference(aview2(&rows)).unwrap(), wanted);
    assert_eq!(transpose::reference(&rows).unwrap(), wanted);
}

#[test]
fn two_dimensions_as_a_slice_with_its_shape() {
    let list: Vec<u8> = vec![1, 2, 3, 4, 5, 6];
    let wanted = Array2::from(vec![[1u8, 4], [2, 5], [3, 6]]);
    assert_eq!(transpose::reference((&list, [2, 3])).unwrap(), wanted);
    assert_eq!(transpose::run(&Cpu, (&list[..], (2, 3))).unwrap(), wanted);
    assert_eq!(transpose::run(&Cpu, (&[1, 2, 3, 4, 5, 6], [2, 3])).unwrap(), wanted);
    assert_eq!(transpose::run(&Cpu, (b"\x01\x02\x03\x04\x05\x06", [2, 3])).unwrap(), wanted);
    assert_eq!(transpose::run(&Cpu, &vec![[1, 2, 3], [4, 5, 6]]).unwrap(), wanted);
    let mut into = vec![0; 6];
    transpose::run_into(&Cpu, (&list, [2, 3]), (&mut into, [3, 2])).unwrap();
    assert_eq!(into, [1, 4, 2, 5, 3, 6]);
    transpose::run_into(&Cpu, (&list, [3, 2]), (&mut into[..], (2, 3))).unwrap();
    assert_eq!(into, [1, 3, 5, 2, 4, 6]);
    let mut rows = [[0; 2]; 3];
    transpose::run_into(&Cpu, (&list, [2, 3]), &mut rows).unwrap();
    assert_eq!(rows, [[1, 4], [2, 5], [3, 6]]);
}

#[test]
fn three_dimensions_as_a_slice_with_its_shape() {
    let cube = Data::new(5).array::<f64, _>((3, 4, 5));
    let list: Vec<f64> = cube.iter().copied().collect();
    let wanted = rotate::reference(&cube).unwrap();
    assert_same("rotate", &rotate::reference((&list, [3, 4, 5])).unwrap(), &wanted);
    let mut into = vec![0.0; 60];
    rotate::run_into(&Cpu, (&list, (3, 4, 5)), (&mut into, wanted.dim())).unwrap();
    assert_same("rotate", &Array3::from_shape_vec(wanted.dim(), into).unwrap(), &wanted);
}

#[test]
fn constants_in_every_dress() {
    let x: Vec<f32> = vec![1.0, 2.0, 4.0, 8.0];
    let wanted = Array1::from(vec![-2.5, -5.0, -10.0]);
    let list: Vec<f32> = vec![0.5, -1.5];
    let owned = Array1::from(list.clone());
    let backwards = Array1::from(vec![-1.5, 0.5]);
    assert_eq!(conv1d_sbm::<2>::run(&Cpu, &x, &[0.5, -1.5]).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::run(&Cpu, &x, &vec![0.5, -1.5]).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::run(&Cpu, &x, &list).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::run(&Cpu, &x, &list[..]).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::run(&Cpu, &x, &owned).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::run(&Cpu, &x, owned.view()).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::reference(&x, backwards.slice(s![..;-1])).unwrap(), wanted);
    assert_eq!(conv1d_sbm::<2>::reference(&x, &Box::new([0.5, -1.5])).unwrap(), wanted);
    let mut into = vec![0.0; 3];
    conv1d_sbm::<2>::run_into(&Cpu, &x, &list, &mut into).unwrap();
    assert_eq!(into, wanted.to_vec());
}

systolic::systolic! {
    /// Coefficients in two dimensions, and in one dimension whose length is computed from a generic.
    kernel weighted<const K: usize in [1, 2]>(x: [i32; N], w: const [i32; 2, 3], v: const [i32; 2 * K + 1])
        -> (y: [i32; N])
    {
        for n in 0..N { y[n] = x[n] * (w[0, 0] + 10 * w[0, 2] + 100 * w[1, 0]) + v[2 * K]; }
    }
}

#[test]
fn constants_of_two_dimensions_and_of_computed_lengths() {
    let (w, v) = ([[1, 2, 3], [4, 5, 6]], [0, 0, 7]);
    let wanted = [438, 869];
    assert_eq!(weighted::<1>::reference(&[1, 2], &w, &v).unwrap().to_vec(), wanted);
    assert_eq!(weighted::<1>::run(&Cpu, &[1, 2], &w[..], &v[..]).unwrap().to_vec(), wanted);
    assert_eq!(weighted::<1>::run(&Cpu, &[1, 2], &w.to_vec(), &v.to_vec()).unwrap().to_vec(), wanted);
    assert_eq!(weighted::<1>::run(&Cpu, &[1, 2], aview2(&w), aview1(&v)).unwrap().to_vec(), wanted);
    assert_eq!(weighted::<1>::run(&Cpu, &[1, 2], (&[1, 2, 3, 4, 5, 6], [2, 3]), (&v, [3])).unwrap().to_vec(), wanted);
    let columns = Array2::from(vec![[1, 4], [2, 5], [3, 6]]);
    assert_eq!(weighted::<1>::run(&Cpu, &[1, 2], columns.t(), &v).unwrap().to_vec(), wanted);
}

// ---------------- where it runs

#[test]
fn devices_as_objects() {
    let devices: Vec<Box<dyn Device>> = vec![Box::new(Cpu), Box::new(Auto)];
    let wanted = transpose::reference(&[[1, 2, 3], [4, 5, 6]]).unwrap();
    for device in &devices {
        assert_eq!(transpose::run(device, &[[1, 2, 3], [4, 5, 6]]).unwrap(), wanted);
        assert_eq!(transpose::run(&**device, &[[1, 2, 3], [4, 5, 6]]).unwrap(), wanted);
    }
    let borrowed: Vec<&dyn Device> = vec![&Cpu, &Auto];
    for device in borrowed {
        let mut into = Array2::zeros((3, 2));
        transpose::run_into(device, &[[1, 2, 3], [4, 5, 6]], &mut into).unwrap();
        assert_eq!(into, wanted);
        assert!(!transpose::choice(device).to_string().is_empty());
    }
    let shared: std::sync::Arc<dyn Device + Send + Sync> = std::sync::Arc::new(Cpu);
    assert_eq!(transpose::run(&shared, &[[1, 2, 3], [4, 5, 6]]).unwrap(), wanted);
}

// ---------------- results

#[test]
fn the_result_has_the_rank_of_its_output() -> Result<(), systolic::Error> {
    let y: systolic::ndarray::Array<u8, Ix2> = transpose::reference(&Array2::zeros((2, 3)))?;
    let z: systolic::ndarray::Array<f32, Ix1> = conv1d_sbm::<2>::reference(&[1.0, 2.0], &[1.0, 1.0])?;
    let (even, odd): (Array1<i32>, Array1<i32>) = deinterleave::reference(&[1, 2, 3, 4])?;
    assert_eq!((y.dim(), z.len(), even.len(), odd.len()), ((3, 2), 1, 2, 2));
    Ok(())
}

#[test]
fn views_backwards_and_with_steps() {
    let mut data = Data::new(3);
    let (x, w) = (data.array::<f32, _>(40), data.row::<f32, 5>());
    for view in [x.slice(s![..;-1]), x.slice(s![..;3]), x.slice(s![5..37;-2]), x.slice(s![1..])] {
        let copied = conv1d_sbm::<5>::reference(&view.to_owned(), &w).unwrap();
        assert_same("conv1d_sbm", &conv1d_sbm::<5>::reference(view, &w).unwrap(), &copied);
    }
    let a = data.array::<u8, _>((9, 11));
    for view in
        [a.slice(s![..;-1, ..]), a.slice(s![.., ..;-1]), a.slice(s![1..8;-2, 2..;3]), a.t(), a.slice(s![.., 3..4])]
    {
        let copied = transpose::reference(&view.to_owned()).unwrap();
        assert_same("transpose", &transpose::reference(view).unwrap(), &copied);
    }
    // A row repeated by broadcasting: its stride is zero.
    let row = data.array::<u8, _>(5);
    let repeated = row.broadcast((4, 5)).unwrap();
    assert_same(
        "transpose",
        &transpose::reference(repeated).unwrap(),
        &transpose::reference(&repeated.to_owned()).unwrap(),
    );
    // Column-major memory.
    let columns = Array2::<f64>::from_shape_fn(systolic::ndarray::ShapeBuilder::f((7, 5)), |_| data.one());
    let x = data.array::<f64, _>(5);
    let copied = matvec::reference(&columns.as_standard_layout().to_owned(), &x).unwrap();
    assert_same("matvec", &matvec::reference(&columns, &x).unwrap(), &copied);
    let cube = data.array::<f64, _>((3, 4, 5));
    let turned = cube.view().permuted_axes([2, 0, 1]);
    assert_same("rotate", &rotate::reference(turned).unwrap(), &rotate::reference(&turned.to_owned()).unwrap());
}

mod elsewhere {
    //! A kernel inside a function, and one that another module may use.

    pub fn doubled(x: &[i32]) -> Vec<i32> {
        systolic::systolic! {
            kernel double(x: [i32; N]) -> (y: [i32; N]) {
                for i in 0..N { y[i] = 2 * x[i]; }
            }
        }
        double::reference(x).unwrap().to_vec()
    }

    systolic::systolic! {
        /// Seen by the parent module alone.
        pub(super) kernel tripled(x: [i32; N]) -> (y: [i32; N]) {
            for i in 0..N { y[i] = 3 * x[i]; }
        }

        #[cfg(any())]
        kernel absent(x: [i32; N]) -> (y: [i32; N]) {
            for i in 0..N { y[i] = 4 * x[i]; }
        }
    }

    // The name is free, because the kernel of this name is configured out.
    pub fn absent() -> i32 {
        4
    }
}

#[test]
fn kernels_in_functions_and_modules() {
    assert_eq!(elsewhere::doubled(&[1, 2, 3]), [2, 4, 6]);
    assert_eq!(elsewhere::tripled::reference(&[1, 2, 3]).unwrap().to_vec(), [3, 6, 9]);
    assert_eq!(elsewhere::absent(), 4);
}

#[test]
fn a_kernel_is_a_type_only() {
    let backwards = backwards::reference(&[1, 2, 3]).unwrap();
    assert_eq!(backwards.to_vec(), [3, 2, 1]);
}

#[test]
fn errors_travel() {
    fn travels<T: std::error::Error + Send + Sync + 'static>() {}
    travels::<systolic::Error>();
    let boxed: Box<dyn std::error::Error + Send + Sync> = fixed::reference(&Array2::zeros((1, 1))).unwrap_err().into();
    assert!(!boxed.to_string().is_empty());
}

// ---------------- rejected arguments

#[test]
fn a_size_that_two_parameters_give_differently() {
    assert_says(interleave::reference(&[1, 2, 3], &[1, 2, 3, 4]), &["second", "3", "4"]);
    assert_says(matvec::reference(&Array2::zeros((7, 5)), &Array1::zeros(6)), &["x", "5", "6"]);
    assert_says(product::reference(&Array2::zeros((2, 3)), &Array2::zeros((4, 5))), &["b", "3", "4"]);
    let (a, b) = (Array2::zeros((3, 8)), Array2::zeros((2, 8)));
    assert_says(smith_waterman::reference(&a, &b, 1, 1, 1, 1), &["b", "3", "2"]);
}

#[test]
fn a_size_that_one_parameter_gives_differently() {
    assert_says(lu::reference(&Array2::zeros((5, 6))), &["a", "5", "6"]);
    assert_says(trisolve::reference(&Array2::zeros((5, 6)), &Array1::zeros(5)), &["l", "5", "6"]);
    assert_says(trisolve::reference(&Array2::zeros((5, 5)), &Array1::zeros(7)), &["b", "5", "7"]);
}

#[test]
fn a_slice_that_is_not_as_long_as_its_shape() {
    let list = [1u8, 2, 3, 4, 5];
    let text = |error: systolic::Error| error.to_string();
    let wanted = "`x`: expected 6 elements for the shape [2, 3], got 5";
    assert_eq!(text(transpose::reference((&list, [2, 3])).unwrap_err()), wanted);
    assert_eq!(text(transpose::run(&Cpu, (&list, [2, 3])).unwrap_err()), wanted);
    assert_eq!(transpose::run(&Cpu, (&list, [2, 2])).unwrap_err(), misfit("x", &[2, 2], 5));
    // The product wraps around to 5, to 0, or to more than memory holds.
    for shape in [[5, usize::MAX / 5 + 2], [1 << 32, 1 << 32], [usize::MAX, 2], [usize::MAX, usize::MAX]] {
        assert_eq!(transpose::run(&Cpu, (&list, shape)).unwrap_err(), misfit("x", &shape, 5));
        let mut into = [0; 5];
        let error = transpose::run_into(&Cpu, (&list, [1, 5]), (&mut into, shape)).unwrap_err();
        assert_eq!(error, misfit("y", &shape, 5));
    }
    // As long as its shape, but the shape is not the required one.
    let mut into = [0; 6];
    let error = transpose::run_into(&Cpu, (&list, [1, 5]), (&mut into, [2, 3])).unwrap_err();
    assert_eq!(text(error), "`y`: expected [C, R] = [5, 1] with R = 1 (from `x`) and C = 5 (from `x`), got [2, 3]");
}

fn misfit(parameter: &'static str, shape: &[usize], got: usize) -> systolic::Error {
    systolic::Error::Elements { parameter, shape: shape.to_vec(), got }
}

#[test]
fn constants_of_another_length() {
    let text = |result: Result<Array1<i32>, systolic::Error>| result.unwrap_err().to_string();
    let (w, v) = ([[1, 2, 3], [4, 5, 6]], [0, 0, 7]);
    assert_eq!(text(weighted::<2>::run(&Cpu, &[1], &w, &vec![1, 2])), "`v`: expected [5], got [2]");
    assert_eq!(text(weighted::<1>::reference(&[1], &w, &v[..2])), "`v`: expected [3], got [2]");
    assert_eq!(text(weighted::<1>::reference(&[1], &w[..1], &v)), "`w`: expected [2, 3], got [1, 3]");
    assert_eq!(text(weighted::<1>::run(&Cpu, &[1], &Array2::zeros((3, 2)), &v)), "`w`: expected [2, 3], got [3, 2]");
    let flat = [1, 2, 3, 4, 5, 6];
    assert_eq!(text(weighted::<1>::run(&Cpu, &[1], (&flat, [3, 2]), &v)), "`w`: expected [2, 3], got [3, 2]");
    let wanted = "`w`: expected 6 elements for the shape [2, 3], got 5";
    assert_eq!(text(weighted::<1>::run(&Cpu, &[1], (&flat[1..], [2, 3]), &v)), wanted);
}

#[test]
fn a_dimension_without_sizes() {
    assert_says(fixed::reference(&Array2::zeros((4, 4))), &["grid", "3", "4"]);
    assert_says(fixed::reference(&Array2::zeros((5, 3))), &["grid", "4", "5"]);
    let ignored = Array2::zeros((3, 1));
    assert_says(unused::reference(&[1.0], &ignored, &[0.0, 0.0], 0.0, 1), &["ignored", "2", "1"]);
}

#[test]
fn a_remainder() {
    assert_says(deinterleave::reference(&[1, 2, 3, 4, 5, 6, 7]), &["both", "N", "7"]);
    assert_says(thirds::reference(&[1, 2, 3, 4, 5, 6]), &["x", "N", "6"]);
    // 2 C + Q − 2 = 8 with Q = 5
    assert_says(conv1d_fbs2::<5>::reference(&[0.0; 8], &[0.0; 5]), &["x", "C", "8"]);
}

#[test]
fn conditions_on_sizes() {
    assert_says(quarters::reference(&Array2::zeros((6, 5))), &["R", "6", "4"]);
    assert_says(quarters::reference(&Array2::zeros((8, 2))), &["C", "2", "3"]);
    assert_says(shorter::reference(&[1, 2, 3], &[1, 2, 3, 4, 5]), &["M", "N", "5", "3"]);
    assert_says(dot::reference(&[1.0; 65], &[1.0; 65], 2), &["N", "m", "65", "2"]);
}

#[test]
fn sizes_beyond_all_memory() {
    for times in [usize::MAX, usize::MAX / 2, 1 << 62, 1 << 48] {
        assert_says(repeat::reference(&[1.0, 2.0, 3.0], times), &[]);
    }
    assert_says(naturals::reference(usize::MAX), &[]);
}

// ---------------- empty arrays

#[test]
fn empty_outputs_are_given_with_their_shape() {
    assert_eq!(conv1d_sbm::<5>::reference(&[0.0; 4], &[1.0; 5]).unwrap().len(), 0);
    assert_eq!(backwards::reference(&[]).unwrap().len(), 0);
    assert_eq!(naturals::reference(0).unwrap().len(), 0);
    assert_eq!(transpose::reference(&Array2::zeros((0, 7))).unwrap().dim(), (7, 0));
    assert_eq!(transpose::reference(&Array2::zeros((7, 0))).unwrap().dim(), (0, 7));
    assert_eq!(transpose::reference(&Array2::zeros((0, 0))).unwrap().dim(), (0, 0));
    assert_eq!(rotate::reference(&Array3::zeros((3, 0, 5))).unwrap().dim(), (5, 3, 0));
    assert_eq!(repeat::reference(&[1.0, 2.0], 0).unwrap().dim(), (0, 2));
    assert_eq!(repeat::reference(&[], 3).unwrap().dim(), (3, 0));
    assert_eq!(matvec::reference(&Array2::zeros((0, 5)), &Array1::zeros(5)).unwrap().len(), 0);
    assert_eq!(product::reference(&Array2::zeros((0, 4)), &Array2::zeros((4, 3))).unwrap().dim(), (0, 3));
    let (score, end) = smith_waterman::reference(&Array2::zeros((0, 5)), &Array2::zeros((0, 6)), 1, 1, 1, 1).unwrap();
    assert_eq!((score.len(), end.len()), (0, 0));
    let (even, odd) = deinterleave::reference(&[]).unwrap();
    assert_eq!((even.len(), odd.len()), (0, 0));
}

#[test]
fn empty_outputs_whatever_else_is_empty() {
    assert_eq!(matvec::reference(&Array2::zeros((0, 0)), &Array1::zeros(0)).unwrap().len(), 0);
    assert_eq!(iterate::reference(&[], 1.0, 0).unwrap().len(), 0);
    assert_eq!(product::reference(&Array2::zeros((0, 0)), &Array2::zeros((0, 3))).unwrap().dim(), (0, 3));
}

#[test]
fn a_dimension_below_zero_counts_as_zero() {
    // C = −2
    assert_eq!(conv1d_sbm::<5>::reference(&[0.0; 2], &[1.0; 5]).unwrap().len(), 0);
    assert_eq!(conv1d_sbm::<5>::reference(&[], &[1.0; 5]).unwrap().len(), 0);
    // 3 N − 2 with N = 0
    assert_eq!(spread::reference(&[]).unwrap().len(), 0);
}

#[test]
fn an_empty_size_is_named_where_an_output_is_not_empty() {
    assert_says(matvec::reference(&Array2::zeros((3, 0)), &Array1::zeros(0)), &["N", "0"]);
    assert_says(product::reference(&Array2::zeros((2, 0)), &Array2::zeros((0, 3))), &["K", "0"]);
    assert_says(edit_distance::reference(&[], b"abc"), &["N", "0"]);
    assert_says(edit_distance::reference(b"abc", &[]), &["M", "0"]);
    assert_says(iterate::reference(&[1.0], 1.0, 0), &["steps", "0"]);
    // Only one of the two outputs is empty.
    assert_says(thirds::reference(&[1]), &["N", "0"]);
    assert_says(split::reference(&[1, 2], &[1, 2]), &["M", "0"]);
    assert_says(split::reference(&[1, 2], &[]), &["N", "0"]);
    assert_says(statistics::reference(&Array2::zeros((3, 0))), &["C", "0"]);
    assert_says(unused::reference(&[1.0], &Array2::zeros((0, 2)), &[0.0, 0.0], 0.0, 1), &["M", "0"]);
}

#[test]
fn shapes_are_compared_also_where_outputs_are_empty() {
    assert_says(interleave::reference(&[], &[1, 2]), &["second", "0", "2"]);
    assert_says(product::reference(&Array2::zeros((0, 4)), &Array2::zeros((5, 3))), &["b", "4", "5"]);
}

// ---------------- outputs that are scalars

systolic::systolic! {
    /// The sum of all products, every product, and their number.
    kernel sums<type T in [f32, i64]>(x: [T; N], y: [T; N]) -> (total: T, each: [T; N], count: u32) {
        for n in 0..N {
            P[n] = x[n] * y[n];
            S[n] = P[n] + if n == 0 { 0 as T } else { S[n - 1] };
            C[n] = 1 + if n == 0 { 0 } else { C[n - 1] };
            each[n] = P[n];
            if n == N - 1 { total = S[n]; count = C[n]; }
        }
    }

    /// One scalar alone, in two dimensions.
    kernel largest(x: [i32; R, C]) -> (most: i32) {
        for r in 0..R, c in 0..C {
            M[r, c] = if c == 0 { x[r, c] } else { max(x[r, c], M[r, c - 1]) };
            L[r, c] = if r == 0 { M[r, c] } else { max(M[r, c], L[r - 1, c]) };
            if r == R - 1 && c == C - 1 { most = L[r, c]; }
        }
    }

    /// Two maps beside each other, one of them the compiler's.
    kernel tripled(x: [i32; N]) -> (y: [i32; N], first: i32) {
        for n in 0..N {
            y[n] = 3 * x[n];
            if n == 0 { first = x[n]; }
        }
        map narrow { tile n by 8 as (nb, ni); blocks (nb); lanes ni; }
        map auto {}
    }
}

#[test]
fn scalars_are_returned_by_value() {
    let x: Vec<i64> = (1..=100).collect();
    let wanted: i64 = x.iter().map(|x| x * x).sum();
    let (total, each, count) = sums::<i64>::run(&Cpu, &x, &x).unwrap();
    assert_eq!((total, each[99], count), (wanted, 10_000, 100));
    assert_eq!(sums::<i64>::reference(&x, &x).unwrap().0, wanted);
    let (mut total, mut each, mut count) = (0.0, [0.0; 2], 0);
    sums::<f32>::run_into(&Auto, &[1.5, 2.0], &[2.0, 0.25], &mut total, &mut each, &mut count).unwrap();
    assert_eq!((total, each, count), (3.5, [3.0, 0.5], 2));
    let x = Array2::from_shape_fn((37, 53), |(r, c)| (r as i32 * 31 + c as i32 * 17) % 101 - 50);
    let most: i32 = largest::run(&Cpu, &x).unwrap();
    assert_eq!((most, largest::reference(&x).unwrap()), (*x.iter().max().unwrap(), most));
}

#[test]
fn a_scalar_needs_a_point() {
    let nothing: [i64; 0] = [];
    let says = "size N = 0 (from `x`) is below 1, but an output is not empty";
    assert_eq!(sums::<i64>::run(&Cpu, &nothing, &nothing).unwrap_err().to_string(), says);
    assert_eq!(sums::<i64>::reference(&nothing, &nothing).unwrap_err().to_string(), says);
}

#[test]
fn an_automatic_map_has_its_own_type() {
    let x: Vec<i32> = (0..100).collect();
    let wanted = (x.iter().map(|x| 3 * x).collect::<Array1<i32>>(), 0);
    assert_eq!(tripled::run(&Cpu, &x).unwrap(), wanted);
    assert_eq!(tripled_narrow::run(&Cpu, &x).unwrap(), wanted);
    assert_eq!(tripled_auto::run(&Cpu, &x).unwrap(), wanted);
    assert_eq!(tripled_narrow::describe(100).pes, 8);
    assert_ne!(tripled_auto::describe(100).pes, 8);
}
