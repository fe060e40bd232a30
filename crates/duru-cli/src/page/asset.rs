//! The files of the page.

use std::io::Write as _;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Smaller than this, nothing is gained.
const WORTH_COMPRESSING: usize = 512;

/// A file of the page, ready to be sent.
pub(super) struct Asset {
    /// Its path below `/`.
    pub(super) path: &'static str,
    pub(super) kind: &'static str,
    pub(super) plain: &'static [u8],
    pub(super) zipped: Option<Vec<u8>>,
    /// Changes with its content.
    pub(super) tag: String,
}

const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Compressed once, when the first browser comes.
static ALL: LazyLock<Vec<Asset>> =
    LazyLock::new(|| FILES.iter().map(|(path, plain)| Asset::new(path, plain)).collect());

impl Asset {
    pub(super) fn find(path: &str) -> Option<&'static Self> {
        ALL.iter().find(|asset| asset.path == path)
    }

    fn new(path: &'static str, plain: &'static [u8]) -> Self {
        Self { path, kind: kind(path), plain, zipped: zipped(plain), tag: tag(plain) }
    }

    /// Whether its name changes with its content, so that it may be kept for ever.
    pub(super) fn is_lasting(&self) -> bool {
        self.path.starts_with("assets/")
    }
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

fn zipped(plain: &[u8]) -> Option<Vec<u8>> {
    if plain.len() < WORTH_COMPRESSING {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(plain).ok()?;
    encoder.finish().ok()
}

/// FNV-1a: it only has to differ where the content does.
fn tag(plain: &[u8]) -> String {
    let hash = plain.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("\"{hash:016x}\"")
}
