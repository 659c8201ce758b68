//! Locks that someone changed on purpose, their digest right again: what catches them, and what does not.

#![cfg(test)]

mod bytes;
mod cases;
mod fields;
mod forge;
mod rules;
