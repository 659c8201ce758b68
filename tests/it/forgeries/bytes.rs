//! No byte of a lock is free: whatever one of them becomes, the lock is refused, and how.

use std::collections::BTreeMap;
use std::thread;

use harnessc_runtime::load::read;
use harnessc_runtime::lock::digest::FIRST_LINE;
use harnessc_runtime::lock::digest_of;

use super::forge::told;
use crate::oracle::compile;

/// How many bytes are changed beyond line 1.
const CHANGES: u64 = 5_000;

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below
    }
}

/// What a byte may become; the byte itself is never among them.
fn kinds(byte: u8) -> Vec<u8> {
    let flipped = (0..8).map(|bit| byte ^ (1 << bit));
    let digit = if byte.is_ascii_digit() { b'0' + (byte - b'0' + 1) % 10 } else { b'0' };
    let case = if byte.is_ascii_alphabetic() { byte ^ 0x20 } else { b'a' };
    let others = [b' ', b'"', b'\n', b'\r', b'\t', b'\\', b'{', b'}', 0, 0xff, digit, case];
    flipped.chain(others).filter(|other| *other != byte).collect()
}

fn code(lock: &[u8]) -> String {
    match read(lock) {
        Ok(_) => "loaded".to_owned(),
        Err(error) => told(&error),
    }
}

#[test]
fn every_change_of_line_one() {
    // The lines after it are few here: what is asked is how line 1 is compared.
    let rest = b"  \"format\": \"x\"\n}\n";
    let mut lock = format!("{{\"digest\":\"{}\",\n", digest_of(rest)).into_bytes();
    lock.extend_from_slice(rest);
    assert_eq!(code(&lock), "format_unknown", "line 1 holds as it is");
    let mut codes: BTreeMap<String, u32> = BTreeMap::new();
    for at in 0..FIRST_LINE {
        for other in 0..=u8::MAX {
            let byte = std::mem::replace(&mut lock[at], other);
            if other != byte {
                *codes.entry(code(&lock)).or_default() += 1;
            }
            lock[at] = byte;
        }
    }
    // 64 hexadecimal digits, each of which can be another one of 15; all else is no first line.
    let first_line = u32::try_from(FIRST_LINE).unwrap() * 255 - 64 * 15;
    assert_eq!(
        codes,
        [("bad_first_line".to_owned(), first_line), ("digest_mismatch".to_owned(), 64 * 15)].into()
    );
}

#[test]
fn five_thousand_changes_of_the_console() {
    let lock = compile::console_lock();
    let threads: Vec<_> = [1, 2]
        .into_iter()
        .map(|seed| thread::spawn(move || changes(lock.to_vec(), Dice(seed), CHANGES / 2)))
        .collect();
    let mut codes: BTreeMap<String, u64> = BTreeMap::new();
    for thread in threads {
        for (code, count) in thread.join().unwrap() {
            *codes.entry(code).or_default() += count;
        }
    }
    assert_eq!(codes, [("digest_mismatch".to_owned(), CHANGES)].into());
}

/// Changes one byte after another below line 1, each time in another way, and puts it back.
fn changes(mut lock: Vec<u8>, mut dice: Dice, count: u64) -> BTreeMap<String, u64> {
    let mut codes = BTreeMap::new();
    for _ in 0..count {
        let at = FIRST_LINE + dice.roll(lock.len() - FIRST_LINE);
        let byte = lock[at];
        let kinds = kinds(byte);
        lock[at] = kinds[dice.roll(kinds.len())];
        *codes.entry(code(&lock)).or_default() += 1;
        lock[at] = byte;
    }
    codes
}

#[test]
fn bytes_added_or_cut_off() {
    let lock = compile::console_lock();
    for cut in [0, 1, FIRST_LINE - 1, FIRST_LINE, FIRST_LINE + 1, lock.len() / 2, lock.len() - 1] {
        let expected = if cut < FIRST_LINE { "bad_first_line" } else { "digest_mismatch" };
        assert_eq!(code(&lock[..cut]), expected, "{cut}");
    }
    assert_eq!(code(&[lock, b"\n"].concat()), "digest_mismatch");
    assert_eq!(code(&[b"\xef\xbb\xbf", lock].concat()), "bad_first_line");
    assert_eq!(code(&[lock, lock].concat()), "digest_mismatch");
    let windows = String::from_utf8(lock.to_vec()).unwrap().replace('\n', "\r\n");
    assert_eq!(code(windows.as_bytes()), "bad_first_line");
}
