//! Sums down a band of rows, as in a convolution: the first and last steps compute values that nothing uses.
use super::Random;

/// A kernel whose partial sums move from step to step, and a map that unrolls their terms.
pub fn draw(random: &mut Random) -> String {
    let ty = random.pick(&["f32", "f64", "i32", "u8", "i16"]);
    let zero = if ty.starts_with('f') { "0.0" } else { "0" };
    let (terms, rows) = (random.within(2, 6), random.within(1, 12));
    let (lanes, fold) = (random.pick(&[3, 8, 31, 32]), random.pick(&[1, 1, 2, 4]));
    let down = random.chance(50);
    // The terms in ascending or descending order.
    let (first, before, last) = if down { ("p > 0", "p - 1", "p == P - 1") } else { ("p < P - 1", "p + 1", "p == 0") };
    let (row, turned) = if down { ("r + p", "[0, 1, 1]") } else { ("r + P - 1 - p", "[0, 1, -1]") };
    let order = if down { -1 } else { 1 };
    let value = random.pick(&["x[ROW, c] * w[p]", "x[ROW, c]", "x[ROW, c] - w[p]"]).replace("ROW", row);
    let also = if random.chance(30) { " + x[r, c]" } else { "" };
    let columns = lanes * fold;
    // Strips next to each other in the grid, or one after the other in a warp.
    let behind = |walked: &str| {
        let turned = turned.replacen('[', "[0, ", 1);
        let rows = format!("[[1, 0, 0, 0], [0, 1, 0, 0], {turned}, [0, 0, 0, {order}]]");
        format!("(ci, {walked}, ri, p) -> (s, k, t, u) = {rows}")
    };
    let (places, rest) = match random.below(3) {
        0 => ("blocks (rb, cb);", format!("(ci, ri, p) -> (s, t, u) = [[1, 0, 0], {turned}, [0, 0, {order}]]")),
        1 => ("blocks (rb);", behind("cb")),
        _ => ("blocks (cb);", behind("rb")),
    };
    format!(
        "    kernel random<const P: usize = {terms}>(x: [{ty}; R + P - 1, C], w: const [{ty}; P]) -> (z: [{ty}; R, C]) {{
        for r in 0..R, c in 0..C, p in 0..P {{
            Z[r, c, p] = {value}{also} + if {first} {{ Z[r, c, {before}] }} else {{ {zero} }};
            if {last} {{ z[r, c] = Z[r, c, p]; }}
        }}
        map {{
            tile c by {columns} as (cb, ci);
            tile r by {rows} as (rb, ri);
            {places}
            space_time {rest};
            lanes s fold {fold};
            unroll (u);
        }}
    }}
"
    )
}
