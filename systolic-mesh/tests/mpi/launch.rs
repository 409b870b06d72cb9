//! Starts this program under `mpirun`.
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a start under `mpirun` gave.
pub struct Launched {
    pub output: String,
    pub is_fine: bool,
    pub took: Duration,
}

/// The longest that anything may take: the bits on six ranks take longest.
const LIMIT: Duration = Duration::from_secs(300);

/// Starts `ranks` processes in a role. With `survive`, `mpirun` lets ranks live when another has died.
pub fn launch(ranks: usize, role: &str, survive: bool) -> Launched {
    let mut command = Command::new("mpirun");
    command.arg("-n").arg(ranks.to_string());
    if is_open_mpi() {
        command.args(["--oversubscribe", "--allow-run-as-root"]);
        if survive {
            command.args(["--enable-recovery", "--mca", "orte_abort_on_non_zero_status", "0"]);
        }
    }
    let program = std::env::current_exe().expect("this program has a path");
    command.arg(program).arg(format!("role={role}"));
    // Ranks share the cores of one machine.
    command.env("RAYON_NUM_THREADS", "1").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let began = Instant::now();
    let mut child = command.spawn().expect("mpirun starts");
    let readers = [
        child.stdout.take().map(|mut pipe| std::thread::spawn(move || all_of(&mut pipe))),
        child.stderr.take().map(|mut pipe| std::thread::spawn(move || all_of(&mut pipe))),
    ];
    let status = loop {
        if let Some(status) = child.try_wait().expect("mpirun can be waited for") {
            break Some(status);
        }
        if began.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let took = began.elapsed();
    let status = status.unwrap_or_else(|| panic!("{role} with {ranks} ranks hangs"));
    let output = readers.into_iter().flatten().map(|reader| reader.join().unwrap_or_default()).collect();
    Launched { output, is_fine: status.success(), took }
}

fn is_open_mpi() -> bool {
    let version = Command::new("mpirun").arg("--version").output();
    version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("Open MPI"))
}

fn all_of(pipe: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = pipe.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}
