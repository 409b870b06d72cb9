//! What must hold of a prediction, whatever its numbers are.
use super::*;

#[test]
fn predictions_are_plausible() {
    let model = Model::new(KERNEL).expect("the kernel can be compiled");
    assert_eq!([0, 1, 2].map(|axis| model.halo(axis)), [[1, 1]; 3]);
    for network in &NETWORKS {
        for steps in [weak(&model, network), strong(&model, network)] {
            assert_eq!(steps[0].2, 1.0);
            // More ranks are never more efficient, up to what rounding to whole blocks gives.
            assert!(steps.windows(2).all(|pair| pair[1].2 < pair[0].2 * 1.05), "{steps:?}");
        }
    }
    // With the same GPUs a slower network is never better.
    let last = |network: &Network| weak(&model, network).last().map(|step| step.2);
    assert!(last(&NETWORKS[2]) < last(&NETWORKS[0]));
    // The time of a part follows its size.
    let (small, large) = (model.seconds([256; 3]), model.seconds([512; 3]));
    assert!(large > 6.0 * small && large < 10.0 * small, "{small} {large}");
}
