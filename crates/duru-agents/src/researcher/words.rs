//! What the researcher says, in both languages.

use super::document::Document;
use super::lang::Lang;

pub(super) fn small_talk(lang: Lang) -> String {
    lang.pick(
        "안녕하세요, 문서를 찾아 출처와 함께 답하는 두루입니다. 궁금한 것을 물어보세요.",
        "Hello, I am Duru: I answer from documents, with sources. What would you like to know?",
    )
}

/// To somebody who only thanks.
pub(super) fn welcome(lang: Lang) -> String {
    lang.pick(
        "도움이 되었다니 다행입니다. 더 궁금한 것이 있으면 물어보세요.",
        "You are welcome. Ask me if there is anything else.",
    )
}

pub(super) fn nothing_asked(lang: Lang) -> String {
    lang.pick(
        "질문이 비어 있습니다. 무엇을 찾을지 적어 주세요.",
        "There is no question. Say what to look for.",
    )
}

pub(super) fn not_found(nearest: &[Document], web: bool, lang: Lang) -> String {
    let mut text = lang.pick(
        "제가 가진 문서에서는 이 질문의 답을 찾지 못했습니다.",
        "My documents do not answer this question.",
    );
    if web {
        text.push_str(&lang.pick(" 웹에서도 찾지 못했습니다.", " Neither does the web."));
    }
    if nearest.is_empty() {
        text.push_str(
            &lang.pick(" 관련 문서를 추가한 뒤 다시 물어보세요.", " Add documents about it and ask again."),
        );
        return text;
    }
    text.push_str(&lang.pick(" 가장 가까운 자료는 다음과 같습니다.", " The nearest that I have:"));
    for document in nearest {
        text.push_str(&format!("\n- {}", source(document)));
    }
    text
}

/// Of a question that says where to look.
pub(super) fn looked_only(names: &[String], lang: Lang) -> String {
    let shown: Vec<&str> = names.iter().take(SHOWN_NAMES).map(String::as_str).collect();
    let more = match names.len().saturating_sub(SHOWN_NAMES) {
        0 => String::new(),
        more => lang.pick(format!(" 외 {more}건"), format!(" and {more} more")),
    };
    let names = shown.join(", ");
    lang.pick(
        format!("질문에 적힌 대로 다음에서만 찾았습니다: {names}{more}"),
        format!("As the question says, I looked only in: {names}{more}"),
    )
}

/// So many documents are named at most.
const SHOWN_NAMES: usize = 5;

pub(super) fn only_category(name: &str, lang: Lang) -> String {
    lang.pick(
        format!("질문에 적힌 대로 \u{2018}{name}\u{2019} 분류에서만 찾았습니다."),
        format!("As the question says, I looked only in the category \u{2018}{name}\u{2019}."),
    )
}

pub(super) fn only_entity(name: &str, lang: Lang) -> String {
    lang.pick(
        format!("질문에 적힌 대로 \u{2018}{name}\u{2019}이(가) 나오는 대목에서만 찾았습니다."),
        format!("As the question says, I looked only at passages that speak of \u{2018}{name}\u{2019}."),
    )
}

pub(super) fn only_pages(pages: &str, lang: Lang) -> String {
    lang.pick(
        format!("질문에 적힌 대로 {pages}쪽에서만 찾았습니다."),
        format!("As the question says, I looked only on page {pages}."),
    )
}

/// The documents' names could not be read.
pub(super) fn names_unread(lang: Lang) -> String {
    lang.pick(
        "문서 이름을 읽지 못해, 질문에서 말한 곳만이 아니라 모든 문서에서 찾았습니다.",
        "The names of the documents could not be read, so I looked in all of them and not only where you said.",
    )
}

/// Of a document that the question names and nobody has.
pub(super) fn nothing_called(name: &str, lang: Lang) -> String {
    lang.pick(
        format!("\u{2018}{name}\u{2019}(이)라는 문서가 없어 그 조건 없이 찾았습니다."),
        format!("No document is called \u{2018}{name}\u{2019}, so I looked without that condition."),
    )
}

pub(super) fn no_such_pages(pages: &str, lang: Lang) -> String {
    lang.pick(
        format!("{pages}쪽으로 표시된 내용이 없어 모든 쪽에서 찾았습니다."),
        format!("Nothing is marked as page {pages}, so I looked on all pages."),
    )
}

pub(super) fn no_such_entity(name: &str, lang: Lang) -> String {
    lang.pick(
        format!("\u{2018}{name}\u{2019}이(가) 나오는 대목이 없어 그 조건 없이 찾았습니다."),
        format!("No passage speaks of \u{2018}{name}\u{2019}, so I looked without that condition."),
    )
}

/// Of a question whose other parts were found.
pub(super) fn part_not_found(part: &str, lang: Lang) -> String {
    lang.pick(
        format!("\u{201c}{part}\u{201d}에 대해서는 문서에서 찾지 못했습니다."),
        format!("My documents do not answer \u{201c}{part}\u{201d}."),
    )
}

pub(super) fn source(document: &Document) -> String {
    let page = document.page.map(|page| format!(", p. {page}")).unwrap_or_default();
    format!("{} ({}{page})", document.label(), document.source)
}

/// What a remark is called.
pub(super) fn remark(author: &str, date: Option<&str>, about: &str, lang: Lang) -> String {
    let author = match author {
        "" => lang.pick("누군가", "somebody"),
        named => named.to_owned(),
    };
    let date = date.map_or_else(|| lang.pick("날짜 모름", "date unknown"), str::to_owned);
    lang.pick(
        format!("{author}의 의견({date}), {about}에 대하여"),
        format!("Remark by {author} ({date}) on {about}"),
    )
}

/// Behind a sentence that stands on a remark alone.
pub(super) fn remark_mark(author: &str, lang: Lang) -> String {
    lang.pick(format!("({author}의 의견)"), format!("(remark by {author})"))
}

/// Of a remark that says otherwise than the text.
pub(super) fn remark_differs(text: usize, remark: usize, lang: Lang) -> String {
    lang.pick(
        format!("[{remark}]은(는) 사람이 남긴 의견이고 문서 [{text}]의 내용과 다릅니다. 문서를 먼저 보세요."),
        format!(
            "[{remark}] is a person's remark and says otherwise than document [{text}]. Go by the document."
        ),
    )
}

/// What sources in the other language are, by their numbers.
pub(super) fn other_language(sources: &[(u32, &Document)], lang: Lang) -> String {
    let of = |(number, document): &(u32, &Document)| {
        let part = document.part();
        let title = document.title.trim();
        match (title.is_empty() || title == part, part.is_empty()) {
            (false, false) => lang.pick(
                format!("[{number}]은(는) 영어 문서 \u{201c}{title}\u{201d}의 \u{201c}{part}\u{201d} 부분"),
                format!("[{number}] is the part \u{201c}{part}\u{201d} of the Korean document \u{201c}{title}\u{201d}"),
            ),
            (_, true) => lang.pick(
                format!("[{number}]은(는) 영어 문서 \u{201c}{title}\u{201d}의 한 부분"),
                format!("[{number}] is from the Korean document \u{201c}{title}\u{201d}"),
            ),
            (true, false) => lang.pick(
                format!("[{number}]은(는) 영어 문서 \u{201c}{part}\u{201d}의 내용"),
                format!("[{number}] is from the Korean document \u{201c}{part}\u{201d}"),
            ),
        }
    };
    let all = sources.iter().map(of).collect::<Vec<_>>().join(&lang.pick("이고, ", "; "));
    lang.pick(format!("{all}이며, 영어 원문 그대로입니다."), format!("{all}, in its own Korean words."))
}

/// Of an answer in the asker's language whose sources are all in the other one.
pub(super) fn translated(lang: Lang) -> String {
    lang.pick(
        "인용한 자료는 모두 영어이고, 위의 답은 그것을 한국어로 옮긴 것입니다. 원문도 확인하세요.",
        "All passages cited here are in Korean; the answer above tells them in English. Check the originals, too.",
    )
}

pub(super) fn unverified(lang: Lang) -> String {
    lang.pick(
        "⚠ 확인되지 않은 답변입니다. 문서로 뒷받침되지 않은 문장을 표시했습니다.",
        "⚠ This answer is unverified. Sentences that the documents do not support are marked.",
    )
}

/// Above passages that may be what is meant.
pub(super) fn maybe(lang: Lang) -> String {
    lang.pick(
        "❓ 찾으시는 내용일 수 있는 대목입니다. 질문에 맞는지 확인해 주세요.",
        "❓ This may be what you mean. Check whether it answers your question.",
    )
}

/// Above an answer that is supported but may leave a part of the question open.
pub(super) fn incomplete(lang: Lang) -> String {
    lang.pick(
        "⚠ 문서에서 찾은 것만으로는 질문의 일부에만 답했을 수 있습니다.",
        "⚠ With what the documents have, this may answer only a part of the question.",
    )
}

/// What no passage speaks of.
pub(super) fn not_spoken_of(words: &[&str], lang: Lang) -> String {
    let words = words.join(", ");
    lang.pick(
        format!("문서에 없는 말이 있어 답이 질문과 어긋날 수 있습니다: {words}"),
        format!("The documents do not speak of this, so the answer may miss the point: {words}"),
    )
}

/// Behind a sentence that the documents do not support.
pub(super) fn unsupported_mark(lang: Lang) -> String {
    lang.pick("[확인되지 않음]", "[unverified]")
}

/// Behind a sentence that has no source.
pub(super) fn unsourced_mark(lang: Lang) -> String {
    lang.pick("[출처 없음]", "[no source]")
}

pub(super) fn thin(count: usize, lang: Lang) -> String {
    lang.pick(
        format!("근거가 적습니다: 관련 문서 {count}건만 찾았습니다."),
        format!("The evidence is thin: only {count} relevant passage(s) found."),
    )
}

pub(super) fn conflict(first: usize, second: usize, lang: Lang) -> String {
    lang.pick(
        format!(
            "문서 [{first}]과(와) [{second}]의 내용이 서로 다릅니다. 어느 쪽이 지금 유효한지 확인하세요."
        ),
        format!("Documents [{first}] and [{second}] contradict each other. Check which one holds now."),
    )
}

/// Between what was shown of an answer and the one that takes its place.
pub(super) fn replaced(lang: Lang) -> String {
    lang.pick(
        "※ 앞에 보인 답은 확인을 다 통과하지 못했습니다. 다음 답으로 바꿉니다.",
        "※ The answer shown above did not pass every check. This one takes its place:",
    )
}

pub(super) fn planted(lang: Lang) -> String {
    lang.pick(
        "문서 안에 지시문이 있었습니다. 자료로만 보고 따르지 않았습니다.",
        "A document had instructions in it. They were read as data and not followed.",
    )
}

pub(super) fn search_failed(lang: Lang) -> String {
    lang.pick(
        "문서 색인을 읽지 못해 답할 수 없습니다. 색인을 확인한 뒤 다시 물어보세요.",
        "The index of documents could not be read. Check it and ask again.",
    )
}

/// Of a service that puts passages in order.
pub(super) fn not_reranked(reason: &str, lang: Lang) -> String {
    lang.pick(
        format!("재정렬 서비스가 답하지 않아 두루의 순서를 썼습니다 (자세히: {reason})"),
        format!("The reranker did not answer, so the order is my own: {reason}"),
    )
}

pub(super) fn web_failed(reason: &str, lang: Lang) -> String {
    lang.pick(
        format!("웹 검색에 실패했습니다 (자세히: {reason})"),
        format!("The web search failed: {reason}"),
    )
}

pub(super) fn sources(lang: Lang) -> String {
    lang.pick("출처", "Sources")
}
