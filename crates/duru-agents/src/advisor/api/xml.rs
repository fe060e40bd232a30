//! One page of the service's answer.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::Event;

/// What a page says: a code, how many deals there are in all, and its own.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) code: Option<String>,
    pub(super) message: String,
    pub(super) total: Option<usize>,
    /// Each with its fields by name.
    pub(super) items: Vec<BTreeMap<String, String>>,
}

/// An answer has three levels; a hostile one may have more.
const DEEPEST: usize = 16;
/// The service never gives more on a page.
const MOST_ITEMS: usize = 10_000;

/// Reads a page, or says why it is none.
pub(super) fn read(bytes: &[u8]) -> Result<Page, String> {
    let mut reader = Reader::from_reader(bytes);
    let mut page = Page::default();
    let mut path: Vec<String> = Vec::new();
    let mut text = String::new();
    let mut known = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                let name = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
                known |= path.is_empty() && (name == "response" || name == "OpenAPI_ServiceResponse");
                if name == "item" {
                    if page.items.len() >= MOST_ITEMS {
                        return Err("too many items".to_owned());
                    }
                    page.items.push(BTreeMap::new());
                }
                path.push(name);
                if path.len() > DEEPEST {
                    return Err("nested too deep".to_owned());
                }
                text.clear();
            }
            Ok(Event::Text(piece)) => text.push_str(&piece.decode().map_err(|error| error.to_string())?),
            Ok(Event::CData(piece)) => text.push_str(&piece.decode().map_err(|error| error.to_string())?),
            Ok(Event::GeneralRef(name)) => text.push_str(match &*name {
                b"amp" => "&",
                b"lt" => "<",
                b"gt" => ">",
                b"quot" => "\"",
                b"apos" => "'",
                _ => " ",
            }),
            Ok(Event::End(_)) => {
                let Some(name) = path.pop() else {
                    return Err("an element ends that never began".to_owned());
                };
                page.take(&path, name, text.trim());
                text.clear();
            }
            // The service declares no entities, and others' are how small answers become huge.
            Ok(Event::DocType(_)) => return Err("it declares entities".to_owned()),
            Ok(Event::Eof) if !path.is_empty() => return Err("it breaks off".to_owned()),
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    if known { Ok(page) } else { Err("it is not an answer of this service".to_owned()) }
}

impl Page {
    fn take(&mut self, path: &[String], name: String, text: &str) {
        if path.last().is_some_and(|parent| parent == "item") {
            if let Some(item) = self.items.last_mut() {
                item.insert(name, text.to_owned());
            }
            return;
        }
        match name.as_str() {
            // The gateway in front of the service has names of its own.
            "resultCode" | "returnReasonCode" => self.code = Some(text.to_owned()),
            "resultMsg" | "returnAuthMsg" => self.message = text.to_owned(),
            "errMsg" if self.message.is_empty() => self.message = text.to_owned(),
            "totalCount" => self.total = text.parse().ok(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_with_its_items() {
        let page = read(
            b"<response><header><resultCode>000</resultCode><resultMsg>OK</resultMsg></header><body><items>\
              <item><aptNm>A &amp; B</aptNm><floor>7</floor><aptDong> </aptDong></item><item/></items>\
              <numOfRows>10</numOfRows><pageNo>1</pageNo><totalCount>12</totalCount></body></response>",
        )
        .unwrap();
        assert_eq!((page.code.as_deref(), page.total, page.items.len()), (Some("000"), Some(12), 1));
        assert_eq!((page.items[0]["aptNm"].as_str(), page.items[0]["aptDong"].as_str()), ("A & B", ""));
    }

    #[test]
    fn the_gateways_refusal_is_read_too() {
        let page = read(
            b"<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg>\
              <returnAuthMsg>SERVICE_KEY_IS_NOT_REGISTERED_ERROR</returnAuthMsg>\
              <returnReasonCode>30</returnReasonCode></cmmMsgHeader></OpenAPI_ServiceResponse>",
        )
        .unwrap();
        assert_eq!(page.code.as_deref(), Some("30"));
        assert_eq!(page.message, "SERVICE_KEY_IS_NOT_REGISTERED_ERROR");
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        for bytes in [
            &b"<html><body>502</body></html>"[..],
            b"",
            b"{\"json\": 1}",
            b"<response><body>",
            b"<response></body></response>",
            b"<!DOCTYPE r [<!ENTITY a \"b\">]><response>&a;</response>",
            b"\xff\xfe",
        ] {
            assert!(read(bytes).is_err(), "{}", String::from_utf8_lossy(bytes));
        }
        let deep = "<response>".repeat(100);
        assert!(read(deep.as_bytes()).is_err());
    }
}
