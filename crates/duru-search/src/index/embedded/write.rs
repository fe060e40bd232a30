//! Changes: each call is one commit.

use tantivy::indexer::NoMergePolicy;
use tantivy::schema::Field;
use tantivy::{IndexWriter, TantivyDocument, TantivyError, Term};

use super::fields::{CHUNK, DOCUMENT, REMARK};
use super::kinds::kinds_of;
use super::{Error, Inner, engine};
use crate::access::Access;
use crate::document::{Document, family};
use crate::index::terms::{body, word_terms};
use crate::index::{Passage, Write, packed};
use crate::remark::{Remark, RemarksOf};
use crate::text::bigrams;

/// What the writer may keep in memory before it makes a segment.
const BUFFER: usize = 64 << 20;

impl Inner {
    pub(super) fn apply(&self, writes: Vec<Write>) -> Result<(), Error> {
        // A thread that panicked while it held this left no half of a change: only a commit shows anything.
        let _one = self.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut writer: IndexWriter<TantivyDocument> =
            self.index.writer_with_num_threads(1, BUFFER).map_err(|error| match error {
                TantivyError::LockFailure(..) => Error::Busy { folder: self.folder.clone() },
                other => engine(other),
            })?;
        let mut erases = false;
        for write in &writes {
            erases = erases || self.erases(write)?;
        }
        if erases {
            // What is merged behind our back can't be merged by us.
            writer.set_merge_policy(Box::new(NoMergePolicy));
        }
        for write in writes {
            self.write(&mut writer, write)?;
        }
        writer.commit().map_err(engine)?;
        if erases {
            self.scrub(&mut writer)?;
        }
        writer.wait_merging_threads().map_err(engine)?;
        self.reader.reload().map_err(engine)
    }

    /// Whether a change is to leave nothing behind: it removes something, or takes the place of something private. What
    /// is only read again is gone when the engine merges by itself.
    fn erases(&self, write: &Write) -> Result<bool, Error> {
        match write {
            Write::Unsay { .. } | Write::Withdraw { .. } | Write::Remove { .. } => Ok(true),
            Write::Put { document, .. } => self.keeps_private(&document.collection, &document.id),
            Write::Say(_) | Write::Judge { .. } => Ok(false),
        }
    }

    /// Writes anew what holds rows that were deleted: until then, their bytes are in its files.
    fn scrub(&self, writer: &mut IndexWriter<TantivyDocument>) -> Result<(), Error> {
        // Whoever still holds what is known of a segment keeps its files, so these are let go at once.
        let touched: Vec<_> = {
            let metas = self.index.searchable_segment_metas().map_err(engine)?;
            metas.iter().filter(|meta| meta.num_deleted_docs() > 0).map(|meta| meta.id()).collect()
        };
        if !touched.is_empty() {
            writer.merge(&touched).wait().map_err(engine)?;
        }
        // A reader of before still counts its files as used.
        self.reader.reload().map_err(engine)?;
        writer.garbage_collect_files().wait().map_err(engine)?;
        Ok(())
    }

    fn write(&self, writer: &mut IndexWriter<TantivyDocument>, write: Write) -> Result<(), Error> {
        match write {
            Write::Put { document, passages } => {
                self.remove(writer, &document.collection, &document.id);
                for (order, passage) in passages.iter().enumerate() {
                    self.put(writer, passage, (order, &document.access))?;
                }
                writer.add_document(self.document(&document)?).map_err(engine)?;
            }
            Write::Remove { collection, document } => self.remove(writer, &collection, &document),
            Write::Say(remark) => self.say(writer, &remark)?,
            Write::Judge { id, at_ms, standing } => {
                let known = self.remarks(&RemarksOf::Id(id))?;
                for remark in known.into_iter().filter(|remark| remark.at_ms == at_ms) {
                    self.say(writer, &Remark { standing: standing.clone(), ..remark })?;
                }
            }
            Write::Withdraw { id } => self.unsay(writer, &id),
            Write::Unsay { by } => {
                for remark in self.remarks(&RemarksOf::Everybody)? {
                    if remark.author == by {
                        self.unsay(writer, &remark.id);
                    } else if remark.standing.by() == Some(&by) {
                        let standing = remark.standing.clone().without_name();
                        self.say(writer, &Remark { standing, ..remark })?;
                    }
                }
            }
        }
        Ok(())
    }

    fn remove(&self, writer: &mut IndexWriter<TantivyDocument>, collection: &str, document: &str) {
        writer.delete_term(Term::from_field_text(self.fields.document, &document_key(collection, document)));
    }

    fn put(
        &self,
        writer: &mut IndexWriter<TantivyDocument>,
        passage: &Passage,
        (order, access): (usize, &Access),
    ) -> Result<(), Error> {
        let (fields, chunk) = (&self.fields, &passage.chunk);
        let mut row = TantivyDocument::new();
        for kind in kinds_of(CHUNK, access) {
            row.add_text(fields.kind, kind);
        }
        row.add_text(fields.id, &chunk.id);
        row.add_text(fields.document, document_key(&chunk.collection, &chunk.document));
        row.add_text(fields.collection, &chunk.collection);
        row.add_text(fields.source, &chunk.source);
        row.add_text(fields.title, &chunk.title);
        row.add_text(fields.family, family(&chunk.title));
        for (field, value) in [(fields.category, &chunk.category), (fields.article, &chunk.article)] {
            if let Some(value) = value {
                row.add_text(field, value);
            }
        }
        for page in chunk.pages() {
            row.add_u64(fields.page, page.into());
        }
        row.add_u64(fields.order, order as u64);
        let terms = if access.is_shared() { &fields.shared } else { &fields.private };
        self.add_terms(&mut row, [terms.name_words, terms.name_pairs], &chunk.name);
        let title = format!("{} {}", chunk.title, chunk.headings.join(" "));
        self.add_terms(&mut row, [terms.title_words, terms.title_pairs], &title);
        self.add_terms(&mut row, [terms.body_words, terms.body_pairs], &body(chunk));
        if !passage.vector.is_empty() {
            row.add_bytes(fields.vector, &packed::pack(&passage.vector));
        }
        row.add_text(fields.record, serde_json::to_string(chunk)?);
        writer.add_document(row).map_err(engine)?;
        Ok(())
    }

    fn add_terms(&self, row: &mut TantivyDocument, [words, pairs]: [Field; 2], text: &str) {
        row.add_text(words, word_terms(text, &self.lexicon));
        row.add_text(pairs, bigrams(text).join(" "));
    }

    fn document(&self, document: &Document) -> Result<TantivyDocument, Error> {
        let mut row = TantivyDocument::new();
        for kind in kinds_of(DOCUMENT, &document.access) {
            row.add_text(self.fields.kind, kind);
        }
        row.add_text(self.fields.document, document_key(&document.collection, &document.id));
        row.add_text(self.fields.collection, &document.collection);
        row.add_text(self.fields.record, serde_json::to_string(document)?);
        Ok(row)
    }

    /// A remark is read and never searched: no word of it makes a passage be found.
    fn say(&self, writer: &mut IndexWriter<TantivyDocument>, remark: &Remark) -> Result<(), Error> {
        self.unsay(writer, &remark.id);
        let mut row = TantivyDocument::new();
        row.add_text(self.fields.kind, REMARK);
        row.add_text(self.fields.document, remark_key(&remark.id));
        row.add_text(self.fields.record, serde_json::to_string(remark)?);
        writer.add_document(row).map_err(engine)?;
        Ok(())
    }

    fn unsay(&self, writer: &mut IndexWriter<TantivyDocument>, id: &str) {
        writer.delete_term(Term::from_field_text(self.fields.document, &remark_key(id)));
    }
}

/// Collections may hold documents of the same name.
pub(super) fn document_key(collection: &str, document: &str) -> String {
    format!("{collection}\u{1f}{document}")
}

/// No document is called so.
fn remark_key(id: &str) -> String {
    format!("\u{1f}\u{1f}{id}")
}
