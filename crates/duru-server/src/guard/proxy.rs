//! Requests that others pass on: whom they come from, and that they come from elsewhere.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::HeaderMap;

/// An address, or all whose first bits are the same: `10.0.0.7`, `10.0.0.0/8`, `fd00::/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u8,
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, bits) = text.split_once('/').unwrap_or((text, ""));
        let address: IpAddr = address.trim().parse().map_err(|_| format!("{text:?} is no address"))?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            "" => most,
            bits => bits.trim().parse().map_err(|_| format!("{text:?} is no network"))?,
        };
        if bits > most {
            return Err(format!("{text:?} is no network"));
        }
        Ok(Self { address, bits })
    }
}

impl Network {
    /// Whether an address is in it.
    pub fn has(&self, other: IpAddr) -> bool {
        let same = |one: u128, two: u128, all: u32| {
            let rest = all - u32::from(self.bits);
            one.checked_shr(rest).unwrap_or(0) == two.checked_shr(rest).unwrap_or(0)
        };
        match (self.address, other.to_canonical()) {
            (IpAddr::V4(one), IpAddr::V4(two)) => same(one.to_bits().into(), two.to_bits().into(), 32),
            (IpAddr::V6(one), IpAddr::V6(two)) => same(one.to_bits(), two.to_bits(), 128),
            _ => false,
        }
    }
}

/// What proxies, balancers and tunnels add to what they pass on.
const SIGNS: [&str; 14] = [
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-original-host",
    "true-client-ip",
    "cf-connecting-ip",
    "cf-ray",
    "fastly-client-ip",
    "fly-client-ip",
    "x-envoy-external-address",
    "x-amzn-trace-id",
    "tailscale-user-login",
];

/// Whether somebody passed a request on. One that hides it can't be told from somebody at this machine.
pub(super) fn is_forwarded(headers: &HeaderMap) -> bool {
    SIGNS.iter().any(|sign| headers.contains_key(*sign))
        || headers.keys().any(|name| name.as_str().starts_with("x-forwarded"))
}

/// Whom a request comes from: whoever is connected or, where that is a proxy that is trusted, whoever it says, past
/// all others that are trusted.
pub(super) fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.has(address));
    if !is_trusted(peer) {
        return peer;
    }
    let told: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    let mut client = peer;
    for part in told.into_iter().rev() {
        // What is no address was written by nobody who is trusted.
        let Some(address) = address(part.trim()) else { return client };
        client = address;
        if !is_trusted(address) {
            return client;
        }
    }
    client
}

/// With or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').split(']').next().unwrap_or_default();
    text.parse().ok().or_else(|| bare.parse().ok()).or_else(|| text.rsplit_once(':')?.0.parse().ok())
}

/// What an address is counted by: an owner of one IPv6 address has a whole network of them.
pub(super) fn counted(address: Option<IpAddr>) -> String {
    match address.map(|address| address.to_canonical()) {
        Some(IpAddr::V6(six)) => format!("{:x}", six.to_bits() >> 64),
        Some(four) => four.to_string(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append("x-forwarded-for", HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn only_proxies_that_are_trusted_say_whom_a_request_comes_from() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let trusted: Vec<Network> =
            ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].iter().map(|text| text.parse().unwrap()).collect();
        let from = |peer: &str, values: &[&str]| client(ip(peer), &headers(values), &trusted).to_string();
        assert_eq!(
            from("203.0.113.9", &["198.51.100.1"]),
            "203.0.113.9",
            "who is not trusted is not believed"
        );
        assert_eq!(from("127.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(from("127.0.0.1", &["1.2.3.4, 198.51.100.1, 10.1.2.3"]), "198.51.100.1");
        assert_eq!(from("::ffff:127.0.0.1", &["198.51.100.1:4711"]), "198.51.100.1");
        assert_eq!(from("fd00::1", &["1.1.1.1", "[2001:db8::1]:80"]), "2001:db8::1");
        assert_eq!(from("127.0.0.1", &["198.51.100.1, nonsense"]), "127.0.0.1");
        assert_eq!(from("127.0.0.1", &[]), "127.0.0.1");
        for wrong in ["", "x", "10.0.0.0/33", "::/129", "10.0.0.0/x"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
        assert!("0.0.0.0/0".parse::<Network>().unwrap().has(ip("8.8.8.8")));
        assert!(!"0.0.0.0/0".parse::<Network>().unwrap().has(ip("::1")));
    }

    #[test]
    fn what_was_passed_on_is_told_from_what_was_not() {
        assert!(!is_forwarded(&HeaderMap::new()));
        for name in ["x-forwarded-for", "X-Forwarded-Proto", "forwarded", "via", "x-real-ip", "cf-ray"] {
            let mut headers = HeaderMap::new();
            let name: axum::http::HeaderName = name.parse().unwrap();
            headers.insert(name.clone(), HeaderValue::from_static("x"));
            assert!(is_forwarded(&headers), "{name}");
        }
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one() {
        let of = |text: &str| counted(Some(text.parse().unwrap()));
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:2"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:1.2.3.4"), "1.2.3.4");
    }
}
