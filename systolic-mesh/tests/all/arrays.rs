//! Distributed arrays: made, collected, read, written and reduced, on every mesh.

use super::table::{Same, floats, meshes, spread};
use systolic::ndarray::{Array2, Array3};
use systolic_mesh::{DistributedArray, Error, Mesh, threads};

/// Runs `work` on every rank of a mesh, and returns what every rank gives.
fn on<R: Send>(shape: &[usize], work: impl Fn(&Mesh) -> Result<R, Error> + Sync) -> Vec<Result<R, Error>> {
    let ranks = shape.iter().product();
    let results = threads(ranks, |rank| work(&Mesh::new(rank, shape)?));
    results.into_iter().map(|result| result.expect("no rank panics")).collect()
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("systolic-mesh-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn all_meshes() -> Vec<Vec<usize>> {
    [1, 2, 3, 4, 6].into_iter().flat_map(meshes).collect()
}

#[test]
fn what_is_scattered_is_gathered() {
    let whole: Array3<f32> = floats((7, 9, 8));
    for shape in all_meshes() {
        let root = shape.iter().product::<usize>() / 2;
        let results = on(&shape, |mesh| {
            let x = DistributedArray::scatter(mesh, root, (7, 9, 8), (mesh.rank() == root).then(|| whole.view()))?;
            x.same(&whole)?;
            let lengths = x.ranges().iter().map(ExactSizeIterator::len).collect::<Vec<_>>();
            assert_eq!(lengths, x.part().shape());
            x.gather(root)
        });
        for (rank, result) in results.into_iter().enumerate() {
            assert_eq!(result.unwrap(), (rank == root).then(|| whole.clone()), "{shape:?}");
        }
    }
}

#[test]
fn what_is_written_is_read_and_nothing_else_is_left() {
    let (whole, folder): (Array3<f32>, _) = (floats((7, 9, 8)), folder("files"));
    let path = folder.join("x.raw");
    for shape in all_meshes() {
        for result in on(&shape, |mesh| {
            spread(mesh, &whole)?.write(&path)?;
            DistributedArray::<f32, _>::read(mesh, &path, (7, 9, 8))?.same(&whole)
        }) {
            result.unwrap();
        }
        let bytes: Vec<u8> = whole.iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "{shape:?}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "{shape:?}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_that_do_not_fit_are_errors_on_all_ranks() {
    let folder = folder("misfits");
    let path = folder.join("x.raw");
    std::fs::write(&path, [0; 12]).unwrap();
    for result in on(&[2], |mesh| DistributedArray::<f32, _>::read(mesh, &path, (4, 1))) {
        let error = result.unwrap_err().to_string();
        assert!(error.ends_with("x.raw: expected 16 bytes for f32 [4, 1], got 12"), "{error}");
    }
    let nowhere = folder.join("no/such/folder");
    let results = on(&[2], |mesh| DistributedArray::from_fn(mesh, 4, |k| k as f32)?.write(&nowhere));
    for (rank, result) in results.into_iter().enumerate() {
        let error = result.unwrap_err().to_string();
        assert_eq!(error.starts_with("rank 0 could not take part: "), rank != 0, "{error}");
        assert!(error.contains("No such file or directory"), "{error}");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_reduction_has_the_same_bits_on_every_mesh() {
    for (r, c, d) in [(7, 9, 8), (6, 6, 6), (16, 8, 9), (31, 6, 7)] {
        let whole: Array3<f32> = floats((r, c, d));
        let mut all = Vec::new();
        for shape in all_meshes() {
            for result in on(&shape, |mesh| spread(mesh, &whole)?.reduce(|a, b| a + b)) {
                all.push(result.unwrap().unwrap().to_bits());
            }
        }
        let plain = whole.iter().sum::<f32>();
        assert!((f32::from_bits(all[0]) - plain).abs() <= plain.abs() * 1e-3, "{} is not near {plain}", all[0]);
        assert!(all.iter().all(|bits| *bits == all[0]), "{all:?}");
    }
    let result = on(&[1], |mesh| DistributedArray::from_fn(mesh, (0, 3), |_| 0.0f32)?.reduce(|a, b| a + b));
    assert_eq!(result, [Ok(None)]);
}

#[test]
fn a_reduction_keeps_the_order_of_elements() {
    // The first of two elements: neither commutative nor the same from the other end.
    let whole = Array2::from_shape_fn((7, 6), |(r, c)| (10 * r + c) as i32 + 1);
    for shape in [vec![1], vec![3], vec![2, 3], vec![6, 1]] {
        for result in on(&shape, |mesh| spread(mesh, &whole)?.reduce(|a, _| a)) {
            assert_eq!(result, Ok(Some(1)));
        }
        for result in on(&shape, |mesh| spread(mesh, &whole)?.reduce(|_, b| b)) {
            assert_eq!(result, Ok(Some(66)));
        }
    }
}

#[test]
fn more_ranks_than_rows_are_an_error_that_says_so() {
    for result in on(&[6], |mesh| DistributedArray::from_fn(mesh, (5, 9), |(r, _)| r as i32)) {
        let expected =
            "a distributed array: dimension 0 has 5 rows, too few for 6 ranks: every rank needs at least one";
        assert_eq!(result.unwrap_err().to_string(), expected);
    }
    for result in on(&[1, 2], |mesh| DistributedArray::from_fn(mesh, 9, |r| r as i32)) {
        assert_eq!(result.unwrap_err().to_string(), "a distributed array has 1 dimensions, but the mesh has 2");
    }
}

#[test]
fn meshes_that_do_not_fit_are_errors() {
    for (shape, expected) in [
        (vec![], "a mesh has one to three dimensions, got 0"),
        (vec![1, 1, 1, 2], "a mesh has one to three dimensions, got 4"),
        (vec![3], "a mesh of the shape [3] does not have 2 ranks"),
        (vec![usize::MAX, 2], "a mesh of the shape [18446744073709551615, 2] does not have 2 ranks"),
    ] {
        for result in threads(2, |rank| Mesh::new(rank, &shape).map(|_| ())) {
            assert_eq!(result.unwrap().unwrap_err().to_string(), expected);
        }
    }
}

#[test]
fn parts_and_roots_that_do_not_fit_are_errors() {
    for result in on(&[2], |mesh| DistributedArray::from_part(mesh, (4, 3), Array2::<f32>::zeros((3, 3)))) {
        let expected = "expected a part of the shape [2, 3] of [4, 3], got [3, 3]";
        assert_eq!(result.unwrap_err().to_string(), expected);
    }
    for result in on(&[2], |mesh| DistributedArray::from_fn(mesh, 4, |k| k as i32)?.gather(2)) {
        assert_eq!(result.unwrap_err().to_string(), "there is no rank 2 in a mesh of 2 ranks");
    }
    let results = on(&[2], |mesh| DistributedArray::<f32, _>::scatter(mesh, 1, (4, 3), None));
    let errors: Vec<String> = results.into_iter().map(|result| result.unwrap_err().to_string()).collect();
    let why = "the root of a scatter has no array";
    assert_eq!(errors, [format!("rank 1 could not take part: {why}"), why.to_string()]);
}
