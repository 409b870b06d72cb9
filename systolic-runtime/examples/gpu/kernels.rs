//! Small kernels in PTX, written by hand with the calling convention of emitted kernels.
use systolic_runtime::emitted::gpu::{Image, Plan, Wide};
use systolic_runtime::emitted::{Array, Form, Signature, Size, Source};

/// PTX for any device from sm_75 on.
macro_rules! text {
    ($($entry:expr),+) => {
        concat!(".version 6.4\n.target sm_75\n.address_size 64\n.extern .shared .align 16 .b8 room[];\n", $($entry),+)
            .as_bytes()
    };
}

/// Computes `y[n] = x[n] * a + b` after a number of microseconds. b is 0, 1000 or 2000, depending on the entry.
macro_rules! slow {
    ($name:literal, $b:literal) => {
        concat!(
            ".visible .entry ",
            $name,
            "(.param .align 8 .b8 p[128])\n{\n",
            ".reg .b64 %r<16>;\n.reg .b32 %i<8>;\n.reg .f32 %f<4>;\n.reg .pred %q<2>;\n",
            // Parameters: x, its length, a, the microseconds, y, its length, N, low, count, linear, scratch rows, their bytes.
            "ld.param.u64 %r0, [p+0];\nld.param.f32 %f0, [p+16];\nld.param.u32 %i0, [p+24];\n",
            "ld.param.u64 %r1, [p+32];\nld.param.u64 %r2, [p+48];\nld.param.u64 %r3, [p+72];\n",
            "mul.wide.u32 %r4, %i0, 1000;\nmov.u64 %r5, %globaltimer;\nadd.u64 %r5, %r5, %r4;\n",
            "again:\nmov.u64 %r6, %globaltimer;\nsetp.lt.u64 %q0, %r6, %r5;\n@%q0 bra again;\n",
            "mov.u32 %i1, %ctaid.x;\ncvt.u64.u32 %r7, %i1;\nadd.u64 %r7, %r7, %r3;\nshl.b64 %r7, %r7, 6;\n",
            "mov.u32 %i2, %tid.y;\nmov.u32 %i3, %tid.x;\nshl.b32 %i2, %i2, 5;\nadd.u32 %i2, %i2, %i3;\n",
            "cvt.u64.u32 %r8, %i2;\nadd.u64 %r7, %r7, %r8;\nsetp.ge.u64 %q1, %r7, %r2;\n@%q1 bra end;\n",
            "shl.b64 %r9, %r7, 2;\nadd.u64 %r10, %r0, %r9;\nadd.u64 %r11, %r1, %r9;\n",
            "ld.global.f32 %f1, [%r10];\nfma.rn.f32 %f1, %f1, %f0, 0f",
            $b,
            ";\nst.global.f32 [%r11], %f1;\n",
            "end:\nret;\n}\n",
        )
    };
}

/// Computes `y[n] = 8 * n + variant` in block n. Blocks are numbered from (-3, 2, 5), the last axis fastest. Before that, n is
/// written to the first and the last word of the block's scratch rows and read back.
#[rustfmt::skip]
macro_rules! blocks {
    ($name:literal, $variant:literal) => {
        concat!(
            ".visible .entry ", $name, "(.param .align 8 .b8 p[112])\n{\n",
            ".reg .b64 %r<24>;\n.reg .b32 %i<8>;\n.reg .pred %q<4>;\n",
            // Parameters: y, its length, the three sizes, low, count, linear, scratch rows, their bytes.
            "ld.param.u64 %r0, [p+0];\nld.param.u64 %r1, [p+72];\nld.param.u64 %r2, [p+80];\n",
            "ld.param.u64 %r3, [p+88];\nld.param.u64 %r4, [p+96];\nld.param.u64 %r5, [p+104];\n",
            "mov.u32 %i0, %ctaid.x;\nmov.u32 %i1, %ctaid.y;\nmov.u32 %i2, %ctaid.z;\n",
            "cvt.u64.u32 %r6, %i0;\ncvt.u64.u32 %r7, %i1;\ncvt.u64.u32 %r8, %i2;\n",
            // r12: the number of the block in this launch; r8, r7, r6: its offsets along the axes.
            "mad.lo.u64 %r12, %r8, %r1, %r7;\nmad.lo.u64 %r12, %r12, %r2, %r6;\n",
            "setp.eq.u64 %q0, %r3, 0;\n@%q0 bra known;\n",
            "mov.u64 %r12, %r6;\nrem.u64 %r6, %r12, %r2;\ndiv.u64 %r13, %r12, %r2;\n",
            "rem.u64 %r7, %r13, %r1;\ndiv.u64 %r8, %r13, %r1;\nknown:\n",
            // r14: the number of the block among all blocks.
            "ld.param.u64 %r15, [p+40];\nld.param.u64 %r16, [p+48];\nld.param.u64 %r17, [p+56];\n",
            "add.s64 %r15, %r15, %r8;\nadd.s64 %r15, %r15, 3;\nadd.s64 %r16, %r16, %r7;\nsub.s64 %r16, %r16, 2;\n",
            "add.s64 %r17, %r17, %r6;\nsub.s64 %r17, %r17, 5;\nld.param.u64 %r18, [p+24];\nld.param.u64 %r19, [p+32];\n",
            "mad.lo.u64 %r14, %r15, %r18, %r16;\nmad.lo.u64 %r14, %r14, %r19, %r17;\n",
            "mov.u32 %i3, %tid.x;\nmov.u32 %i4, %tid.y;\nor.b32 %i3, %i3, %i4;\nsetp.ne.u32 %q1, %i3, 0;\n@%q1 bra end;\n",
            // r9: the scratch rows, after 64 bytes of dynamic shared memory or at their address.
            "mov.u64 %r9, room;\ncvta.shared.u64 %r9, %r9;\nadd.u64 %r9, %r9, 64;\n",
            "setp.eq.u64 %q2, %r4, 0;\n@%q2 bra placed;\nmad.lo.u64 %r9, %r12, %r5, %r4;\nplaced:\n",
            "cvt.u32.u64 %i5, %r14;\nadd.u64 %r10, %r9, %r5;\nsetp.eq.u64 %q3, %r5, 0;\n@%q3 bra store;\n",
            "st.u32 [%r9], %i5;\nst.u32 [%r10+-4], %i5;\nmembar.gl;\nld.volatile.u32 %i6, [%r9];\n",
            "ld.volatile.u32 %i7, [%r10+-4];\nand.b32 %i5, %i6, %i7;\nstore:\n",
            "shl.b32 %i5, %i5, 3;\nadd.u32 %i5, %i5, ", $variant, ";\nshl.b64 %r11, %r14, 2;\n",
            "add.u64 %r11, %r0, %r11;\nst.global.u32 [%r11], %i5;\nend:\nret;\n}\n",
        )
    };
}

const SLOW: &[u8] = text!(slow!("slow_wide", "00000000"), slow!("slow_any", "447a0000"), slow!("slow_64", "44fa0000"));
const BLOCKS: &[u8] = text!(blocks!("blocks_wide", "1"), blocks!("blocks_any", "2"), blocks!("blocks_64", "3"));

pub const fn image(bytes: &'static [u8]) -> Image {
    Image { arch: 75, ptx: true, bytes }
}

/// The plan of `slow`: arrays of N elements, 64 per block.
pub const LINES: Plan = Plan {
    kernel: "slow",
    images: &[image(SLOW)],
    entry: "slow",
    wide: &[Wide { array: 0, bytes: 16, merged: 0 }, Wide { array: 1, bytes: 16, merged: 0 }],
    warps: 2,
    high: |sizes| [0, 0, (sizes[0] + 63).div_euclid(64) - 1],
    ..Plan::NOTHING
};

/// The plan of `blocks`: the sizes are the numbers of blocks; no scratch rows.
pub const GRID: Plan = Plan {
    kernel: "blocks",
    images: &[image(BLOCKS)],
    entry: "blocks",
    wide: &[],
    warps: 1,
    shared: 64,
    low: |_| [-3, 2, 5],
    high: |sizes| [sizes[0] - 4, sizes[1] + 1, sizes[2] + 4],
    ..LINES
};

/// One size, the length of x and y.
pub static LINE: Signature = Signature {
    sizes: &[Size { name: "N", source: Source::Shape { input: 0, axis: 0 } }],
    inputs: &[Array { name: "x", dims: &[Form::new(&[1], 0)] }],
    outputs: &[Array { name: "y", dims: &[Form::new(&[1], 0)] }],
    conditions: &[],
    loops: &[],
    wide: &[],
    near: 0,
};

/// Three sizes, all given as `size` parameters.
pub static BOX: Signature = Signature {
    sizes: &[
        Size { name: "A", source: Source::Given(0) },
        Size { name: "B", source: Source::Given(1) },
        Size { name: "C", source: Source::Given(2) },
    ],
    inputs: &[],
    outputs: &[],
    conditions: &[],
    loops: &[],
    wide: &[],
    near: 0,
};
