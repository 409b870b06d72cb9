//! What a process under `mpirun` does.
use crate::table;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use systolic::ndarray::Ix2;
use systolic::{Cpu, systolic};
use systolic_mesh::{DistributedArray, Error, Mesh, Mpi, Transport};

systolic! {
    kernel blur(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 1, c] + x[r, c] + x[r + 1, c]; }
    }
    kernel other(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 1, c] + x[r, c]; }
    }
    kernel turned(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[N - 1 - n]; }
    }
    kernel items(x: [i32; B, N], n: [u32; B] in 1..=N) -> (y: [i32; B]) {
        for k in 0..B, i in 0..n[k] {
            S[k, i] = x[k, i] + if i == 0 { 0 } else { S[k, i - 1] };
            if i == n[k] - 1 { y[k] = S[k, i]; }
        }
    }
}

type Field = DistributedArray<f32, Ix2>;

/// The steps before something happens.
const STEPS: usize = 5;

/// Plays a role, and says on one line how it ended.
pub fn play(role: &str) {
    let world = match Mpi::new() {
        Ok(world) => Arc::new(world),
        Err(error) => return println!("no MPI: {error}"),
    };
    let (rank, began) = (world.rank(), Instant::now());
    let ended = run(role, &world);
    let how = match &ended {
        Ok(words) => words.clone(),
        Err(error) => error.to_string(),
    };
    println!("role {role}: rank {rank} says: {how}");
    if let Err(error) = &ended {
        let is_late = matches!(error, Error::Lost(_)) && began.elapsed() > Duration::from_secs(10);
        assert!(!is_late, "it took {:?}", began.elapsed());
        drop(world);
        std::process::exit(1);
    }
}

fn run(role: &str, world: &Arc<Mpi>) -> Result<String, Error> {
    if role == "bits" {
        return bits(world);
    }
    let ranks = world.ranks();
    let shape = if role == "meshes" && world.rank() == 3 { vec![4, 1] } else { vec![ranks] };
    let shape = if role == "meshes" && world.rank() != 3 { vec![2, 2] } else { shape };
    let mesh = Mesh::new(world.clone(), &shape)?;
    let field =
        |rows: usize| -> Result<Field, Error> { DistributedArray::from_fn(&mesh, (rows, 4), |(r, c)| (r * c) as f32) };
    match role {
        "shapes" => blur::run_on(&mesh, &Cpu, &field(if mesh.rank() == 2 { 8 } else { 9 })?).map(|_| ())?,
        "kernels" if mesh.rank() == 1 => other::run_on(&mesh, &Cpu, &field(9)?).map(|_| ())?,
        "kernels" => blur::run_on(&mesh, &Cpu, &field(9)?).map(|_| ())?,
        "turned" => turned::run_on(&mesh, &Cpu, &DistributedArray::from_fn(&mesh, 9, |n| n as f32)?).map(|_| ())?,
        "fails" => {
            let x = DistributedArray::from_fn(&mesh, (6, 4), |(r, c)| (r * c) as i32)?;
            let n = DistributedArray::from_fn(&mesh, 6, |k| if k == 3 { 0u32 } else { 2 })?;
            items::run_on(&mesh, &Cpu, &x, &n)?.gather(0).map(|_| ())?;
            // Rank 2 needs nothing more of rank 1, and hears of it in the next call.
            field(9)?.gather(0).map(|_| ())?;
        }
        "killed while writing" => {
            let path = std::env::temp_dir().join(format!("systolic-mesh-killed-{}.raw", parent()));
            let x = field(9)?;
            end_of(role, mesh.rank());
            let written = x.write(&path);
            assert!(!path.exists(), "a file that is not complete has its name");
            let _ = std::fs::remove_file(path.with_extension("raw.incomplete"));
            written?;
        }
        _ => {
            let mut x = field(12)?;
            for step in 0.. {
                if step == STEPS && (mesh.rank() == 1 || role == "first killed") {
                    if role == "leaves" {
                        return Ok("leaves".to_string());
                    }
                    end_of(role, mesh.rank());
                }
                x = blur::run_on(&mesh, &Cpu, &x)?;
            }
        }
    }
    Ok("nothing happened".to_string())
}

/// Ends this process as the role says, if it is its turn.
fn end_of(role: &str, rank: usize) {
    match (role, rank) {
        ("panics", 1) => panic!("on purpose"),
        ("hangs", 1) => signal("STOP"),
        ("killed" | "killed while writing", 1) | ("first killed", 0) => signal("KILL"),
        _ => {}
    }
}

/// Sends this process a signal. One that was stopped is killed after a while, so that nothing is left.
fn signal(name: &str) {
    let me = std::process::id().to_string();
    if name == "STOP" {
        let later = format!("sleep 12; kill -KILL {me}");
        let _ = Command::new("sh").args(["-c", &later]).stdout(std::process::Stdio::null()).spawn();
    }
    let _ = Command::new("kill").args([&format!("-{name}"), &me]).status();
    std::thread::sleep(Duration::from_secs(60));
}

/// A number that all ranks of one start have in common.
fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

/// The whole table on every mesh of this many ranks.
fn bits(world: &Arc<Mpi>) -> Result<String, Error> {
    let mut runs = 0;
    for shape in table::meshes(world.ranks()) {
        let mesh = Mesh::new(world.clone(), &shape)?;
        runs += table::run_all(&mesh).map_err(|why| Error::Array { why })?;
    }
    Ok(format!("{runs} runs have the bits of one device"))
}
