//! The runtime from the outside: one binary, one subject a file.

#[cfg(test)]
mod actions;
#[cfg(test)]
mod agreement;
#[cfg(test)]
mod any_schema;
#[cfg(test)]
mod audit;
#[cfg(test)]
mod boundary;
#[cfg(test)]
mod common;
#[cfg(test)]
mod decide;
#[cfg(test)]
mod engines;
#[cfg(test)]
mod evidence;
#[cfg(test)]
mod injections;
#[cfg(test)]
mod lenses;
#[cfg(test)]
mod load;
#[cfg(test)]
mod meter;
#[cfg(test)]
mod prompts;
#[cfg(test)]
mod proofs;
#[cfg(test)]
mod proofs_lists;
#[cfg(test)]
mod proofs_outside;
#[cfg(test)]
mod proofs_schemas;
#[cfg(test)]
mod readers;
#[cfg(test)]
mod reasoning;
#[cfg(test)]
mod release;
#[cfg(test)]
mod results;
#[cfg(test)]
mod runs;
#[cfg(test)]
mod timeline;
#[cfg(test)]
mod trees;
#[cfg(test)]
mod upstream;
#[cfg(test)]
mod world;
