//! Locks that someone changed on purpose, their digest right again: what catches them, and what does not.

#[test]
fn timing() {
    use std::time::Instant;
    let lock = crate::oracle::compile::console_lock();
    let t = Instant::now();
    let opened = harnessc_runtime::lock::digest::open(lock).unwrap();
    println!("open {:?} {}", t.elapsed(), opened.body.len());
    let t = Instant::now();
    let loaded = harnessc_runtime::load::read(lock).unwrap();
    println!("read {:?}", t.elapsed());
    let t = Instant::now();
    println!("prove {:?}", harnessc_runtime::prove::failures(&loaded.lock));
    println!("prove {:?}", t.elapsed());
    let t = Instant::now();
    let v: serde_json::Value = serde_json::from_slice(&opened.body).unwrap();
    println!("value {:?}", t.elapsed());
    let t = Instant::now();
    let s = serde_json::to_string(&v).unwrap();
    println!("string {:?}", t.elapsed());
    let t = Instant::now();
    let _ = harnessc_runtime::lock::digest::seal(&s);
    println!("seal {:?}", t.elapsed());
}
