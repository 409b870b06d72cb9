// Every element type under every operation.

use systolic::systolic;

systolic! {
    /// Arithmetic of integers: it wraps, and a division by zero gives zero.
    pub kernel integers<type T in [i8, i16, i32, i64, u8, u16, u32, u64]>(
        a: [T; N],
        b: [T; N],
    ) -> (sum: [T; N], difference: [T; N], product: [T; N], quotient: [T; N], remainder: [T; N]) {
        for i in 0..N {
            sum[i] = a[i] + b[i];
            difference[i] = a[i] - b[i];
            product[i] = a[i] * b[i];
            quotient[i] = a[i] / b[i];
            remainder[i] = a[i] % b[i];
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Negation and absolute value of signed integers.
    pub kernel signed<type T in [i8, i16, i32, i64]>(a: [T; N]) -> (minus: [T; N], magnitude: [T; N]) {
        for i in 0..N {
            minus[i] = -a[i];
            magnitude[i] = abs(a[i]);
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Bit operations.
    pub kernel bits<type T in [i8, i16, i32, i64, u8, u16, u32, u64]>(
        a: [T; N],
        b: [T; N],
    ) -> (and: [T; N], or: [T; N], xor: [T; N], not: [T; N]) {
        for i in 0..N {
            and[i] = a[i] & b[i];
            or[i] = a[i] | b[i];
            xor[i] = a[i] ^ b[i];
            not[i] = !a[i];
        }
        map {
            tile i by 64 as (ib, ii);
            blocks (ib);
            lanes ii fold 2;
        }
    }

    /// Shifts, by counts of another type and beyond the width.
    pub kernel shifts<type T in [i8, i16, i32, i64, u8, u16, u32, u64], type S in [i8, u16, i32, u64]>(
        a: [T; N],
        count: [S; N],
    ) -> (left: [T; N], right: [T; N], twice: [T; N]) {
        for i in 0..N {
            left[i] = a[i] << count[i];
            right[i] = a[i] >> count[i];
            twice[i] = a[i] << 1;
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Arithmetic of floats.
    pub kernel floats<type T in [f16, bf16, f32, f64]>(
        a: [T; N],
        b: [T; N],
    ) -> (
        sum: [T; N],
        difference: [T; N],
        product: [T; N],
        quotient: [T; N],
        remainder: [T; N],
        minus: [T; N],
        magnitude: [T; N],
        root: [T; N],
    ) {
        for i in 0..N {
            sum[i] = a[i] + b[i];
            difference[i] = a[i] - b[i];
            product[i] = a[i] * b[i];
            quotient[i] = a[i] / b[i];
            remainder[i] = a[i] % b[i];
            minus[i] = -a[i];
            magnitude[i] = abs(a[i]);
            root[i] = sqrt(a[i]);
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// The functions of floats beside `exp` and `ln`, one per column.
    pub kernel functions<type T in [f16, f32, f64]>(x: [T; N], z: [T; N]) -> (y: [T; N, 15]) {
        for i in 0..N {
            y[i, 0] = exp2(x[i]);
            y[i, 1] = log2(x[i]);
            y[i, 2] = pow(x[i], z[i]);
            y[i, 3] = sin(x[i]);
            y[i, 4] = cos(x[i]);
            y[i, 5] = tan(x[i]);
            y[i, 6] = atan(x[i]);
            y[i, 7] = sinh(x[i]);
            y[i, 8] = cosh(x[i]);
            y[i, 9] = tanh(x[i]);
            y[i, 10] = floor(x[i]);
            y[i, 11] = ceil(x[i]);
            y[i, 12] = round(x[i]);
            y[i, 13] = round_even(x[i]);
            y[i, 14] = trunc(x[i]);
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Exponential and logarithm.
    pub kernel elementary<type T in [f16, bf16, f32, f64]>(x: [T; N]) -> (exponential: [T; N], logarithm: [T; N]) {
        for i in 0..N {
            exponential[i] = exp(x[i]);
            logarithm[i] = ln(x[i]);
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Expressions that are fused, with one rounding.
    pub kernel fused<type T in [f16, bf16, f32, f64]>(
        a: [T; N],
        b: [T; N],
        c: [T; N],
        d: [T; N],
    ) -> (
        asked: [T; N],
        right: [T; N],
        left: [T; N],
        both: [T; N],
        chain: [T; N],
        enclosed: [T; N],
        negative: [T; N],
        cubic: [T; N],
    ) {
        for i in 0..N {
            asked[i] = fma(a[i], b[i], c[i]);
            right[i] = a[i] + b[i] * c[i];
            left[i] = a[i] * b[i] + c[i];
            both[i] = a[i] * b[i] + c[i] * d[i];
            chain[i] = a[i] + b[i] * c[i] + c[i] * d[i];
            enclosed[i] = ((a[i] * b[i])) + ((c[i]));
            negative[i] = -a[i] * b[i] + c[i];
            cubic[i] = a[i] * b[i] * c[i] + d[i];
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Expressions that look as if they were fused but are not.
    pub kernel unfused<type T in [f16, bf16, f32, f64]>(
        a: [T; N],
        b: [T; N],
        c: [T; N],
        d: [T; N],
    ) -> (minus: [T; N], variable: [T; N], chosen: [T; N], negated: [T; N], ratio: [T; N], largest: [T; N]) {
        for i in 0..N {
            P[i] = a[i] * b[i];
            minus[i] = c[i] - a[i] * b[i];
            variable[i] = P[i] + c[i];
            chosen[i] = d[i] + if a[i] < b[i] { a[i] * b[i] } else { b[i] * c[i] };
            negated[i] = -(a[i] * b[i]) + c[i];
            ratio[i] = a[i] * b[i] / d[i] + c[i];
            largest[i] = max(a[i] * b[i], c[i] * d[i]) + c[i];
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Minima and maxima.
    pub kernel extrema<type T in [i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64]>(
        a: [T; N],
        b: [T; N],
        c: [T; N],
    ) -> (least: [T; N], greatest: [T; N], least3: [T; N], greatest3: [T; N]) {
        for i in 0..N {
            least[i] = min(a[i], b[i]);
            greatest[i] = max(a[i], b[i]);
            least3[i] = min(a[i], b[i], c[i]);
            greatest3[i] = max(a[i], b[i], c[i]);
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Comparisons.
    pub kernel comparisons<type T in [i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64]>(
        a: [T; N],
        b: [T; N],
    ) -> (lt: [bool; N], le: [bool; N], gt: [bool; N], ge: [bool; N], eq: [bool; N], ne: [bool; N]) {
        for i in 0..N {
            lt[i] = a[i] < b[i];
            le[i] = a[i] <= b[i];
            gt[i] = a[i] > b[i];
            ge[i] = a[i] >= b[i];
            eq[i] = a[i] == b[i];
            ne[i] = a[i] != b[i];
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Conditions on values select.
    pub kernel selects<type T in [i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64]>(
        a: [T; N],
        b: [T; N],
        c: [T; N],
    ) -> (lower: [T; N], middle: [T; N], mixed: [T; N]) {
        for i in 0..N {
            L[i] = a[i] <= b[i];
            lower[i] = if L[i] { a[i] } else { b[i] };
            middle[i] = if a[i] < b[i] && b[i] < c[i] || c[i] < b[i] && b[i] < a[i] { b[i] }
                else if !(a[i] == c[i]) && L[i] { a[i] }
                else { c[i] };
            mixed[i] = if i > 2 && a[i] < b[i] { a[i] } else { if i < 2 { b[i] } else { c[i] } };
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Truth values.
    pub kernel truth(
        a: [bool; N],
        b: [bool; N],
    ) -> (and: [bool; N], or: [bool; N], not: [bool; N], same: [bool; N], differ: [bool; N], count: [i32; N]) {
        for i in 0..N {
            and[i] = a[i] && b[i];
            or[i] = a[i] || b[i];
            not[i] = !a[i];
            same[i] = a[i] == b[i];
            differ[i] = a[i] != b[i];
            count[i] = a[i] as i32 + if b[i] { 1 } else { 0 };
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// A cast of a number to every numeric type.
    pub kernel casts<type T in [i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64]>(x: [T; N]) -> (
        to_i8: [i8; N],
        to_i16: [i16; N],
        to_i32: [i32; N],
        to_i64: [i64; N],
        to_u8: [u8; N],
        to_u16: [u16; N],
        to_u32: [u32; N],
        to_u64: [u64; N],
        to_f16: [f16; N],
        to_bf16: [bf16; N],
        to_f32: [f32; N],
        to_f64: [f64; N],
    ) {
        for i in 0..N {
            to_i8[i] = x[i] as i8;
            to_i16[i] = x[i] as i16;
            to_i32[i] = x[i] as i32;
            to_i64[i] = x[i] as i64;
            to_u8[i] = x[i] as u8;
            to_u16[i] = x[i] as u16;
            to_u32[i] = x[i] as u32;
            to_u64[i] = x[i] as u64;
            to_f16[i] = x[i] as f16;
            to_bf16[i] = x[i] as bf16;
            to_f32[i] = x[i] as f32;
            to_f64[i] = x[i] as f64;
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// A cast of a truth value to every integer type.
    pub kernel casts_of_truth(x: [bool; N]) -> (
        to_i8: [i8; N],
        to_i16: [i16; N],
        to_i32: [i32; N],
        to_i64: [i64; N],
        to_u8: [u8; N],
        to_u16: [u16; N],
        to_u32: [u32; N],
        to_u64: [u64; N],
    ) {
        for i in 0..N {
            to_i8[i] = x[i] as i8;
            to_i16[i] = x[i] as i16;
            to_i32[i] = x[i] as i32;
            to_i64[i] = x[i] as i64;
            to_u8[i] = x[i] as u8;
            to_u16[i] = x[i] as u16;
            to_u32[i] = x[i] as u32;
            to_u64[i] = x[i] as u64;
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Integer literals take any numeric type.
    pub kernel literals<type T in [i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64]>(
        x: [T; N],
    ) -> (y: [T; N]) {
        for i in 0..N { y[i] = (x[i] - 3) * 2 + 1; }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Literals with suffixes, underscores and exponents, and at the limits of their ranges.
    pub kernel extreme_literals(x: [i8; N]) -> (
        least_i8: [i8; N],
        least_i64: [i64; N],
        greatest_u64: [u64; N],
        thousands: [i32; N],
        hexadecimal: [u8; N],
        tiny: [f32; N],
        precise: [f64; N],
    ) {
        for i in 0..N {
            least_i8[i] = x[i] + -128i8;
            least_i64[i] = x[i] as i64 + -9223372036854775808;
            greatest_u64[i] = x[i] as u64 + 18446744073709551615;
            thousands[i] = x[i] as i32 * 1_000;
            hexadecimal[i] = x[i] as u8 ^ 0xA5u8;
            tiny[i] = x[i] as f32 * 1.5e-7;
            precise[i] = x[i] as f64 - 0.1f64;
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Indices, sizes and generics as values.
    pub kernel indices<type T in [i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64], const K: usize in [3]>(
        n: size,
    ) -> (index: [T; n], size: [T; n], generic: [T; n]) {
        for i in 0..n {
            index[i] = (i - 1) as T;
            size[i] = n as T;
            generic[i] = (2 * K + 1) as T;
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Guards of every form, and values that look like guards.
    pub kernel conditions(x: [i32; N], s: i32) -> (
        ends: [i32; N],
        thirds: [i32; N],
        negative: [i32; N],
        scalar: [i32; N],
        cast: [i32; N],
        eager: [i32; N],
    ) {
        for i in 0..N {
            ends[i] = if !(i > 0 && i != N - 1) { x[i] } else { 0 };
            thirds[i] = if i % 3 == 1 || i % 3 == 2 && i >= 4 { x[i] } else { -1 };
            negative[i] = if (i - 5) % 4 == 3 { x[i] } else { 7 };
            scalar[i] = if s > 2 && i < 3 { x[i] } else { s };
            cast[i] = if i as i32 < s { 1 } else if x[i] as i64 >= s as i64 { 2 } else { 3 };
            eager[i] = if i == 0 { x[i] } else { if x[i - 1] < x[i] || i == 5 { x[i - 1] } else { x[i] } };
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// The greatest and the least of negated numbers, in every way to write them.
    pub kernel extremes<type T in [i32, i8, i64, u32]>(a: [T; N], b: [T; N], c: [T; N]) -> (
        most: [T; N],
        least: [T; N],
        hidden: [T; N],
    ) {
        for i in 0..N {
            most[i] = max(a[i] / 3, 0 - b[i] / 5, c[i]) + max(a[i], 0 - b[i], c[i] * 7);
            least[i] = min(a[i] / 7, 0 - b[i], 0 - c[i] / 3);
            hidden[i] = max(a[i], c[i] - b[i] - c[i], c[i]) - min(a[i], (if i % 2 == 0 { 0 } else { c[i] }) - b[i], 3);
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Operators bind as in Rust.
    pub kernel precedence(a: [i32; N], b: [i32; N], c: [i32; N]) -> (
        sums: [i32; N],
        products: [i32; N],
        bits: [i32; N],
        compared: [bool; N],
        logic: [bool; N],
        widened: [i64; N],
    ) {
        for i in 0..N {
            sums[i] = a[i] - b[i] - c[i] + a[i] * b[i] - c[i];
            products[i] = a[i] / b[i] * c[i] % 1000 - -a[i];
            bits[i] = a[i] | b[i] ^ c[i] & a[i] << 3 + 1 ^ !b[i] >> 2;
            compared[i] = a[i] & 1 == b[i] & 1;
            logic[i] = a[i] < b[i] || b[i] < c[i] && c[i] < a[i] || !(a[i] == b[i]) && c[i] + 1 > b[i];
            widened[i] = -a[i] as i64 * b[i] as i64 - c[i] as i64;
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }
}
