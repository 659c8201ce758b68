//! The small lock that every test here starts from, and what seals a changed one.

use harnessc_runtime::load::{Signers, Trust};
use harnessc_runtime::lock::{Lock, RawJson, digest, digest_of};
use harnessc_runtime::{Bundle, prove};

/// The small lock, its digests and its effective table filled in.
pub(crate) fn small() -> Lock {
    let mut lock: Lock = serde_json::from_str(include_str!("small.json")).unwrap();
    for part in lock.prompt.as_mut().unwrap().parts.values_mut() {
        part.digest = digest_of(part.text.as_bytes());
    }
    let server = lock.tools.get_mut("tickets.list").unwrap().server.as_mut().unwrap();
    server.pinned_digest = server.pinned.digest();
    lock.effective = prove::table::effective(&lock);
    lock
}

pub(crate) fn seal(lock: &Lock) -> Vec<u8> {
    digest::write(lock).unwrap()
}

pub(crate) fn trust() -> Trust {
    Trust {
        allow_gap: false,
        environment: Some("test".to_owned()),
        policy: "small".to_owned(),
        signers: Signers::Unsigned,
    }
}

pub(crate) fn bundle(lock: &Lock) -> Bundle {
    Bundle::load(&seal(lock), &trust(), None).unwrap()
}

pub(crate) fn raw(json: &str) -> RawJson {
    RawJson::new(json).unwrap()
}
