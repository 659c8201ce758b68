//! The lock read in one pass: each byte is held to the lock's form while the typed lock is built from it.
//!
//! It says yes or nothing. Whatever it does not take is read again by [`scan`](super::scan) and serde_json, which know why; and
//! what it takes, they take. It asks the types which values are raw, where the scan asks the path.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::{BorrowedStrDeserializer, CowStrDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::scan::{Found, ScanError, Scanner};
use crate::lock::Lock;

/// By this name serde_json's raw values ask for their text, and under it they take it.
const RAW: &str = "$serde_json::private::RawValue";

/// Reads a lock whose text is an object that was opened just before `at`: there the first line after its brace ends.
pub(super) fn read(text: &str, at: usize) -> Option<Lock> {
    let mut reader = Reader { depth: 0, scanner: Scanner::new(text, at) };
    let lock = Lock::deserialize(Root(&mut reader)).ok()?;
    reader.scanner.end().ok()?;
    Some(lock)
}

/// That it was not read. Why is for others to say.
#[derive(Debug)]
struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it has not the form of a lock")
    }
}

impl std::error::Error for Refused {}

impl serde::de::Error for Refused {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl From<ScanError> for Refused {
    fn from(_: ScanError) -> Self {
        Self
    }
}

struct Reader<'de> {
    /// How many objects and lists are open.
    depth: usize,
    scanner: Scanner<'de>,
}

impl<'de> Reader<'de> {
    fn object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Refused> {
        self.scanner.within(self.depth)?;
        let open = self.scanner.open(b'}');
        self.members(open, visitor)
    }

    /// The members of an object, whose first line ends here where it has any.
    fn members<V: Visitor<'de>>(&mut self, open: bool, visitor: V) -> Result<V::Value, Refused> {
        self.depth += 1;
        let mut inside = Inside { first: true, last: None, open, reader: self };
        let value = visitor.visit_map(&mut inside)?;
        let left = inside.open;
        self.depth -= 1;
        if left { Err(Refused) } else { Ok(value) }
    }

    fn list<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Refused> {
        self.scanner.within(self.depth)?;
        let open = self.scanner.open(b']');
        self.depth += 1;
        let mut inside = Inside { first: true, last: None, open, reader: self };
        let value = visitor.visit_seq(&mut inside)?;
        let left = inside.open;
        self.depth -= 1;
        if left { Err(Refused) } else { Ok(value) }
    }

    fn text<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Refused> {
        match self.scanner.string(false)? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Refused> {
        let start = self.scanner.at();
        self.scanner.number(false)?;
        visitor.visit_u64(self.scanner.since(start).parse().map_err(Refused::custom)?)
    }
}

/// An object whose brace was read already.
struct Root<'r, 'de>(&'r mut Reader<'de>);

impl<'de> Deserializer<'de> for Root<'_, 'de> {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.0.members(true, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.scanner.peek() {
            Some(b'{') => self.object(visitor),
            Some(b'[') => self.list(visitor),
            Some(b'"') => self.text(visitor),
            Some(b'0'..=b'9') => self.number(visitor),
            Some(byte @ (b't' | b'f')) => {
                self.scanner.value(self.depth, false)?;
                visitor.visit_bool(byte == b't')
            }
            _ => Err(Refused),
        }
    }

    /// What is not stated is left out, so that what stands here is there; a raw `null` is for others to read.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        if self.scanner.peek() == Some(b'n') { Err(Refused) } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        if name != RAW {
            return visitor.visit_newtype_struct(self);
        }
        let start = self.scanner.at();
        self.scanner.value(self.depth, true)?;
        visitor.visit_map(Raw(Some(self.scanner.since(start))))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        if self.scanner.peek() == Some(b'"') {
            let word = self.scanner.string(false)?;
            return visitor.visit_enum(word.into_deserializer());
        }
        self.scanner.within(self.depth)?;
        if self.scanner.peek() != Some(b'{') || !self.scanner.open(b'}') {
            return Err(Refused);
        }
        self.depth += 1;
        let value = visitor.visit_enum(Variant(self))?;
        self.depth -= 1;
        self.scanner.close_object(self.depth)?;
        Ok(value)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }

    /// Nothing in a lock is ignored.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Refused> {
        Err(Refused)
    }
}

/// An object or a list that is open.
struct Inside<'r, 'de> {
    first: bool,
    /// The key before.
    last: Option<Cow<'de, str>>,
    /// Whether its end was not met yet.
    open: bool,
    reader: &'r mut Reader<'de>,
}

impl<'de> Inside<'_, 'de> {
    /// Goes to the next member or item; false where there is none, and then past the end.
    fn next(&mut self, close: impl FnOnce(&mut Scanner<'de>, usize) -> Found) -> Result<bool, Refused> {
        let Reader { depth, scanner } = &mut *self.reader;
        if self.open && (std::mem::take(&mut self.first) || scanner.comma()) {
            scanner.line(*depth)?;
            return Ok(true);
        }
        if std::mem::take(&mut self.open) {
            close(scanner, *depth - 1)?;
        }
        Ok(false)
    }
}

impl<'de> MapAccess<'de> for &mut Inside<'_, 'de> {
    type Error = Refused;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refused> {
        if !self.next(Scanner::close_object)? {
            return Ok(None);
        }
        let scanner = &mut self.reader.scanner;
        let key = scanner.key(self.last.as_deref())?;
        scanner.colon()?;
        let value = match &key {
            Cow::Borrowed(key) => seed.deserialize(BorrowedStrDeserializer::new(key)),
            Cow::Owned(key) => seed.deserialize(key.as_str().into_deserializer()),
        };
        self.last = Some(key);
        value.map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        seed.deserialize(&mut *self.reader)
    }
}

impl<'de> SeqAccess<'de> for &mut Inside<'_, 'de> {
    type Error = Refused;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        if !self.next(Scanner::close_list)? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

/// A variant with a value: an object of one member.
struct Variant<'r, 'de>(&'r mut Reader<'de>);

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Refused;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Refused> {
        let scanner = &mut self.0.scanner;
        scanner.line(self.0.depth)?;
        let key = scanner.key(None)?;
        scanner.colon()?;
        let key: CowStrDeserializer<'_, Refused> = key.into_deserializer();
        Ok((seed.deserialize(key)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Refused;

    fn unit_variant(self) -> Result<(), Refused> {
        Err(Refused)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Refused> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Refused> {
        Err(Refused)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Refused> {
        Err(Refused)
    }
}

/// A raw value as serde_json takes it from any reader: a map of one member, whose value is its text.
struct Raw<'de>(Option<&'de str>);

impl<'de> MapAccess<'de> for Raw<'de> {
    type Error = Refused;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refused> {
        seed.deserialize(BorrowedStrDeserializer::new(RAW)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        let text = self.0.take().ok_or(Refused)?;
        seed.deserialize(BorrowedStrDeserializer::new(text))
    }
}
