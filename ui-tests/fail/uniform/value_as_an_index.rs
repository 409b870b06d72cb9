use systolic::systolic;

systolic! {
    kernel look(x: [i32; N], at: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            V[n] = 2 * x[n];
            y[n] = V[at[n]];
        }
    }
}

fn main() {}
