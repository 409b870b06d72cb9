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
}
