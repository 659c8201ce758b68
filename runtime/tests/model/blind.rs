//! The guards, and what each is shown when it is blinded. Nothing in the crate can be switched off: the wrapper lies.

use crate::oracle::Harm;

/// One guard, blinded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blind {
    /// A voter who is nobody looks authenticated.
    Authentication,
    /// A worker that read before another wrote is let through.
    CompareAndSet,
    /// What was consumed looks approved.
    ConsumedOnce,
    /// A no after a yes of the same person never arrives.
    Contradiction,
    /// A changed deed looks like the one that was shown.
    Deed,
    /// What leans on another action does not say so.
    Dependency,
    /// An answer to an old digest looks like one to the new.
    Digest,
    /// A tool that the outside server changed looks like the pinned one.
    Drift,
    /// One person who answers twice looks like two.
    DistinctPeople,
    /// Everybody looks like a holder of every persona.
    Eligibility,
    /// No time passes.
    Expiry,
    /// A look of long ago looks like one just taken.
    Freshness,
    /// Whose wish it was looks like somebody else.
    FourEyes,
    /// A machine looks like a person.
    Human,
    /// The kill switch looks off.
    KillSwitch,
    /// Where nobody looked at the outside server, it looks as if somebody had.
    Looked,
    /// A look under another lock looks like one under this.
    LookedUnder,
    /// A no never arrives.
    OneNo,
    /// A tool of an outside server looks like one of our own.
    Outside,
    /// What waits for an outside server is ended instead.
    Patience,
    /// The preview looks like the one that was shown.
    Preview,
    /// A list that never came looks like the pinned one.
    Silence,
    /// A tightened approval looks like the one that was asked for.
    Stricter,
    /// What was found of another tool looks as if it were of this one.
    Tool,
    /// A crash leaves what was started looking approved.
    Unknown,
}

impl Blind {
    /// The guards that stand wherever a write is done.
    pub(crate) const EVERYWHERE: [Self; 17] = [
        Self::Authentication,
        Self::CompareAndSet,
        Self::ConsumedOnce,
        Self::Contradiction,
        Self::Deed,
        Self::Dependency,
        Self::Digest,
        Self::DistinctPeople,
        Self::Eligibility,
        Self::Expiry,
        Self::FourEyes,
        Self::Human,
        Self::KillSwitch,
        Self::OneNo,
        Self::Preview,
        Self::Stricter,
        Self::Unknown,
    ];

    /// Those of them that stand at the execution itself, which an outside server could come between.
    pub(crate) const EXECUTION: [Self; 5] =
        [Self::CompareAndSet, Self::ConsumedOnce, Self::Deed, Self::KillSwitch, Self::Unknown];

    /// The guards that stand before an outside server.
    pub(crate) const OUTSIDE: [Self; 8] = [
        Self::Drift,
        Self::Freshness,
        Self::Looked,
        Self::LookedUnder,
        Self::Outside,
        Self::Patience,
        Self::Silence,
        Self::Tool,
    ];

    /// What becomes possible without it, at the least.
    pub(crate) fn harm(self) -> Harm {
        match self {
            Self::CompareAndSet | Self::ConsumedOnce | Self::Unknown => Harm::Twice,
            Self::Deed => Harm::OtherDeed,
            Self::Dependency => Harm::OutOfOrder,
            Self::Drift | Self::Tool => Harm::Drifted,
            Self::Expiry => Harm::Late,
            Self::Freshness => Harm::StaleLook,
            Self::KillSwitch => Harm::Killed,
            Self::Looked | Self::Outside | Self::Silence => Harm::Unseen,
            Self::LookedUnder => Harm::OtherLook,
            Self::Patience => Harm::Lost,
            Self::Contradiction | Self::OneNo => Harm::AfterNo,
            Self::Preview => Harm::OtherPreview,
            Self::Authentication
            | Self::Digest
            | Self::DistinctPeople
            | Self::Eligibility
            | Self::FourEyes
            | Self::Human
            | Self::Stricter => Harm::Unapproved,
        }
    }
}
