//! The lock, its proofs and the decisions taken from it.
