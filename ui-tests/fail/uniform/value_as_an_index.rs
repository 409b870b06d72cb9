use systolic::systolic;

systolic! {
    kernel look(x: [i32; N], table: [f32; K]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = table[x[n]];
        }
    }
}

fn main() {}
