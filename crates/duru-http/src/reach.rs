//! Which addresses may be connected to.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use http::Uri;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Where connections may lead. A name is resolved once, and only what was checked is connected to: an answer that
/// changes between the check and the connection changes nothing.
#[derive(Clone, Debug)]
pub enum Reach {
    /// Wherever the configuration says.
    Anywhere,
    /// Public addresses only, but for this host, which was configured.
    Public { but: Arc<str> },
}

/// The host of an address, without the brackets of an IPv6 one.
pub(crate) fn host(uri: &Uri) -> &str {
    uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']')
}

impl Reach {
    /// Public addresses only, but for the host of `base`, which was configured.
    pub fn public_but(base: &Uri) -> Self {
        Self::Public { but: host(base).into() }
    }

    /// Whether wherever this host leads is fine.
    pub(crate) fn is_free(&self, host: &str) -> bool {
        match self {
            Self::Anywhere => true,
            Self::Public { but } => host.eq_ignore_ascii_case(but),
        }
    }

    pub(crate) fn allows(&self, host: &str, address: IpAddr) -> bool {
        self.is_free(host) || is_public(address)
    }

    /// A host that is written as an address is never resolved, so it is checked here.
    pub fn allows_literal(&self, uri: &Uri) -> bool {
        let host = host(uri);
        host.parse().map_or(true, |address| self.allows(host, address))
    }
}

/// Resolves names, and gives back only addresses that may be reached.
pub(crate) struct Resolver {
    pub(crate) reach: Reach,
    /// Which are where they are, and asked for everything else.
    pub(crate) proxies: Arc<[String]>,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.reach.clone();
        let proxy = self.proxies.iter().any(|host| host.eq_ignore_ascii_case(name.as_str()));
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let allowed = allowed(&reach, proxy, name.as_str(), found);
            if allowed.is_empty() {
                let reason = format!("{} leads to no public address", name.as_str());
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason).into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

fn allowed(reach: &Reach, proxy: bool, name: &str, found: Vec<SocketAddr>) -> Vec<SocketAddr> {
    found.into_iter().filter(|address| proxy || reach.allows(name, address.ip())).collect()
}

/// Is it an address of the open internet: of no private, local or reserved network, under any disguise?
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let reserved = matches!(
        (a, b, c),
        (0 | 240..=255, ..) | (100, 64..=127, _) | (192, 0, 0 | 2) | (192, 88, 99) | (198, 18 | 19, _)
    );
    !(reserved
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        // Addresses of version 4: mapped, compatible, behind NAT64, in 6to4.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => embedded(high, low),
        [0x2002, high, low, ..] => embedded(high, low),
        // Teredo and documentation.
        [0x2001, 0 | 0xdb8, ..] => false,
        // All that is given out for the open internet.
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_open_internet_is_public() {
        let public = |text: &str| is_public(text.parse().unwrap());
        for address in ["8.8.8.8", "104.18.2.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"] {
            assert!(public(address), "{address}");
        }
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "192.0.0.192",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fd00:ec2::254",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "2002:7f00:1::",
            "2001:db8::1",
            "2001:0:1::",
        ] {
            assert!(!public(address), "{address}");
        }
    }

    #[test]
    fn a_literal_address_is_checked_and_the_configured_host_is_free() {
        let reach = Reach::public_but(&"http://127.0.0.1:9".parse().unwrap());
        let allows = |uri: &str| reach.allows_literal(&uri.parse().unwrap());
        assert!(
            allows("http://127.0.0.1:9/search")
                && allows("https://8.8.8.8/")
                && allows("https://example.org/")
        );
        assert!(
            !allows("http://10.0.0.1/")
                && !allows("http://[::1]/")
                && !allows("http://169.254.169.254/latest")
        );
    }
}
