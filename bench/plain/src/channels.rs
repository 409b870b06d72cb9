//! Elements that lie interleaved in memory, of many widths and distances, totals along rows of narrow integers, and small matrices.
use crate::race::{Races, bytes, floats, noise};
use crate::vectors::widest;
use systolic::Cpu;

systolic::systolic! {
    kernel opaque(x: [u8; N, 3]) -> (y: [u8; N, 4]) {
        for n in 0..N { y[n, 0] = x[n, 0]; y[n, 1] = x[n, 1]; y[n, 2] = x[n, 2]; y[n, 3] = 255; }
    }
    kernel without_alpha(x: [u8; N, 4]) -> (y: [u8; N, 3]) {
        for n in 0..N, k in 0..3 { y[n, k] = x[n, k]; }
    }
    kernel interleaved(r: [u8; N], g: [u8; N], b: [u8; N]) -> (y: [u8; N, 3]) {
        for n in 0..N { y[n, 0] = r[n]; y[n, 1] = g[n]; y[n, 2] = b[n]; }
    }
    kernel channel_sums(x: [u8; R, C, 3]) -> (y: [u32; R, 3]) {
        for r in 0..R, k in 0..3, c in 0..C {
            S[r, k, c] = x[r, c, k] as u32 + if c == 0 { 0 } else { S[r, k, c - 1] };
            if c == C - 1 { y[r, k] = S[r, k, c]; }
        }
    }
    kernel smooth_colours(x: [u8; R, C, 3] border clamp) -> (y: [u8; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 {
            y[r, c, k] = ((x[r, c - 1, k] as u16 + 2 * x[r, c, k] as u16 + x[r, c + 1, k] as u16 + 2) >> 2) as u8;
        }
    }
    kernel unpacked(x: [u8; N, 4]) -> (y: [u8; N, 2], u: [u8; N], v: [u8; N]) {
        for n in 0..N { y[n, 0] = x[n, 0]; y[n, 1] = x[n, 2]; u[n] = x[n, 1]; v[n] = x[n, 3]; }
    }
    kernel saturation(x: [u8; N, 3]) -> (y: [u8; N]) {
        for n in 0..N { y[n] = max(max(x[n, 0], x[n, 1]), x[n, 2]) - min(min(x[n, 0], x[n, 1]), x[n, 2]); }
    }
    kernel turn_points(x: [f32; N, 3], m: const [f32; 3, 3]) -> (y: [f32; N, 3]) {
        for n in 0..N, k in 0..3, j in 0..3 {
            S[n, k, j] = x[n, j] * m[k, j] + if j == 0 { 0.0 } else { S[n, k, j - 1] };
            if j == 2 { y[n, k] = S[n, k, j]; }
        }
    }
    kernel cross(a: [f32; N, 3], b: [f32; N, 3]) -> (y: [f32; N, 3]) {
        for n in 0..N {
            y[n, 0] = a[n, 1] * b[n, 2] - a[n, 2] * b[n, 1];
            y[n, 1] = a[n, 2] * b[n, 0] - a[n, 0] * b[n, 2];
            y[n, 2] = a[n, 0] * b[n, 1] - a[n, 1] * b[n, 0];
        }
    }
    kernel transposes(x: [f32; N, 3, 3]) -> (y: [f32; N, 3, 3]) {
        for n in 0..N, i in 0..3, j in 0..3 { y[n, j, i] = x[n, i, j]; }
    }
    kernel fifths(x: [i16; 5 * N]) -> (y: [i16; N]) {
        for n in 0..N { y[n] = x[5 * n] + x[5 * n + 2] - x[5 * n + 4]; }
    }
    kernel weeks(x: [i32; N, 7]) -> (y: [i32; N]) {
        for n in 0..N, d in 0..7 {
            S[n, d] = x[n, d] + if d == 0 { 0 } else { S[n, d - 1] };
            if d == 6 { y[n] = S[n, d]; }
        }
    }
    kernel sevens(x: [u8; N, 7]) -> (y: [u8; N]) {
        for n in 0..N, d in 0..7 {
            S[n, d] = max(x[n, d], if d == 0 { 0 } else { S[n, d - 1] });
            if d == 6 { y[n] = S[n, d]; }
        }
    }
    kernel short_totals(x: [i16; R, C]) -> (y: [i32; R]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] as i32 + if c == 0 { 0 } else { S[r, c - 1] };
            if c == C - 1 { y[r] = S[r, c]; }
        }
    }
    kernel byte_totals(x: [u8; R, C]) -> (y: [u32; R]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] as u32 + if c == 0 { 0 } else { S[r, c - 1] };
            if c == C - 1 { y[r] = S[r, c]; }
        }
    }
    kernel word_totals(x: [u32; R, C]) -> (y: [u32; R]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0 } else { S[r, c - 1] };
            if c == C - 1 { y[r] = S[r, c]; }
        }
    }
    kernel finer(x: [u8; N + 1]) -> (y: [u8; N, 2]) {
        for n in 0..N { y[n, 0] = x[n]; y[n, 1] = ((x[n] as u16 + x[n + 1] as u16 + 1) >> 1) as u8; }
    }
    kernel mosaic(x: [u8; 2 * R, 2 * C]) -> (y: [u8; R, C, 3]) {
        for r in 0..R, c in 0..C {
            y[r, c, 0] = x[2 * r, 2 * c];
            y[r, c, 1] = ((x[2 * r, 2 * c + 1] as u16 + x[2 * r + 1, 2 * c] as u16) >> 1) as u8;
            y[r, c, 2] = x[2 * r + 1, 2 * c + 1];
        }
    }
    kernel mean_removed(x: [f32; R, 16]) -> (y: [f32; R]) {
        for r in 0..R, c in 0..16 {
            S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            Q[r, c] = x[r, c] * x[r, c] + if c == 0 { 0.0 } else { Q[r, c - 1] };
            if c == 15 { y[r] = sqrt(Q[r, c] / 16.0 - S[r, c] * S[r, c] / 256.0 + 1.0); }
        }
    }
}

pub fn all(races: &mut Races) {
    colours(races);
    more_colours(races);
    points(races);
    groups(races);
    totals(races);
}

fn colours(races: &mut Races) {
    let n = 1 << 15;
    let x = bytes(4 * n);
    races.run(
        "rgb to rgba",
        4 * n,
        |y: &mut Vec<u8>| opaque::run_into(&Cpu, (&x[..3 * n], [n, 3]), (y, [n, 4])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(4).zip(x.chunks_exact(3)) {
            y.copy_from_slice(&[x[0], x[1], x[2], 255]);
        }),
    );
    races.run(
        "rgba to rgb",
        3 * n,
        |y: &mut Vec<u8>| without_alpha::run_into(&Cpu, (&x, [n, 4]), (y, [n, 3])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(3).zip(x.chunks_exact(4)) {
            y.copy_from_slice(&x[..3]);
        }),
    );
    let (r, gb) = x.split_at(n);
    let (g, b) = gb.split_at(n);
    let b = &b[..n];
    let g = &g[..n];
    races.run(
        "three planes to rgb",
        3 * n,
        |y: &mut Vec<u8>| interleaved::run_into(&Cpu, r, g, b, (y, [n, 3])).unwrap(),
        plain!(|y| for (y, (r, (g, b))) in y.chunks_exact_mut(3).zip(r.iter().zip(g.iter().zip(b))) {
            y.copy_from_slice(&[*r, *g, *b]);
        }),
    );
    races.run(
        "largest less least of rgb",
        n,
        |y: &mut Vec<u8>| saturation::run_into(&Cpu, (&x[..3 * n], [n, 3]), y).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(x.chunks_exact(3)) {
            *y = x[0].max(x[1]).max(x[2]) - x[0].min(x[1]).min(x[2]);
        }),
    );
    let mut uv = vec![0u8; 2 * n];
    let mut vu = vec![0u8; 2 * n];
    races.run(
        "4:2:2 to planes",
        2 * n,
        |y: &mut Vec<u8>| {
            let (u, v) = uv.split_at_mut(n);
            unpacked::run_into(&Cpu, (&x, [n, 4]), (y, [n, 2]), u, v).unwrap()
        },
        |y| {
            let (u, v) = vu.split_at_mut(n);
            widest(
                #[inline(always)]
                |_| {
                    for ((y, x), (u, v)) in
                        y.chunks_exact_mut(2).zip(x.chunks_exact(4)).zip(u.iter_mut().zip(v.iter_mut()))
                    {
                        (y[0], *u, y[1], *v) = (x[0], x[1], x[2], x[3]);
                    }
                },
            )
        },
    );
}

fn more_colours(races: &mut Races) {
    let (r, c) = (120, 250);
    let x = bytes(4 * r * c);
    races.run(
        "smoothing of rgb, clamped",
        3 * r * c,
        |y: &mut Vec<u8>| smooth_colours::run_into(&Cpu, (&x[..3 * r * c], [r, c, 3]), (y, [r, c, 3])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(3 * c).zip(x.chunks_exact(3 * c)) {
            let mix = |a: u8, b: u8, c: u8| ((a as u16 + 2 * b as u16 + c as u16 + 2) >> 2) as u8;
            for k in 0..3 {
                y[k] = mix(x[k], x[k], x[k + 3]);
                y[3 * c - 3 + k] = mix(x[3 * c - 6 + k], x[3 * c - 3 + k], x[3 * c - 3 + k]);
            }
            for (y, x) in y[3..3 * c - 3].iter_mut().zip(x.windows(7)) {
                *y = mix(x[0], x[3], x[6]);
            }
        }),
    );
    races.run(
        "totals of the channels of rows",
        3 * r,
        |y: &mut Vec<u32>| channel_sums::run_into(&Cpu, (&x[..3 * r * c], [r, c, 3]), (y, [r, 3])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(3).zip(x.chunks_exact(3 * c)) {
            let mut sums = [0u32; 3];
            for x in x.chunks_exact(3) {
                for k in 0..3 {
                    sums[k] += x[k] as u32;
                }
            }
            y.copy_from_slice(&sums);
        }),
    );
    races.run(
        "colours of a mosaic",
        3 * r * c,
        |y: &mut Vec<u8>| mosaic::run_into(&Cpu, (&x, [2 * r, 2 * c]), (y, [r, c, 3])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(3 * c).zip(x.chunks_exact(4 * c)) {
            let (up, down) = x.split_at(2 * c);
            for (y, (a, b)) in y.chunks_exact_mut(3).zip(up.chunks_exact(2).zip(down.chunks_exact(2))) {
                y.copy_from_slice(&[a[0], ((a[1] as u16 + b[0] as u16) >> 1) as u8, b[1]]);
            }
        }),
    );
    let n = 1 << 15;
    let x = bytes(n + 1);
    races.run(
        "a line twice as fine in u8",
        2 * n,
        |y: &mut Vec<u8>| finer::run_into(&Cpu, &x, (y, [n, 2])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(2).zip(x.windows(2)) {
            (y[0], y[1]) = (x[0], ((x[0] as u16 + x[1] as u16 + 1) >> 1) as u8);
        }),
    );
}

fn points(races: &mut Races) {
    let n = 1 << 12;
    let (a, b) = (floats(9 * n), noise(3 * n, |x| x as f32 / 1e9 - 1.0));
    let m = [[0.5, -0.25, 0.125], [0.3, 0.7, -0.1], [0.9, 0.2, 0.4f32]];
    races.run(
        "points times a 3×3 matrix",
        3 * n,
        |y: &mut Vec<f32>| turn_points::run_into(&Cpu, (&b, [n, 3]), &m, (y, [n, 3])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(3).zip(b.chunks_exact(3)) {
            for k in 0..3 {
                y[k] = x[2].mul_add(m[k][2], x[1].mul_add(m[k][1], x[0].mul_add(m[k][0], 0.0)));
            }
        }),
    );
    races.run(
        "cross products",
        3 * n,
        |y: &mut Vec<f32>| cross::run_into(&Cpu, (&a[..3 * n], [n, 3]), (&b, [n, 3]), (y, [n, 3])).unwrap(),
        plain!(|y| for (y, (a, b)) in y.chunks_exact_mut(3).zip(a.chunks_exact(3).zip(b.chunks_exact(3))) {
            y[0] = a[1] * b[2] - a[2] * b[1];
            y[1] = a[2] * b[0] - a[0] * b[2];
            y[2] = a[0] * b[1] - a[1] * b[0];
        }),
    );
    races.run(
        "transposes of 3×3",
        9 * n,
        |y: &mut Vec<f32>| transposes::run_into(&Cpu, (&a, [n, 3, 3]), (y, [n, 3, 3])).unwrap(),
        plain!(|y| for (y, x) in y.chunks_exact_mut(9).zip(a.chunks_exact(9)) {
            y.copy_from_slice(&[x[0], x[3], x[6], x[1], x[4], x[7], x[2], x[5], x[8]]);
        }),
    );
}

fn groups(races: &mut Races) {
    let n = 1 << 14;
    let x = noise(5 * n, |x| (x >> 16) as i16);
    races.run(
        "every fifth in i16",
        n,
        |y: &mut Vec<i16>| fifths::run_into(&Cpu, &x, (y, [n])).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(x.chunks_exact(5)) {
            *y = x[0].wrapping_add(x[2]).wrapping_sub(x[4]);
        }),
    );
    let x = noise(7 * n, |x| (x >> 8) as i32);
    races.run(
        "sums of 7 in i32",
        n,
        |y: &mut Vec<i32>| weeks::run_into(&Cpu, (&x, [n, 7]), y).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(x.chunks_exact(7)) {
            *y = x.iter().fold(0, |s: i32, x| s.wrapping_add(*x));
        }),
    );
    let x = bytes(7 * n);
    races.run(
        "largest of 7 in u8",
        n,
        |y: &mut Vec<u8>| sevens::run_into(&Cpu, (&x, [n, 7]), y).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(x.chunks_exact(7)) {
            *y = x.iter().fold(0, |s: u8, x| s.max(*x));
        }),
    );
    let r = 2000;
    let x = floats(16 * r);
    races.run(
        "deviations of 16 numbers",
        r,
        |y: &mut Vec<f32>| mean_removed::run_into(&Cpu, (&x, [r, 16]), y).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(x.chunks_exact(16)) {
            let (s, q) = x.iter().fold((0.0f32, 0.0f32), |(s, q), x| (x + s, x.mul_add(*x, q)));
            *y = (q / 16.0 - s * s / 256.0 + 1.0).sqrt();
        }),
    );
}

fn totals(races: &mut Races) {
    let (r, c) = (200, 300);
    let x = noise(r * c, |x| (x >> 16) as i16);
    races.run(
        "totals of rows of i16",
        r,
        |y: &mut Vec<i32>| short_totals::run_into(&Cpu, (&x, [r, c]), y).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(x.chunks_exact(c)) {
            *y = x.iter().fold(0, |s: i32, x| s.wrapping_add(*x as i32));
        }),
    );
    let x = bytes(r * c);
    races.run(
        "totals of rows of u8",
        r,
        |y: &mut Vec<u32>| byte_totals::run_into(&Cpu, (&x, [r, c]), y).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(x.chunks_exact(c)) {
            *y = x.iter().fold(0, |s: u32, x| s.wrapping_add(*x as u32));
        }),
    );
    let x = noise(r * c, |x| x);
    races.run(
        "totals of rows of u32",
        r,
        |y: &mut Vec<u32>| word_totals::run_into(&Cpu, (&x, [r, c]), y).unwrap(),
        plain!(|y| for (y, x) in y.iter_mut().zip(x.chunks_exact(c)) {
            *y = x.iter().fold(0, |s: u32, x| s.wrapping_add(*x));
        }),
    );
}
