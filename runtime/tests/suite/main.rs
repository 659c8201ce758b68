//! The runtime from the outside: one binary, one subject a file.

#[cfg(test)]
mod actions;
#[cfg(test)]
mod agreement;
#[cfg(test)]
mod common;
#[cfg(test)]
mod decide;
#[cfg(test)]
mod injections;
#[cfg(test)]
mod lenses;
#[cfg(test)]
mod load;
#[cfg(test)]
mod prompts;
#[cfg(test)]
mod proofs;
#[cfg(test)]
mod results;
#[cfg(test)]
mod runs;
#[cfg(test)]
mod world;
