//! Locks that someone changed on purpose, their digest right again: what catches them, and what does not.

#[test]
fn timing() {
    std::fs::write("/tmp/oracle-console.lock", crate::oracle::compile::console_lock()).unwrap();
}
