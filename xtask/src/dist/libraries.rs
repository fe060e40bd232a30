//! Which libraries of the system a program needs, read from the names that its dynamic linker looks for.

/// Libraries that Rust programs are linked to, and the Debian packages that hold them.
const PACKAGES: [(&str, &str); 3] =
    [("libgcc_s.so.1", "libgcc-s1"), ("libstdc++.so.6", "libstdc++6"), ("libz.so.1", "zlib1g")];

/// The oldest glibc that the program starts on, as in 2.36; nothing for a program that needs none.
pub(super) fn glibc(program: &[u8]) -> Option<(u32, u32)> {
    let versions = program.split(|byte| *byte == 0).filter_map(|name| {
        let version = std::str::from_utf8(name).ok()?.strip_prefix("GLIBC_")?;
        let mut numbers = version.split('.').map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    });
    versions.max()
}

/// What Debian calls all that the program needs.
pub(super) fn debian(program: &[u8]) -> Vec<String> {
    let libc = glibc(program).map(|(major, minor)| format!("libc6 (>= {major}.{minor})"));
    let named = |library: &str| program.split(|byte| *byte == 0).any(|name| name == library.as_bytes());
    let others = PACKAGES.into_iter().filter(|(library, _)| named(library));
    libc.into_iter().chain(others.map(|(_, package)| package.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_of_all_names_counts() {
        let program =
            b"\x7fELF\0libc.so.6\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0GLIBC_PRIVATE\0libgcc_s.so.1\0";
        assert_eq!(glibc(program), Some((2, 34)));
        assert_eq!(debian(program), ["libc6 (>= 2.34)", "libgcc-s1"]);
        assert_eq!(debian(b"#!/bin/sh\necho GLIBC_2.99\n"), [""; 0], "a script");
    }
}
