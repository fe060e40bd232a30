//! What clauses of a lease are about, and what in them is dangerous for the
//! tenant. Patterns have no spaces: clauses are compared without theirs.

use super::contract::{ClauseKind, Severity};

/// The kind of a clause by its words; the first that fits.
#[rustfmt::skip]
pub(super) const KINDS: &[(ClauseKind, &[&str])] = &[
    (ClauseKind::Renewal, &["갱신", "재계약", "연장"]),
    (ClauseKind::Restoration, &["원상복구", "원상회복"]),
    (ClauseKind::Repair, &["수선", "수리", "보수공사", "하자", "누수"]),
    (ClauseKind::Sublease, &["전대", "양도", "재임대"]),
    (ClauseKind::Registration, &["전입신고", "확정일자", "주민등록"]),
    (ClauseKind::Encumbrance, &["근저당", "저당권", "담보", "가압류"]),
    (ClauseKind::DepositReturn, &["보증금을반환", "보증금반환", "보증금의반환", "보증금은반환", "보증금을돌려", "보증금은새", "보증금은다음", "보증금은후속", "보증금은신규"]),
    (ClauseKind::Termination, &["해지", "해제", "명도", "퇴거"]),
    (ClauseKind::Penalty, &["위약금", "손해배상", "배상"]),
    (ClauseKind::Fees, &["관리비", "공과금", "중개보수", "중개수수료"]),
    (ClauseKind::Deposit, &["보증금", "계약금", "잔금"]),
    (ClauseKind::Rent, &["차임", "월세", "임대료"]),
    (ClauseKind::Term, &["기간", "존속"]),
];

/// A danger: every group must have a word in the clause, and no word of `unless`.
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) groups: &'static [&'static [&'static str]],
    pub(super) unless: &'static [&'static str],
    pub(super) severity: Severity,
    pub(super) ko: &'static str,
    pub(super) en: &'static str,
    pub(super) law: &'static [&'static str],
}

const REFUSES: &[&str] = &["하지않", "하지아니", "금지", "할수없", "하지못", "못한다", "불가", "안된다"];

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule { name: "no_registration", groups: &[&["전입신고", "확정일자", "주민등록"], &["하지않", "하지아니", "금지", "할수없", "하지못", "불가", "미룬", "늦춘"]], unless: &["방해하지", "거절하지"],
        severity: Severity::Critical, ko: "전입신고나 확정일자를 막으면 대항력과 우선변제권을 잃습니다.",
        en: "Without registering, the tenant loses protection against third parties and priority for the deposit.",
        law: &["주택임대차보호법 제3조", "주택임대차보호법 제3조의2", "주택임대차보호법 제10조"] },
    Rule { name: "renewal_waived", groups: &[&["갱신"], &["포기", "청구하지", "요구하지", "행사하지", "행사할수없", "주장하지", "배제"]], unless: &[],
        severity: Severity::High, ko: "계약갱신요구권을 미리 포기하게 하는 약정은 효력이 없을 수 있습니다.",
        en: "A waiver of the right to renew is likely void.", law: &["주택임대차보호법 제6조의3", "주택임대차보호법 제10조"] },
    Rule { name: "deposit_waits_for_next_tenant", groups: &[&["보증금"], &["새로운임차인", "새임차인", "후속임차인", "다음임차인", "다음세입자", "신규임차인", "새세입자"]], unless: &["관계없이", "상관없이", "무관하게"],
        severity: Severity::High, ko: "다음 세입자가 들어와야 보증금을 돌려준다는 약정은 반환을 한없이 미룰 수 있습니다.",
        en: "Returning the deposit only when the next tenant comes can delay it without end.", law: &["민법 제536조", "주택임대차보호법 제3조의3"] },
    Rule { name: "deposit_forfeited", groups: &[&["보증금"], &["몰취", "몰수", "귀속", "반환하지아니", "반환하지않", "돌려주지"]], unless: &[],
        severity: Severity::High, ko: "보증금을 돌려주지 않는다는 약정은 지나친 손해배상 예정일 수 있습니다.",
        en: "Forfeiting the deposit may be an excessive penalty.", law: &["민법 제398조", "주택임대차보호법 제10조"] },
    Rule { name: "all_repairs_on_tenant", groups: &[&["수선", "수리", "보수", "하자", "누수"], &["임차인", "세입자", "을이", "을의"], &["모든", "일체", "전부", "전액", "책임진다"]], unless: &["임대인이", "임대인의부담", "갑이"],
        severity: Severity::High, ko: "큰 수선까지 임차인에게 넘기는 약정입니다; 대규모 수선은 임대인의 의무입니다.",
        en: "Puts even major repairs on the tenant; those are the landlord's duty.", law: &["민법 제623조"] },
    Rule { name: "new_mortgage", groups: &[&["근저당", "저당권", "담보대출", "담보를", "담보권"], &["설정할수", "설정에동의", "설정에협조", "추가로", "추가설정", "동의한다", "협조한다"]], unless: REFUSES,
        severity: Severity::High, ko: "계약 뒤 담보를 더 설정하면 보증금의 순위가 밀릴 수 있습니다.",
        en: "A later mortgage may rank before the deposit.", law: &["주택임대차보호법 제3조의2"] },
    Rule { name: "eviction_after_one_month", groups: &[&["연체", "지체", "미납"], &["1회", "1개월", "한달", "한번", "즉시"], &["해지", "명도", "퇴거", "나가"]], unless: &["2회", "2기", "2개월"],
        severity: Severity::High, ko: "차임 연체가 두 번의 차임액에 이르기 전에는 해지할 수 없습니다.",
        en: "A lease can be ended only once two rents are overdue.", law: &["민법 제640조", "민법 제652조"] },
    Rule { name: "ended_at_will", groups: &[&["임대인", "집주인", "갑은", "갑이"], &["언제든", "임의로", "필요할때", "필요시", "사정에따라", "사유없이", "일방적"], &["해지", "해제", "퇴거", "명도", "나가"]], unless: REFUSES,
        severity: Severity::High, ko: "임대인이 마음대로 계약을 끝낼 수 있게 합니다; 기간 안에는 임차인의 잘못 없이 해지할 수 없습니다.",
        en: "Lets the landlord end the lease at will; within its term that needs a breach by the tenant.", law: &["주택임대차보호법 제4조", "주택임대차보호법 제10조"] },
    Rule { name: "broad_restoration", groups: &[&["원상복구", "원상회복"], &["도배", "장판", "일체", "모든", "전부", "신품", "새것", "입주당시와동일", "청소비"]], unless: &["통상의손모는제외", "통상손모제외", "통상적인마모는제외", "자연마모는제외"],
        severity: Severity::Medium, ko: "통상의 손모까지 복구하게 하는 약정입니다.",
        en: "Makes the tenant restore even ordinary wear.", law: &["민법 제615조", "민법 제654조"] },
    Rule { name: "short_term", groups: &[&["1년", "12개월", "6개월"], &["연장을요구하지", "2년을주장하지", "주장할수없", "주장하지"]], unless: &[],
        severity: Severity::Medium, ko: "2년보다 짧게 정해도 임차인은 2년을 주장할 수 있습니다.",
        en: "Even with a shorter term the tenant may insist on two years.", law: &["주택임대차보호법 제4조", "주택임대차보호법 제10조"] },
    Rule { name: "under_two_years", groups: &[&["기간"], &["1년", "12개월", "6개월", "일년"]], unless: &["1년전", "11년", "21년", "연장을요구하지", "2년을주장하지", "주장할수없", "주장하지"],
        severity: Severity::Low, ko: "1년으로 정했어도 임차인은 2년을 살겠다고 할 수 있습니다.",
        en: "Even with one year agreed, the tenant may insist on two.", law: &["주택임대차보호법 제4조"] },
    Rule { name: "costs_waived", groups: &[&["유익비", "필요비", "비용상환", "부속물"], &["포기", "청구하지", "청구할수없"]], unless: &[],
        severity: Severity::Medium, ko: "임차인이 들인 비용을 돌려받을 권리를 포기하게 합니다.",
        en: "Waives the tenant's claim for money spent on the home.", law: &["민법 제626조", "민법 제646조"] },
    Rule { name: "entry_any_time", groups: &[&["임대인", "집주인", "갑은"], &["언제든", "수시로", "사전통보없이", "통지없이"], &["출입", "들어", "방문", "점검"]], unless: REFUSES,
        severity: Severity::Medium, ko: "임대인이 알리지 않고 드나들 수 있게 합니다.",
        en: "Lets the landlord enter without notice.", law: &["민법 제624조"] },
    Rule { name: "early_end_penalty", groups: &[&["중도", "만료전", "만기전"], &["해지", "퇴거", "이사"], &["위약금", "배상", "차임전액", "잔여"]], unless: &[],
        severity: Severity::Medium, ko: "중도에 나갈 때의 위약금이 지나친지 확인하세요.",
        en: "Check whether the penalty for leaving early is excessive.", law: &["민법 제398조", "주택임대차보호법 제6조의2"] },
    Rule { name: "rent_at_will", groups: &[&["임대료", "차임", "월세", "보증금"], &["인상", "증액"], &["임대인이정", "임대인의결정", "임의로", "시세에따라", "요구에따라"]], unless: &[],
        severity: Severity::High, ko: "증액은 5%를 넘지 못하고 임대인이 혼자 정할 수 없습니다.",
        en: "An increase is capped and can't be set by the landlord alone.", law: &["주택임대차보호법 제7조"] },
    Rule { name: "sublease", groups: &[&["전대", "재임대", "양도"], REFUSES], unless: &[],
        severity: Severity::Low, ko: "동의 없는 전대는 법으로도 막혀 있습니다; 필요하면 동의를 미리 받으세요.",
        en: "Subletting without consent is barred by law too; ask for consent beforehand.", law: &["민법 제629조"] },
    Rule { name: "tenant_pays_brokerage", groups: &[&["중개보수", "중개수수료", "복비"], &["임차인", "세입자"], &["부담"]], unless: &[],
        severity: Severity::Low, ko: "나갈 때의 중개보수는 원칙으로 임대인과 새 임차인의 몫입니다.",
        en: "The fee for the next lease is the landlord's and the next tenant's by default.", law: &["공인중개사법 제32조"] },
    Rule { name: "open_maintenance_fee", groups: &[&["관리비"], &["임대인이정", "임의로", "별도로정", "변경할수"]], unless: &[],
        severity: Severity::Low, ko: "관리비의 금액과 항목을 계약서에 적으세요.",
        en: "State the maintenance fee and what it covers.", law: &["주택임대차보호법 제30조"] },
];

/// What a lease should say: its words, and what to ask for where none is there.
#[rustfmt::skip]
pub(super) const WANTED: &[(&str, &[&str], &str, &str)] = &[
    ("deposit", &["보증금"], "보증금의 금액과 지급일을 적으세요.", "State the deposit and when it is paid."),
    ("term", &["기간", "까지", "년간"], "임대차 기간을 적으세요.", "State the term."),
    ("deposit_return", &["반환", "돌려"], "계약이 끝날 때 보증금을 언제 어떻게 돌려주는지 적으세요.", "State when and how the deposit is returned."),
    ("repair", &["수선", "수리", "보수"], "수선 의무를 누가 어디까지 지는지 적으세요.", "State who repairs what."),
    ("no_new_mortgage", &["근저당", "저당", "담보"], "잔금 다음 날까지 담보를 새로 설정하지 않는다는 특약을 넣으세요.", "Add a term that no mortgage is set before the day after the last payment."),
];
