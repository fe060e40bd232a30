//! How many, which end first, and the first and the last of them.

use crate::analyst::understand::query::{By, Measure, Order};
use crate::analyst::understand::reading::Reading;
use crate::analyst::understand::scan::{self, Scan, re};

/// How many, and which end first.
pub(in crate::analyst::understand) fn limits(scan: &mut Scan, reading: &mut Reading) {
    // "유형당 1위": the group's word stays, it is read as a group.
    if let Some(found) = scan.find(re!(
        r"(?:당|마다|별로?|\beach\b.{0,20}?|\bper\b.{0,20}?)\s*((?:상위\s*|가장\s*(?:많은|많이\s*나는|잦은)\s*|최다\s*|대표\s*|\btop\s*)({N})\s*(?:위|개|건|등|가지)?(?:씩|만)?|({N})\s*위)"
    )) {
        reading.query.best_each = found.number(2).or_else(|| found.number(3));
        reading.superlative = true;
        scan.blank(found.end - found.get(1).len(), found.end);
    }
    if let Some(found) = scan.take(re!(
        r"(?:가장\s*)?(?:최근|최신|마지막|끝)(?:순(?:으로)?)?(?:\s*(?:것|거))?\s*({N})\s*(?:건|개|줄|라인)(?:의|만|씩)?|({N})\s*(?:most\s+recent|latest|newest|last)\b|\b(?:latest|newest|most\s+recent|last)\s+({N})\b\s*(minutes?|hours?|days?|weeks?|months?|mins?|hrs?|h\b|d\b)?"
    )) {
        let number = [found.get(1), found.get(2), found.get(3)].concat();
        if found.has(4) {
            // "Last 24 hours" is time, not a number of lines.
            scan.rest.replace_range(found.start..found.end, found.get(0));
        } else {
            reading.query.limit = scan::number(&number);
            reading.rows = true;
            reading.newest = true;
        }
    }
    // "최근 결제 에러 10건": the newest ten; what is between is read in its turn.
    if reading.query.limit.is_none()
        && let Some(found) = scan.find(re!(
            r"(최근|최신)\s+(?:[가-힣a-z-]+\s+){1,3}?((?:{N})\s*(?:건|개|줄)(?:만|의)?)(?:\s|$|[,.?])"
        ))
        && !re!(r"별|마다|가장|제일|많|시간|\d")
            .is_match(&found.get(0)[found.get(1).len()..found.get(0).len() - found.get(2).len()])
        && let Some(number) = re!(r"^({N})").find(found.get(2))
    {
        reading.query.limit = scan::number(number.as_str());
        (reading.rows, reading.newest) = (true, true);
        scan.blank(found.start, found.start + found.get(1).len());
        let at = found.start + found.get(0).rfind(found.get(2)).unwrap_or_default();
        scan.blank(at, at + found.get(2).len());
    }
    // "5 slowest paths": the adjective is read in its turn.
    if reading.query.limit.is_none()
        && let Some(found) = scan.find(re!(
            r"\b({N})\s+(?:slowest|longest|fastest|shortest|highest|lowest|worst|largest|biggest|busiest|noisiest|most\s+(?:frequent|common|active))\b"
        ))
    {
        reading.query.limit = found.number(1);
        reading.superlative = true;
        scan.blank(found.start, found.start + found.get(1).len());
    }
    if reading.query.limit.is_none()
        && let Some(found) = scan.take(re!(
            r"(?:상위|하위|탑|톱|\btop\b|\bfirst\b|\bbottom\b)[\s-]*({N})\s*(?:개|건|곳|명|위|가지|군데|종|줄|등)?(?:의|만|씩|까지)?|(?:딱\s*)?({N})\s*(?:개|건|곳|명|가지|군데|줄|위|종류)(?:의|만|씩|까지)?|(?:^\s*|\b(?:the|which|what|show|list|me|give|find|get|name|pick|return|display|our|these|those)\s+)({N})\s+(most|slowest|longest|highest|worst|largest|busiest|noisiest|[a-z]+s)\b|\b(?:slowest|longest|fastest|worst|busiest)\s+({N})\b|\blimit(?:ed)?\s+(?:it\s+|that\s+|them\s+|this\s+)?to\s+({N})\b|하나만|한\s*개만|1위|\bonly\s+one\b"
        ))
    {
        let number = [found.get(1), found.get(2), found.get(3), found.get(5), found.get(6)].concat();
        reading.query.limit = scan::number(&number).or(Some(1));
        if found.get(0).contains("하위") || found.get(0).contains("bottom") {
            reading.ascending = true;
        }
        let words = found.get(0);
        reading.slowest |= re!(r"slowest|longest").is_match(words);
        reading.superlative |= re!(r"most|slowest|longest|highest|worst|largest|상위|하위|탑|톱|top|1위|bottom").is_match(words);
        // The noun or adjective that follows is read in its turn; "the 24 hours" is time.
        if re!(r"^(?:seconds|minutes|hours|days|weeks|months|years)$").is_match(found.get(4)) {
            scan.rest.replace_range(found.start..found.end, found.get(0));
            reading.query.limit = None;
        } else if found.has(4) {
            scan.rest.replace_range(found.end - found.get(4).len()..found.end, found.get(4));
        }
    }
    // "상위 서비스 3개": the number stands apart.
    if scan.drop_all(re!(r"(?:^|\s)상위(?:권|의)?(?:\s|$)")) {
        reading.superlative = true;
    }
}

/// "가장 많은", "느린 순", "최신순".
pub(in crate::analyst::understand) fn orders(scan: &mut Scan, reading: &mut Reading) {
    if let Some(found) = scan.take(re!(
        r"\b(?:from\s+)?(?:(highest|most|largest|biggest|slowest|worst)\s+to\s+(?:lowest|least|fewest|smallest|fastest|best)|(?:lowest|least|fewest|smallest|best)\s+to\s+(?:highest|most|largest|biggest|worst))\b"
    )) {
        reading.by_measure = true;
        reading.ascending = !found.has(1);
    }
    if let Some(found) = scan.take(re!(r"\b(worst|highest|most|largest|biggest|slowest|longest)\s+first\b")) {
        reading.by_measure = true;
        reading.slowest |= re!(r"slowest|longest").is_match(found.get(1));
    }
    if scan.drop_all(re!(r"(?:(?:가장|제일)\s*)?(?:오래\s*(?:걸|소요|지연)[가-힣]+|느(?:린|렸[가-힣]*|리게))(?:\s*순(?:서)?(?:대로|으로)?)?|(?:가장|제일)\s*(?:긴|길[었게][가-힣]*|지연(?:된|되는))|긴\s*순(?:서)?(?:대로|으로)?|\bslowest\b|\blongest\b|\btook\s+(?:the\s+)?longest\b|\bslow\b")) {
        reading.slowest = true;
    }
    if scan.drop_all(re!(
        r"(?:가장|제일)\s*(?:빠른|빠르게|빨랐던|빨리|짧은|짧았던|짧게)|(?:빠른|짧은)\s*순(?:서)?(?:대로|으로)?|\bfastest\b|\bquickest\b"
    )) {
        reading.slowest = true;
        reading.ascending = true;
    }
    if scan.drop_all(re!(
        r"(?:가장|제일)\s*(?:적[은게었던을][가-힣]*|조금|덜|낮[가-힣]*|작[은았게][가-힣]*|드[문물][가-힣]*|한산[가-힣]*|뜸[하한했][가-힣]*|조용[가-힣]*)|최소|\bfewest\b|\b(?:lowest|smallest)(?:\s+(?:number|count|amount)\s+of)?\b|\bleast(?:\s+(?:often|frequent(?:ly)?|common(?:ly)?|active|number\s+of))?\b"
    )) {
        reading.superlative = true;
        reading.ascending = true;
    }
    if scan.drop_all(re!(r"(?:가장|제일)\s*(?:많[가-힣]*|잦[가-힣]*|자주|높[가-힣]*|흔[하한했][가-힣]*|빈번[가-힣]*|심[하한했][가-힣]*|큰|크[게고]|컸[가-힣]*|활발[가-힣]*|분주[가-힣]*|왕성[가-힣]*|바[쁜쁘빴][가-힣]*|몰[리린렸려][가-힣]*|집중[가-힣]*|붐[비빈볐][가-힣]*|두드러[가-힣]*|도드라[가-힣]*|시끄러[가-힣]*|요란[가-힣]*|폭주[가-힣]*|눈에\s*띄[가-힣]*)|최다|최고(?:[\s?.,]|로|의|$)|\bmost(?:\s+(?:often|frequent(?:ly)?|common(?:ly)?|active|of\s+the|number\s+of))?\b|\b(?:highest|largest|greatest)(?:\s+(?:number|count|amount|volume|share)\s+of)?\b|\bbusiest\b|\bworst\b|\bbiggest\b|\bnoisiest\b")) {
        reading.superlative = true;
    }
    // "마지막 로그", "the first error": one line.
    if let Some(found) = scan.find(re!(
        r"(마지막(?:으로)?|맨\s*끝)\s*(?:[가-힣]*[한된긴은]\s*)?(?:로그|에러|오류|경고|요청|기록)|(첫\s*(?:번째)?|최초(?:의|로)?|(?:맨\s*)?처음(?:으로)?)\s*(?:로그|에러|오류|경고|요청|기록)|\bthe\s+(?:very\s+)?(last)\s+(?:log|error|warning|request|line|entry)\b|\bthe\s+(?:very\s+)?(first)\s+(?:log|error|warning|request|line|entry)\b"
    )) && reading.query.measures.is_empty()
    {
        let group = (1..=4).find(|group| found.has(*group)).unwrap_or(1);
        if let Some(at) = scan.rest[found.start..].find(found.get(group)) {
            scan.blank(found.start + at, found.start + at + found.get(group).len());
        }
        reading.order(Order { by: By::Time, descending: group % 2 == 1 });
        reading.one_line = reading.query.limit.is_none();
        reading.query.limit.get_or_insert(1);
        reading.rows = true;
    }
    if scan.drop_all(re!(r"(?:많은|높은|큰|잦은|빈번한)\s*순(?:서)?(?:대로|으로)?|내림차순(?:으로)?|\b(?:in\s+)?descending(?:\s+order)?\b|\bhighest\s+first\b|\bmost\s+first\b")) {
        reading.by_measure = true;
    }
    if scan.drop_all(re!(r"(?:적은|낮은|작은|드문)\s*순(?:서)?(?:대로|으로)?|\b(?:in\s+)?ascending(?:\s+order)?\b|\blowest\s+first\b")) {
        reading.ascending = true;
        reading.by_measure = true;
    }
    if scan.drop_all(re!(r"(?:최신|최근|새로운|늦은)\s*순(?:서)?(?:대로|으로)?|(?:최신|최근)\s*것\s*부터|\b(?:newest|latest)\s+first\b|가장\s*최근(?:의|에)?|\bmost\s+recent(?:ly)?\b|\blatest\b|최신")) {
        reading.newest = true;
    }
    if scan.drop_all(re!(r"(?:^|[\s,(])시간\s*순(?:서)?(?:대로|으로)?|발생\s*순(?:서)?(?:대로|으로)?|오래된\s*(?:것\s*부터|순(?:서)?(?:대로|으로)?)|순서대로|\bin\s+(?:chronological|time)\s+order\b|\bchronological(?:ly)?\b|\bstep\s+by\s+step\b|\bin\s+order(?:[\s.,?!]|$)|\boldest\s+first\b|\bordered\s+by\s+time\b|\btimeline\b|타임라인|시계열\s*순")) {
        reading.order(Order { by: By::Time, descending: false });
        reading.rows = true;
    }
    if scan.drop_all(re!(r"\beverything\b|모든\s*(?:행동|활동|행위)|여정|행적|흐름|동선|발자취|활동(?:\s*(?:내역|기록|이력))?|(?:무엇을|뭘|무슨\s*일을?|어떤\s*(?:일을?|행동을?))\s*(?:했|겪|하고|거쳤|당했)[가-힣]*|(?:무슨|어떤)\s*일이?\s*(?:있었|일어났|생겼|벌어졌|났)[가-힣]*|\bactivit(?:y|ies)\b|\bjourney\b|\bflow\b|\bhistory\b|\bwhat\s+(?:did|has|happened\s+(?:to|in|with|during))\b|\bwalk\s+(?:me\s+)?through\b|\btrail\b|이력|어떻게\s*진행")) {
        reading.journey = true;
        reading.subject = true;
    }
}

/// First, last, how long, how long ago.
pub(in crate::analyst::understand) fn moments(scan: &mut Scan, reading: &mut Reading) {
    let averaged =
        scan.said(re!(r"평균|중앙값|중위|백분위|\baverage\b|\bmean\b|\bmedian\b|\bp\d\d\b|\bpercentile"));
    let took = scan.has(re!(r"\bhow\s+long\s+did\b")) && scan.has(re!(r"\b(?:take|last|run)\b"));
    if !averaged && took {
        scan.drop_all(re!(r"\bhow\s+long\s+did\b|\b(?:take|last|run)\b(?:\s+in\s+total)?"));
        reading.measure(Measure::Span);
        return;
    }
    if !averaged && scan.drop_all(re!(r"(?:처음|시작|첫\s*(?:번째\s*)?(?:로그|요청|기록|줄|이벤트|단계))부터\s*(?:끝|마지막(?:\s*(?:로그|요청|기록|줄|이벤트|단계))?|종료)까지\s*(?:총\s*)?(?:몇\s*초|얼마나|걸린\s*시간|몇\s*분)?(?:나)?\s*(?:걸[가-힣]*)?|총\s*(?:소요\s*시간|몇\s*초\s*걸[가-힣]*|걸린\s*시간)|(?:전체|총)\s*(?:몇\s*초|소요\s*시간)[가-힣\s]*|\btotal\s+(?:duration|time)\b|\btime\s+between\s+(?:the\s+)?first\s+and\s+(?:the\s+)?last\b(?:\s+(?:log|line|entry|event)s?)?|첫\s*(?:로그|요청|기록)(?:와|과)\s*마지막\s*(?:로그|요청|기록)\s*(?:사이|간)(?:의)?\s*(?:시간|간격|차이)?|\bend[\s-]to[\s-]end\b(?:\s+(?:time|duration|latency))?|(?:지속|진행)\s*시간|얼마\s*동안\s*지속[가-힣]*|몇\s*초\s*(?:동안|걸)[가-힣]*")) {
        reading.measure(Measure::Span);
        return;
    }
    // "몇 시간 전 에러" says no time; "몇 시간 전이야" asks for it.
    let asked = scan.said(re!(r"마지막|최근|최종|지났|경과|흘렀|몇\s*(?:분|시간)\s*전(?:이|인|에\s*(?:났|발생|나왔|있었|찍|남))|\bago\b|\bsince\b|얼마나"));
    if asked && scan.drop_all(re!(r"\bhow\s+long\s+(?:has\s+it\s+been\s+)?since\b(?:\s+the)?|\bhow\s+long\s+ago\b(?:\s*\(?\s*in\s+minutes\s*\)?)?|\bminutes\s+(?:ago|since)\b|몇\s*(?:분|시간)\s*전(?:에|인지|이었는지)?|(?:마지막\s*로그\s*(?:이후|로부터)|(?:지난|경과(?:한)?)\s*(?:시간|분))\s*(?:얼마나|몇\s*분)?[가-힣\s]*(?:지났|경과|흘렀)[가-힣]*|얼마나\s*(?:오래\s*)?(?:지났|됐|되었)[가-힣]*|\btime\s+since\b")) {
        reading.measure(Measure::Age);
        scan.drop_all(re!(r"마지막(?:으로)?|\blast\b|\blatest\b|\bmost\s+recent\b|\(\s*in\s+minutes\s*\)|\bin\s+minutes\b|분\s*단위(?:로)?"));
        return;
    }
    let when = re!(
        r"언제(?:부터)?|시각|시점|시간은|일시|[한난된]\s때(?:는|가|야|인지|인가)|\bwhen\b|(?:^\s*|\bthe\s+|\bexact\s+)time\s+of\s+(?:the\s+)?(?:very\s+)?(?:last|first|latest|most|earliest)\b|\b(?:most\s+recent|latest|earliest)\s+occurr|\bwhat\s+time\b|\b(?:first|last)\s+times?\b|\btimestamps?\b|\bfirst\s+(?:seen|occurr|appear)|\blast\s+(?:seen|occurr|appear)"
    );
    if scan.has(when) {
        let first = scan.drop_all(re!(r"처음(?:으로)?|최초(?:로|의)?|첫\s*(?:번째)?|언제\s*부터|\b(?:for\s+the\s+)?first(?:\s+time)?\b|시작(?:된|했|됐)[가-힣]*"));
        let last = scan.drop_all(re!(r"마지막(?:으로)?|최종|(?:가장|제일)\s*최근(?:에|의|으로)?|최근에\s*(?:발생|난|나온|나타|본|뜬|찍|터진)[가-힣]*|\blast\b|\blatest\b|\bmost\s+recent(?:ly)?\b"));
        scan.drop_all(when);
        scan.drop_all(re!(r"\b(?:seen|occurred|occurrence|occur|appeared|appearance)\b"));
        if first || !last {
            reading.measure(Measure::First);
        }
        if last {
            reading.measure(Measure::Last);
        }
        if !first && !last {
            reading.when_only = true;
        }
    } else if scan.drop_all(re!(r"(?:최초|첫)\s*(?:발생|등장|에러|로그)\s*(?:시간|시각)?과?\s*(?:마지막|최종)\s*(?:발생|등장)?\s*(?:시간|시각)?")) {
        reading.measure(Measure::First);
        reading.measure(Measure::Last);
    }
}
