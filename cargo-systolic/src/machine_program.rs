//! Measures the first GPU: a copy of memory, and launches that do nothing. Prints one line of JSON.
use systolic::{Error, Gpu, systolic};

systolic! {
    kernel copied(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n];
        }
        map {
            tile n by 2048 as (nb, nw);
            tile nw by 512 as (w, ni);
            tile ni by 128 as (t, s);
            blocks (nb);
            warps (w);
            lanes s fold 4;
            unroll (t);
        }
    }
}

/// The seconds per launch if this number of launches follow each other: the least of several rounds.
fn seconds(gpu: &Gpu, elements: usize, count: usize) -> Result<f64, Error> {
    let x = gpu.zeros::<f32, _>(elements)?;
    let mut y = gpu.zeros::<f32, _>(elements)?;
    let stream = gpu.stream()?;
    let mut least = f64::INFINITY;
    for _ in 0..20 {
        let (_, time) = stream.time(|stream| (0..count).try_for_each(|_| copied::launch(stream, &x, &mut y).map(drop)))?;
        least = least.min(time.as_secs_f64() / count as f64);
    }
    Ok(least)
}

fn main() -> std::process::ExitCode {
    match measure() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<(), Error> {
    let gpu = Gpu::new(0)?;
    let properties = gpu.properties();
    // Arrays that no cache holds, but that every GPU has room for.
    let elements = (properties.memory / 16).clamp(1 << 20, 1 << 30) / 4;
    let bandwidth = 8.0 * elements as f64 / seconds(&gpu, elements, 4)?;
    let launch = seconds(&gpu, 32, 200)?;
    // As text of JSON.
    let name = properties.name.replace(['"', '\\'], " ");
    println!(
        "{{ \"name\": \"{name}\", \"architecture\": {}, \"multiprocessors\": {}, \"shared\": {}, \"bandwidth\": {bandwidth:e}, \
         \"launch\": {launch:e} }}",
        properties.arch(),
        properties.multiprocessors,
        properties.shared_memory
    );
    Ok(())
}
