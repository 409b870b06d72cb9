//! Tests reading and writing of files, and that the filter applies its weights.
use crate::picture::Picture;
use crate::{EXAMPLE, Weights, filter, unsharp};
use png::{BitDepth, ColorType, Encoder};
use std::io::Write;
use systolic::ndarray::{Array3, ArrayView3};
use systolic::{Auto, Cpu};

/// A file as the encoder writes it.
fn file(side: (u32, u32), kind: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, side.0, side.1);
    encoder.set_color(kind);
    encoder.set_depth(depth);
    encoder.set_filter(png::Filter::NoFilter);
    if kind == ColorType::Indexed {
        encoder.set_palette(vec![10, 20, 30, 40, 50, 60]);
    }
    encoder.write_header().and_then(|mut writer| writer.write_image_data(data)).expect("a file");
    bytes
}

/// The colour planes of a file, one after the other.
fn colours(bytes: &[u8]) -> Vec<u8> {
    Picture::decode(bytes).expect("a picture").colours().iter().copied().collect()
}

/// Pseudo-random bytes.
fn noise(length: usize) -> Vec<u8> {
    let mut seed = 7_u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn what_is_written_is_read_again() {
    use ColorType::*;
    for (kind, values) in [(Grayscale, 1), (GrayscaleAlpha, 2), (Rgb, 3), (Rgba, 4)] {
        for (width, height) in [(1, 1), (1, 9), (31, 7), (200, 3)] {
            let pixels = noise((width * height) as usize * values);
            let picture = Picture::decode(&file((width, height), kind, BitDepth::Eight, &pixels)).expect("a picture");
            let again = picture.encode().and_then(|bytes| Picture::decode(&bytes));
            assert_eq!(again.as_ref(), Ok(&picture), "{kind:?}, {width} × {height}");
            let first: Vec<u8> = pixels.iter().step_by(values).copied().collect();
            assert_eq!(picture.colours().iter().take(first.len()).copied().collect::<Vec<_>>(), first, "{kind:?}");
        }
    }
}

#[test]
fn files_of_every_kind_are_read() {
    assert_eq!(colours(&file((2, 1), ColorType::Grayscale, BitDepth::Sixteen, &[1, 99, 200, 99])), [1, 200]);
    assert_eq!(colours(&file((2, 1), ColorType::Grayscale, BitDepth::Two, &[0b0111_0000])), [85, 255]);
    assert_eq!(colours(&file((2, 1), ColorType::Indexed, BitDepth::Eight, &[1, 0])), [40, 10, 50, 20, 60, 30]);
    assert_eq!(colours(&file((1, 1), ColorType::Rgba, BitDepth::Eight, &[1, 2, 3, 4])), [1, 2, 3]);
}

/// The rows of an interlaced file with one column are stored as 0, 2, 1.
#[test]
fn an_interlaced_file_is_put_in_order() {
    let mut bytes = file((1, 3), ColorType::Grayscale, BitDepth::Eight, &[10, 30, 20]);
    assert_eq!(colours(&bytes), [10, 30, 20]);
    // The last byte of the header and the checksum.
    bytes[28..33].copy_from_slice(&[1, 0, 177, 10, 200]);
    assert_eq!(colours(&bytes), [10, 20, 30]);
}

#[test]
fn what_is_no_picture_is_said() {
    let whole = file((3, 3), ColorType::Grayscale, BitDepth::Eight, &noise(9));
    for length in 0..whole.len() - 12 {
        assert!(Picture::decode(&whole[..length]).is_err(), "{length} of {} bytes", whole.len());
    }
    for place in 0..whole.len() {
        let mut other = whole.clone();
        other[place] ^= 0x40;
        // It may still be readable, since the end of the file is not needed.
        let _ = Picture::decode(&other);
    }
    let no_png = Picture::decode(b"GIF89a").expect_err("another format");
    assert!(no_png.starts_with("not a PNG that can be read: "), "{no_png}");
}

#[test]
fn a_picture_larger_than_memory_is_refused() {
    let mut bytes = file((1, 3), ColorType::Grayscale, BitDepth::Eight, &[10, 30, 20]);
    // Width and height, and the checksum after the rest of the header.
    bytes[16..24].copy_from_slice(&[0, 16, 0, 0, 0, 16, 0, 0]);
    bytes[29..33].copy_from_slice(&[110, 67, 255, 25]);
    assert_eq!(Picture::decode(&bytes), Err("a picture of more than 1 GiB".to_string()));
}

#[test]
fn opacity_is_kept() {
    let picture = Picture::decode(&file((1, 1), ColorType::Rgba, BitDepth::Eight, &[1, 2, 3, 4])).expect("a picture");
    let other = picture.with_colours(&Array3::from_elem((3, 1, 1), 9)).encode().expect("a file");
    assert_eq!(
        Picture::decode(&other),
        Picture::decode(&file((1, 1), ColorType::Rgba, BitDepth::Eight, &[9, 9, 9, 4]))
    );
}

/// The filter as a plain loop. The sums in these tests are exact, so their order does not matter.
fn by_hand(x: ArrayView3<'_, u8>, w: &Weights) -> Array3<u8> {
    let (_, rows, columns) = x.dim();
    let near = |n: usize, by: usize, length: usize| (n + by).saturating_sub(2).min(length - 1);
    Array3::from_shape_fn(x.dim(), |(k, r, c)| {
        let at = |p: usize, q: usize| f32::from(x[(k, near(r, p, rows), near(c, q, columns))]);
        let sum: f32 = (0..25).map(|n| w[n / 5][n % 5] * at(n / 5, n % 5)).sum();
        (sum + 0.5).floor().clamp(0.0, 255.0) as u8
    })
}

#[test]
fn the_filter_is_the_loop_that_its_weights_say() {
    let weights = unsharp(1.0);
    for shape in [(1, 1, 1), (3, 2, 3), (1, 31, 127), (2, 33, 129), (3, 70, 260)] {
        let x = Array3::from_shape_vec(shape, noise(shape.0 * shape.1 * shape.2)).expect("a shape");
        let wanted = by_hand(x.view(), &weights);
        assert_eq!(filter::reference(&x, &weights).as_ref(), Ok(&wanted), "{shape:?}");
        assert_eq!(filter::run(&Cpu, &x, &weights).as_ref(), Ok(&wanted), "{shape:?}");
        assert_eq!(filter::run(&Auto, &x, &weights).as_ref(), Ok(&wanted), "{shape:?}");
    }
}

#[test]
fn a_picture_of_one_colour_stays_as_it_is() {
    for value in [0, 1, 127, 254, 255] {
        let x = Array3::from_elem((3, 40, 150), value);
        assert_eq!(filter::run(&Auto, &x, &unsharp(1.0)).as_ref(), Ok(&x), "{value}");
    }
}

#[test]
fn an_edge_becomes_steeper() {
    let x = Array3::from_shape_fn((1, 6, 12), |(_, _, c)| if c < 6 { 100 } else { 140 });
    let y = filter::run(&Auto, &x, &unsharp(1.0)).expect("a picture");
    assert_eq!(
        y.iter().take(12).copied().collect::<Vec<_>>(),
        [100, 100, 100, 100, 98, 88, 153, 143, 140, 140, 140, 140]
    );
}

/// Compares pixels, not bytes, because versions of zlib compress differently.
#[test]
fn the_script_makes_the_picture() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let path = std::env::temp_dir().join(format!("picture-{}.png", std::process::id()));
    let made = std::process::Command::new("python3").arg("picture.py").arg(&path).current_dir(folder).output();
    let Ok(made) = made else {
        // Written directly to stderr, because the test harness captures `eprintln!`.
        let _ = writeln!(std::io::stderr(), "skipped: no Python");
        return;
    };
    let picture = Picture::read(&path);
    let _ = std::fs::remove_file(&path);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    assert!(picture.is_ok() && picture == Picture::decode(EXAMPLE), "picture.py makes another picture.png");
}
