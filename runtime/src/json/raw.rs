//! A look into JSON text that is well formed already, a raw value of the lock: its members or items, as they are written.
//!
//! Nothing is read but what is asked for: values are stepped over. Nothing is judged either; of text that is not well formed
//! there are no members.

use std::borrow::Cow;

use super::plain::{flat, plain, space};

/// The members of an object, each key as it reads.
pub(crate) type Members<'a> = Vec<(Cow<'a, str>, &'a str)>;

/// The members of an object. `None`: it is none.
pub(crate) fn members(text: &str) -> Option<Members<'_>> {
    Walk::new(text).members()
}

/// The items of a list. `None`: it is none.
pub(crate) fn items(text: &str) -> Option<Vec<&str>> {
    let mut walk = Walk::new(text);
    let mut items = Vec::new();
    if !walk.opens(b'[', b']')? {
        return Some(items);
    }
    loop {
        items.push(walk.value()?);
        if !walk.goes_on(b']')? {
            return Some(items);
        }
    }
}

/// What a string says. `None`: it is none.
pub(crate) fn read(text: &str) -> Option<Cow<'_, str>> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str(text).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// The strings of a list. `None`: it is none, or holds something else.
pub(crate) fn strings(text: &str) -> Option<Vec<Cow<'_, str>>> {
    items(text)?.into_iter().map(read).collect()
}

/// A value with all that stands in it.
pub(crate) enum Node<'a> {
    List(Vec<Self>),
    /// Each key as it reads.
    Map(Vec<(Cow<'a, str>, Self)>),
    /// As it is written.
    Scalar(&'a str),
}

/// Reads a value in one pass. `None`: it is not well formed, or nests deeper than a lock.
pub(crate) fn node(text: &str) -> Option<Node<'_>> {
    Walk { text, at: 0 }.node(super::DEPTH_OF_A_LOCK + 1)
}

/// A way through such a text.
pub(crate) struct Walk<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Walk<'a> {
    fn node(&mut self, depth: usize) -> Option<Node<'a>> {
        let depth = depth.checked_sub(1)?;
        match self.peek()? {
            b'{' => {
                let mut members = Vec::new();
                let mut goes_on = self.opens(b'{', b'}')?;
                while goes_on {
                    let key = read(self.value()?)?;
                    self.take(b':')?;
                    members.push((key, self.node(depth)?));
                    goes_on = self.goes_on(b'}')?;
                }
                Some(Node::Map(members))
            }
            b'[' => {
                let mut items = Vec::new();
                let mut goes_on = self.opens(b'[', b']')?;
                while goes_on {
                    items.push(self.node(depth)?);
                    goes_on = self.goes_on(b']')?;
                }
                Some(Node::List(items))
            }
            _ => self.value().map(Node::Scalar),
        }
    }

    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Hands over each key of an object; whoever takes it goes past the value. `None`: it is no object, or the taker ended it.
    pub(crate) fn object(
        &mut self,
        mut take: impl FnMut(&mut Self, Cow<'a, str>) -> Option<()>,
    ) -> Option<()> {
        let mut goes_on = self.opens(b'{', b'}')?;
        while goes_on {
            let key = self.value()?;
            self.take(b':')?;
            take(self, read(key)?)?;
            goes_on = self.goes_on(b'}')?;
        }
        Some(())
    }

    /// The members of an object. `None`: it is none.
    pub(crate) fn members(&mut self) -> Option<Members<'a>> {
        let mut members = Vec::with_capacity(8);
        self.object(|walk, key| {
            members.push((key, walk.value()?));
            Some(())
        })?;
        Some(members)
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        self.at += space(self.rest());
        self.rest().first().copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Goes into an object or a list; false where it is empty, and then past its end.
    fn opens(&mut self, open: u8, close: u8) -> Option<bool> {
        self.take(open)?;
        let empty = self.peek()? == close;
        self.at += usize::from(empty);
        Some(!empty)
    }

    /// Behind a member or an item: whether another one follows.
    fn goes_on(&mut self, close: u8) -> Option<bool> {
        let goes_on = self.peek()? == b',';
        self.take(if goes_on { b',' } else { close }).map(|()| goes_on)
    }

    /// Steps over a value.
    pub(crate) fn value(&mut self) -> Option<&'a str> {
        let first = self.peek()?;
        let start = self.at;
        match first {
            b'"' => self.string()?,
            b'{' | b'[' => self.nested()?,
            _ => {
                let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t');
                self.at += self.rest().iter().position(ends).unwrap_or(self.rest().len());
            }
        }
        self.text.get(start..self.at)
    }

    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            self.at += plain(self.rest());
            match self.rest().first()? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => return None,
            }
        }
        self.at += 1;
        Some(())
    }

    fn nested(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            self.at += flat(self.rest());
            match self.rest().first()? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                _ => depth = depth.checked_sub(1)?,
            }
            self.at += 1;
            if depth == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Node, items, members, node, read, strings};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a\"\\\\{}\\[\\],:é\n]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::btree_map("[a\"\\\\{}:é]{0,4}", inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    fn value_of(node: &Node<'_>) -> Value {
        match node {
            Node::List(items) => items.iter().map(value_of).collect(),
            Node::Map(members) => {
                members.iter().map(|(key, node)| (key.to_string(), value_of(node))).collect()
            }
            Node::Scalar(text) => serde_json::from_str(text).unwrap(),
        }
    }

    proptest! {
        #[test]
        fn a_node_is_the_value(value in values(), laid_out in any::<bool>()) {
            let text = if laid_out { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            prop_assert_eq!(node(&text.unwrap()).map(|node| value_of(&node)), Some(value));
        }

        #[test]
        fn members_and_items_are_those_of_the_value(value in values(), laid_out in any::<bool>()) {
            let text = if laid_out { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            let text = text.unwrap();
            let same = |text: &str, value: &Value| serde_json::from_str::<Value>(text).ok().as_ref() == Some(value);
            match members(&text) {
                None => prop_assert!(!value.is_object()),
                Some(found) => {
                    prop_assert_eq!(found.len(), value.as_object().unwrap().len());
                    prop_assert!(found.iter().all(|(key, text)| same(text, &value[&**key])));
                }
            }
            match items(&text) {
                None => prop_assert!(!value.is_array()),
                Some(found) => {
                    let all = value.as_array().unwrap();
                    prop_assert!(found.len() == all.len() && found.iter().zip(all).all(|(text, value)| same(text, value)));
                }
            }
            let word = read(&text);
            prop_assert_eq!(word.as_deref(), value.as_str());
        }

        #[test]
        fn other_text_has_nothing_that_does_not_stand_in_it(text in "[\\[\\]{},: \"\\\\a1]{0,12}") {
            // What the text has is part of it, and what it has of strings it has of items.
            let within = |part: &str| text.contains(part);
            prop_assert!(members(&text).is_none_or(|all| all.iter().all(|(_, value)| within(value))));
            let (all, strings) = (items(&text), strings(&text));
            prop_assert!(all.iter().flatten().all(|item| within(item)));
            prop_assert!(strings.is_none_or(|strings| all.is_some_and(|all| all.len() == strings.len())));
        }
    }

    #[test]
    fn a_list_of_strings_holds_nothing_else() {
        let text = json!(["a", "b\n"]).to_string();
        assert_eq!(strings(&text).unwrap(), ["a", "b\n"]);
        assert_eq!(strings(r#"["a",1]"#), None);
        assert_eq!(strings("\"a\""), None);
    }
}
