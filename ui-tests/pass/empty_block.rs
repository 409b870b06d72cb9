use systolic::systolic;

systolic! {}

fn main() {
    systolic! {}
}
