//! How the picture shows what carries a value: a colour per theme, and a shape, so that nobody needs the colour.
use std::fmt::Write;
use systolic_compiler::explain::Carrier;

/// How a carrier looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Its colour on white, and on the dark pane of the page.
    pub light: &'static str,
    pub dark: &'static str,
    pub shape: Shape,
}

/// What is drawn at the values that a carrier brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A line from the producer to the consumer, with these dashes.
    Line(&'static str),
    /// A tick at the left of the consumer, at its right, or a dot in the producer.
    Load,
    Value,
    Store,
}

/// The look of a carrier. The tests below hold colours and dashes against four kinds of sight.
pub fn look(carrier: Carrier) -> Look {
    let (light, dark, shape) = match carrier {
        Carrier::Register => ("#006dc1", "#0d96ff", Shape::Line("")),
        Carrier::Shuffle => ("#b54f00", "#ec8542", Shape::Line("10 2")),
        Carrier::Shared => ("#009864", "#2bc88b", Shape::Line("5 3")),
        Carrier::Row => ("#543d00", "#ffea9b", Shape::Line("1.5 2.5")),
        Carrier::Face => ("#9e5b85", "#d1a4d7", Shape::Line("8 2 2 2")),
        Carrier::Memory => ("#555555", "#b3b3b4", Shape::Line("2 8")),
        Carrier::Load => ("#1d96f8", "#ccefff", Shape::Load),
        Carrier::Value => ("#909191", "#848e99", Shape::Value),
        Carrier::Store => ("#c48600", "#ffc100", Shape::Store),
    };
    Look { light, dark, shape }
}

impl Look {
    /// The dashes of its lines, as SVG writes them. Nothing is a line without gaps.
    pub fn dashes(self) -> &'static str {
        if let Shape::Line(dashes) = self.shape { dashes } else { "" }
    }
}

/// The colours of a theme as variables of a style sheet: `--register: #006dc1; …`.
pub fn variables(colour: impl Fn(Look) -> &'static str) -> String {
    let mut text = String::new();
    for carrier in Carrier::ALL {
        let _ = write!(text, "--{}: {}; ", carrier.word(), colour(look(carrier)));
    }
    text.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::{Shape, look};
    use systolic_compiler::explain::Carrier;

    /// What people see of linear red, green and blue: all colours, or as if one kind of cone were missing (Machado, Oliveira and
    /// Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009, severity 1).
    const SIGHT: [(&str, [[f64; 3]; 3]); 4] = [
        ("all colours", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        ),
        (
            "deuteranopia",
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        ),
        (
            "tritanopia",
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
        ),
    ];

    /// The least difference of two colours, by CIEDE2000. About 2 is seen when both lie side by side.
    const LEAST_DIFFERENCE: f64 = 12.0;

    /// The least contrast of a line with what it is drawn on, as WCAG asks of graphics.
    const LEAST_CONTRAST: f64 = 3.0;

    /// The panes of the page in both themes, as its style sheet has them.
    const PANES: [&str; 2] = ["#ffffff", "#1c2229"];

    /// `#rrggbb` as linear light.
    fn linear(colour: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("a colour")) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        })
    }

    fn times(matrix: &[[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|row| (0..3).map(|k| matrix[row][k] * x[k]).sum::<f64>().clamp(0.0, 1.0))
    }

    /// CIELAB, for daylight.
    fn lab(light: [f64; 3]) -> [f64; 3] {
        let xyz =
            [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]];
        let white = [0.95047, 1.0, 1.08883];
        let f: [f64; 3] = std::array::from_fn(|row| {
            let t = (0..3).map(|k| xyz[row][k] * light[k]).sum::<f64>() / white[row];
            if t > (6.0_f64 / 29.0).powi(3) { t.cbrt() } else { t / (3.0 * (6.0_f64 / 29.0).powi(2)) + 4.0 / 29.0 }
        });
        [116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])]
    }

    /// CIEDE2000.
    fn difference([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
        let seventh = |c: f64| (c.powi(7) / (c.powi(7) + 25.0_f64.powi(7))).sqrt();
        let g = 0.5 * (1.0 - seventh((a1.hypot(b1) + a2.hypot(b2)) / 2.0));
        let (a1, a2) = ((1.0 + g) * a1, (1.0 + g) * a2);
        let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
        let hue = |a: f64, b: f64| if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) };
        let (h1, h2) = (hue(a1, b1), hue(a2, b2));
        let turn = if c1 * c2 == 0.0 { 0.0 } else { (h2 - h1 + 180.0).rem_euclid(360.0) - 180.0 };
        let (dl, dc, dh) = (l2 - l1, c2 - c1, 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin());
        let (l, c) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0);
        let h = if c1 * c2 == 0.0 { h1 + h2 } else { (h1 + turn / 2.0).rem_euclid(360.0) };
        let wave = |times: f64, from: f64| (times * h - from).to_radians().cos();
        let t = 1.0 - 0.17 * wave(1.0, 30.0) + 0.24 * wave(2.0, 0.0) + 0.32 * wave(3.0, -6.0) - 0.2 * wave(4.0, 63.0);
        let sl = 1.0 + 0.015 * (l - 50.0).powi(2) / (20.0 + (l - 50.0).powi(2)).sqrt();
        let (sc, sh) = (1.0 + 0.045 * c, 1.0 + 0.015 * c * t);
        let blue = (60.0 * (-((h - 275.0) / 25.0).powi(2)).exp()).to_radians().sin();
        let rotation = -2.0 * seventh(c) * blue;
        let (l, c, h) = (dl / sl, dc / sc, dh / sh);
        (l * l + c * c + h * h + rotation * c * h).sqrt()
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let luminance = |colour| linear(colour).iter().zip([0.2126, 0.7152, 0.0722]).map(|(x, w)| x * w).sum::<f64>();
        let (a, b): (f64, f64) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Pairs of the data that Sharma, Wu and Dalal published with their notes on CIEDE2000.
    #[test]
    fn differences_are_those_of_the_published_pairs() {
        for (a, b, expected) in [
            ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
            ([50.0, -1.0, 2.0], [50.0, 0.0, 0.0], 2.3669),
            ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
            ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
            ([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082),
        ] {
            assert!((difference(a, b) - expected).abs() < 1e-4, "{a:?} {b:?}: {}", difference(a, b));
        }
    }

    #[test]
    fn colours_differ_for_every_sight() {
        for (theme, pane) in PANES.into_iter().enumerate() {
            let colour = |carrier| if theme == 0 { look(carrier).light } else { look(carrier).dark };
            for (k, one) in Carrier::ALL.into_iter().enumerate() {
                let seen = contrast(colour(one), pane);
                assert!(seen >= LEAST_CONTRAST, "{one:?} on {pane}: {seen:.2}");
                for other in &Carrier::ALL[k + 1..] {
                    for (sight, matrix) in &SIGHT {
                        let [a, b] = [one, *other].map(|carrier| lab(times(matrix, linear(colour(carrier)))));
                        let seen = difference(a, b);
                        assert!(seen >= LEAST_DIFFERENCE, "{one:?} and {other:?} on {pane}, {sight}: {seen:.1}");
                    }
                }
            }
        }
    }

    /// Without any colour.
    #[test]
    fn shapes_differ() {
        for (k, one) in Carrier::ALL.into_iter().enumerate() {
            for other in &Carrier::ALL[k + 1..] {
                assert_ne!(look(one).shape, look(*other).shape, "{one:?} and {other:?}");
            }
        }
        // Dashes of one rhythm look the same.
        let dashes = Carrier::ALL.into_iter().filter_map(|carrier| match look(carrier).shape {
            Shape::Line(dashes) if !dashes.is_empty() => Some(dashes),
            _ => None,
        });
        let rhythms: Vec<Vec<f64>> =
            dashes.map(|text| text.split(' ').map(|x| x.parse().expect("a number")).collect()).collect();
        for (k, one) in rhythms.iter().enumerate() {
            for other in &rhythms[k + 1..] {
                let is_other = one.len() != other.len() || (one[0] / one[1] / (other[0] / other[1])).ln().abs() > 0.8;
                assert!(is_other, "{one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn the_page_has_these_panes() {
        let page = include_str!("page.html");
        assert_eq!(page.matches(&format!("--pane: {};", PANES[0])).count(), 1);
        assert_eq!(page.matches(&format!("--pane: {};", PANES[1])).count(), 2);
    }
}
