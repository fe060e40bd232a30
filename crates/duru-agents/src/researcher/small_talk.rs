//! What the words of a question tell without a model: whether there is anything in it but
//! small talk, and whether it points back at what was said before.

/// Beginnings of words that greet, thank, part, agree or apologise. Korean endings follow the stem.
const SOCIAL: &str = "안녕|반가|반갑|고마|고맙|감사|수고|미안|죄송|괜찮|알겠|알았|좋아|좋네|좋습|잘자|잘가|하이|헬로|굿모닝|굿나잇|땡큐|오케이|축하|파이팅|화이팅|환영|\
    ㅋㅋ|ㅎㅎ|ㅠㅠ|ㅜㅜ|ㅇㅋ|ㅇㅇ|ㄱㅅ|하하|호호|hello|thank|goodbye|welcome|congrat|haha|cheers";

/// The same as whole words.
const SOCIAL_WORDS: &str = "네|넵|넹|예|응|어|아니|아니요|아뇨|그래|그래요|맞아|맞아요|hi|hey|bye|ok|okay|yes|yeah|yep|no|nope|sure|great|\
    cool|lol|sorry|thx|ty|good|nice|morning|evening|afternoon|night|perfect|awesome";

/// Words that stand beside those and ask for nothing.
const FILLERS: &str = "정말|너무|진짜|아주|매우|많이|참|덕분에|오늘|오늘도|내일|다들|여러분|모두|선생님|님|씨|두루|두루야|도와줘서|도와주셔서|만나서|처음|뵙겠습니다|봬요|\
    봐요|보내세요|되세요|하루|아침|저녁|밤|주말|좋은|즐거운|편안한|하세요|하셨어요|많으세요|많으셨어요|많으십니다|드립니다|드려요|합니다|해요|입니다|이에요|\
    예요|또|다음에|이만|그럼|자|you|very|much|so|a|lot|there|everyone|all|again|to|meet|see|later|have|\
    day|for|your|the|help|that's|thats|it|was|is|and|too|really|my|friend|duru|i|i'm|im|am|\
    fine|got|helpful|weekend|one|well";

/// Small talk that is a question or a request, as a whole.
const CHAT: &str = "누구야|누구세요|누구니|이름이뭐|이름은뭐|이름이무엇|뭐할수있|무엇을할수있|무슨일을할수있|잘지내|잘지냈|기분이어때|기분어때|심심해|밥먹었|식사하셨|\
    who are you|what are you|what is your name|what's your name|what can you do|how are you|\
    how is it going|how's it going|what's up|tell me a joke";

/// So long a text is no small talk any more, whatever words it has.
const MOST_WORDS: usize = 12;

/// Whether nothing in the text asks for anything that documents could say.
pub(super) fn is_only_small_talk(text: &str) -> bool {
    let words = words(text);
    if words.is_empty() {
        // Nothing but signs and pictures.
        return true;
    }
    if words.len() > MOST_WORDS {
        return false;
    }
    let social = |word: &String| all(SOCIAL).any(|stem| word.starts_with(stem)) || is_in(SOCIAL_WORDS, word);
    let filler = |word: &String| is_in(FILLERS, word);
    if words.iter().all(|word| social(word) || filler(word)) && words.iter().any(social) {
        return true;
    }
    // What is left when the greeting is gone may be small talk as a whole.
    let rest: Vec<String> = words.into_iter().filter(|word| !social(word)).collect();
    is_chat(&rest)
}

/// Whether it thanks: that is no greeting.
pub(super) fn thanks(text: &str) -> bool {
    words(text)
        .iter()
        .any(|word| all("고마|고맙|감사|땡큐|ㄱㅅ|thank|thx").any(|stem| word.starts_with(stem)))
}

fn is_chat(words: &[String]) -> bool {
    let (spaced, joined) = (words.join(" "), words.concat());
    all(CHAT).any(|phrase| {
        let text = if phrase.contains(' ') { &spaced } else { &joined };
        // A few syllables may stand around it, a subject matter may not.
        text.find(phrase).is_some_and(|at| at <= 12 && text.len() - at - phrase.len() <= 15)
    })
}

/// Words that stand for something said before, with or without a particle.
const PRONOUNS: &str = "그거|그것|그게|그건|그걸|그걸로|이거|이것|이게|이건|이걸|저거|저것|저게|저건|거기|거긴|그쪽|그중|그때|그분|그렇게|그렇다면|그러면|그런데도";

/// `그 조항`: a noun that is known. Not with these behind it, which only connect or count.
const NOT_BEHIND_THAT: &str = "밖|외|자체|동안|누구|어떤|어느|무엇|이상|이하";

/// Phrases that speak of the conversation itself, or ask for more of it; without spaces.
const KOREAN_BACK: &str = "방금말|방금그|방금답|방금설명|방금알려|방금얘기|아까|앞에서말|앞에서설명|앞에서얘기|앞에서언급|앞서말|앞의답|위에서말|위답변|이전답변|이전질문|이전대화|\
    지난번에말|말씀하신|말씀하셨|말해준|말했던|얘기한|얘기했던|알려준거|알려주신|더자세히|더자세하게|좀더설명|더설명해|다시설명|더알려|예를들어줘|예를들어주|\
    예시를들어";

const ENGLISH_BACK: &str = "you said|you mentioned|you told|you just|your answer|your last|your previous|\
    tell me more|more detail|more about it|in other words|the latter|previous answer|\
    previous question|as above|mentioned above|earlier answer|give me an example|\
    explain again|elaborate|summarize that|what about|how about";

/// A text of nothing but such words only asks back.
const ASKS_BACK: &str = "왜|왜요|왜죠|어떻게|어떻게요|정말요|진짜요|그래서|그래서요|또|또요|더|계속|계속해|계속해줘|쉽게|짧게|다시|요약해줘|정리해줘|번역해줘|설명해줘|\
    설명해주세요|얼마|얼마나|얼마까지|얼마인데|얼마예요|언제|언제까지|언제부터|어디서|어디에|누가|누구에게|며칠|몇년|예외는|예외도|예외가|조건은|\
    요건은|기간은|기한은|이유는|이유가|사유는|벌금은|과태료는|비용은|수수료는|서류는|절차는|방법은|있나요|있어|되나요|뭐야|뭔가요|그럼|그러면|why|how|\
    really|meaning|go|on|continue|more|please|shorter|again|what|when|where|who|which|and|any|the|long|much|often|reasons|reason|\
    exceptions|exception|conditions|penalty|penalties|deadline";

/// Behind `that` and `this`, what shows that they stand for something.
const BEHIND_THAT: &str = "is|was|mean|means|one|work|works|apply|applies|case|would|does|do|did|happen|happens|\
    again|for|in|to|too|true|right|possible|part|point|more";

/// Whether it can hardly be understood without what was said before.
pub(super) fn points_back(text: &str) -> bool {
    let words = words(text);
    let (spaced, joined) = (format!(" {} ", words.join(" ")), words.concat());
    if words.len() <= 3 && words.iter().all(|word| is_in(ASKS_BACK, word)) {
        return !words.is_empty();
    }
    all(KOREAN_BACK).any(|phrase| joined.contains(phrase))
        || all(ENGLISH_BACK).any(|phrase| spaced.contains(&format!(" {phrase}")))
        || words.iter().any(|word| is_pronoun(word))
        || has_known_noun(&words)
        || has_english_pronoun(&words)
}

/// A pronoun, perhaps with a particle behind it.
fn is_pronoun(word: &str) -> bool {
    const PARTICLES: &str = "|는|은|도|를|을|의|에|로|만|이|가|요|에서|에는|으로|처럼|보다|랑|하고|에도";
    all(PRONOUNS).any(|pronoun| word.strip_prefix(pronoun).is_some_and(|rest| is_in(PARTICLES, rest)))
}

fn has_known_noun(words: &[String]) -> bool {
    words.windows(2).any(|pair| {
        ["그", "이", "해당"].contains(&pair[0].as_str())
            && !all(NOT_BEHIND_THAT).any(|noun| pair[1].starts_with(noun))
    })
}

/// Near the beginning only: further on, what they stand for is mostly in the question itself.
fn has_english_pronoun(words: &[String]) -> bool {
    let near = if words.len() <= 5 { words.len() } else { 4 };
    words.iter().enumerate().take(near).any(|(at, word)| {
        let behind = words.get(at + 1).map(String::as_str);
        match word.as_str() {
            "them" | "they" | "he" | "she" | "him" => true,
            "those" | "these" => behind.is_none(),
            "that" | "this" => behind.is_none_or(|behind| is_in(BEHIND_THAT, behind)),
            // "Is it legal to …" speaks of what follows.
            "it" => !words.iter().skip(at + 1).any(|word| word == "to" || word == "that" || word == "if"),
            _ => false,
        }
    })
}

/// The entries of a list, which are between bars so that it stays readable.
fn all(list: &'static str) -> std::str::Split<'static, char> {
    list.split('|')
}

fn is_in(list: &'static str, word: &str) -> bool {
    all(list).any(|entry| entry == word)
}

/// The words in small letters, without signs around them.
fn words(text: &str) -> Vec<String> {
    let kept = |c: char| c.is_alphanumeric() || c == '\'' || ('\u{3131}'..='\u{318e}').contains(&c);
    let lower = text.to_lowercase().replace('’', "'");
    lower.split(|c: char| !kept(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_talk_in_both_languages() {
        for text in [
            "안녕하세요!",
            "안녕 두루야",
            "고마워요 ㅎㅎ",
            "정말 감사합니다",
            "네 알겠습니다",
            "좋은 하루 보내세요, 고맙습니다",
            "안녕하세요, 누구세요?",
            "너는 뭐 할 수 있어?",
            "잘 지내?",
            "ㅋㅋㅋㅋ",
            "👍",
            "Hello there",
            "thanks a lot!",
            "Hi, how are you?",
            "who are you?",
            "Good morning",
            "ok, thank you very much",
            "",
        ] {
            assert!(is_only_small_talk(text), "{text}");
        }
        for text in [
            "안녕하세요, 연차는 며칠인가요?",
            "감사 보고서 제출 기한",
            "고마운 분께 드리는 선물의 세금은?",
            "환불 규정",
            "누구에게 청구할 수 있나요?",
            "Hi, what is the notice period?",
            "thank-you letters: retention period",
            "전세",
        ] {
            assert!(!is_only_small_talk(text), "{text}");
        }
    }

    #[test]
    fn thanks_are_no_greeting() {
        assert!(thanks("정말 고마워요") && thanks("Thank you!") && !thanks("안녕하세요"));
    }

    #[test]
    fn questions_that_point_back() {
        for text in [
            "그거 더 자세히",
            "그건 왜 그런가요?",
            "그 조항은 언제부터 시행됐어?",
            "방금 말한 기간이 지나면요?",
            "왜요?",
            "이걸 어기면 벌금이 있나요?",
            "예를 들어줘",
            "더 자세하게 설명해 주세요",
            "그럼 그때는 누가 내나요?",
            "Tell me more",
            "What does that mean?",
            "Is it the same in Busan?",
            "why?",
            "what about tenants?",
            "How long do they have?",
            "쉽게 설명해줘",
            "go on",
            "얼마나?",
            "예외는 있나요?",
            "what reasons?",
            "how long?",
        ] {
            assert!(points_back(text), "{text}");
        }
        for text in [
            "그 밖의 수당에는 무엇이 있나요?",
            "임대차 계약의 갱신 요구 기간은?",
            "Is it legal to record a phone call?",
            "Which law requires that employers keep records?",
            "How much notice must a landlord give?",
            "연차 휴가 일수",
            "이자 제한법의 최고 이자율은?",
            "저작권의 보호 기간",
            "근로기준법 제60조를 요약해줘",
            "저 연차가 며칠 남았나요?",
            "Can employers dismiss staff while they are on sick leave?",
            "집 앞에서 넘어지면 누구 책임인가요?",
        ] {
            assert!(!points_back(text), "{text}");
        }
    }
}
