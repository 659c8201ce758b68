//! What a change lets whom do: pairs of trees, brute force over both runtimes, and the ratchet under attack.

mod brute;
mod cli;
mod pairs;
mod properties;
mod ratchet;
mod trees;
