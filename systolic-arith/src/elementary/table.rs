//! The constants of [`exp`](super) and [`ln`](super), as bits: every executor reads the same ones.
//! Written by `tools/coefficients.py`, which derives them.

/// For `f32`.
pub mod single {
    /// 1 / ln 2.
    pub const LOG2_E: f32 = f32::from_bits(0x3fb8_aa3b);
    /// ln 2, rounded.
    pub const LN_2_HIGH: f32 = f32::from_bits(0x3f31_7218);
    /// ln 2 less `LN_2_HIGH`, rounded.
    pub const LN_2_LOW: f32 = f32::from_bits(0xb102_e308);
    /// The square root of 1/2: where `ln` splits the binades.
    pub const ROOT_HALF: f32 = f32::from_bits(0x3f35_04f3);
    /// (e^r - 1 - r) / r^2 for |r| up to ln(2) / 2, constant term first.
    /// The relative error it leaves is 2^-30.3.
    pub const EXP: [f32; 6] = [
        f32::from_bits(0x3f00_0000), // 0.5
        f32::from_bits(0x3e2a_aaab), // 0.166666672
        f32::from_bits(0x3d2a_aa74), // 0.041666463
        f32::from_bits(0x3c08_8870), // 0.00833331048
        f32::from_bits(0x3ab6_a1a1), // 0.00139336672
        f32::from_bits(0x3950_9286), // 0.0001989101
    ];
    /// (ln(1 + f) - f + f^2/2) / f^3 for 1 + f between the roots of 1/2 and 2, constant term first.
    /// The relative error it leaves is 2^-28.1.
    pub const LN: [f32; 9] = [
        f32::from_bits(0x3eaa_aaaa), // 0.333333313
        f32::from_bits(0xbe7f_fffe), // -0.24999997
        f32::from_bits(0x3e4c_cead), // 0.200007156
        f32::from_bits(0xbe2a_ada5), // -0.166678026
        f32::from_bits(0x3e11_e90d), // 0.142490581
        f32::from_bits(0xbdfe_7a63), // -0.124256872
        f32::from_bits(0x3def_5141), // 0.116854198
        f32::from_bits(0xbdeb_1ade), // -0.114797339
        f32::from_bits(0x3d8e_c753), // 0.0697161183
    ];
}

/// For `f64`.
pub mod double {
    /// 1 / ln 2.
    pub const LOG2_E: f64 = f64::from_bits(0x3ff7_1547_652b_82fe);
    /// ln 2, rounded.
    pub const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fefa_39ef);
    /// ln 2 less `LN_2_HIGH`, rounded.
    pub const LN_2_LOW: f64 = f64::from_bits(0x3c7a_bc9e_3b39_803f);
    /// The square root of 1/2: where `ln` splits the binades.
    pub const ROOT_HALF: f64 = f64::from_bits(0x3fe6_a09e_667f_3bcd);
    /// (e^r - 1 - r) / r^2 for |r| up to ln(2) / 2, constant term first.
    /// The relative error it leaves is 2^-61.4.
    pub const EXP: [f64; 11] = [
        f64::from_bits(0x3fe0_0000_0000_0000), // 0.5
        f64::from_bits(0x3fc5_5555_5555_5557), // 0.166666667
        f64::from_bits(0x3fa5_5555_5555_5556), // 0.0416666667
        f64::from_bits(0x3f81_1111_1111_00d5), // 0.00833333333
        f64::from_bits(0x3f56_c16c_16c1_62d1), // 0.00138888889
        f64::from_bits(0x3f2a_01a0_1abe_b69f), // 0.000198412699
        f64::from_bits(0x3efa_01a0_1a6d_a7e2), // 2.48015873e-05
        f64::from_bits(0x3ec7_1de0_226b_d07a), // 2.75572554e-06
        f64::from_bits(0x3e92_7e4d_b5e3_89d2), // 2.75572736e-07
        f64::from_bits(0x3e5a_f4e0_00e8_4be8), // 2.51052371e-08
        f64::from_bits(0x3e21_f731_02e5_7f8b), // 2.09147013e-09
    ];
    /// (2 atanh(s) / s - 2) / s^2 as a polynomial in s^2, for |s| up to 3 - sqrt(8), constant term first.
    /// The relative error it leaves is 2^-57.6.
    pub const LN: [f64; 7] = [
        f64::from_bits(0x3fe5_5555_5555_5558), // 0.666666667
        f64::from_bits(0x3fd9_9999_9999_52e2), // 0.4
        f64::from_bits(0x3fd2_4924_92df_148d), // 0.285714286
        f64::from_bits(0x3fcc_71c6_2e58_00a1), // 0.222222111
        f64::from_bits(0x3fc7_462b_4ab2_ef6b), // 0.181828891
        f64::from_bits(0x3fc3_9fe6_0654_2dde), // 0.153317216
        f64::from_bits(0x3fc2_b584_aae7_8a57), // 0.146164497
    ];
}
