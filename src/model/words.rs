//! The closed lists of words that several sections share.

use super::read::words;

words! {
    /// What a tool does to the world, weakest first.
    Effect = "an effect" {
        /// Changes nothing.
        Read = "read",
        /// Makes something that was not there.
        Create = "create",
        /// Changes what is there.
        Write = "write",
        /// Takes away what is there.
        Destructive = "destructive",
    }
}

words! {
    /// Who must agree before a call takes effect, loosest first.
    Approval = "an approval" {
        /// Nobody.
        Auto = "auto",
        /// One person.
        Confirm = "confirm",
        /// One person who neither asked for it nor is the one it is done for.
        FourEyes = "four_eyes",
    }
}

words! {
    /// What a tool gives back.
    Returns = "what a tool returns" {
        /// Values under a closed schema.
        Structured = "structured",
        /// Free text; untrusted by that word.
        Prose = "prose",
        /// Nothing.
        None = "none",
    }
}

words! {
    /// What an approver is shown.
    Preview = "a preview" {
        /// The exact input and its target.
        Input = "input",
        /// The target as it is and as it would be.
        BeforeAfter = "before_after",
    }
}

words! {
    /// The word that stands for having none.
    NoneWord = "the word `none`" {
        /// None.
        None = "none",
    }
}

words! {
    /// The word that stands for never.
    NeverWord = "the word `never`" {
        /// Never.
        Never = "never",
    }
}
