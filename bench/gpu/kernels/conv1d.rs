//! 1-D convolution `z[c] = Σ_q x[c + q] · w[q]`: the seven designs of rong2020, and one for speed.
use systolic::systolic;

systolic! {
    /// Inputs stay, weights are broadcast, sums migrate.
    pub kernel sbm<const Q: usize in [2, 5, 9, 17]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else { X[c + 1, q - 1] };
            W[c, q] = w[q];
            Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by (33 - Q) as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 1],
                                            [0, 1]];
            lanes s;
        }
    }

    /// Inputs are broadcast, weights stay, sums migrate.
    pub kernel bsm<const Q: usize in [2, 5, 9, 17]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = x[c + q];
            W[c, q] = if c == 0 { w[q] } else { W[c - 1, q] };
            Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 512 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[0, 1],
                                            [1, 1]];
            lanes s;
        }
    }

    /// Inputs are forwarded, weights stay, sums migrate from the last tap to the first.
    pub kernel fsm<const Q: usize in [2, 5, 9, 17]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if c == 0 || q == Q - 1 { x[c + q] } else { X[c - 1, q + 1] };
            W[c, q] = if c == 0 { w[q] } else { W[c - 1, q] };
            Z[c, q] = X[c, q] * W[c, q] + if q == Q - 1 { 0.0 } else { Z[c, q + 1] };
            if q == 0 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 512 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[0, 1],
                                            [1, -1]];
            lanes s;
        }
    }

    /// Inputs are broadcast, weights are forwarded, sums sediment.
    pub kernel bfs<const Q: usize in [2, 5, 9, 17]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
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
    pub kernel ffs<const Q: usize in [2, 5, 9, 17]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
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
    pub kernel fbs<const Q: usize in [2, 5, 9, 17]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
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
    }

    /// Inputs are read directly, folded onto lanes, sums sediment: for speed.
    pub kernel reads<const Q: usize in [2, 5, 9, 17]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            Z[c, q] = x[c + q] * w[q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 512 as (cb, co);
            tile co by 128 as (ch, ci);
            blocks (cb);
            space_time (ci, ch, q) -> (s, u, t) = [[1, 0, 0],
                                                   [0, 1, 0],
                                                   [0, 0, 1]];
            lanes s fold 4;
            unroll (u, t);
        }
    }

    /// The design of `fbs` at stride 2.
    pub kernel fbs2<const Q: usize in [2, 5, 9, 17]>(x: [f32; 2 * C + Q - 2], w: const [f32; Q]) -> (z: [f32; C]) {
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
