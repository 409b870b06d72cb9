//! Everything about meshes that needs no MPI: ranks are threads.
mod arrays;
mod batches;
mod bits;
mod faults;
mod kernels;
mod pipelines;
mod random;
mod random_pipelines;
mod refusals;
mod stencil;
mod table;
