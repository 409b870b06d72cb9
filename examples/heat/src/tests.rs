//! A run that was interrupted and goes on, on another mesh, ends with the bits of one that was not.
use super::*;
use crate::simulate::heat;
use std::path::{Path, PathBuf};
use systolic::Cpu;
use systolic::ndarray::Array3;
use systolic_mesh::threads;

const SIZE: usize = 12;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("systolic-heat-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn simulated(folder: &Path, ranks: usize, steps: usize) {
    let settings = Settings { folder: folder.to_path_buf(), ranks, size: SIZE, steps, every: 4, rate: 0.15 };
    for result in threads(ranks, |end| rank(end, &settings)) {
        result.expect("no rank panics").expect("it runs");
    }
}

fn state(path: PathBuf) -> Vec<f32> {
    let bytes = std::fs::read(path).expect("a file");
    bytes.chunks_exact(4).map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).collect()
}

#[test]
fn it_goes_on_from_the_last_checkpoint_with_the_bits_of_one_device() {
    let folder = folder("restart");
    simulated(&folder, 6, 8);
    // What a rank left behind that was killed while it wrote is no checkpoint.
    std::fs::write(folder.join("step-000010.raw.incomplete"), [0; 9]).expect("a file");
    simulated(&folder, 4, 14);
    let mut u = Array3::from_shape_vec((SIZE, SIZE, SIZE), state(files::initial(&folder))).expect("the shape");
    assert!(u.iter().any(|warm| *warm == 100.0) && u.iter().any(|warm| *warm == 0.0));
    for step in 1..=14 {
        u = heat::run(&Cpu, &u, 0.15).expect("it runs");
        let path = files::checkpoint(&folder, step);
        // The first run ends after 8 steps, the second after 14.
        assert_eq!(path.exists(), [4, 8, 12, 14].contains(&step), "{step}");
        if path.exists() {
            let bits = |values: &mut dyn Iterator<Item = f32>| values.map(f32::to_bits).collect::<Vec<_>>();
            assert_eq!(bits(&mut state(path).into_iter()), bits(&mut u.iter().copied()), "{step}");
            let picture = std::fs::read(folder.join(format!("step-{step:06}.pgm"))).expect("a picture");
            assert_eq!(picture.len(), "P5\n12 12\n255\n".len() + SIZE * SIZE);
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_file_of_another_size_is_an_error_on_all_ranks() {
    let folder = folder("size");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(files::initial(&folder), [0; 12]).expect("a file");
    let settings = Settings { folder: folder.clone(), ranks: 2, size: SIZE, steps: 1, every: 1, rate: 0.1 };
    for result in threads(2, |end| rank(end, &settings)) {
        let error = result.expect("no rank panics").expect_err("too short").to_string();
        assert!(error.contains("expected 6912 bytes for f32 [12, 12, 12], got 12"), "{error}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn ranks_are_arranged_as_squares() {
    assert_eq!(
        [1, 2, 4, 6, 7, 12].map(settings::arranged),
        [[1, 1], [2, 1], [2, 2], [3, 2], [7, 1], [4, 3]].map(Vec::from)
    );
}
