//! Clusters by name: what a message costs between two programs, and how fast a GPU is.

pub struct Network {
    pub name: &'static str,
    pub title: &'static str,
    /// Seconds per message, with the software on both sides.
    pub latency: f64,
    /// Bytes per second of one rank, in one direction.
    pub bandwidth: f64,
    /// How many times slower than an H200 its GPUs read memory.
    pub slower: f64,
}

pub const NETWORKS: [Network; 3] = [
    Network {
        name: "ndr",
        title: "H200, InfiniBand NDR, one port per GPU",
        latency: 3e-6,
        bandwidth: 45e9,
        slower: 1.0,
    },
    Network { name: "aries", title: "P100, Cray Aries, as in Piz Daint", latency: 3e-6, bandwidth: 9e9, slower: 6.6 },
    Network { name: "ethernet", title: "H200, Ethernet of 25 Gbit/s", latency: 25e-6, bandwidth: 2.8e9, slower: 1.0 },
];
