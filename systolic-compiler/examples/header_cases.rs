//! Prints a CUDA program that holds the header of emitted code against `systolic_arith` on a GPU:
//! `cargo run -p systolic-compiler --example header_cases > cases.cu`, then
//! `nvcc -std=c++17 -fmad=false -arch=native cases.cu -o cases && ./cases`.
#[path = "../tests/header/groups.rs"]
mod groups;
#[path = "../tests/header/pools.rs"]
mod pools;
#[path = "../tests/header/programs.rs"]
mod programs;

fn main() {
    print!("{}", programs::on_device(&groups::all(pools::Scale { few: 44, many: 2000 })));
}
