//! Words that say nothing about which lines are asked for or what is asked of
//! them: verbs of asking, of happening and of handling, and what fills a
//! sentence. What does say something is read before, or is not understood.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Whether this English word, in any of its forms, says nothing by itself.
pub(super) fn english(word: &str) -> bool {
    static VERBS_IN: LazyLock<HashSet<&str>> = LazyLock::new(|| VERBS.split_whitespace().collect());
    static WORDS_IN: LazyLock<HashSet<&str>> = LazyLock::new(|| WORDS.split_whitespace().collect());
    WORDS_IN.contains(word) || bases(word).iter().any(|base| VERBS_IN.contains(base.as_str()))
}

/// What a verb may be a form of.
fn bases(word: &str) -> Vec<String> {
    let mut all = vec![word.to_owned()];
    for (ending, instead) in
        [("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("d", ""), ("ing", ""), ("ing", "e")]
    {
        let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() > 1) else { continue };
        all.push(format!("{stem}{instead}"));
        // "Dropped", "hitting".
        let mut letters = stem.chars().rev();
        if let (Some(last), Some(before)) = (letters.next(), letters.next())
            && last == before
        {
            all.push(stem[..stem.len() - last.len_utf8()].to_owned());
        }
    }
    all
}

/// Whether this Korean word is a form of a verb or adjective that says nothing
/// by itself, or a word that only fills the sentence.
pub(super) fn korean(word: &str) -> bool {
    static FORMS: LazyLock<Vec<String>> =
        LazyLock::new(|| STEMS.split_whitespace().flat_map(conjugated).collect());
    static ASKING_FORMS: LazyLock<Vec<String>> =
        LazyLock::new(|| ASKING_STEMS.split_whitespace().flat_map(conjugated).collect());
    static SHORT_FORMS: LazyLock<Vec<String>> =
        LazyLock::new(|| SHORT_STEMS.split_whitespace().flat_map(conjugated).collect());
    static FILLERS: LazyLock<HashSet<&str>> = LazyLock::new(|| FILLING.split_whitespace().collect());
    if FILLERS.contains(word) || without_particle(word).any(|noun| FILLERS.contains(noun)) {
        return true;
    }
    let letters = letters(word);
    let wish = ["줘", "줘요", "주세요", "줄래", "줄래요", "주라", "주십시오", "달라"]
        .iter()
        .any(|end| word.ends_with(end));
    let form_of = |forms: &[String]| {
        forms.iter().any(|form| letters.strip_prefix(form.as_str()).is_some_and(is_ending))
    };
    form_of(&ASKING_FORMS)
        || !wish && form_of(&FORMS)
        || SHORT_FORMS.iter().any(|form| letters.strip_prefix(form.as_str()).is_some_and(is_whole_ending))
        || is_verb(&letters)
}

/// A native verb in a form that no noun has: of the past, or asking. What it says is a matter of
/// style, unless it is one of those that tell lines apart. A verb made of a noun is as known as its noun.
fn is_verb(letters: &str) -> bool {
    static TELLING: LazyLock<Vec<String>> =
        LazyLock::new(|| TELLING_STEMS.split_whitespace().flat_map(conjugated).collect());
    let past = letters.rfind('ㅆ').filter(|at| {
        let ending = &letters[at + 'ㅆ'.len_utf8()..];
        *at > 0 && !ending.is_empty() && is_whole_ending(ending)
    });
    const ASKING: &[&str] = &[
        "ㄴㅡㄴㅈㅣ",
        "ㄴㅡㄴㄷㅔ",
        "ㄴㅡㄴㄱㅏ",
        "ㄴㅏㅇㅛ",
        "ㄲㅏㅇㅛ",
        "ㅂㅅㅣㄷㅏ",
        "ㅂㄴㅣㄷㅏ",
        "ㅂㄴㅣㄲㅏ",
        "ㄹㄹㅐㅇㅛ",
        "ㄴㅔㅇㅛ",
    ];
    let asking = ASKING.iter().any(|ending| letters.ends_with(ending));
    let made_of_noun = ["ㅎㅐㅆ", "ㄷㅙㅆ", "ㅎㅏㄴ", "ㄷㅚㄴ", "ㅎㅏㅂ", "ㄷㅚㅂ", "ㅎㅏㄹ", "ㄷㅚㄹ"]
        .iter()
        .any(|verb| letters.find(verb).is_some_and(|at| at > 0));
    (past.is_some() || asking)
        && !made_of_noun
        && !TELLING.iter().any(|form| letters.starts_with(form.as_str()))
}

/// The word without each particle that it may end with.
pub(super) fn without_particle(word: &str) -> impl Iterator<Item = &str> {
    const PARTICLES: &[&str] = &[
        "에서의",
        "에서는",
        "에서도",
        "에서",
        "에게",
        "에는",
        "에도",
        "에만",
        "에",
        "으로는",
        "으로",
        "로는",
        "로",
        "의",
        "은",
        "는",
        "이",
        "가",
        "을",
        "를",
        "도",
        "만",
        "와",
        "과",
        "랑",
        "이랑",
        "하고",
        "이나",
        "나",
        "까지",
        "부터",
        "들",
        "들이",
        "들은",
        "들의",
        "들을",
        "별",
        "별로",
        "이야",
        "야",
        "인지",
        "이지",
        "인가",
        "인가요",
        "이에요",
        "예요",
        "이고",
        "인데",
        "이며",
        "인",
        "적인",
        "적으로",
        "요",
        "이요",
        "이었어",
        "였어",
        "이었지",
        "였지",
        "하게",
        "히",
    ];
    PARTICLES.iter().filter_map(move |particle| word.strip_suffix(particle)).filter(|noun| !noun.is_empty())
}

/// A word in its single letters, so that an ending that joins a syllable is seen.
fn letters(word: &str) -> String {
    const FIRST: [&str; 19] = [
        "ㄱ", "ㄲ", "ㄴ", "ㄷ", "ㄸ", "ㄹ", "ㅁ", "ㅂ", "ㅃ", "ㅅ", "ㅆ", "ㅇ", "ㅈ", "ㅉ", "ㅊ", "ㅋ", "ㅌ",
        "ㅍ", "ㅎ",
    ];
    const MIDDLE: [&str; 21] = [
        "ㅏ", "ㅐ", "ㅑ", "ㅒ", "ㅓ", "ㅔ", "ㅕ", "ㅖ", "ㅗ", "ㅘ", "ㅙ", "ㅚ", "ㅛ", "ㅜ", "ㅝ", "ㅞ", "ㅟ",
        "ㅠ", "ㅡ", "ㅢ", "ㅣ",
    ];
    const LAST: [&str; 28] = [
        "", "ㄱ", "ㄲ", "ㄱㅅ", "ㄴ", "ㄴㅈ", "ㄴㅎ", "ㄷ", "ㄹ", "ㄹㄱ", "ㄹㅁ", "ㄹㅂ", "ㄹㅅ", "ㄹㅌ",
        "ㄹㅍ", "ㄹㅎ", "ㅁ", "ㅂ", "ㅂㅅ", "ㅅ", "ㅆ", "ㅇ", "ㅈ", "ㅊ", "ㅋ", "ㅌ", "ㅍ", "ㅎ",
    ];
    let mut all = String::new();
    for letter in word.chars() {
        match (letter as usize).checked_sub(0xAC00).filter(|place| *place < 11_172) {
            Some(place) => {
                all.push_str(FIRST[place / 588]);
                all.push_str(MIDDLE[place % 588 / 28]);
                all.push_str(LAST[place % 28]);
            }
            None => all.push(letter),
        }
    }
    all
}

/// The beginnings that forms of this stem have, in letters.
fn conjugated(stem: &str) -> Vec<String> {
    let plain = letters(stem);
    let mut all = vec![plain.clone()];
    let mut instead = |ending: &str, others: &[&str]| {
        if let Some(front) = plain.strip_suffix(ending) {
            all.extend(others.iter().map(|other| format!("{front}{other}")));
        }
    };
    // 올리다, 올려; 되다, 돼; 나오다, 나와; 나누다, 나눠; 하다, 해.
    instead("ㅣ", &["ㅕ"]);
    instead("ㅚ", &["ㅙ"]);
    instead("ㅗ", &["ㅘ"]);
    instead("ㅜ", &["ㅝ"]);
    instead("ㅎㅏ", &["ㅎㅐ"]);
    // 모으다, 모아; 고르다, 골라.
    instead("ㅡ", &["ㅏ", "ㅓ"]);
    instead("ㄹㅡ", &["ㄹㄹㅏ", "ㄹㄹㅓ"]);
    // 만들다, 만든; 가깝다, 가까운; 깨닫다, 깨달은.
    instead("ㄹ", &[""]);
    instead("ㅂ", &["ㅇㅜ", "ㅇㅝ"]);
    instead("ㄷ", &["ㄹ"]);
    all
}

/// Whether an ending may begin like this, in letters.
fn is_ending(rest: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "ㄴ",
        "ㄹ",
        "ㅁ",
        "ㅂㄴㅣ",
        "ㅂㅅㅣ",
        "ㅆ",
        "ㄷ",
        "ㄱㅗ",
        "ㄱㅔ",
        "ㄱㅣ",
        "ㄱㅓ",
        "ㅈㅣ",
        "ㅈㅏ",
        "ㅈㅛ",
        "ㅈㅜ",
        "ㅈㅝ",
        "ㅅㅓ",
        "ㅅㅕ",
        "ㅅㅣ",
        "ㅅㅔ",
        "ㅇㅓ",
        "ㅇㅏ",
        "ㅇㅕ",
        "ㅇㅡ",
        "ㅇㅛ",
        "ㅇㅑ",
        "ㄲㅏ",
        "ㅂㅗ",
        "ㅂㅘ",
        "ㅂㅏ",
    ];
    rest.is_empty() || BEGINNINGS.iter().any(|beginning| rest.starts_with(beginning))
}

/// Whether this is an ending from its first letter to its last.
fn is_whole_ending(rest: &str) -> bool {
    static ENDINGS_IN: LazyLock<HashSet<String>> =
        LazyLock::new(|| ENDINGS.split_whitespace().map(letters).collect());
    const BEFORE: &[&str] = &["ㅇㅏㅆ", "ㅇㅓㅆ", "ㅇㅕㅆ", "ㅆ", "ㄱㅔㅆ", "ㅅㅣㅆ", "ㅅㅕㅆ", "ㅅㅣ"];
    let whole = |rest: &str| rest.is_empty() || ENDINGS_IN.contains(rest);
    whole(rest)
        || BEFORE.iter().filter_map(|before| rest.strip_prefix(before)).any(|rest| {
            whole(rest) || BEFORE.iter().filter_map(|before| rest.strip_prefix(before)).any(whole)
        })
}

/// Single letters join the syllable before them.
const ENDINGS: &str = "
    ㄴ ㄹ ㅁ 는 은 을 던 음 기 게 고 서 며 면 으면 니 냐 네 네요 나 나요 지 지요 죠 요 아 어 아요 어요 아서 어서 아도 어도 아야 어야 다
    습니다 ㅂ니다 ㅂ니까 습니까 ㅂ시다 읍시다 자 아라 어라 까 ㄹ까 ㄹ까요 을까 을까요 ㄹ래 ㄹ래요 ㄹ게 ㄹ게요 는데 ㄴ데 은데 는데요 ㄴ데요 는지
    ㄴ지 은지 ㄹ지 을지 는지도 ㄴ가 는가 ㄴ가요 은가요 던가 던데 더라 려고 려면 러 거든 거든요 군 군요 구나 니까 으니까 ㄴ다 는다 ㄴ다면 도록
    든 든지 다가 자면 ㄹ때 을때 ㄹ때는 줘 줘요 주라 주세요 줄래 줄래요 주실래요 주십시오 아줘 어줘 아주세요 어주세요 봐 봐요 보자 볼래 아봐 어봐
    아봐줘 어봐줘 봐줘 봐주세요 길래 을지도 기만 기도 길 는걸 는거 은거 ㄴ거 ㄴ게 는게 은게 지만 는지를 는지만
";

/// Of one syllable: only with a whole ending.
const SHORT_STEMS: &str = "보 주 알 찾 뽑 세 내 나 뜨 찍 남 쌓 뱉 뿜 겪 받 맞 쓰 들 오 가 하 되 있 같 크 좋 싶 묻 묶 끊 꼽 짚 튀 돌 걸 놓 두 따 치 긋 엮 담 싣 띄 캐 훑 접 쉽 뜯 쪼개 골 추 뵈 계시";

/// Verbs that tell lines apart; ignoring one of them would answer another question.
const TELLING_STEMS: &str = "
    죽 멈추 멈췄 끊기 끊어지 깨지 막히 꺼지 느려지 빨라지 사라지 지워지 없어지 없 않 못하 아니 말 빼 빠지 뚫리 튕기 새 늦 밀리 어긋나
    틀리 잘리 넘치 모자라 비 비우 닫히 열리 풀리 잠기 바뀌
";

/// Of two syllables and more; shorter ones are too much like other words.
const STEMS: &str = "
    발생하 발생되 발생시키 나타나 나오 생기 생겨나 일어나 일으키 터지 터뜨리 띄우 찍히 남기 쌓이 들어오 들어가 들어있 올라오 올라가
    올리 내려오 내려가 쏟아지 쏟아내 뿜어내 내뱉 던지 튀어나오 벌어지 겪었 경험하 당하 만나 마주치 부딪히 맞닥뜨리 접하 보이 보내
    받아들 걸리 느끼 유발하 초래하 야기하 만들 만들어 생성하 생성되 기록하 기록되 로깅하 로깅되 적히 쓰이 출력하 출력되 표시하 표시되
    노출되 감지하 감지되 관측되 관찰되 발견하 발견되 검출되 잡히 수집하 수집되 저장되 적재되 유입되 도착하 접수되 처리하 처리되 요청하
    요청되 호출하 호출되 접속하 접근하 방문하 이용하 사용하 사용되 거치 거쳐가 지나가 통과하 들르 다녀가 드나들 머무르 활동하 시도하
    시작하 시작되 끝나 종료되 완료되 마무리되 진행하 진행되 이어지 계속되 지속되 몰리 몰려 집중되 편중되 치우치 쏠리 두드러지 속하
    해당하 해당되 관련되 연관되 연결되 연결하 걸치 이루어지 구성되 소요되 소요하 소모하 응답하 동작하 작동하 운영되 돌아가 바뀌 달라지
    변하 변화하 커지 작아지 안정되 회복되 겹치 맞물리 연달 잇따르 속출하 빗발치 폭주하 치솟 오르내리 튀었 밀리 지연되 차지하
";

/// Verbs of asking, which may be said as a wish; a wish for anything else is not one for an answer.
const ASKING_STEMS: &str = "
    보여주 보여지 보이 알려주 알아보 알아내 말하 말씀하 답하 대답하 찾아보 찾아내 찾아주 검색하 조회하 확인하 확인되 체크하 살펴보
    들여다보 훑어보 점검하 파악하 분석하 뽑아내 추출하 추리 추려내 골라내 고르 꺼내 가져오 끌어오 불러오 나열하 열거하 표기하 그리
    그려보 시각화하 정리하 요약하 취합하 모으 모아보 묶이 묶었 그룹핑하 그룹화하 나누 나눠보 나뉘 쪼개 자르 구분하 구별하 분류하
    세어보 헤아리 계산하 산출하 집계하 합산하 합치 더하 따지 따져보 측정하 비교하 대조하 정렬하 늘어놓 늘리 늘려보 줄이 줄여보 넓히
    좁히 좁혀보 확대하 축소하 한정하 국한하 바꾸 바꿔보 매기 궁금하 원하 바라 부탁하 부탁드리 필요하 드리 해보 해주 돌려보 어떠하
    남기 문제되 연동하 연동되 통신하 급하 바쁘 중요하 심각하 괜찮 그렇 이렇 어떻 이러하 그러하 살피 짚어보 짚어주 추적하 따라가 확인시키 모니터링하 트래킹하 카운트하 카운팅하 리스트업하
    뽑히 꼽히 꼽아보 꼽아주 골라주 세어주 셈하 셌으 셀수 세워보 펼치 펼쳐보 정리되 묶어주 엮이 얽히 관여하 참여하 기여하 건너뛰
";

const FILLING: &str = "
    범위 구간 선 정각 곳 군데 샘플 예시 견본 급한데 걸로 거로 것으로 걸 거 게 것 꺼 라인 날짜 때 편 측 데 수치 숫자 시기 무렵 당일 일자 분량 물량 패턴 몽땅 싹 쭉 죽 통째로 일일이 낱낱이 모조리 죄다 꽤 되게 엄청
    아주 매우 너무 좀 약간 살짝 얼른 빨리 곧 금방 혹시라도 도대체 대체 과연 정말 진짜 실제 그냥 단순히 오직 오로지 단지 딱 꼭 굳이
    각기 제각각 골고루 차례로 차례대로 한눈에 한꺼번에 따로따로 총괄 종합 전반적 구체적 상세히 상세 세부 세부적 개별 개별적 대표적
    주된 주요 핵심 일반 일반적 평소 유독 유난히 갑자기 자꾸 여전히 아직 이미 벌써 드디어 결국 아무래도 왠지 하필 참고 참고로 가능하면
    되도록 기왕이면 연동 통신 안녕 안녕하세요 감사 감사합니다 고마워 고맙습니다 미안 죄송 저기 이봐 얘 팀장님 자 음 네 예 응 뭐 막 왕창 잔뜩
    많이 다 죄 온통 내내 줄곧 그때그때 이상 하나하나 각자 본 현 위 아래 뒤 옆 안 밖 겉 속 수준 정보 자료 근거 기준 관점 측면 면 건
    항목 대목 부분 요소 종합적 순 순서 순번 목적 용도 방식 방법 식 형태 모양 꼴 낸 낸거 냈어 냈지 냈나 냈는지 냈던 내는 내고 뿜은 뿜었어
    뿜는 적힌 적혀 쓰인 쓰여 쓴 썼 세줘 세봐 센 셀 끊어 끊어서 끊은 끊고 묶은 묶고 묶어 묶어서 묶여 잰 나란히 나뉜 나눈 한 두루 굉장히
    무척 제법 상당히 비교적 얼추 대강 당장 요약 정리 표로 보기 참 글쎄 아마 아마도 물론 역시 또 또한 및 등 등등
";

/// In their base form, and past forms that no rule makes.
const VERBS: &str = "
    show list give get find tell display print return fetch pull retrieve bring view look check see watch inspect examine review explore
    analyze analyse summarize summarise report output provide present produce generate create make build draw plot chart graph visualize
    visualise want need like wish wonder know learn understand let help try calculate compute determine figure work measure count tally
    total sum add rank order sort arrange group split divide break bucket bin separate classify categorize categorise organize organise
    aggregate compare contrast relate happen occur appear arise emerge surface come arrive reach land hit touch call invoke access connect
    visit request query send receive serve handle process run execute respond reply answer take spend require complete finish start begin
    end continue remain stay keep hold have include involve concern affect impact cause trigger lead result raise throw emit log record
    write store capture collect observe notice detect spot discover encounter experience face suffer undergo meet register belong
    correspond fall go move change vary differ account consist represent constitute contribute use consume perform act do be become seem
    attempt originate stem derive say name identify pick choose select filter narrow limit restrict extend widen expand zoom focus dig
    drill turn match contain put set share ask call note mention describe detail specify state mean pile stack cluster concentrate accumulate dominate
    hog drive push report submit issue fire pop crop spring blow hammer flood swamp stress load finish last average cover cross pass exist
    grab scroll skim scan dump tail fish extract surface show live reside sit lie tend seem happen struggle
    took taken went gone came saw seen threw thrown wrote written ran began begun drew drawn kept held made sent got gotten gave given
    found told knew known left met felt led spent broke broken chose chosen stood brought caught said spoke thought did done had has was
    were been being lay lain sat
";

const WORDS: &str = "
    ^(?:(?:
    정렬|영향|반복|과정|단계|하루에|안에서|안에|내에서|내에|속에서|것|거|로그|요청|호출|응답|이벤트|기록|데이터|내역|내용|정보|상황|현황|상태|결과|목록|리스트|표|값|조합|구간|시도|건수|개수|횟수|전체|전부|모두|모든|총|각각|각|하나|단일|여러|일부|특정|해당|관련|대상|기준|순서|정도|경우|시간|기간|동안|사이|이후|이전|당시|중에서|중에|가운데|
    보여|보고|보자|볼래|볼게|봐줘|봐|알려|알고|알수|뽑|찾|조회|확인|출력|나열|정리|구해|계산|가져|골라|추려|추출|말해|답해|부탁|줘|줄래|줄|주세요|주라|주실|싶|궁금|필요|
    발생|만난|만났|마주친|들어서|들어|뜬|떴|뜨는|뜨|띄운|쏟아|튀어|벌어|생긴|생겨|생겼|일어|터진|터졌|찍힌|찍혀|찍혔|찍은|남은|남긴|남아|남겼|쌓인|쌓여|쌓였|들어온|들어와|들어왔|나온|나와|나왔|나오|나는|났|난|나|겪은|겪|걸린|걸렸|걸려|걸리|느꼈|당한|기록된|기록한|보인|보이|보낸|받은|시도한|사용한|사용|이용한|이용|접속한|접속|방문한|방문|거쳐|거친|지나|관측|감지|집중|몰린|몰려|시작|다녀|움직|처리|참여|떨어|올라|늘어|늘었|늘|줄어|줄었|증가|감소|급증|많아|적어|많이|많은|많았|많|적은|높은|높아|높|낮은|변했|변한|달라|바뀌|새로운|새로|등장|나타|없던|없는|없었|없|있는데|있는|있었|있으면|있|건드린|연관|포함|
    주로|대부분|보통|대체로|특히|실제로|일단|우선|대충|제일|전반|어때|어땠|어떻|어떤|어느|어디|얼마나|얼마|무엇|무슨|뭐야|뭐|뭔|뭘|누가|누구|언제|혹시|그럼|그러면|그리고|그런데|그래서|이제|이번에는|이번엔|이번|다시|다음은|계속|조금|대략|정확히|정확하게|한번|함께|같이|같은|똑같이|똑같은|동일한|동일|서로|다른|다르게|묶어|묶음|모아|따라|따른|대해|대한|관해|관한|통해|위한|위해|대신|말고|제외|빼고|만큼|처럼|로만|으로만|
    형태|형식|단위|별로|별|간격|기본|자세히|자세하게|간단히|빠르게|최대한|현재까지|현재|지금까지|지금|여태|우리|저희|내가|제가|나한테|하는지|했는지|인지|했던|했어|했나|했지|했|하는|하고|해서|해줘|해주|해|한|할|하|된|되는|되었|됐|되|될|돼|이야|이지|인가요|인가|인데|입니다|이에요|예요|이다|이었|였
    )[가-힣]*|
    (?:에서의|에서는|에서도|에서|에게서|에게|에는|에도|에만|에|으로는|으로|로는|로|의|은|는|이|가|을|를|도|만|와|과|랑|이랑|하고|이나|나|든지|든|까지|부터|보다|처럼|들|들이|들은|들의|들을|들만|별|씩|당|째|쯤|경|대|번째|라는|이라는|라고|이란|란|인|이며|이고|고|야|요|죠|지|니|냐|까|네|데)+)$
    an the of in on at for to from by with and or is are was were be been being it its do does did done has have had there that this those
    these them they their me my we us our you your all any each every only just so far as than then also too please show list give get
    find tell display handle handled handles process processed report reported trigger triggered ran run running arrived returned
    returning fired faced suffered landed left gave made keep kept plot raw actual detailed details full complete exact simply quick
    quickly kind kinds type generate generates create created creates produce produces emit emits receive receives throwing occurring gets
    getting experience encounter encounters sees shows appearing mostly mainly usually typically especially actually basically roughly
    approximately exactly maybe perhaps overall together altogether combined come comes draw visualize visualise pull return fetch print
    see want need would like could can let know what which who whose how many much log logs line lines entry entries record records
    recorded row rows request requests call calls event events response responses happen happened happening happens occur occurred occurs
    logged logging seen saw found affected impacted throws causing caused across entire whole step steps wrote written write emitted
    produced make generated received got took take taken taking touched touch involved involve visited visit used use using hit hits
    served sent came coming went go shown threw throw thrown raised last past over during within since between among per total count
    counts number numbers more most less least other others same different single first both either if when where while not no yes one
    about around again instead now up down out into such some ones thing things values value data result results table chart graph order
    sorted sort group grouped inclusive exclusive broken break split level time times period day days hour hours today users increase
    increased increasing decrease decreased grow grew rise rose drop dropped higher lower form page new newly appear appeared appears
    that's whats ll re ve doesn didn don isn wasn weren having currently current well ok okay hey hi because related regarding concerning
    specific given experienced encountered attempted tried try attempts attempt look looked looking distinct unique started start begin
    began end ended until through compared compare versus top highest lowest largest sum average percent percentage ms seconds second
    minutes minute active activity totals occurrence occurrences instance instances greatest high low big large small great good bad
    various several multiple individual particular certain respective corresponding relevant main major common general typical usual
    normal regular real available possible anything everything something someone anyone everyone somebody anybody mine yours ours theirs
    he she his her him himself herself itself themselves ourselves own very quite really rather pretty fairly merely even still yet
    already ever always often sometimes seldom rarely soon later here wherever whenever however therefore thus hence though although
    unless whether but else besides plus minus via upon onto toward towards beneath above below behind beside beyond near along amid
    despite respect terms case cases way ways sense point points part parts piece side place places set sets amount figure figures info
    information detail summary overview picture snapshot view listing output question answer thanks thank hello kindly sure right
    precisely briefly essentially specifically separately individually collectively apiece alone back forth ahead apart away off
    throughout till i'm i've i'd id'like it's there's what's who's how's where's can't couldn't wouldn't isn't aren't shall should may
    might must o'clock bunch lot lots load loads plenty handful entirety span course duration sorts types amongst wise based basis scope
    range window frame timeframe stretch moment moments whichever whatever whoever fresh solo sole so-called busy heavy heavily few fewer
    little bit worth stuff item items object objects entity entities two kind-of readout rundown recap sample samples example examples mind
";
