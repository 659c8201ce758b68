//! What an upstream sends beside its answers (THREATS, prose through side doors): nothing of it reaches a model.
//!
//! The server declares no client capabilities to an upstream, so that it has nothing to ask; where it asks all the same it
//! is refused, whatever the words.

/// A message that an upstream sends of its own accord.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message<'a> {
    /// A notification, by its method.
    Notification(&'a str),
    /// A request, by its method.
    Request(&'a str),
}

/// What is done with it. In no case is its content looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Treatment {
    /// An empty answer.
    Answer,
    /// It goes nowhere.
    Drop,
    /// Nothing of it is used; the upstream's tools are listed again and compared with the pinned ones.
    ListAgain,
    /// It is answered with [`REFUSED`](Treatment::REFUSED).
    Refuse,
}

impl Treatment {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Answer, Self::Drop, Self::ListAgain, Self::Refuse];

    /// The JSON-RPC error code of a refused request: the method does not exist here.
    pub const REFUSED: i32 = -32_601;
}

/// What is done with a message. A method that nobody has heard of is treated as the others of its kind.
#[must_use]
pub fn treat(message: Message<'_>) -> Treatment {
    match message {
        Message::Request("ping") => Treatment::Answer,
        Message::Request(_) => Treatment::Refuse,
        Message::Notification("notifications/tools/list_changed") => Treatment::ListAgain,
        Message::Notification(_) => Treatment::Drop,
    }
}

#[cfg(test)]
mod tests {
    use super::{Message, Treatment, treat};

    #[test]
    fn an_upstream_asks_for_nothing_and_tells_nothing() {
        for method in ["sampling/createMessage", "elicitation/create", "roots/list", "tasks/get", "Ping", ""]
        {
            assert_eq!(treat(Message::Request(method)), Treatment::Refuse, "{method}");
        }
        for kind in ["message", "progress", "resources/updated", "prompts/list_changed", "cancelled"] {
            assert_eq!(
                treat(Message::Notification(&format!("notifications/{kind}"))),
                Treatment::Drop,
                "{kind}"
            );
        }
        assert_eq!(treat(Message::Request("ping")), Treatment::Answer);
        assert_eq!(treat(Message::Notification("notifications/tools/list_changed")), Treatment::ListAgain);
    }
}
