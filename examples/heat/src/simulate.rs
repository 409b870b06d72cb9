//! The simulation: the same program on every rank.
use crate::files;
use crate::settings::Settings;
use std::time::Instant;
use systolic::ndarray::{Axis, Ix3};
use systolic::{Cpu, systolic};
use systolic_mesh::{DistributedArray, Error, Mesh};

systolic! {
    /// One step of heat in a block that is insulated at its faces: outside, a cell is as warm as the nearest one inside.
    pub kernel heat(u: [f32; D, R, C] border symmetric, rate: f32) -> (v: [f32; D, R, C]) {
        for d in 0..D, r in 0..R, c in 0..C {
            v[d, r, c] = u[d, r, c] + rate * (u[d - 1, r, c] + u[d + 1, r, c] + u[d, r - 1, c] + u[d, r + 1, c]
                + u[d, r, c - 1] + u[d, r, c + 1] - 6.0 * u[d, r, c]);
        }
    }
}

type Field = DistributedArray<f32, Ix3>;

/// Runs all steps, from the last checkpoint on if there is one.
pub fn simulate(mesh: &Mesh, settings: &Settings) -> Result<(), Error> {
    let Settings { folder, size, steps, every, rate, .. } = settings;
    let (mut step, mut u) = start(mesh, settings)?;
    let began = Instant::now();
    while step < *steps {
        u = heat::run_on(mesh, &Cpu, &u, *rate)?;
        step += 1;
        if step % every == 0 || step == *steps {
            // A file has its name only when all ranks have written their parts.
            u.write(files::checkpoint(folder, step))?;
            picture(&u, settings, step)?;
            let all = u.reduce(|a, b| a + b)?.unwrap_or(0.0);
            if mesh.rank() == 0 {
                let mean = all / (size * size * size) as f32;
                println!("step {step}: mean {mean}, {:.1} s", began.elapsed().as_secs_f64());
            }
        }
    }
    Ok(())
}

/// The last checkpoint with its step, or what the file of the initial state has.
fn start(mesh: &Mesh, settings: &Settings) -> Result<(usize, Field), Error> {
    let (folder, size) = (&settings.folder, settings.size);
    let shape = (size, size, size);
    let made = files::made(folder);
    let found = made.and_then(|()| files::last_checkpoint(folder));
    // If a rank cannot look, the others hear of it when they read.
    let (step, path) = found?.unwrap_or((0, files::initial(folder)));
    if step == 0 && !path.exists() {
        // Without a file, a hot ball in the middle.
        let from_middle = |at: usize| (2 * at + 1).abs_diff(size);
        let is_hot = |d, r, c| [d, r, c].map(|at| from_middle(at).pow(2)).iter().sum::<usize>() * 4 < size * size;
        Field::from_fn(mesh, shape, |(d, r, c)| if is_hot(d, r, c) { 100.0 } else { 0.0 })?.write(&path)?;
    }
    if mesh.rank() == 0 {
        println!("step {step}: from {}, on a mesh of {:?}", path.display(), mesh.shape());
    }
    Ok((step, Field::read(mesh, path, shape)?))
}

/// Draws the plane in the middle of the last axis, which the mesh does not cut.
fn picture(u: &Field, settings: &Settings, step: usize) -> Result<(), Error> {
    let (size, part) = (settings.size, u.part());
    let plane = part.index_axis(Axis(2), size / 2).to_owned();
    match DistributedArray::from_part(u.mesh(), (size, size), plane)?.gather(0)? {
        Some(plane) => files::draw(&settings.folder, step, &plane),
        None => Ok(()),
    }
}
