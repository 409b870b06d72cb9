//! Tests of choosing and checking code, without a device.
use super::*;

const fn image(arch: u32, ptx: bool) -> Image {
    Image { arch, ptx, bytes: b".version 9.9\n.target sm_75\n" }
}

fn plan(images: &'static [Image]) -> Plan {
    Plan { kernel: "a test", images, why: "nothing was compiled", entry: "k", high: |_| [0; 3], ..Plan::NOTHING }
}

fn device() -> Properties {
    Properties {
        ordinal: 0,
        name: "a device".to_string(),
        capability: (9, 0),
        memory: 1,
        multiprocessors: 1,
        shared_memory: 1,
        driver: (12, 4),
    }
}

const ALL: &[Image] = &[image(75, true), image(80, true), image(80, false), image(90, false), image(100, true)];

#[test]
fn a_cubin_of_the_device_else_the_latest_text_below() {
    let check = |arch, expected: (u32, bool)| {
        let found = choose(&plan(ALL), arch, None).unwrap();
        assert_eq!((found.arch, found.ptx), expected, "{arch}");
    };
    check(75, (75, true));
    check(80, (80, false));
    check(86, (80, true));
    check(90, (90, false));
    check(100, (100, true));
    check(120, (100, true));
}

#[test]
fn without_code_both_sides_are_named() {
    let check = |images, arch, there: &str| {
        let error = choose(&plan(images), arch, None).unwrap_err();
        assert_eq!(error, Error::NoCode { kernel: "a test", device: arch, there: there.to_string() });
    };
    check(&[], 90, "nothing was compiled");
    check(&ALL[2..], 75, "there is a cubin for sm_80, a cubin for sm_90 and PTX for sm_100 and later");
    check(&ALL[2..3], 90, "there is a cubin for sm_80");
}

#[test]
fn a_kind_that_is_asked_for_is_taken_alone() {
    let found = |arch, kind| choose(&plan(ALL), arch, Some(kind)).map(|image| (image.arch, image.ptx));
    assert_eq!(found(90, "ptx"), Ok((80, true)));
    assert_eq!(found(90, "cubin"), Ok((90, false)));
    assert_eq!(found(120, "ptx"), Ok((100, true)));
    let check = |images, kind, there: &str| {
        let error = choose(&plan(images), 90, Some(kind)).unwrap_err();
        assert_eq!(error, Error::NoCode { kernel: "a test", device: 90, there: there.to_string() });
    };
    check(&ALL[3..4], "ptx", "SYSTOLIC_GPU_CODE allows only ptx; there is a cubin for sm_90");
    check(&ALL[2..3], "cubin", "SYSTOLIC_GPU_CODE allows only cubin; there is a cubin for sm_80");
    check(&[], "ptx", "SYSTOLIC_GPU_CODE allows only ptx; nothing was compiled");
    check(ALL, "sass", "SYSTOLIC_GPU_CODE is `sass`, neither `ptx` nor `cubin`");
    check(ALL, "", "SYSTOLIC_GPU_CODE is ``, neither `ptx` nor `cubin`");
}

#[test]
fn text_ends_in_one_zero() {
    let check = |bytes: &'static [u8]| checked(&plan(ALL), &Image { arch: 75, ptx: true, bytes });
    assert_eq!(check(b".version"), Ok(b".version\0".to_vec()));
    assert_eq!(check(b".version\0"), Ok(b".version\0".to_vec()));
    let refused = Error::Jit { kernel: "a test", code: 200, log: "the PTX is not plain text".to_string() };
    assert_eq!(check(b".ver\0sion"), Err(refused.clone()));
    assert_eq!(check(b"\x7fELF\xff"), Err(refused));
}

/// An ELF file: a header, one section of 8 bytes and the section table.
fn elf() -> Vec<u8> {
    let mut file = vec![0; 64 + 8 + 64];
    file[..6].copy_from_slice(b"\x7fELF\x02\x01");
    file[0x28] = 72; // The table of sections,
    file[0x3a] = 64; // with entries of 64 bytes,
    file[0x3c] = 1; // one of them:
    file[72 + 0x18] = 64; // from byte 64 on,
    file[72 + 0x20] = 8; // 8 bytes.
    file
}

#[test]
fn files_that_are_not_whole_never_reach_the_driver() {
    let good = elf();
    assert!(whole(&good));
    for end in 0..good.len() {
        assert!(!whole(&good[..end]), "cut at {end}");
    }
    let changed = |at: usize, to: u8| {
        let mut file = good.clone();
        file[at] = to;
        whole(&file)
    };
    assert!(!changed(0, b'E') && !changed(4, 1) && !changed(5, 2));
    assert!(!changed(0x28, 73) && !changed(0x2f, 0xff) && !changed(0x3c, 2) && !changed(0x3a, 39));
    assert!(!changed(72 + 0x18, 129) && !changed(72 + 0x20, 73) && !changed(72 + 0x27, 0xff));
    // A section without bytes in the file may have any size.
    let mut file = good.clone();
    (file[72 + 4], file[72 + 0x27]) = (8, 0xff);
    assert!(whole(&file));
    assert!(!whole(b""));
}

#[test]
fn refusals_become_what_they_mean() {
    let check = |code| {
        let refusal = Refusal { code, log: "line 3: unknown".to_string() };
        refused(&plan(&ALL[..1]), &ALL[0], &device(), refusal)
    };
    assert_eq!(check(222), Error::PtxTooNew { kernel: "a test", ptx: "9.9".to_string(), driver: "12.4".to_string() });
    assert_eq!(check(218), Error::Jit { kernel: "a test", code: 218, log: "line 3: unknown".to_string() });
    let there = "there is PTX for sm_75 and later, but the driver found no code for the device in it".to_string();
    assert_eq!(check(209), Error::NoCode { kernel: "a test", device: 90, there });
    assert_eq!(version(b"nothing"), "unknown");
}
