//! Compiles the kernels for GPUs. Where there is no nvcc it warns, and they run on the CPU.
fn main() {
    systolic_build::compile();
}
