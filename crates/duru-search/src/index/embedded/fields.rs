//! What tantivy keeps of a passage.

use tantivy::schema::{
    BytesOptions, Field, IndexRecordOption, NumericOptions, STORED, STRING, Schema, TextFieldIndexing,
    TextOptions,
};

/// The form of the folder. A change of the fields, or of how text falls into terms, raises it; an older index is
/// then made anew from what it stores.
pub(super) const FORMAT: u32 = 3;

pub(super) const CHUNK: &str = "chunk";
pub(super) const DOCUMENT: &str = "document";
pub(super) const REMARK: &str = "remark";

#[derive(Clone, Copy)]
pub(super) struct Fields {
    /// Passage, document, or remark.
    pub(super) kind: Field,
    pub(super) id: Field,
    pub(super) document: Field,
    pub(super) collection: Field,
    pub(super) source: Field,
    pub(super) category: Field,
    pub(super) title: Field,
    pub(super) family: Field,
    pub(super) article: Field,
    pub(super) page: Field,
    /// The passage's number in its document.
    pub(super) order: Field,
    pub(super) name_words: Field,
    pub(super) name_pairs: Field,
    pub(super) title_words: Field,
    pub(super) title_pairs: Field,
    pub(super) body_words: Field,
    pub(super) body_pairs: Field,
    pub(super) vector: Field,
    /// The record itself, as JSON.
    pub(super) record: Field,
}

impl Fields {
    pub(super) fn schema() -> (Schema, Self) {
        let mut schema = Schema::builder();
        // Terms arrive separated by spaces. Where they stand does not matter, how often does.
        let terms = TextOptions::default().set_indexing_options(
            TextFieldIndexing::default()
                .set_tokenizer("whitespace")
                .set_index_option(IndexRecordOption::WithFreqs)
                .set_fieldnorms(true),
        );
        let number = NumericOptions::default().set_indexed().set_fast();
        let fields = Self {
            kind: schema.add_text_field("kind", STRING),
            id: schema.add_text_field("id", STRING | STORED),
            document: schema.add_text_field("document", STRING),
            collection: schema.add_text_field("collection", STRING),
            source: schema.add_text_field("source", STRING),
            category: schema.add_text_field("category", STRING),
            title: schema.add_text_field("title", STRING),
            family: schema.add_text_field("family", STRING),
            article: schema.add_text_field("article", STRING),
            page: schema.add_u64_field("page", number.clone()),
            order: schema.add_u64_field("order", number),
            name_words: schema.add_text_field("name_words", terms.clone()),
            name_pairs: schema.add_text_field("name_pairs", terms.clone()),
            title_words: schema.add_text_field("title_words", terms.clone()),
            title_pairs: schema.add_text_field("title_pairs", terms.clone()),
            body_words: schema.add_text_field("body_words", terms.clone()),
            body_pairs: schema.add_text_field("body_pairs", terms),
            vector: schema.add_bytes_field("vector", BytesOptions::default().set_fast()),
            record: schema.add_text_field("record", STORED),
        };
        (schema.build(), fields)
    }
}
