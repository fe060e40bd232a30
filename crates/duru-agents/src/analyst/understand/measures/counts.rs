//! Whether lines are counted, and other words about the answer's form.

use std::sync::LazyLock;

use regex::Regex;

use crate::analyst::understand::lexicon;
use crate::analyst::understand::query::{Filter, Measure};
use crate::analyst::understand::reading::Reading;
use crate::analyst::understand::scan::{Scan, compile, re};

/// Whether lines are counted at all, and other words about the answer's form.
pub(in crate::analyst::understand) fn counts(scan: &mut Scan, reading: &mut Reading) {
    if scan.drop_all(re!(r"누적(?:된|해서|으로|치)?|\bcumulative(?:ly)?\b|\b(?:running|rolling|accumulated)\s+(?:totals?|counts?|sums?)\b"))
    {
        reading.query.cumulative = true;
        reading.counted = true;
    }
    if scan.drop_all(re!(
        r"건\s*수|개\s*수|횟\s*수|규모|발생량|로그량|요청량|호출량|트래픽|빈도|갯수|카운트|(?:총\s*|모두\s*|전부\s*)?몇\s*(?:건|개|번|회|줄|차례)(?:이나|씩|이야|이지|인지|야|나)?|얼마나\s*(?:많이|자주|나왔|났|발생)?|\bhow\s+many(?:\s+times)?\b|\bhow\s+often\b|\bnumbers?\s+of\b|\bcounts?\b|\bvolumes?\b|\btraffic\b|\btotal\b|\bfrequency\b|\btall(?:y|ies)\b|\bhow\s+much\b"
    )) {
        reading.counted = true;
    }
    if scan.drop_all(re!(r"숫자(?:만|로)|세\s*어|세\s*줘|세\s*주|집계|통계|합치면|합쳐서?|합하면|합해서?|합한|더하면|더해서?|합계|합산|총\s*합|통틀어|몇\s*(?:이나)?\s*(?:되|돼)|\bstatistics\b|\bstats\b|\baggregate\b|\bbreak\s*down\b|\bbreakdown\b|\bsummar(?:y|ize)\b|요약")) {
        reading.counted = true;
    }
    // "로그 수", "에러 수를": a number, not part of another word.
    if scan.drop_all(re!(r"(?:^|\s)수(?:는|를|가|은|도|만|의|로|와|과|랑|하고)?(?:\s|$|[?,.)])"))
    {
        reading.counted = true;
    }
    if scan.drop_all(re!(r"추이|추세|변화(?:량)?|동향|변했는지|변해\s*왔|흐름|\btrends?\b|\bover\s+time\b|\btime\s+series\b|그래프")) {
        reading.trend = true;
        reading.counted = true;
    }
    if scan
        .drop_all(re!(r"분포|\bdistributions?\b|\bdistributed\b|랭킹|순위|\branking\b|\branked\b|\brank\b"))
    {
        reading.counted = true;
        reading.spread = true;
    }
    if scan.drop_all(re!(r"비교(?:해|하|표)?|대비|비해서?|비하면|견주[가-힣]*|견줘[가-힣]*|\bagainst\b|\brelative\s+to\b|나란히|\bside\s+by\s+side\b|\bcompar(?:e|ed|ing|ison)\b|\bversus\b|\bvs\.?(?:\s|$)|차이|증감|\bchanges?\b|\bdifference\b")) {
        reading.compared = true;
    }
    // "A와 B 중 어디가 더 높아": several values side by side.
    if scan.drop_all(re!(r"중(?:에서|에)?\s*(?:어디|어느\s*(?:쪽|것|게)|어느|뭐|무엇|누가|어떤\s*(?:쪽|것|게))(?:가|이|의|에서)?|어느\s*쪽(?:이|의|에서)?")) {
        reading.compared = true;
    }
    if scan.drop_all(re!(r"각각|따로|나눠|나누어|쪼개|구분|\beach\b|\bseparately\b|\brespectively\b"))
    {
        reading.each = true;
    }
    // Whatever it is most of: the first of the groups.
    if scan.drop_all(re!(r"(?:^|\s)(?:가장|제일)(?:\s|$)")) {
        reading.superlative = true;
    }
}

/// "전체 로그 수와 에러 수": figures beside each other.
pub(in crate::analyst::understand) fn side_by_side(scan: &mut Scan, reading: &mut Reading) {
    const ONE: &str = r"(?:전체\s*|총\s*)?(로그|요청|에러|오류|경고|\bfatal\b|\berror\b|\bwarn\b|\binfo\b|\bdebug\b)\s*(?:로그\s*)?(?:건\s*수|개\s*수|횟\s*수|수)";
    static PAIR: LazyLock<Regex> =
        LazyLock::new(|| compile(&format!(r"{ONE}\s*(?:와|과|및|,|그리고|랑|하고)\s*{ONE}")));
    let Some(found) = scan.take(&PAIR) else { return };
    for word in [found.get(1), found.get(2)] {
        let measure = lexicon::level(word).map(|level| Measure::CountOf(vec![Filter::is("level", level)]));
        reading.measure(measure.unwrap_or(Measure::Count));
    }
    reading.subject = true;
}
