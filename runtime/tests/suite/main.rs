//! The runtime from the outside: one binary, one subject a file.

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod audit;
#[cfg(test)]
mod common;
#[cfg(test)]
mod decide;
#[cfg(test)]
mod engines;
#[cfg(test)]
mod evidence;
#[cfg(test)]
mod load;
#[cfg(test)]
mod meter;
#[cfg(test)]
mod proofs;
#[cfg(test)]
mod reasoning;
#[cfg(test)]
mod release;
#[cfg(test)]
mod timeline;
