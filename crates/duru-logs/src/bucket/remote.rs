//! The bucket itself: objects under a prefix, replaced only by who knows what they were.

use std::path::Path as File;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use duru_sql::{BucketTrouble, Error};
use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{
    BackoffConfig, ClientOptions, ObjectStore, ObjectStoreExt, PutMode, PutPayload, RetryConfig,
    UpdateVersion, WriteMultipart,
};
use tokio::io::AsyncReadExt;

use super::address::BucketAddress;
use super::trouble;

/// One request, its answer included.
const REQUEST: Duration = Duration::from_secs(60);
const CONNECT: Duration = Duration::from_secs(3);
/// What fails of a passing cause is tried again that long.
const RETRY: Duration = Duration::from_secs(8);
/// A larger file is sent in parts of this size.
const PART: usize = 16 << 20;

pub(super) struct Bucket {
    store: Arc<dyn ObjectStore>,
    place: String,
}

/// An object as it was read or written: what to name when it is to be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag(String);

/// An object of a list.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) tag: Option<Tag>,
}

impl Bucket {
    pub(super) fn open(address: &BucketAddress) -> Result<Self, Error> {
        let place = address.to_string();
        let wrong = |e: &object_store::Error| trouble(&place, e);
        let store = client(address).map_err(|e| wrong(&e))?;
        let store: Arc<dyn ObjectStore> = match address.prefix.as_str() {
            "" => Arc::new(store),
            prefix => Arc::new(PrefixStore::new(store, Path::from(prefix))),
        };
        Ok(Self { store, place })
    }

    /// What queries read segments from.
    pub(super) fn root(&self) -> Arc<dyn ObjectStore> {
        self.store.clone()
    }

    /// An error of its own.
    pub(super) fn error(&self, trouble: BucketTrouble, detail: impl Into<String>) -> Error {
        Error::Bucket { place: self.place.clone(), trouble, detail: detail.into() }
    }

    fn failed(&self, e: &object_store::Error) -> Error {
        trouble(&self.place, e)
    }

    /// None if there is no such object.
    pub(super) async fn get(&self, name: &str) -> Result<Option<(Bytes, Tag)>, Error> {
        let found = match self.store.get(&Path::from(name)).await {
            Ok(found) => found,
            Err(e) if self.is_missing(&e) => return Ok(None),
            Err(e) => return Err(self.failed(&e)),
        };
        let tag = self.tag(found.meta.e_tag.clone())?;
        let bytes = found.bytes().await.map_err(|e| self.failed(&e))?;
        Ok(Some((bytes, tag)))
    }

    /// An object that must be there.
    pub(super) async fn must_get(&self, name: &str) -> Result<Bytes, Error> {
        let found = self.get(name).await?;
        found.map(|(bytes, _)| bytes).ok_or_else(|| self.error(BucketTrouble::Emptied, name))
    }

    /// An object is missing, not the whole bucket.
    fn is_missing(&self, e: &object_store::Error) -> bool {
        let missing = |e: &Error| matches!(e, Error::Bucket { trouble: BucketTrouble::Missing, .. });
        matches!(e, object_store::Error::NotFound { .. }) && !missing(&self.failed(e))
    }

    fn tag(&self, tag: Option<String>) -> Result<Tag, Error> {
        tag.map(Tag).ok_or_else(|| self.error(BucketTrouble::Unconditional, "no ETag"))
    }

    /// Writes an object that never changes.
    pub(super) async fn put(&self, name: &str, bytes: impl Into<PutPayload>) -> Result<(), Error> {
        self.store.put(&Path::from(name), bytes.into()).await.map(drop).map_err(|e| self.failed(&e))
    }

    /// Writes an object in place of the one that has this tag, or of none. None if it is another one.
    pub(super) async fn replace(
        &self,
        name: &str,
        bytes: Bytes,
        old: Option<&Tag>,
    ) -> Result<Option<Tag>, Error> {
        let mode = match old {
            None => PutMode::Create,
            Some(Tag(tag)) => PutMode::Update(UpdateVersion { e_tag: Some(tag.clone()), version: None }),
        };
        match self.store.put_opts(&Path::from(name), bytes.into(), mode.into()).await {
            Ok(put) => self.tag(put.e_tag).map(Some),
            Err(object_store::Error::Precondition { .. } | object_store::Error::AlreadyExists { .. }) => {
                Ok(None)
            }
            Err(e) => Err(self.failed(&e)),
        }
    }

    /// Sends a file.
    pub(super) async fn upload(&self, name: &str, file: &File) -> Result<(), Error> {
        let cant = |e: std::io::Error| Error::Unavailable { reason: format!("{}: {e}", file.display()) };
        let mut source = tokio::fs::File::open(file).await.map_err(cant)?;
        let bytes = source.metadata().await.map_err(cant)?.len();
        if bytes <= PART as u64 {
            let mut content = Vec::new();
            source.read_to_end(&mut content).await.map_err(cant)?;
            return self.put(name, content).await;
        }
        let upload = self.store.put_multipart(&Path::from(name)).await.map_err(|e| self.failed(&e))?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, PART);
        let mut piece = vec![0; PART];
        loop {
            match source.read(&mut piece).await.map_err(cant)? {
                0 => break,
                read => {
                    upload.wait_for_capacity(2).await.map_err(|e| self.failed(&e))?;
                    upload.write(&piece[..read]);
                }
            }
        }
        upload.finish().await.map(drop).map_err(|e| self.failed(&e))
    }

    /// Fetches an object into a file.
    pub(super) async fn download(&self, name: &str, file: &File) -> Result<(), Error> {
        let cant = |e: std::io::Error| Error::Unavailable { reason: format!("{}: {e}", file.display()) };
        let found = self.store.get(&Path::from(name)).await.map_err(|e| match self.is_missing(&e) {
            true => self.error(BucketTrouble::Emptied, name),
            false => self.failed(&e),
        })?;
        let mut pieces = found.into_stream();
        let mut target = tokio::fs::File::create(file).await.map_err(cant)?;
        while let Some(piece) = pieces.try_next().await.map_err(|e| self.failed(&e))? {
            tokio::io::AsyncWriteExt::write_all(&mut target, &piece).await.map_err(cant)?;
        }
        target.sync_all().await.map_err(cant)
    }

    /// The objects of a folder and those below it.
    pub(super) async fn list(&self, folder: &str) -> Result<Vec<Listed>, Error> {
        let folder = Path::from(folder);
        let found: Vec<_> =
            self.store.list(Some(&folder)).try_collect().await.map_err(|e| self.failed(&e))?;
        let listed = |meta: object_store::ObjectMeta| Listed {
            name: meta.location.to_string(),
            tag: meta.e_tag.map(Tag),
        };
        Ok(found.into_iter().map(listed).collect())
    }

    /// Removes an object, if it is there.
    pub(super) async fn remove(&self, name: &str) -> Result<(), Error> {
        match self.store.delete(&Path::from(name)).await {
            Err(e) if !self.is_missing(&e) => Err(self.failed(&e)),
            _ => Ok(()),
        }
    }
}

fn client(address: &BucketAddress) -> object_store::Result<object_store::aws::AmazonS3> {
    let mut builder = AmazonS3Builder::from_env();
    let endpoint = address.endpoint.clone().or_else(|| std::env::var("AWS_ENDPOINT_URL").ok());
    let plain = endpoint.as_deref().is_some_and(|endpoint| endpoint.starts_with("http://"));
    let named = [
        (AmazonS3ConfigKey::Endpoint, &address.endpoint),
        (AmazonS3ConfigKey::Region, &address.region),
        (AmazonS3ConfigKey::AccessKeyId, &address.key),
        (AmazonS3ConfigKey::SecretAccessKey, &address.secret),
        (AmazonS3ConfigKey::Token, &address.token),
    ];
    for (key, value) in named {
        if let Some(value) = value {
            builder = builder.with_config(key, value);
        }
    }
    if address.virtual_host {
        builder = builder.with_virtual_hosted_style_request(true);
    }
    let options = ClientOptions::new()
        .with_timeout(REQUEST)
        .with_connect_timeout(CONNECT)
        .with_allow_http(plain)
        .with_user_agent(http::HeaderValue::from_static(concat!("duru/", env!("CARGO_PKG_VERSION"))));
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(100),
        max_backoff: Duration::from_secs(2),
        base: 2.0,
    };
    builder
        .with_bucket_name(&address.bucket)
        .with_client_options(options)
        .with_retry(RetryConfig { backoff, max_retries: 6, retry_timeout: RETRY })
        .build()
}
