//! `multipleOf` on the digits as they are written, so that 0.3 is a multiple of 0.1.

use serde_json::Number;

/// A decimal number: digits × 10^exponent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    /// The shortest decimal that names this double; `None` beyond what is held here exactly.
    pub(super) fn of(number: &Number) -> Option<Self> {
        let double = number.as_f64().filter(|double| double.is_finite())?;
        let mut buffer = ryu_js::Buffer::new();
        let text = buffer.format_finite(double);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}").parse().ok()?;
        let exponent: i32 = exponent.parse().ok()?;
        Some(Self { digits, exponent: exponent.checked_sub(i32::try_from(fraction.len()).ok()?)? })
    }

    /// Whether this is a whole multiple of `step`; where that cannot be told exactly, it is none.
    pub(super) fn is_multiple_of(self, step: Self) -> bool {
        let floor = self.exponent.min(step.exponent);
        let (Some(digits), Some(step)) = (self.at(floor), step.at(floor)) else { return false };
        step > 0 && digits.checked_rem(step) == Some(0)
    }

    fn at(self, exponent: i32) -> Option<i128> {
        let shift = u32::try_from(self.exponent.checked_sub(exponent)?).ok()?;
        self.digits.checked_mul(10_i128.checked_pow(shift)?)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Number;

    use super::Decimal;

    fn multiple(value: f64, step: f64) -> bool {
        let of = |double| Decimal::of(&Number::from_f64(double).unwrap()).unwrap();
        of(value).is_multiple_of(of(step))
    }

    #[test]
    fn multiples_are_told_on_decimal_digits() {
        assert!(multiple(0.3, 0.1) && multiple(-4.5, 0.5) && multiple(1e21, 10.0) && multiple(0.0, 7.0));
        assert!(
            !multiple(0.35, 0.1) && !multiple(5.0, 2.0) && !multiple(1e-7, 1e-6) && !multiple(1e300, 1e-300)
        );
    }
}
