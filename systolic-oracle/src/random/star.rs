//! Reads of one array at several offsets with unrolled steps, as in a stencil: lanes hold neighbours, and borders apply
//! in rows whose length is a multiple of a wide access and in others.
use super::Random;
use super::sum::Sum;
use super::types;

/// Offsets along a row: next to a lane's own elements, and whole accesses away from them.
const ACROSS: [i64; 9] = [-4, -2, -1, 0, 0, 1, 2, 4, 8];

pub fn draw(random: &mut Random) -> String {
    let ty = types::draw(random);
    let mirrored = ["reflect", "symmetric"];
    let borders = mirrored.map(|mirrored| ["clamp", "clamp", "clamp", "wrap", "wrap", mirrored, "zero"]);
    let border = random.pick(borders.as_flattened());
    let (lanes, fold) = (random.pick(&[2, 3, 8, 32]), random.pick(&[1, 2, 4, 4, 8]));
    let (rows, warps) = (random.within(1, 3), random.within(1, 2));
    // An array as long as the output, or longer by a whole access or by one element.
    let longer = random.pick(&["", "", " + 4", " + 1"]);
    let reads: Vec<String> = (0..random.within(2, 6)).map(|_| read(random)).collect();
    format!(
        "    kernel random(x: [{ty}; R, C{longer}] border {border}) -> (z: [{ty}; R, C]) {{
        for r in 0..R, c in 0..C {{
            z[r, c] = {};
        }}
        map {{
            tile c by {} as (cb, ci);
            tile r by {} as (rb, rw);
            tile rw by {rows} as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0], [0, 1]];
            lanes s fold {fold};
            unroll (t);
        }}
    }}
",
        reads.join(" + "),
        lanes * fold,
        rows * warps,
    )
}

fn read(random: &mut Random) -> String {
    let (down, across) = (random.within(-1, 1), random.pick(&ACROSS));
    format!("x[{}, {}]", Sum::name("r").add(down), Sum::name("c").add(across))
}
