// Every border, in one and two dimensions, read up to three elements outside.

use systolic::systolic;

systolic! {
    /// Zero outside.
    pub kernel zero_line<type T in [f32, u8]>(x: [T; N] border zero) -> (y: [T; N, 7]) {
        for i in 0..N, k in 0..7 { y[i, k] = x[i + k - 3]; }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// The nearest element outside.
    pub kernel clamp_line<type T in [f32, u8]>(x: [T; N] border clamp) -> (y: [T; N, 7]) {
        for i in 0..N, k in 0..7 { y[i, k] = x[i + k - 3]; }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Mirrored outside, without repeating the edge.
    pub kernel reflect_line<type T in [f32, u8]>(x: [T; N] border reflect) -> (y: [T; N, 7]) {
        for i in 0..N, k in 0..7 { y[i, k] = x[i + k - 3]; }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Mirrored outside, repeating the edge.
    pub kernel symmetric_line<type T in [f32, u8]>(x: [T; N] border symmetric) -> (y: [T; N, 7]) {
        for i in 0..N, k in 0..7 { y[i, k] = x[i + k - 3]; }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Repeated outside.
    pub kernel wrap_line<type T in [f32, u8]>(x: [T; N] border wrap) -> (y: [T; N, 7]) {
        for i in 0..N, k in 0..7 { y[i, k] = x[i + k - 3]; }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// A literal outside.
    pub kernel literal_line<type T in [f32, u8]>(x: [T; N] border constant(7)) -> (y: [T; N, 7]) {
        for i in 0..N, k in 0..7 { y[i, k] = x[i + k - 3]; }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// A scalar parameter outside.
    pub kernel scalar_line<type T in [f32, u8]>(x: [T; N] border constant(v), v: T) -> (y: [T; N, 7]) {
        for i in 0..N, k in 0..7 { y[i, k] = x[i + k - 3]; }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Zero outside.
    pub kernel zero_plane<type T in [f32, u8]>(x: [T; R, C] border zero) -> (y: [T; R, C, 7, 7]) {
        for r in 0..R, c in 0..C, p in 0..7, q in 0..7 { y[r, c, p, q] = x[r + p - 3, c + q - 3]; }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            lanes ci;
        }
    }

    /// The nearest element outside.
    pub kernel clamp_plane<type T in [f32, u8]>(x: [T; R, C] border clamp) -> (y: [T; R, C, 7, 7]) {
        for r in 0..R, c in 0..C, p in 0..7, q in 0..7 { y[r, c, p, q] = x[r + p - 3, c + q - 3]; }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            lanes ci;
        }
    }

    /// Mirrored outside, without repeating the edge.
    pub kernel reflect_plane<type T in [f32, u8]>(x: [T; R, C] border reflect) -> (y: [T; R, C, 7, 7]) {
        for r in 0..R, c in 0..C, p in 0..7, q in 0..7 { y[r, c, p, q] = x[r + p - 3, c + q - 3]; }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            lanes ci;
        }
    }

    /// Mirrored outside, repeating the edge.
    pub kernel symmetric_plane<type T in [f32, u8]>(x: [T; R, C] border symmetric) -> (y: [T; R, C, 7, 7]) {
        for r in 0..R, c in 0..C, p in 0..7, q in 0..7 { y[r, c, p, q] = x[r + p - 3, c + q - 3]; }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            lanes ci;
        }
    }

    /// Repeated outside.
    pub kernel wrap_plane<type T in [f32, u8]>(x: [T; R, C] border wrap) -> (y: [T; R, C, 7, 7]) {
        for r in 0..R, c in 0..C, p in 0..7, q in 0..7 { y[r, c, p, q] = x[r + p - 3, c + q - 3]; }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            lanes ci;
        }
    }

    /// A literal outside.
    pub kernel literal_plane<type T in [f32, u8]>(x: [T; R, C] border constant(7)) -> (y: [T; R, C, 7, 7]) {
        for r in 0..R, c in 0..C, p in 0..7, q in 0..7 { y[r, c, p, q] = x[r + p - 3, c + q - 3]; }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            lanes ci;
        }
    }

    /// A scalar parameter outside.
    pub kernel scalar_plane<type T in [f32, u8]>(x: [T; R, C] border constant(v), v: T) -> (y: [T; R, C, 7, 7]) {
        for r in 0..R, c in 0..C, p in 0..7, q in 0..7 { y[r, c, p, q] = x[r + p - 3, c + q - 3]; }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            lanes ci;
        }
    }

    /// Mirrored outside, repeating the edge: several periods away on both sides.
    pub kernel symmetric_far<type T in [f32, u8]>(x: [T; N] border symmetric) -> (y: [T; N, 17]) {
        for i in 0..N, k in 0..17 { y[i, k] = x[3 * i + 5 * k - 40]; }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// A filter over an image that is mirrored outside, repeating the edge; one map has four columns per lane and
    /// unrolled rows.
    pub kernel symmetric_filter<type T in [f32, u8]>(
        x: [T; R, C] border symmetric,
        w: const [T; 5, 3],
    ) -> (z: [T; R, C]) {
        for r in 0..R, c in 0..C, p in 0..5, q in 0..3 {
            Z[r, c, p, q] = x[r + p - 2, c + q - 1] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + 2] } else { 0 };
            if p == 4 && q == 2 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s;
            unroll (u, v);
        }
        map folded {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (t, u, v);
        }
    }

    /// `T` fused steps of smoothing a line that is mirrored outside, repeating the edge. The first steps also compute
    /// the elements beyond the ends that later steps need, so a lane reads up to `T` elements outside.
    pub kernel symmetric_steps<const T: usize in [2, 5]>(x: [i32; N] border symmetric) -> (y: [i32; N]) {
        for t in 0..T + 1, n in t - T..N + T - t {
            U[t, n] = if t == 0 { x[n] } else { U[t - 1, n - 1] + 2 * U[t - 1, n] + U[t - 1, n + 1] };
            if t == T { y[n] = U[t, n]; }
        }
        map {
            tile n by 16 as (nb, ni);
            blocks (nb);
            overlap n by T;
            lanes ni;
        }
        map folded {
            tile n by (128 - 2 * T) as (nb, ni);
            blocks (nb);
            overlap n by T;
            lanes ni fold 4;
            unroll (t);
        }
    }
}
