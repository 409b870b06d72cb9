#![forbid(unsafe_code)]
#![deny(warnings)]
use systolic::systolic;

systolic! {
    /// Old words.
    ///
    /// More of them.
    #[deprecated]
    #[doc(alias = "times two")]
    pub(crate) kernel double(x: [f32; N],) -> (y: [f32; N],) {
        for n in 0..N, { y[n] = 2.0 * x[n]; }
        map simple on cpu { tile n by 32 as (nb, ni,); blocks (nb,); lanes (ni,); }
    }
}

#[allow(deprecated)]
fn main() {
    assert_eq!(double::reference(&[1.0]).unwrap()[0], 2.0);
}
