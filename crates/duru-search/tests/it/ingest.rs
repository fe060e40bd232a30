//! Files into the index, and out of it again.

use std::sync::Arc;

use duru_llm::WordsOnly;
use duru_search::ingest::{Ingest, Library};

use duru_search::split::{Origin, split};

use crate::desk::Desk;

#[tokio::test]
async fn ingesting_again_updates_and_removes() {
    let desk = Desk::new();
    desk.write("a.md", "# 가\n\n하나");
    let gone = desk.write("deep/b.txt", "둘은 없어진다");
    desk.write("c.csv", "of no kind");
    desk.write(".hidden.md", "# 숨음");
    let first = desk.ingest().await;
    assert_eq!((first.added, first.unchanged, first.removed, first.skipped.len()), (2, 0, 0, 0));
    let again = desk.ingest().await;
    assert_eq!((again.added, again.updated, again.unchanged), (0, 0, 2));

    desk.write("a.md", "# 가\n\n하나와 셋");
    std::fs::remove_file(gone).unwrap();
    let third = desk.ingest().await;
    assert_eq!((third.added, third.updated, third.unchanged, third.removed), (0, 1, 0, 1));
    let documents = desk.index.documents(None).await.unwrap();
    assert_eq!(documents.len(), 1);
    let chunks = desk.index.passages(&documents[0].id).await.unwrap();
    assert_eq!(chunks.len(), 1);
    assert_eq!(chunks[0].text, "하나와 셋");
}

/// Whoever reads documents is not told where this machine keeps them.
#[tokio::test]
async fn files_of_a_folder_may_be_known_by_their_names_alone() {
    let desk = Desk::new();
    desk.write("a.md", "# 가\n\n하나");
    // As it was known before that.
    assert_eq!(desk.ingest().await.added, 1);
    let library = Library::new(Arc::clone(&desk.index), Arc::new(WordsOnly));
    let files = desk.files().canonicalize().unwrap();
    let ingest = Ingest { within: Some(files.clone()), ..Ingest::of([files.join("a.md")]) };
    let report = library.ingest(&ingest, |_| {}).await.unwrap();
    assert_eq!((report.added, report.removed), (1, 0));
    let again = library.ingest(&ingest, |_| {}).await.unwrap();
    assert_eq!((again.added, again.unchanged), (0, 1));
    let documents = desk.index.documents(None).await.unwrap();
    let sources: Vec<&str> = documents.iter().map(|document| document.source.as_str()).collect();
    assert_eq!(sources, ["files/a.md"]);
    let passages = desk.index.passages(&documents[0].id).await.unwrap();
    assert!(passages.iter().all(|passage| passage.source == "files/a.md"));
}

#[tokio::test]
async fn bad_files_are_reported_and_the_others_are_read() {
    let desk = Desk::new();
    desk.write("good.md", "# 좋음\n\n글");
    desk.write("binary.txt", [0x89, 0xfe, 0, 1]);
    desk.write("broken.json", "{\"text\": ");
    desk.write("empty.html", "<script>1</script>");
    desk.write("garbage.pdf", "%PDF-1.7\nnothing that a reader could use");
    desk.write("garbage.docx", "PK\u{3}\u{4} no archive");
    desk.write("garbage.hwpx", "PK\u{3}\u{4} no archive");
    desk.write("old.hwp", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
    desk.write("scan.pdf", pdf(&[""]));
    let report = desk.ingest().await;
    assert_eq!(report.added, 1);
    let mut codes: Vec<(String, &str)> = report
        .skipped
        .iter()
        .map(|skipped| {
            (skipped.path.file_name().unwrap().to_string_lossy().into_owned(), skipped.error.code())
        })
        .collect();
    codes.sort();
    let expected = [
        ("binary.txt", "not-text"),
        ("broken.json", "bad-record"),
        ("empty.html", "no-text"),
        ("garbage.docx", "damaged"),
        ("garbage.hwpx", "damaged"),
        ("garbage.pdf", "damaged"),
        ("old.hwp", "hwp"),
        ("scan.pdf", "no-text"),
    ];
    assert_eq!(codes, expected.map(|(name, code)| (name.to_owned(), code)));
}

/// It is as good a text as any other: what a reader of logs or exports gets.
#[test]
fn a_line_of_five_megabytes_is_cut_into_passages() {
    let desk = Desk::new();
    let sentence = "보증금은 계약이 끝난 날부터 이레 안에 돌려준다. ";
    let text = sentence.repeat((5 << 20) / sentence.len());
    let path = desk.write("one-line.txt", &text);
    let parsed = duru_search::read::read(&path, &duru_search::read::Limits::default()).unwrap();
    let origin =
        Origin { document: "d", collection: "c", source: "one-line.txt", title: "one-line", category: None };
    let chunks = split(parsed, origin);
    assert!(chunks.len() > 1000, "{}", chunks.len());
    assert!(chunks.iter().all(|chunk| chunk.text.len() < 20_000));
    assert!(chunks.iter().map(|chunk| chunk.text.len()).sum::<usize>() >= text.trim().len() * 9 / 10);
}

#[tokio::test]
async fn a_pdf_is_read_page_by_page() {
    let desk = Desk::new();
    let pages = ["The deposit is returned within seven days", "", "Pets are welcome in the garden"];
    desk.write("lease.pdf", pdf(&pages));
    let report = desk.ingest().await;
    assert_eq!((report.added, report.skipped.len()), (1, 0), "{:?}", report.skipped);
    let blank: Vec<String> = report.blank.iter().map(|blank| blank.listed()).collect();
    assert_eq!(blank, ["2"], "a page without text is told of");
    let hits = desk.search("when are deposits returned").await.hits;
    let chunk = &hits[0].chunk;
    assert_eq!(chunk.page, Some(1));
    assert!(chunk.text.contains("seven days"), "{}", chunk.text);
    let pets = chunk.text.find("Pets").expect("short pages are one passage");
    assert_eq!(chunk.page_at(chunk.text[..pets].chars().count()), Some(3));
}

/// The smallest file that is a PDF with a line of text on each page; none where it is empty.
fn pdf(pages: &[&str]) -> Vec<u8> {
    // The catalogue, the list of pages and the font; then a page and what is on it, one after the other.
    let kids: Vec<String> = (0..pages.len()).map(|at| format!("{} 0 R", 4 + 2 * at)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    for (at, text) in pages.iter().enumerate() {
        let content = format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            5 + 2 * at
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }
    let mut file = String::from("%PDF-1.4\n");
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", index + 1));
    }
    let table = file.len();
    file.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for offset in offsets {
        file.push_str(&format!("{offset:010} 00000 n \n"));
    }
    file.push_str(&format!(
        "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n",
        objects.len() + 1
    ));
    file.into_bytes()
}
