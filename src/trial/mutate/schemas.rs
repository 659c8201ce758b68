//! Schemas of inputs and outputs, opened keyword by keyword where they are written.

use std::sync::Arc;

use super::Mutant;
use super::kind::Kind;
use super::text;
use crate::diagnostic::Edit;
use crate::model::words::Returns;
use crate::rules::Cx;
use crate::source::Span;
use crate::syntax::{Entry, Kind as NodeKind, Node};
use crate::variant::Written;

/// The key of a free text.
const TEXT: &str = "text";

/// Mutants of every input and output of our own tools, of what overlays restate and of named types.
pub(super) fn mutants(cx: &Cx<'_>, found: &mut Vec<Mutant>) {
    for tool in cx.model.tools.sorted() {
        if let Some(input) = &tool.input {
            walk(cx, &input.0, Kind::Schema, &format!("the input of `{}`", tool.key.value), found);
        }
        if let Some(output) = &tool.output {
            walk(cx, &output.0, Kind::Output, &format!("the output of `{}`", tool.key.value), found);
        }
        if let Some(word) = tool.returns.as_ref().filter(|word| word.value == Returns::Prose) {
            found.push(Mutant {
                kind: Kind::Output,
                at: word.span,
                edit: Edit { span: word.span, replacement: Returns::None.word().to_owned() },
                said: format!("the text that `{}` returns is no longer called untrusted", tool.key.value),
            });
        }
    }
    for source in cx.model.context_sources.sorted() {
        if let Some(flag) = source.untrusted.as_ref().filter(|flag| flag.value) {
            found.push(Mutant {
                kind: Kind::Output,
                at: flag.span,
                edit: Edit { span: flag.span, replacement: "false".to_owned() },
                said: format!("the text of the source `{}` is no longer called untrusted", source.key.value),
            });
        }
    }
    for def in cx.model.types.sorted() {
        walk(cx, &def.value.0, Kind::Schema, &format!("the type `{}`", def.key.value), found);
    }
}

/// Mutants of one schema.
pub(super) fn walk(cx: &Cx<'_>, node: &Arc<Node>, kind: Kind, of: &str, found: &mut Vec<Mutant>) {
    Walk { cx, kind, all: None, found }.schema(node, of);
}

/// Mutants of a narrowing, by values that the tool itself takes: any other one would change nothing.
pub(super) fn narrowing(
    cx: &Cx<'_>,
    node: &Arc<Node>,
    (tool, input): (&str, &str),
    of: &str,
    found: &mut Vec<Mutant>,
) {
    let closed = cx.policy.registry.tool(tool).and_then(|tool| tool.closed_input.as_ref());
    let all = closed.and_then(|closed| crate::policy::schema::string_enum(closed, input));
    Walk { cx, kind: Kind::Only, all: Some(all.unwrap_or_default()), found }.schema(node, of);
}

struct Walk<'w, 'c> {
    cx: &'w Cx<'c>,
    kind: Kind,
    /// The values that a list may take one more of; nothing: any.
    all: Option<Vec<String>>,
    found: &'w mut Vec<Mutant>,
}

impl Walk<'_, '_> {
    fn push(&mut self, at: Span, edit: Option<Edit>, said: String) {
        self.found.extend(edit.map(|edit| Mutant { kind: self.kind, at, edit, said }));
    }

    fn schema(&mut self, node: &Arc<Node>, of: &str) {
        match &node.kind {
            NodeKind::List(items) => self.values(node.span, items, of),
            NodeKind::Map(entries) => {
                for entry in entries {
                    self.keyword(entry, of);
                }
            }
            _ => {}
        }
    }

    /// A list of values takes one more.
    fn values(&mut self, whole: Span, items: &[Arc<Node>], of: &str) {
        if !items.iter().all(|item| item.text().is_some()) {
            return;
        }
        let own: Vec<&str> = items.iter().filter_map(|item| item.text()).collect();
        let more = match &self.all {
            None => Some("other".to_owned()),
            Some(all) => all.iter().find(|value| !own.contains(&value.as_str())).cloned(),
        };
        let Some(more) = more else { return };
        let edit =
            Written::around(self.cx.tree, whole).and_then(|list| list.with(&self.cx.tree.sources, &more));
        self.push(whole, edit, format!("{of} takes one more value"));
    }

    fn keyword(&mut self, entry: &Entry, of: &str) {
        // An alias stands for a text that is weakened where it is written.
        if entry.alias.is_some() {
            return;
        }
        let (key, value) = (&entry.key, &entry.value);
        match (key.value.as_str(), &value.kind) {
            ("properties" | "$defs", NodeKind::Map(properties)) => {
                if self.kind == Kind::Output && key.value == "properties" {
                    self.one_more(properties, of);
                }
                for property in properties.iter().filter(|property| property.alias.is_none()) {
                    self.schema(&property.value, &format!("`{}` in {of}", property.key.value));
                }
            }
            ("items" | "not" | "contains", _) => self.schema(value, of),
            ("anyOf" | "oneOf" | "allOf", NodeKind::List(branches)) => {
                for branch in branches {
                    self.schema(branch, of);
                }
            }
            ("enum", NodeKind::List(items)) => self.values(value.span, items, of),
            (
                "maxLength" | "maxItems" | "maximum" | "exclusiveMaximum" | "maxProperties",
                NodeKind::Number(_),
            ) => {
                self.larger(value.span, &format!("`{}` of {of} is raised", key.value));
            }
            (
                "minLength" | "minItems" | "minimum" | "exclusiveMinimum" | "minProperties",
                NodeKind::Number(written),
            ) => {
                self.smaller(&key.value, value.span, written, of);
            }
            ("pattern" | "format" | "uniqueItems" | "untrusted_title", _) => {
                let edit = text::without_entry(self.cx.tree, key.span);
                self.push(key.span, edit, format!("`{}` of {of} is dropped", key.value));
            }
            ("required", NodeKind::List(items)) => self.required(key.span, value.span, items, of),
            _ => {}
        }
    }

    /// An output lets a text of its own through.
    fn one_more(&mut self, properties: &[Entry], of: &str) {
        let named = |entry: &Entry| entry.key.value == TEXT;
        let Some(first) = properties.first().filter(|_| !properties.iter().any(named)) else { return };
        let at = first.key.span;
        let edit = text::with_entry(self.cx.tree, at, &format!("{TEXT}: {{type: string, maxLength: 300}}"));
        self.push(at, edit, format!("a free text passes in {of}"));
    }

    fn larger(&mut self, at: Span, said: &str) {
        let written = self.cx.tree.sources.slice(at);
        let edit = if written.starts_with('-') {
            Some(Edit { span: at, replacement: "0".to_owned() })
        } else if written.chars().all(|c| matches!(c, '0' | '.')) {
            Some(Edit { span: at, replacement: "1".to_owned() })
        } else {
            text::doubled(&self.cx.tree.sources, at)
        };
        self.push(at, edit, said.to_owned());
    }

    /// A lower bound of items or characters falls by one, a lower bound of a number below zero.
    fn smaller(&mut self, keyword: &str, at: Span, written: &str, of: &str) {
        let edit = if keyword.ends_with("imum") {
            match written.strip_prefix('-') {
                Some(_) => text::doubled(&self.cx.tree.sources, at),
                None => Some(Edit { span: at, replacement: "-1".to_owned() }),
            }
        } else {
            let least = written.parse::<u64>().ok().and_then(|least| least.checked_sub(1));
            least.map(|least| Edit { span: at, replacement: least.to_string() })
        };
        self.push(at, edit, format!("`{keyword}` of {of} is lowered"));
    }

    fn required(&mut self, key: Span, whole: Span, items: &[Arc<Node>], of: &str) {
        let Some(list) = Written::around(self.cx.tree, whole) else { return };
        for (place, item) in items.iter().enumerate() {
            let edit =
                list.without(&self.cx.tree.sources, place).or_else(|| text::without_entry(self.cx.tree, key));
            let name = item.text().unwrap_or("");
            self.push(item.span, edit, format!("`{name}` of {of} need not be given"));
        }
    }
}
