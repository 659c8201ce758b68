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
    /// One person who answers twice looks like two.
    DistinctPeople,
    /// Everybody looks like a holder of every persona.
    Eligibility,
    /// No time passes.
    Expiry,
    /// Whose wish it was looks like somebody else.
    FourEyes,
    /// A machine looks like a person.
    Human,
    /// The kill switch looks off.
    KillSwitch,
    /// A no never arrives.
    OneNo,
    /// The preview looks like the one that was shown.
    Preview,
    /// A tightened approval looks like the one that was asked for.
    Stricter,
    /// A crash leaves what was started looking approved.
    Unknown,
}

impl Blind {
    pub(crate) const ALL: [Self; 17] = [
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

    /// What becomes possible without it, at the least.
    pub(crate) fn harm(self) -> Harm {
        match self {
            Self::CompareAndSet | Self::ConsumedOnce | Self::Unknown => Harm::Twice,
            Self::Deed => Harm::OtherDeed,
            Self::Dependency => Harm::OutOfOrder,
            Self::Expiry => Harm::Late,
            Self::KillSwitch => Harm::Killed,
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
