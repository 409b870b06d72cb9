//! Code that must be rejected, and a kernel that fails while it runs.
use crate::kernels::{LINE, LINES, image};
use crate::sequences::block_on;
use systolic_runtime::emitted::gpu::{Image, Launch, Plan};
use systolic_runtime::ndarray::Array1;
use systolic_runtime::{Auto, Device, Error, Gpu};

/// Returns the error of a launch of this code. `Auto` must then choose the CPU, for the same reason.
fn refusal(gpu: &Gpu, images: &'static [Image]) -> Result<Error, Error> {
    let plan: &'static Plan = Box::leak(Box::new(Plan { images, why: "a check has none", ..LINES }));
    let (x, mut y) = (gpu.upload(&[1.0f32; 10])?, gpu.zeros::<f32, _>(10)?);
    let call = LINE.call(&[x.shape()], &[])?;
    let mut launch = Launch::new(gpu.own_stream(), plan, &call)?;
    launch.input(&x)?;
    launch.output(&mut y)?;
    let error = launch.go().expect_err("code that must not run");
    let choice = Auto.site().choice(plan, None);
    assert_eq!((choice.gpu().is_none(), choice.why()), (true, Some(&error)));
    println!("    {error}");
    assert_eq!(y.download()?.to_vec(), [0.0; 10]);
    Ok(error)
}

fn leaked(images: Vec<Image>) -> &'static [Image] {
    images.leak()
}

pub fn foreign(gpu: &Gpu) -> Result<(), Error> {
    assert!(matches!(refusal(gpu, &[])?, Error::NoCode { .. }));
    assert!(matches!(refusal(gpu, &[Image { arch: 10, ptx: false, bytes: b"" }])?, Error::NoCode { .. }));
    assert!(matches!(refusal(gpu, &[Image { arch: 9999, ptx: true, bytes: b"" }])?, Error::NoCode { .. }));
    // The executable of this program: an ELF file without code for any GPU.
    let program = std::env::current_exe().and_then(std::fs::read).expect("this program's file");
    let arch = gpu.properties().arch();
    let foreign = refusal(gpu, leaked(vec![Image { arch, ptx: false, bytes: program.leak() }]))?;
    assert!(matches!(foreign, Error::NoCode { .. } | Error::Jit { .. }));
    Ok(())
}

pub fn broken(gpu: &Gpu) -> Result<(), Error> {
    let text = |bytes: &'static [u8]| refusal(gpu, leaked(vec![image(bytes)]));
    let head = ".version 6.4\n.target sm_75\n.address_size 64\n";
    let error = text(format!("{head}.visible .entry slow_any()\n{{\nnonsense;\n}}\n").into_bytes().leak())?;
    assert!(matches!(&error, Error::Jit { code: 218, log, .. } if log.contains("line")), "{error:?}");
    let error = text(format!("{head}.visible .entry other()\n{{\nret;\n}}\n").into_bytes().leak())?;
    assert!(matches!(&error, Error::Jit { code: 500, .. }), "{error:?}");
    let error = text(b".version 9.9\n.target sm_75\n.address_size 64\n")?;
    assert!(matches!(&error, Error::PtxTooNew { ptx, .. } if ptx == "9.9"), "{error:?}");
    assert!(matches!(text(b"")?, Error::Jit { .. }));
    assert!(matches!(text(b"\0\0\0")?, Error::Jit { code: 200, .. }));
    let arch = gpu.properties().arch();
    for bytes in [&b""[..], b"\x7fELF", &[0xff; 5000], b"\x7fELF\x02\x01\x01"] {
        assert!(matches!(refusal(gpu, leaked(vec![Image { arch, ptx: false, bytes }]))?, Error::Jit { code: 200, .. }));
    }
    Ok(())
}

/// Writes to an invalid address: the device's context and all its arrays are lost, but the program continues.
pub fn fails(gpu: &Gpu) -> Result<(), Error> {
    macro_rules! entry {
        ($name:literal) => {
            concat!(
                ".visible .entry ",
                $name,
                "(.param .align 8 .b8 p[128])\n{\n.reg .b64 %r<2>;\n",
                "mov.u64 %r0, 64;\nst.global.u64 [%r0], %r0;\nret;\n}\n"
            )
        };
    }
    const TEXT: &str = concat!(
        ".version 6.4\n.target sm_75\n.address_size 64\n",
        entry!("slow_wide"),
        entry!("slow_any"),
        entry!("slow_64")
    );
    static PLAN: Plan = Plan { images: &[image(TEXT.as_bytes())], ..LINES };
    let host = Array1::from_iter((0..1000).map(|n| n as f32));
    let kept = host.clone();
    let stream = gpu.stream()?;
    let (x, mut y) = (gpu.upload(&host)?, gpu.zeros::<f32, _>(1000)?);
    let call = LINE.call(&[x.shape()], &[])?;
    let mut launch = Launch::new(&stream, &PLAN, &call)?;
    launch.input(&x)?;
    launch.scalar(1.0f32)?;
    launch.scalar(0u32)?;
    launch.output(&mut y)?;
    launch.go()?;
    // A future ends too.
    assert!(matches!(block_on(stream.reached()), Err(Error::Launch { .. })));
    let failed = |result: Result<(), Error>| assert!(matches!(result, Err(Error::Launch { .. })), "{result:?}");
    failed(stream.synchronize());
    failed(y.download().map(drop));
    let mut into = kept.clone();
    failed(x.download_into(&mut into));
    failed(gpu.upload(&host).map(drop));
    failed(gpu.zeros::<f32, _>(10).map(drop));
    failed(gpu.stream().map(drop));
    drop((x, y, stream));
    assert_eq!((&host, &into), (&kept, &kept));
    println!("    afterwards: {:?}", Gpu::new(0).map(|gpu| gpu.properties().to_string()));
    Ok(())
}
