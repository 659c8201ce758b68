//! The runtime from the outside: one binary, one subject a file.

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod common;
#[cfg(test)]
mod decide;
#[cfg(test)]
mod load;
#[cfg(test)]
mod proofs;
#[cfg(test)]
mod results;
