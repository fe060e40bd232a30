//! Which span of which trace, as it travels between processes: W3C's `traceparent`.

use crate::json;

/// A span as others name it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    pub(crate) trace: u128,
    pub(crate) span: u64,
    /// Whether somebody keeps it.
    pub(crate) sampled: bool,
}

impl Context {
    /// Reads the value of the header; none if it is no such value.
    pub fn parse(header: &str) -> Option<Self> {
        let header = header.trim().as_bytes();
        let (known, more) = header.split_at_checked(55)?;
        let dashes = [2, 35, 52].iter().all(|at| known[*at] == b'-');
        let [version] = bytes(&known[..2])?;
        // Later versions may say more behind it; the first one may not.
        let ends = more.is_empty() || (version > 0 && more[0] == b'-');
        if !dashes || !ends || version == 0xff {
            return None;
        }
        let trace = u128::from_be_bytes(bytes(&known[3..35])?);
        let span = u64::from_be_bytes(bytes(&known[36..52])?);
        let [flags] = bytes(&known[53..])?;
        let sampled = flags & 1 == 1;
        (trace != 0 && span != 0).then_some(Self { trace, span, sampled })
    }

    /// The value of the header.
    pub fn header(&self) -> String {
        let mut header = b"00-".to_vec();
        json::hex(&mut header, &self.trace.to_be_bytes());
        header.push(b'-');
        json::hex(&mut header, &self.span.to_be_bytes());
        header.extend_from_slice(if self.sampled { b"-01" } else { b"-00" });
        String::from_utf8(header).unwrap_or_default()
    }

    /// The trace's id, as logs and collectors show it.
    pub fn trace_id(&self) -> String {
        format!("{:032x}", self.trace)
    }
}

/// Hex digits in small letters only, as the standard has it.
fn bytes<const N: usize>(digits: &[u8]) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(digits, &mut bytes).ok()?;
    digits.iter().all(|digit| !digit.is_ascii_uppercase()).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nonsense_is_not() {
        let header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let context = Context::parse(header).unwrap();
        assert_eq!((context.header().as_str(), context.sampled), (header, true));
        assert!(Context::parse("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00-more").is_some());
        for nonsense in [
            "",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "00-+af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        ] {
            assert_eq!(Context::parse(nonsense), None, "{nonsense}");
        }
    }
}
