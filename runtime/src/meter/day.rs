//! The day that a cost counts against: it begins where the tenant lives.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A calendar day, as the number of days since 1970-01-01.
///
/// With the feature `zones` this crate finds it from the policy's IANA zone; without it the server hands it in. The rules of
/// time zones change several times a year and take up more space than this whole crate, so the small core does without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Day(pub u32);

impl Day {
    /// The day in UTC.
    #[must_use]
    pub fn utc(at_ms: u64) -> Self {
        Self(u32::try_from(at_ms / 86_400_000).unwrap_or(u32::MAX))
    }

    /// The day at this time in an IANA zone (`limits.day.timezone`), by the rules that were bundled at build time; the
    /// machine's own are never read, so that two servers cannot disagree.
    ///
    /// # Errors
    /// Where there is no such zone, or the time is beyond the calendar. The caller denies.
    #[cfg(feature = "zones")]
    pub fn in_zone(at_ms: u64, zone: &str) -> Result<Self, UnknownZone> {
        let unknown = || UnknownZone { zone: zone.to_owned() };
        let zone = jiff::tz::TimeZoneDatabase::bundled().get(zone).map_err(|_| unknown())?;
        let at = i64::try_from(at_ms).ok().and_then(|at| jiff::Timestamp::from_millisecond(at).ok());
        let date = zone.to_datetime(at.ok_or_else(unknown)?).date();
        let since = date.duration_since(jiff::civil::date(1970, 1, 1)).as_hours() / 24;
        u32::try_from(since).map(Self).map_err(|_| unknown())
    }

    /// The day at this time where the policy's day begins: `limits.day.timezone`, in UTC where it states none.
    ///
    /// # Errors
    /// As [`in_zone`](Self::in_zone).
    #[cfg(feature = "zones")]
    pub fn under(limits: Option<&crate::lock::Limits>, at_ms: u64) -> Result<Self, UnknownZone> {
        let zone = limits.and_then(|limits| limits.day.as_ref()).and_then(|day| day.timezone.as_deref());
        zone.map_or(Ok(Self::utc(at_ms)), |zone| Self::in_zone(at_ms, zone))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "day {}", self.0)
    }
}

/// A zone that the bundled rules do not know.
#[cfg(feature = "zones")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownZone {
    /// Its name.
    pub zone: String,
}

#[cfg(feature = "zones")]
impl fmt::Display for UnknownZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no day can be said for the time zone `{}`", self.zone)
    }
}

#[cfg(feature = "zones")]
impl std::error::Error for UnknownZone {}

#[cfg(test)]
mod tests {
    use super::Day;

    #[test]
    fn days_in_utc_begin_at_midnight() {
        assert_eq!((Day::utc(86_399_999), Day::utc(86_400_000)), (Day(0), Day(1)));
        assert_eq!(Day::utc(u64::MAX), Day(u32::MAX));
    }

    // S9: per day in the tenant's time zone. Berlin is one hour ahead in winter and two in summer.
    #[cfg(feature = "zones")]
    #[test]
    fn days_begin_where_the_tenant_lives() {
        let minute = 60_000;
        // 2026-01-15 and 2026-07-15, midnight in UTC.
        for (midnight, ahead) in [(1_768_435_200_000_u64, 60), (1_784_073_600_000, 120)] {
            let berlin = |at: u64| Day::in_zone(at, "Europe/Berlin").unwrap();
            assert_eq!(berlin(midnight - ahead * minute), Day::utc(midnight));
            assert_eq!(berlin(midnight - (ahead + 1) * minute), Day(Day::utc(midnight).0 - 1));
            let day =
                crate::lock::DayLimits { timezone: Some("Europe/Berlin".to_owned()), ..Default::default() };
            let limits = crate::lock::Limits { day: Some(day), ..Default::default() };
            assert_eq!(Day::under(Some(&limits), midnight - 1).unwrap(), Day::utc(midnight));
            assert_eq!(Day::under(None, midnight - 1).unwrap(), Day::utc(midnight - 1));
            assert_eq!(Day::in_zone(midnight, "America/New_York").unwrap(), Day(Day::utc(midnight).0 - 1));
        }
        assert!(Day::in_zone(0, "Europe/Berlinn").is_err());
        assert!(Day::in_zone(u64::MAX, "Europe/Berlin").is_err());
    }
}
