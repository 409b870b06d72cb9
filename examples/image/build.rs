//! Compiles the kernels for GPUs. Without nvcc it warns, and the kernels run on the CPU.
fn main() {
    systolic_build::compile();
}
