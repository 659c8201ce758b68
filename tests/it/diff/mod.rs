//! What a change lets whom do: pairs of trees, brute force over both runtimes, and the ratchet under attack.

mod brute;
mod cli;
mod every_field;
mod pairs;
mod properties;
mod ratchet;
mod trees;
