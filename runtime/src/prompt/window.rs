//! The conversation's window (SYSTEMS D11): the last messages that fit the policy's bounds.

use crate::lock::Window;

/// Whose turn a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The model, its calls of tools among it.
    Model,
    /// The person.
    Person,
    /// A tool's result, which belongs to the call before it.
    Tool,
}

/// A message, as far as the window looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Whose turn it is.
    pub speaker: Speaker,
    /// Its tokens, as the server counts or estimates them.
    pub tokens: u64,
}

/// From which message on the conversation is sent. The window ends with the last message and never begins with a result
/// whose call it leaves out; where not even the last message fits, nothing is sent.
#[must_use]
pub fn window(messages: &[Message], bounds: Option<Window>) -> usize {
    let bounds = bounds.unwrap_or_default();
    let most = bounds.messages.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    let mut left = bounds.tokens.unwrap_or(u64::MAX);
    let mut from = messages.len();
    for (at, message) in messages.iter().enumerate().rev() {
        let Some(rest) = left.checked_sub(message.tokens).filter(|_| messages.len() - at <= most) else {
            break;
        };
        left = rest;
        from = at;
    }
    let orphans = messages.iter().skip(from).take_while(|message| message.speaker == Speaker::Tool).count();
    from + orphans
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Message, Speaker, window};
    use crate::lock::Window;

    fn message(speaker: Speaker, tokens: u64) -> Message {
        Message { speaker, tokens }
    }

    #[test]
    fn the_window_ends_at_the_last_message_and_keeps_results_with_their_calls() {
        use Speaker::{Model, Person, Tool};
        let talk = [Person, Model, Tool, Tool, Model, Person].map(|speaker| message(speaker, 10));
        let bounds = |messages, tokens| Some(Window { messages, tokens });
        assert_eq!(window(&talk, None), 0);
        assert_eq!(window(&talk, bounds(Some(2), None)), 4);
        assert_eq!(window(&talk, bounds(Some(3), None)), 4);
        assert_eq!(window(&talk, bounds(Some(5), None)), 1);
        assert_eq!(window(&talk, bounds(None, Some(29))), 4);
        assert_eq!(window(&talk, bounds(None, Some(9))), 6);
    }

    proptest! {
        #[test]
        fn no_window_exceeds_its_bounds(
            tokens in prop::collection::vec((0_u64..50, 0_u8..3), 0..30), most in 0_u64..20, cap in 0_u64..300
        ) {
            let talk: Vec<Message> = tokens
                .into_iter()
                .map(|(tokens, who)| message([Speaker::Model, Speaker::Person, Speaker::Tool][usize::from(who)], tokens))
                .collect();
            let from = window(&talk, Some(Window { messages: Some(most), tokens: Some(cap) }));
            let kept = &talk[from..];
            prop_assert!(kept.len() as u64 <= most && kept.iter().map(|one| one.tokens).sum::<u64>() <= cap);
            prop_assert!(kept.first().is_none_or(|first| first.speaker != Speaker::Tool));
        }
    }
}
