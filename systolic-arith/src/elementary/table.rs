//! The constants of the [elementary functions](super), as bits: every executor reads the same ones.
//! Written by `tools/coefficients.py`, which derives them.

/// A word of zeros, and the bits of 2/pi after the point.
pub const TWO_OVER_PI_BITS: [u64; 20] = [
    0x0000_0000_0000_0000,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

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
    /// 1 / ln 2 less `LOG2_E`, rounded.
    pub const LOG2_E_LOW: f32 = f32::from_bits(0x32a5_7060);
    /// 1/3 as a sum.
    pub const THIRD: [f32; 2] = [
        f32::from_bits(0x3eaa_aaab), // 0.333333343
        f32::from_bits(0xb22a_aaab), // -9.93410776e-09
    ];
    /// (atanh(s) / s - 1 - s^2/3) / s^4 as a polynomial in s^2, for |s| up to 3 - sqrt(8), constant term first.
    /// The relative error it leaves is 2^-38.4.
    pub const ATANH: [f32; 4] = [
        f32::from_bits(0x3e4c_cccd), // 0.200000003
        f32::from_bits(0x3e12_4947), // 0.142857656
        f32::from_bits(0x3de3_6076), // 0.111023828
        f32::from_bits(0x3dc3_cadf), // 0.0956017897
    ];
    /// 2 / pi.
    pub const TWO_OVER_PI: f32 = f32::from_bits(0x3f22_f983);
    /// pi / 2 as a sum.
    pub const HALF_PI: [f32; 3] = [
        f32::from_bits(0x3fc9_0fdb), // 1.57079637
        f32::from_bits(0xb33b_bd2e), // -4.37113883e-08
        f32::from_bits(0xa6f7_2ced), // -1.71512451e-15
    ];
    /// (sin(r) / r - 1) / r^2 as a polynomial in r^2, for |r| up to pi/4, constant term first.
    /// The relative error it leaves is 2^-28.1.
    pub const SIN: [f32; 4] = [
        f32::from_bits(0xbe2a_aaab), // -0.166666672
        f32::from_bits(0x3c08_8887), // 0.00833333191
        f32::from_bits(0xb950_09cc), // -0.000198400754
        f32::from_bits(0x3636_dc56), // 2.72483658e-06
    ];
    /// (cos(r) - 1 + r^2/2) / r^4 as a polynomial in r^2, for |r| up to pi/4, constant term first.
    /// The relative error it leaves is 2^-30.5.
    pub const COS: [f32; 4] = [
        f32::from_bits(0x3d2a_aaab), // 0.0416666679
        f32::from_bits(0xbab6_0b60), // -0.00138888881
        f32::from_bits(0x37d0_0add), // 2.48005908e-05
        f32::from_bits(0xb492_905d), // -2.72996573e-07
    ];
    /// (sinh(r) / r - 1) / r^2 as a polynomial in r^2, for |r| up to 1, constant term first.
    /// The relative error it leaves is 2^-27.9.
    pub const SINH: [f32; 4] = [
        f32::from_bits(0x3e2a_aaab), // 0.166666672
        f32::from_bits(0x3c08_888f), // 0.00833333936
        f32::from_bits(0x3950_0480), // 0.000198381022
        f32::from_bits(0x363c_5387), // 2.80628024e-06
    ];
    /// (atan(s) / s - 1) / s^2 as a polynomial in s^2, for |s| up to 7/16, constant term first.
    /// The relative error it leaves is 2^-27.3.
    pub const ATAN: [f32; 5] = [
        f32::from_bits(0xbeaa_aaaa), // -0.333333313
        f32::from_bits(0x3e4c_cb00), // 0.199993134
        f32::from_bits(0xbe11_fca8), // -0.14256537
        f32::from_bits(0x3dda_7b24), // 0.106680185
        f32::from_bits(0xbd7e_8e17), // -0.0621472262
    ];
    /// atan of 0, 1/2, 1, 3/2 and infinity, rounded.
    pub const ATAN_HIGH: [f32; 5] = [
        f32::from_bits(0x0000_0000), // 0
        f32::from_bits(0x3eed_6338), // 0.463647604
        f32::from_bits(0x3f49_0fdb), // 0.785398185
        f32::from_bits(0x3f7b_985f), // 0.982793748
        f32::from_bits(0x3fc9_0fdb), // 1.57079637
    ];
    /// What `ATAN_HIGH` lacks, rounded.
    pub const ATAN_LOW: [f32; 5] = [
        f32::from_bits(0x0000_0000), // 0
        f32::from_bits(0x31ac_376a), // 5.01215869e-09
        f32::from_bits(0xb2bb_bd2e), // -2.18556941e-08
        f32::from_bits(0xb2d7_e096), // -2.51314241e-08
        f32::from_bits(0xb33b_bd2e), // -4.37113883e-08
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
    /// 1 / ln 2 less `LOG2_E`, rounded.
    pub const LOG2_E_LOW: f64 = f64::from_bits(0x3c77_77d0_ffda_0d24);
    /// 1/3 as a sum.
    pub const THIRD: [f64; 2] = [
        f64::from_bits(0x3fd5_5555_5555_5555), // 0.333333333
        f64::from_bits(0x3c75_5555_5555_5555), // 1.85037171e-17
    ];
    /// (atanh(s) / s - 1 - s^2/3) / s^4 as a polynomial in s^2, for |s| up to 3 - sqrt(8), constant term first.
    /// The relative error it leaves is 2^-66.4.
    pub const ATANH: [f64; 8] = [
        f64::from_bits(0x3fc9_9999_9999_999a), // 0.2
        f64::from_bits(0x3fc2_4924_9249_2521), // 0.142857143
        f64::from_bits(0x3fbc_71c7_1c6e_aa8d), // 0.111111111
        f64::from_bits(0x3fb7_45d1_77a8_f200), // 0.0909090917
        f64::from_bits(0x3fb3_b139_5d4f_9e5f), // 0.0769229749
        f64::from_bits(0x3fb1_118c_7482_3a2e), // 0.0666740212
        f64::from_bits(0x3fad_f7ce_9a6b_cccb), // 0.0585312427
        f64::from_bits(0x3fae_02d1_97c0_0c78), // 0.0586152551
    ];
    /// 2 / pi.
    pub const TWO_OVER_PI: f64 = f64::from_bits(0x3fe4_5f30_6dc9_c883);
    /// pi / 2 as a sum.
    pub const HALF_PI: [f64; 3] = [
        f64::from_bits(0x3ff9_21fb_5444_2d18), // 1.57079633
        f64::from_bits(0x3c91_a626_3314_5c07), // 6.123234e-17
        f64::from_bits(0xb91f_1976_b7ed_8fbc), // -1.4973849e-33
    ];
    /// (sin(r) / r - 1) / r^2 as a polynomial in r^2, for |r| up to pi/4, constant term first.
    /// The relative error it leaves is 2^-57.1.
    pub const SIN: [f64; 7] = [
        f64::from_bits(0xbfc5_5555_5555_5555), // -0.166666667
        f64::from_bits(0x3f81_1111_1111_1110), // 0.00833333333
        f64::from_bits(0xbf2a_01a0_1a01_990b), // -0.000198412698
        f64::from_bits(0x3ec7_1de3_a545_b165), // 2.75573192e-06
        f64::from_bits(0xbe5a_e645_4093_f4c8), // -2.50521062e-08
        f64::from_bits(0x3de6_1217_7843_2972), // 1.60585264e-10
        f64::from_bits(0xbd6a_b136_6cce_ba95), // -7.58638996e-13
    ];
    /// (cos(r) - 1 + r^2/2) / r^4 as a polynomial in r^2, for |r| up to pi/4, constant term first.
    /// The relative error it leaves is 2^-59.5.
    pub const COS: [f64; 7] = [
        f64::from_bits(0x3fa5_5555_5555_5555), // 0.0416666667
        f64::from_bits(0xbf56_c16c_16c1_6c16), // -0.00138888889
        f64::from_bits(0x3efa_01a0_1a01_9cf6), // 2.48015873e-05
        f64::from_bits(0xbe92_7e4f_b771_0646), // -2.75573192e-07
        f64::from_bits(0x3e21_eed8_de75_b3f6), // 2.08767558e-09
        f64::from_bits(0xbda9_394b_35a5_ef55), // -1.1470458e-11
        f64::from_bits(0x3d2a_b746_aec2_a0f2), // 4.74570113e-14
    ];
    /// (sinh(r) / r - 1) / r^2 as a polynomial in r^2, for |r| up to 1, constant term first.
    /// The relative error it leaves is 2^-56.8.
    pub const SINH: [f64; 8] = [
        f64::from_bits(0x3fc5_5555_5555_5555), // 0.166666667
        f64::from_bits(0x3f81_1111_1111_1111), // 0.00833333333
        f64::from_bits(0x3f2a_01a0_1a01_a001), // 0.000198412698
        f64::from_bits(0x3ec7_1de3_a556_f96c), // 2.75573192e-06
        f64::from_bits(0x3e5a_e645_6792_a77f), // 2.50521084e-08
        f64::from_bits(0x3de6_1246_7ccb_2260), // 1.60590484e-10
        f64::from_bits(0x3d6a_e777_c36f_d5b6), // 7.64662536e-13
        f64::from_bits(0x3ce9_9f08_06c2_628d), // 2.84452642e-15
    ];
    /// (atan(s) / s - 1) / s^2 as a polynomial in s^2, for |s| up to 7/16, constant term first.
    /// The relative error it leaves is 2^-57.9.
    pub const ATAN: [f64; 12] = [
        f64::from_bits(0xbfd5_5555_5555_5555), // -0.333333333
        f64::from_bits(0x3fc9_9999_9999_98c4), // 0.2
        f64::from_bits(0xbfc2_4924_9248_5417), // -0.142857143
        f64::from_bits(0x3fbc_71c7_1bd2_1787), // 0.111111111
        f64::from_bits(0xbfb7_45d1_54ac_3da3), // -0.0909090835
        f64::from_bits(0x3fb3_b137_5a0e_b258), // 0.0769228549
        f64::from_bits(0xbfb1_10c9_a0c8_644a), // -0.0666624086
        f64::from_bits(0x3fae_1704_532a_7e28), // 0.058769355
        f64::from_bits(0xbfaa_b582_fd05_ec97), // -0.0521660742
        f64::from_bits(0x3fa6_ffb4_e901_f5db), // 0.0449196371
        f64::from_bits(0xbfa0_f547_30d6_c30e), // -0.0331213233
        f64::from_bits(0x3f8e_3ddb_8d38_50ab), // 0.0147664216
    ];
    /// atan of 0, 1/2, 1, 3/2 and infinity, rounded.
    pub const ATAN_HIGH: [f64; 5] = [
        f64::from_bits(0x0000_0000_0000_0000), // 0
        f64::from_bits(0x3fdd_ac67_0561_bb4f), // 0.463647609
        f64::from_bits(0x3fe9_21fb_5444_2d18), // 0.785398163
        f64::from_bits(0x3fef_730b_d281_f69b), // 0.982793723
        f64::from_bits(0x3ff9_21fb_5444_2d18), // 1.57079633
    ];
    /// What `ATAN_HIGH` lacks, rounded.
    pub const ATAN_LOW: [f64; 5] = [
        f64::from_bits(0x0000_0000_0000_0000), // 0
        f64::from_bits(0x3c7a_2b7f_222f_65e2), // 2.26987775e-17
        f64::from_bits(0x3c81_a626_3314_5c07), // 3.061617e-17
        f64::from_bits(0x3c70_0788_7af0_cbbd), // 1.3903311e-17
        f64::from_bits(0x3c91_a626_3314_5c07), // 6.123234e-17
    ];
}
