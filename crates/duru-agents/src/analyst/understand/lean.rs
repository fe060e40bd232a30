//! Words that lean on what was asked before, and words that set two periods against each other.

use super::query::{Field, Filter, Having, Keep, Measure, Op, Stat, Than};
use super::reading::Reading;
use super::scan::{Scan, re};

/// "그 에러", "그중", "다시", "what about". Before levels are read.
pub(super) fn references(scan: &mut Scan, reading: &mut Reading) {
    if scan.drop_all(re!(
        r"그\s*중(?:에서도|에서|에)?|이\s*중(?:에서|에)?|\b(?:among|of|out\s+of)\s+(?:them|those|these)\b"
    )) {
        reading.leans = true;
        reading.among = true;
    }
    // "A와 B 중 어느 쪽이": side by side, not what was before.
    if scan
        .drop_all(re!(r"중(?:에서|에)?\s*(?:어느|어떤)\s*(?:쪽|것|게|서비스)(?:이|가|의|에서|에)?(?:\s|$)"))
    {
        reading.compared = true;
    }
    // "Its errors", unless each of several is spoken of.
    if !scan.said(re!(r"\b(?:each|every|per|which|whose|all)\b")) && scan.drop_all(re!(r"\bits(?:\s+own)?\b"))
    {
        reading.references.push(Field::column("service"));
        reading.leans = true;
    }
    // "거기 p95": a place is a service.
    if scan.drop_all(re!(r"(?:^|\s)(?:거기|그쪽|그곳|저기|저쪽)(?:에서는|에서도|에서|에는|에|의|는|도|만|서|꺼|거)?(?:\s|$)|거긴|\b(?:over|in|from|at)\s+there\b")) {
        reading.references.push(Field::column("service"));
        reading.leans = true;
    }
    let mut from = 0;
    let pattern = re!(
        r"(?:^|[\s,(])(?:그|이|해당|저|앞의|방금|that|this|those|these|the\s+same)\s*(에러|오류|예외|errors?|exceptions?)(\s*(?:유형|종류|타입|types?))?"
    );
    // Looked for in the whole question: a particle of what was taken out is no "이".
    while let Some(found) = pattern.find_at(&scan.whole.clone(), from) {
        from = found.end();
        scan.blank(found.start(), found.end());
        reading.references.push(Field::column("error_type"));
        reading.leans = true;
    }
    if scan.drop_all(re!(
        r"^\s*(?:그럼|그러면|그렇다면|그리고|그런데|이번엔|이번에는|아니|그건|그거|그것|이거|이건)|다시|(?:같은|동일한?)\s*(?:조건|기준|방식|질문|기간|것)(?:으로|에서|인데|을)?|마찬가지로|(?:어느|어떤)\s*(?:것|게|쪽|곳)(?:이|은|을)?|\bwhich\s+ones?\b|더\s*자세히|자세히|\bwhat\s+about\b|\bhow\s+about\b|^\s*(?:and|now|then|ok|okay|so|also|but)\b|\binstead\b|\bagain\b|\bsame\s+(?:thing|question|query|for|but|with)\b|\bthe\s+same\b"
    )) {
        reading.leans = true;
    }
}

/// "1위 에러는": the first of what was found before.
pub(super) fn first_of(scan: &mut Scan, reading: &mut Reading) {
    while let Some(found) = scan.take(re!(
        r"(?:^|\s)(?:1위|첫\s*번째|맨\s*위(?:의)?|제일\s*위(?:의)?|최상위)(?:인|의|를\s*차지한)?\s*(에러|오류|유형|서비스|사용자|경로)"
    )) {
        reading.leans = true;
        let name = match found.get(1) {
            "사용자" => "user_id",
            "경로" => "path",
            "서비스" => "service",
            _ => "error_type",
        };
        reading.references.push(Field::column(name));
    }
}

/// "어제로 바꿔줘": the question is changed, not the logs. What has an object
/// of its own ("로그를 … 바꿔줘") is left for the refusals.
pub(super) fn changes(scan: &mut Scan, reading: &mut Reading) {
    if scan.has(re!(r"[가-힣a-z](?:을|를)\s+.*(?:바꿔|바꾸|변경|고쳐)")) {
        return;
    }
    while let Some(found) = scan.find(re!(
        r"(?:으로|로)\s*((?:다시\s*)?(?:바꿔|바꾸|변경해|고쳐)[가-힣]*(?:\s*(?:줘|줄래|주세요|봐|보자)[가-힣]*)?)|^\s*((?:please\s+)?(?:change|switch|make)\s+(?:it|that|this|the\s+(?:time|period|service|range))?\s*(?:to\b)?)"
    )) {
        let length = found.get(1).len() + found.get(2).len();
        scan.blank(found.end - length, found.end);
        reading.leans = true;
    }
}

/// "새로 나타난", "늘어난", "한 건도 없는".
pub(super) fn contrasts(scan: &mut Scan, reading: &mut Reading) {
    if scan.drop_all(re!(r"새로(?:운|이)?\s*(?:등장|나타|생긴|생겨|발생|보이|추가)?[가-힣]*|(?:그\s*전|이전|직전)[가-힣\s\d]*(?:에는|엔)\s*없던(?:\s*것만?)?|없던\s*(?:것만?|에러|오류)?|처음\s*(?:등장|나타|보)[가-힣]*|\bnew(?:ly)?\b(?:\s+(?:appeared|seen|introduced))?|\bdid\s+not\s+(?:appear|occur|exist|happen)\b|\bdidn't\s+(?:appear|occur|exist|happen)\b|\bbut\s+(?:not|did\s*n[o']t)\b|(?:안\s*났|없었|안\s*나왔|나지\s*않았)는데|\bnot\s+(?:seen|present)\b|\bnever\s+seen\b")) {
        reading.keep = Keep::New;
    }
    if scan.drop_all(re!(r"사라진|사라졌[가-힣]*|있었는데\s*[가-힣]*(?:은|는|엔|에는)?\s*(?:없|안\s*나|사라)[가-힣]*|났는데\s*[가-힣]*(?:은|는|엔|에는)?\s*(?:없|안\s*나)[가-힣]*|더\s*이상\s*(?:안\s*나|발생하지\s*않|나타나지\s*않|없)[가-힣]*|\bdisappeared\b|\bno\s+longer\b|\bgone\b|\bstopped\s+(?:appearing|occurring)\b")) {
        reading.keep = Keep::Gone;
    }
    if scan.drop_all(re!(r"(?:더\s*)?(?:늘어난|늘어났[가-힣]*|늘었[가-힣]*|늘고|늘은|늘어|증가(?:한|했[가-힣]*|하는|율|폭)?|많아진|많아졌[가-힣]*|급증한?|높아진|높아졌[가-힣]*|악화된?)|\b(?:increased?|increasing|grew|grown|rose|risen|went\s+up|gone\s+up)\b|보다\s*(?:더\s*)?많(?:은|이|았던|았)|\bhigher\s+than\b")) {
        reading.grown = true;
    }
    if scan.drop_all(re!(r"(?:더\s*)?(?:줄어든|줄어들[가-힣]*|줄었[가-힣]*|줄은|줄어|감소(?:한|했[가-힣]*|하는|율|폭)?|적어진|적어졌[가-힣]*|낮아진|낮아졌[가-힣]*|개선된?)|\b(?:decreased?|decreasing|fell|fallen|dropped|went\s+down|gone\s+down)\b|\blower\s+than\b")) {
        reading.shrunk = true;
    }
    // What stands between "more" and "than" is read by itself.
    if scan.has(re!(r"\b(?:more|fewer|less)\b[^.?]*\bthan\b")) {
        reading.grown |= scan.drop_all(re!(r"\bmore\b"));
        reading.shrunk |= scan.drop_all(re!(r"\b(?:fewer|less)\b"));
        scan.drop_all(re!(r"\bthan\b"));
    }
    // "느려진 서비스", "which got slower": how long they took is compared, and not how many they were.
    if let Some(found) = scan.find(re!(
        r"(느려(?:진|졌)[가-힣]*|\b(?:got|getting|become|became|is|are|was|were)?\s*slower\b)|(빨라(?:진|졌)[가-힣]*|\b(?:got|getting|become|became|is|are|was|were)?\s*faster\b)"
    )) {
        let two = reading.time.periods.len() > 1 || reading.time.before.is_some();
        let ko = found.get(0).starts_with(['느', '빨']);
        if two && reading.query.measures.is_empty() {
            scan.blank(found.start, found.end);
            scan.drop_all(re!(r"\bthan\b"));
            if reading.measure_of.is_none() {
                reading.measure(Measure::Stat(Stat::Average, Field::column("duration_ms")));
            }
            reading.compared = true;
            reading.grown |= found.has(1);
            reading.shrunk |= found.has(2);
        } else if ko && found.has(1) {
            // Than what is not said: the slow ones.
            scan.blank(found.start, found.end);
            reading.slowest = true;
        }
    }
    if scan.has(re!(r"\b(?:worse|better|slower|faster|higher|lower)\b[^.?]*\bthan\b")) {
        scan.drop_all(re!(r"\b(?:worse|better|slower|faster|higher|lower|than)\b"));
        reading.compared = true;
    }
    // "10배 넘게", "doubled".
    if let Some(found) = scan.take(re!(
        r"({N})\s*배(?:나|로|가|를)?\s*(이상|넘게|넘는|초과|가까이)?(?:으?로)?|\b(?:(at\s+least|more\s+than|over)\s+)?(?:({N})\s*times\s+(?:more|as\s+many|as\s+much|higher|the)|(doubled|tripled))\b"
    )) {
        let factor = match found.get(5) {
            "doubled" => Some(2),
            "tripled" => Some(3),
            _ => found.number(1).or_else(|| found.number(4)),
        };
        let strict = matches!(found.get(2), "넘게" | "넘는" | "초과") || re!(r"more|over").is_match(found.get(3));
        if let Some(factor) = factor {
            reading.keep = Keep::Times(if strict { Op::More } else { Op::AtLeast }, factor);
        }
    }
    if scan.drop_all(re!(r"모두\s*(?:발생|나타|나온|등장|난\s|있)[가-힣]*|둘\s*다|양쪽(?:\s*모두|\s*다)?|모두에서|동시에|함께\s*(?:발생|나온|난)|\bboth\b"))
    {
        reading.both = true;
    }
}

/// "에러가 없는 서비스": the level is what the groups must not have.
pub(super) fn none(scan: &mut Scan, reading: &mut Reading) {
    let pattern = re!(
        r"(?:(?:한|단\s*한)\s*번도\s*)?(에러|오류|경고|워닝|\bfatal\b|\berror\b|\bwarn(?:ing)?\b)(?:\s*(?:레벨\s*)?로그)?(?:가|이|는|은|를|을)?\s*(?:(?:한|단\s*한)\s*(?:건|번|개)도\s*|하나도\s*|전혀\s*|아예\s*)?(?:0\s*(?:건|개|번)(?:인|이었던|짜리)|없는|없던|없었던|안\s*(?:난|나는|낸|나온|뜬|찍힌|남긴|발생한)|나지\s*않은|내지\s*않은|발생하지\s*않은)|\b(?:no|zero|without(?:\s+(?:any|a\s+single))?|(?:not|n't|never)\s+(?:have|had|log|logged|produce|produced|throw|thrown|threw|report|reported|see|seen|raise|raised|emit|emitted|record|recorded)\s+(?:any|a\s+single|an?))\s+(errors?|warnings?|fatals?|warn)\b(?:\s+(?:logs?|lines?|entries|errors?|level))*(?:\s+at\s+all)?"
    );
    if let Some(found) = scan.take(pattern) {
        let word = [found.get(1), found.get(2)].concat();
        if let Some(level) = super::lexicon::level(&word) {
            let measure = Measure::CountOf(vec![Filter::is("level", level)]);
            reading.having(Having { measure, op: Op::Equal, than: Than::Number(0.0) });
            reading.subject = true;
        }
    }
}

/// "한 건도 없는". Before numbers are read.
pub(super) fn quiet(scan: &mut Scan, reading: &mut Reading) {
    if scan.drop_all(re!(r"(?:로그(?:가|는|를)?\s*)?(?:한|하나|단\s*한)\s*(?:건|개|줄|번)?도\s*(?:없|안\s*[가-힣]+|나오지\s*않|남기지\s*않|찍히지\s*않)[가-힣]*|로그(?:가|는|를)?\s*(?:없는|없던|안\s*(?:남긴|찍힌|나온|올라온|들어온|남기는|들어오는)|끊긴|끊어진|멈춘)|(?:끊긴|멈춘|조용한|침묵하는|무응답인?)|\bno\s+(?:logs?|log\s+lines|entries|activity)\b|\bsilent\b|\bquiet\b|\bstopped\s+logging\b|\bwithout\s+(?:any\s+)?logs?\b|\b(?:has|have)\s*(?:not|n't)\s+logged\b|\bnot\s+logged\b|\bwent\s+quiet\b|\b(?:did\s+not|didn't)\s+log\b")) {
        reading.quiet = true;
        scan.drop_all(re!(r"있는데|있었는데|있지만|있고|\bbut\b|\banything\b"));
    }
}
