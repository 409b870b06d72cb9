// 1-D convolution `z[c] = Σ_q x[c + q] · w[q]` as the seven designs of rong2020.

use systolic::systolic;

systolic! {
    /// Inputs stay, weights are broadcast, sums migrate.
    pub kernel conv1d_sbm<const Q: usize in [2, 5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else { X[c + 1, q - 1] };
            W[c, q] = w[q];
            Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 28 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 1],
                                            [0, 1]];
            lanes s;
        }
    }

    /// Inputs are broadcast, weights stay, sums migrate.
    pub kernel conv1d_bsm<const Q: usize in [2, 5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = x[c + q];
            W[c, q] = if c == 0 { w[q] } else { W[c - 1, q] };
            Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 16 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[0, 1],
                                            [1, 1]];
            lanes s;
        }
    }

    /// Inputs are forwarded, weights stay, sums migrate from the last tap to the first.
    pub kernel conv1d_fsm<const Q: usize in [2, 5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if c == 0 || q == Q - 1 { x[c + q] } else { X[c - 1, q + 1] };
            W[c, q] = if c == 0 { w[q] } else { W[c - 1, q] };
            Z[c, q] = X[c, q] * W[c, q] + if q == Q - 1 { 0.0 } else { Z[c, q + 1] };
            if q == 0 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 16 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[0, 1],
                                            [1, -1]];
            lanes s;
        }
    }

    /// Inputs are broadcast, weights are forwarded, sums sediment.
    pub kernel conv1d_bfs<const Q: usize in [2, 5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = x[c + q];
            W[c, q] = if c == 0 { w[q] } else { W[c - 1, q] };
            Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 0],
                                            [1, 1]];
            lanes s;
        }
    }

    /// Inputs and weights are forwarded, sums sediment.
    pub kernel conv1d_ffs<const Q: usize in [2, 5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if c == 0 || q == Q - 1 { x[c + q] } else { X[c - 1, q + 1] };
            W[c, q] = if c == 0 { w[q] } else { W[c - 1, q] };
            Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 0],
                                            [2, 1]];
            lanes s;
        }
    }

    /// Inputs are forwarded, weights are broadcast, sums sediment.
    pub kernel conv1d_fbs<const Q: usize in [2, 5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else { X[c + 1, q - 1] };
            W[c, q] = w[q];
            Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s;
        }
        map folded {
            tile c by 128 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s fold 4;
        }
    }

    /// The design of `conv1d_fbs` at stride 2.
    pub kernel conv1d_fbs2<const Q: usize in [2, 5]>(
        x: [f32; 2 * C + Q - 2],
        w: const [f32; Q],
    ) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if q < 2 || c == C - 1 { x[2 * c + q] } else { X[c + 1, q - 2] };
            W[c, q] = w[q];
            Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s;
        }
    }
}
