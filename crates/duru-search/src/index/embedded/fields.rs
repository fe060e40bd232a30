//! What tantivy keeps of a passage.

use tantivy::schema::{
    BytesOptions, Field, IndexRecordOption, NumericOptions, STORED, STRING, Schema, SchemaBuilder,
    TextFieldIndexing, TextOptions,
};

/// The form of the folder. A change of the fields, or of how text falls into terms, raises it; an older index is
/// then made anew from what it stores.
pub(super) const FORMAT: u32 = 4;

pub(super) const CHUNK: &str = "chunk";
pub(super) const DOCUMENT: &str = "document";
pub(super) const REMARK: &str = "remark";

#[derive(Clone, Copy)]
pub(super) struct Fields {
    /// Passage, document, or remark; and whom it is for, where it is not shared.
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
    /// The terms of passages that are shared.
    pub(super) shared: TermFields,
    /// The terms of all others: no search of what is shared looks there, and no score of it depends on them.
    pub(super) private: TermFields,
    pub(super) vector: Field,
    /// The record itself, as JSON.
    pub(super) record: Field,
}

/// Where the terms of a passage are.
#[derive(Clone, Copy)]
pub(super) struct TermFields {
    pub(super) name_words: Field,
    pub(super) name_pairs: Field,
    pub(super) title_words: Field,
    pub(super) title_pairs: Field,
    pub(super) body_words: Field,
    pub(super) body_pairs: Field,
}

impl TermFields {
    fn add(schema: &mut SchemaBuilder, prefix: &str, options: &TextOptions) -> Self {
        let mut field = |name: &str| schema.add_text_field(&format!("{prefix}{name}"), options.clone());
        Self {
            name_words: field("name_words"),
            name_pairs: field("name_pairs"),
            title_words: field("title_words"),
            title_pairs: field("title_pairs"),
            body_words: field("body_words"),
            body_pairs: field("body_pairs"),
        }
    }

    pub(super) fn all(&self) -> [Field; 6] {
        let Self { name_words, name_pairs, title_words, title_pairs, body_words, body_pairs } = *self;
        [name_words, name_pairs, title_words, title_pairs, body_words, body_pairs]
    }
}

impl Fields {
    /// The field of shared passages that stands for one of the others'.
    pub(super) fn as_shared(&self, field: Field) -> Field {
        let at = self.private.all().iter().position(|private| *private == field);
        at.map_or(field, |at| self.shared.all()[at])
    }

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
            shared: TermFields::add(&mut schema, "", &terms),
            private: TermFields::add(&mut schema, "private_", &terms),
            vector: schema.add_bytes_field("vector", BytesOptions::default().set_fast()),
            record: schema.add_text_field("record", STORED),
        };
        (schema.build(), fields)
    }
}
