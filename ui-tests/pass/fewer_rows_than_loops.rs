use systolic::systolic;

systolic! {
    /// The 2-D design with migrating sums: two rows for three loops, kept apart by the bounds.
    kernel sbm<const P: usize in [3]>(x: [f32; R, 16]) -> (z: [f32; R, 16]) {
        for r in 0..R, c in 0..16, p in 0..P {
            Z[r, c, p] = x[r, c] + if p == 0 { 0.0 } else { Z[r, c, p - 1] };
            if p == P - 1 { z[r, c] = Z[r, c, p]; }
        }
        map { space_time (c, r, p) -> (s, t) = [[1, 0, 1], [0, P, 1]]; lanes s; }
    }
}

fn main() {
    assert_eq!(sbm::<3>::describe(4).pes, 18);
}
