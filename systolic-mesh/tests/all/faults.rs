//! What happens when ranks disagree, fail or vanish: an error on all ranks that names the one concerned, and no hang.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use systolic::{Cpu, systolic};
use systolic_mesh::{DistributedArray, Error, Lost, Mesh, Threads, Transport, threads};

systolic! {
    kernel blur(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 1, c] + x[r, c] + x[r + 1, c]; }
    }
    kernel other(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 1, c] + x[r, c]; }
    }
    kernel scaled(x: [f32; R, C] border clamp, w: const [f32; 3], by: f32) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = by * (w[0] * x[r - 1, c] + w[1] * x[r, c] + w[2] * x[r + 1, c]); }
    }
    kernel columns(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { S[r, c] = x[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] }; y[r, c] = S[r, c]; }
    }
    kernel items(x: [i32; B, N], n: [u32; B] in 1..=N) -> (y: [i32; B]) {
        for k in 0..B, i in 0..n[k] {
            S[k, i] = x[k, i] + if i == 0 { 0 } else { S[k, i - 1] };
            if i == n[k] - 1 { y[k] = S[k, i]; }
        }
    }
}

type Field = DistributedArray<f32, systolic::ndarray::Ix2>;

fn field(mesh: &Mesh, rows: usize) -> Result<Field, Error> {
    DistributedArray::from_fn(mesh, (rows, 4), |(r, c)| (r * c) as f32)
}

/// What every rank gives, or "panicked"; fails if that takes as long as a hang.
fn ended<R: Send>(ranks: usize, work: impl Fn(Threads) -> Result<R, Error> + Sync) -> Vec<String> {
    let began = Instant::now();
    let results = threads(ranks, work).into_iter().map(|result| match result {
        Ok(Ok(_)) => "fine".to_string(),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "panicked".to_string(),
    });
    let results = results.collect();
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    results
}

#[test]
fn ranks_with_different_shapes() {
    let results = ended(3, |rank| {
        let mesh = Mesh::new(rank, &[3])?;
        blur::run_on(&mesh, &Cpu, &field(&mesh, if mesh.rank() == 2 { 8 } else { 9 })?)
    });
    let start =
        "the ranks make different calls: rank 0 calls `blur` with (distributed [9, 4]) -> [[9, 4]] on a mesh of [3]";
    for result in results {
        assert!(result.starts_with(start), "{result}");
        assert!(result.contains("; rank 2 calls `blur` with (distributed [8, 4]) -> [[8, 4]]"), "{result}");
    }
}

#[test]
fn ranks_with_different_scalars_or_constants() {
    for (of, by) in [(1, 0), (0, 1)] {
        let results = ended(3, |rank| {
            let mesh = Mesh::new(rank, &[3])?;
            let (more, x) = (if mesh.rank() == 1 { 1.0 } else { 0.0 }, field(&mesh, 9)?);
            let (w, by) = ([0.5, 0.25 + of as f32 * more, 0.5], 2.0 + by as f32 * more);
            let scaled = scaled::run_on(&mesh, &Cpu, &x, &w, by);
            // The mesh stays usable.
            x.gather(0)?;
            scaled
        });
        let calls = |w: &str, by: &str| format!("calls `scaled` with (distributed [9, 4], [0.5, {w}, 0.5], {by})");
        let other = calls(if of == 1 { "1.25" } else { "0.25" }, if by == 1 { "3.0" } else { "2.0" });
        for result in results {
            let start = "the ranks make different calls: rank 0 ";
            assert!(result.starts_with(&format!("{start}{}", calls("0.25", "2.0"))), "{result}");
            assert!(result.contains(&format!("; rank 1 {other}")), "{result}");
        }
    }
}

#[test]
fn ranks_with_different_kernels_or_calls() {
    let results = ended(2, |rank| {
        let mesh = Mesh::new(rank, &[2])?;
        let x = field(&mesh, 9)?;
        if mesh.rank() == 0 { blur::run_on(&mesh, &Cpu, &x) } else { other::run_on(&mesh, &Cpu, &x) }
    });
    for result in results {
        assert!(
            result.contains("rank 0 calls `blur` with") && result.contains("rank 1 calls `other` with"),
            "{result}"
        );
    }
    let results = ended(2, |rank| {
        let mesh = Mesh::new(rank, &[2])?;
        let x = field(&mesh, 9)?;
        if mesh.rank() == 0 { blur::run_on(&mesh, &Cpu, &x).map(|_| ()) } else { x.gather(0).map(|_| ()) }
    });
    for result in results {
        assert!(result.contains("rank 1 calls gather of f32 [9, 4] on rank 0"), "{result}");
    }
}

#[test]
fn ranks_with_different_meshes() {
    let results = ended(4, |rank| {
        let shape = if rank.rank() == 3 { [4, 1] } else { [2, 2] };
        Mesh::new(rank, &shape)
    });
    for result in results {
        let expected = "the ranks make different calls: rank 0 calls Mesh::new with the shape [2, 2]; rank 3 calls Mesh::new with \
                        the shape [4, 1]";
        assert_eq!(result, expected);
    }
}

#[test]
fn a_rank_that_cannot_take_part_is_named_and_the_mesh_goes_on() {
    let results = ended(3, |rank| {
        let mesh = Mesh::new(rank, &[3])?;
        let x = field(&mesh, 9)?;
        // There is no such file.
        let path = std::env::temp_dir().join("systolic-mesh-nothing.raw");
        let _ = std::fs::remove_file(&path);
        let error = DistributedArray::<f32, _>::read(&mesh, &path, (9, 4)).map(|x: Field| x.shape().len()).unwrap_err();
        assert!(error.to_string().contains("No such file"), "{error}");
        blur::run_on(&mesh, &Cpu, &x)
    });
    assert_eq!(results, ["fine"; 3]);
}

#[test]
fn a_rank_that_panics() {
    let results = ended(4, |rank| {
        let mesh = Mesh::new(rank, &[4])?;
        let mut x = field(&mesh, 12)?;
        for step in 0..100 {
            assert!(mesh.rank() != 2 || step < 7, "on purpose");
            x = blur::run_on(&mesh, &Cpu, &x)?;
        }
        Ok(())
    });
    assert_eq!(results, ["rank 2 panicked", "rank 2 panicked", "panicked", "rank 2 panicked"]);
}

#[test]
fn a_rank_that_leaves() {
    let results = ended(4, |rank| {
        let mesh = Mesh::new(rank, &[2, 2])?;
        let mut x = field(&mesh, 12)?;
        for step in 0..100 {
            if mesh.rank() == 1 && step == 7 {
                return Ok(());
            }
            x = blur::run_on(&mesh, &Cpu, &x)?;
        }
        Ok(())
    });
    let left = "rank 1 has left the mesh";
    assert_eq!(results, [left, "fine", left, left]);
}

#[test]
fn a_kernel_that_fails_on_one_rank() {
    let results = ended(3, |rank| {
        let mesh = Mesh::new(rank, &[3])?;
        let x = DistributedArray::from_fn(&mesh, (6, 4), |(r, c)| (r * c) as i32)?;
        // A length of 0 on rank 1, where lengths begin at 1.
        let n = DistributedArray::from_fn(&mesh, 6, |k| if k == 3 { 0u32 } else { 2 })?;
        let y = items::run_on(&mesh, &Cpu, &x, &n)?;
        y.gather(0)
    });
    assert!(results[1].starts_with("`n`: expected a length from 1 to 4"), "{results:?}");
    for rank in [0, 2] {
        assert_eq!(results[rank], "rank 1 failed in `items`");
    }
}

#[test]
fn a_rank_that_is_lost_in_the_middle_of_a_pipeline() {
    let run = |rank: Threads, fault: fn()| {
        let mesh = Mesh::new(rank, &[4])?;
        mesh.set_grain(1);
        let x = DistributedArray::from_fn(&mesh, (12, 9), |(r, c)| (r * c) as f32)?;
        let y = columns::run_on(&mesh, &Cpu, &x)?;
        if mesh.rank() == 1 {
            fault();
            return Ok(());
        }
        columns::run_on(&mesh, &Cpu, &y)?.gather(0).map(|_| ())
    };
    let results = ended(4, |rank| run(rank, || ()));
    let left = "rank 1 has left the mesh";
    assert_eq!(results, [left, "fine", left, left]);
    let results = ended(4, |rank| run(rank, || panic!("on purpose")));
    assert_eq!(results, ["rank 1 panicked", "panicked", "rank 1 panicked", "rank 1 panicked"]);
}

#[test]
fn a_message_of_a_pipeline_that_is_cut_short() {
    // The third message of rank 1 is its first chunk: before it are the calls of `Mesh::new` and of the kernel.
    for at in 3..8 {
        let results = ended(3, |inner| {
            let left = AtomicUsize::new(if inner.rank() == 1 { at } else { 0 });
            let fault = |message: &mut Vec<u8>| message.truncate(message.len() / 2);
            let mesh = Mesh::new(Faulty { inner, left, fault }, &[3])?;
            mesh.set_grain(1);
            let x = DistributedArray::from_fn(&mesh, (9, 12), |(r, c)| (r + c) as f32)?;
            columns::run_on(&mesh, &Cpu, &x)?.gather(0)
        });
        assert!(results[2].contains("a message from rank 1 was cut short"), "{at}: {results:?}");
        assert!(results[0].contains("rank 2 failed"), "{at}: {results:?}");
        assert!(results[1].contains("rank 2 failed"), "{at}: {results:?}");
    }
}

/// A transport that cuts one message short, or sends it a second time.
struct Faulty {
    inner: Threads,
    /// Messages to go until the fault.
    left: AtomicUsize,
    fault: fn(&mut Vec<u8>),
}

impl Transport for Faulty {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn ranks(&self) -> usize {
        self.inner.ranks()
    }

    fn send(&self, to: usize, mut message: Vec<u8>) -> Result<(), Lost> {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            (self.fault)(&mut message);
        }
        self.inner.send(to, message)
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, Lost> {
        self.inner.receive(from)
    }

    fn give_up(&self, lost: &Lost) {
        self.inner.give_up(lost);
    }
}

/// What all ranks give if message number `at` of rank 1 has a fault.
fn with_fault(at: usize, fault: fn(&mut Vec<u8>)) -> Vec<String> {
    ended(3, |inner| {
        let left = AtomicUsize::new(if inner.rank() == 1 { at } else { 0 });
        let mesh = Mesh::new(Faulty { inner, left, fault }, &[3])?;
        let mut x = field(&mesh, 9)?;
        for _ in 0..3 {
            x = blur::run_on(&mesh, &Cpu, &x)?;
        }
        x.gather(0)
    })
}

#[test]
fn a_message_that_is_cut_short_is_an_error_on_all_ranks() {
    for at in 1..=10 {
        let results = with_fault(at, |message| message.truncate(message.len() / 2));
        for result in &results {
            assert!(
                result.contains("a message from rank 1 was cut short") || result.contains("failed in"),
                "{at}: {results:?}"
            );
        }
        assert!(results.iter().any(|result| result.contains("was cut short: expected")), "{at}: {results:?}");
    }
}

#[test]
fn a_message_of_another_length_than_its_content_is_an_error_on_all_ranks() {
    // The third message of rank 1 is a halo: one row more, with a header that says so.
    let results = with_fault(3, |message| {
        message.extend([0; 16]);
        let length = (message.len() - 20) as u64;
        message[12..20].copy_from_slice(&length.to_le_bytes());
    });
    for result in &results {
        assert!(
            result.contains("a message from rank 1 is 16 bytes too long") || result.contains("failed in"),
            "{results:?}"
        );
    }
    assert!(results.iter().any(|result| result.contains("16 bytes too long")), "{results:?}");
}

#[test]
fn after_a_loss_every_call_fails_with_the_same_error() {
    let results = ended(2, |rank| {
        let mesh = Mesh::new(rank, &[2])?;
        let x = field(&mesh, 8)?;
        if mesh.rank() == 1 {
            return Ok(());
        }
        let first = x.gather(0).map(|_| ()).unwrap_err();
        assert_eq!(x.reduce(|a, b| a + b).unwrap_err(), first);
        assert_eq!(blur::run_on(&mesh, &Cpu, &x).map(|_| ()).unwrap_err(), first);
        Err(first)
    });
    assert_eq!(results, ["rank 1 has left the mesh", "fine"]);
}
