//! The lexicon. Words are separated by spaces; `_` is a space that may be
//! missing, `^` at the beginning means "only where a word begins", `$` at the
//! end "only before particles". The longest word at a place wins, so a long
//! harmless word (방법) keeps a short one (법) from being seen.

use super::lexicon::DataKind::{Contract, Legal, Loan as LoanData, Market};
use super::lexicon::Sense::{
    Act as Does, Alien, Deal as Dealt, Doubt, Earns, Feature as Has, Filler, Greeting, Group as Of, Harmed,
    Hint, Keep, Latest, LawText, Lending, Loan as Lends, Move, Onward, Overall, Point, PriceAsk,
    Property as Kind, Risk, Subject as About, Together, Topic, Weigh, Widen,
};
use super::lexicon::{Act, Deal, Feature, Group, LoanKind, Pointer, Property, Sense, Subject};

#[rustfmt::skip]
pub(super) const WORDS: &[(&str, &[Sense])] = &[
    // Market.
    ("시세 실거래 실거래가 ^호가 평당가 평단가 매물 공시가격 공시지가 거래량 거래가 \
      거래_내역 거래_사례 거래_건수 시황 평균가 최고가 최저가 신고가 분양가 시장_가격 시장_동향 시장_상황 \
      전세가율 수익률 임대_수익 임대수익 투자_수익 예상_수익 갭투자 시세차익 \
      market price prices listing listings transaction transactions yield roi", &[Topic(Market)]),
    ("매매가 매매가격 매매_시세 매매_평균", &[Topic(Market), Dealt(Deal::Sale)]),
    ("전세가 전세가격 전세_시세 전셋값", &[Topic(Market), Dealt(Deal::Jeonse)]),
    ("월세가 월세가격 월세_시세", &[Topic(Market), Dealt(Deal::MonthlyRent)]),
    ("집값 가격 ^평균 추이 추세 상승세 하락세 공실 공실률 vacancy trend 전망 동향 분위기 ^거래 상승률 하락률 변동률 단지 ^갭 수익", &[Hint(Market)]),
    ("얼마 비싸 비싼 비쌀 ^싸 ^싼$ 저렴 오를 올랐 떨어질 떨어졌 내릴 내렸 평당 how_much cost costs expensive cheap cheaper cheapest pricier", &[PriceAsk]),
    ("어때 어떤가 어떄 어떠 어떨 how_about what_about", &[PriceAsk, Onward]),
    // Loans.
    ("대출 금리 이자 원리금 상환 상환액 ltv dti dsr 모기지 융자 대환 중도금 갈아타기 대출_한도 \
      loan loans mortgage interest_rate repayment monthly_payment monthly_payments borrow borrowing", &[Topic(LoanData)]),
    ("전세자금대출 전세자금_대출 전세_자금_대출 전세대출 전세_대출 버팀목 버팀목_대출 전세자금", &[Topic(LoanData), Lends(LoanKind::Jeonse)]),
    ("주담대 주택담보대출 주택담보_대출 주택_담보_대출 담보대출 담보_대출 디딤돌 디딤돌_대출 보금자리론 매매_대출 \
      매매자금대출 구입자금대출 구입자금_대출 특례론", &[Topic(LoanData), Lends(LoanKind::Mortgage)]),
    ("신용대출 신용_대출 ^신용으로 마이너스통장 마이너스_통장 마통", &[Topic(LoanData), Lends(LoanKind::Credit)]),
    ("한도 갚 빌리 빌릴 빌려 빌린 은행 담보 신용점수 신용등급", &[Hint(LoanData), Lending]),
    ("^상품", &[Hint(LoanData)]),
    ("소득 연봉 월급 연소득", &[Hint(LoanData), Earns]),
    // Law.
    ("^법$ 되는_법$ 법률 법적 법령 법규 조항 조문 규정 판례 시행령 시행규칙 법조문 law laws legal statute legally article articles", &[Topic(Legal), LawText]),
    ("임대차보호법 주택임대차보호법 상가임대차보호법 상가건물_임대차보호법 주임법 상임법 민법 공인중개사법 임대차법 \
      임대차_법 임대차_3법 임대차3법 부동산_거래신고법", &[Topic(Legal), LawText]),
    ("들어와_산 들어와_살 들어와서_산 들어가_산 들어가_살 직접_산다 직접_살 moving_back moving_in live_there 갱신 계약갱신 갱신청구 갱신요구 갱신_거절 계약갱신요구권 계약갱신청구권 묵시적_갱신 묵시적갱신 재계약 자동_연장 자동연장 계약_연장 renewal renew",
     &[Topic(Legal), About(Subject::Renewal)]),
    ("전세_만기 월세_만기 계약_만기 만기일 계약_만료 만료일 계약_끝나 계약이_끝나 계약_종료 계약_기간 계약기간 나간다고 나가겠다고 나갈_거라고 나가야_하 \
      이사_나간 나가라고 나가래 나가달라 나가_달라 lease_ends lease_end lease_expires end_of_my_lease move_out moving_out notice_period",
     &[Topic(Legal), About(Subject::Renewal)]),
    ("중간에_나가 중도에_나가 중도_퇴실 도중에_나가 일찍_나가 미리_나가 계약_깨 계약을_깨 계약_파기 break_the_lease break_my_lease leave_early", &[Topic(Legal), About(Subject::Termination)]),
    ("보증금_반환 보증금반환 반환 돌려받 돌려주 돌려줘야 안_돌려 못_돌려 돌려달 보증보험 임차권등기 임차권_등기 \
      등기명령 내용증명 get_my_deposit_back deposit_back return_my_deposit return_the_deposit returning_my_deposit \
      refuses_to_return refuse_to_return keep_my_deposit give_back_my_deposit give_my_deposit give_me_back_my_deposit 보증금_안_주 보증금_안주 보증금을_안_주 \
      보증금을_안주 보증금_못_받 보증금_못받 보증금을_못_받 보증금을_못받", &[Topic(Legal), About(Subject::DepositReturn)]),
    ("대항력 확정일자 우선변제 우선변제권 최우선변제 전입신고 소액임차인 전세권_설정 집주인이_바뀌 집주인이_바뀐 집주인이_바뀜 집주인이_바꼈 집주인이_바꼇 집주인이_바껴 주인이_바뀌 주인이_바뀐 주인이_바꼈 새_주인 새주인 새_집주인 집이_팔리 집이_팔렸 new_owner new_landlord \
      landlord_sold sold_the_house house_was_sold", &[Topic(Legal), About(Subject::Priority)]),
    ("전월세_상한 전월세상한 상한제 ^상한 인상 증액 올려달 올려_달 올려줘 올려_줘 올려줄 올려_줄 올리재 올리자 올린다는 올린대 올릴_수 raise_the_rent raise_my_rent raise_rent \
      raise_the_deposit raise_my_deposit raise_my_jeonse raise_the_jeonse rent_increase increase_the_rent increase_my_rent", &[Topic(Legal), About(Subject::RentIncrease)]),
    ("전환율 전월세_전환 전월세전환 월세_전환 월세로_전환 월세로_돌리 월세로_돌려 월세로_돌릴 전세로_돌리 전세로_돌려", &[Topic(Legal), About(Subject::Conversion)]),
    ("원상복구 원상회복 수선 수선_의무 수리 수리비 누수 곰팡이 ^하자가 ^하자를 ^하자는 하자_있 하자_보수 보일러 장기수선충당금 repair repairs boiler leak mold", &[Topic(Legal), About(Subject::Repair)]),
    ("중개수수료 중개_수수료 중개보수 복비 brokerage_fee 설명의무 설명_의무 중개사_책임 중개대상물", &[Topic(Legal), About(Subject::Brokerage)]),
    ("권리금 상가임대차 상가_임대차", &[Topic(Legal), About(Subject::Shop)]),
    ("^해지 ^해제 계약해지 계약_해지 중도해지 계약해제 계약_해제 위약금 계약금 배액배상 중도_해지 파기 계약_파기 termination terminate evict eviction", &[Topic(Legal), About(Subject::Termination)]),
    ("취득세 양도세 양도소득세 종부세 종합부동산세 재산세 세금 세율 증여세 상속세 acquisition_tax property_tax ^tax$ ^taxes$", &[Topic(Legal), About(Subject::Tax)]),
    ("전대 전대차 전대_동의 sublet sublease subletting", &[Topic(Legal), About(Subject::Sublease)]),
    ("경매 배당 공매 강제집행 명도", &[Topic(Legal), About(Subject::Auction)]),
    ("전월세_신고 전월세신고 신고_의무 실거래_신고 과태료", &[Topic(Legal), About(Subject::Report)]),
    ("납세증명서 납세증명 정보_제시 제시_의무 선순위_정보 체납", &[Topic(Legal), About(Subject::Disclosure)]),
    ("손해배상 소송 근저당 가압류 압류 불법 위법 의무 책임 분쟁 쫓겨 나가라 퇴거 실거주 층간소음 guarantor am_i_allowed is_it_legal do_i_have_to my_rights", &[Topic(Legal)]),
    ("^보호 계약 보증금 집주인 임대인 임차인 세입자 전세금 이사 중개사 공인중개사 부동산_중개 등기부 등기부등본 등기 임대차 \
      전세권 ^권리 신고 landlord tenant deposit lease", &[Hint(Legal)]),
    // Contracts.
    ("계약서 특약 특약사항 독소_조항 독소조항 계약_조항 contract lease_agreement rental_agreement tenancy_agreement", &[Topic(Contract)]),
    ("작성 초안 ^틀$ 양식 서식 짜줘 짜_줘 짜주 짜_주 만들어 만들어줘 써줘 써_줘 써_주 써주 뽑아줘 뽑아_줘 생성 draft write create", &[Does(Act::Draft)]),
    ("작성_시 작성시 작성할_때 작성할때 작성하기_전 작성_전 작성_방법 작성방법 작성법 작성_요령 작성한 작성된 작성해_둔 \
      작성해둔 작성했 쓸_때 쓰기_전 만들_때 만들기_전", &[Weigh]),
    ("검토 살펴 체크 점검 문제_없 문제_있 문제없 문제될 문제되 불리 이상_없 이상한 봐줘 봐_줘 봐주 봐_주 확인해 확인_해 \
      확인_부탁 check review", &[Does(Act::Review)]),
    ("계산 셈해 더하면 얹으면 곱하면 나누면 시뮬레이션 산출 뽑아 환산 추정 얼마_나오 compute calculate simulate", &[Does(Act::Calculate)]),
    ("골라 추려 따로 남기고 줄여 줄로 걸러 필터 정렬 비교 차이 격차 요약 정리 표로 표_만들 설명 풀어 summarise summarize compare difference explain", &[Does(Act::Pick)]),
    // Deals and homes.
    ("매매 매수 매도 매입 sale sales purchase_price sale_price buying_price", &[Dealt(Deal::Sale)]),
    ("전세 jeonse key_money", &[Dealt(Deal::Jeonse)]),
    ("월세 반전세 monthly_rent monthly_rents wolse rents for_rent to_rent renting", &[Dealt(Deal::MonthlyRent)]),
    ("아파트 apartment apartments condo", &[Kind(Property::Apartment)]),
    ("오피스텔 옵텔 ^오피$ officetel officetels", &[Kind(Property::Officetel)]),
    ("빌라 다세대 연립 연립주택 다세대주택 villa", &[Kind(Property::Villa)]),
    ("원룸 고시원 studio", &[Kind(Property::Studio)]),
    ("투룸 쓰리룸", &[Kind(Property::Studio), Has(Feature::Rooms)]),
    ("단독주택 다가구 다가구주택 전원주택", &[Kind(Property::House)]),
    ("상가 점포 가게 매장 사무실 식당 카페 분식집 커피집 음식점 미용실 학원 shop store restaurant cafe", &[Kind(Property::Shop)]),
    ("토지 ^땅$", &[Kind(Property::Land)]),
    ("^집$ ^집_ 주택 부동산 임대 분양 청약 내_집 home house housing real_estate property", &[Hint(Market)]),
    ("예산 자기자본 종잣돈 budget", &[Hint(Market)]),
    // What homes have.
    ("신축 새_아파트 새아파트 새_집 준공_5년 준공", &[Has(Feature::New)]),
    ("구축 오래된_아파트 노후", &[Has(Feature::Old)]),
    ("역세권 역_근처 역_가까 역이_가까 지하철역 도보 near_a_station near_the_station", &[Has(Feature::NearStation)]),
    ("학군 초품아 초등학교 학교", &[Has(Feature::School)]),
    ("대단지 세대_이상 세대수", &[Has(Feature::LargeComplex)]),
    ("남향 동향집 서향", &[Has(Feature::Facing)]),
    ("저층 고층 로열층 반지하 옥탑 1층 탑층", &[Has(Feature::Floor)]),
    ("방_두 방_세 방_2 방_3 방_4 방2 방3 방4 화장실_2 복층", &[Has(Feature::Rooms)]),
    ("풀옵션 주차 엘리베이터 반려동물 올수리 리모델링 테라스 베란다 에어컨", &[Has(Feature::Equipment)]),
    ("한강뷰 조망 뷰가", &[Has(Feature::View)]),
    ("재건축 재개발", &[Has(Feature::Redevelopment)]),
    ("급매 급매물", &[Topic(Market), Has(Feature::Bargain)]),
    ("대형_평수 소형_평수 대형_평형 소형_평형 중소형 대형만 소형만 국평", &[Has(Feature::Size)]),
    // Who asks.
    ("외국인 외국_국적 foreigner foreigners", &[Of(Group::Foreigner)]),
    ("내국인", &[Of(Group::National)]),
    ("청년 사회초년생 대학생 주택드림 youth", &[Of(Group::Youth)]),
    ("신혼부부 신혼 newlywed newlyweds", &[Of(Group::Newlywed)]),
    ("생애최초 생애_최초 첫_집 집_산_적 평생_집 never_owned ever_owned first-time_buyer first_time_buyer", &[Of(Group::FirstBuyer)]),
    ("무주택 무주택자", &[Of(Group::NoHome)]),
    ("1주택 유주택 다주택 2주택 1주택자 다주택자 2주택자", &[Of(Group::HomeOwner)]),
    ("법인 회사_명의", &[Of(Group::Company)]),
    ("자영업 자영업자 개인사업자 프리랜서 사업자", &[Of(Group::SelfEmployed)]),
    ("직장인 회사원 무직 주부 은퇴", &[Of(Group::Employee)]),
    ("신생아 다자녀 출산 아기 아기를 newborn", &[Of(Group::Parent)]),
    // Risk and decisions.
    ("위험 리스크 안전 깡통전세 깡통 역전세 떼일 떼이 불안 risk risks risky safe", &[Risk]),
    ("위험도 위험성 위험_요소", &[Risk, Weigh]),
    ("전세사기 전세_사기 부동산_사기 사기_당 사기당 사기꾼 사기_피해 사기_위험 사기_예방 사기인지 fraud scam", &[Risk, About(Subject::Fraud)]),
    ("당했 당한 당하면 피해 구제 대응 scammed", &[Harmed]),
    ("분석 진단 평가 판단 할까 될까 을까 한지 은지 있는지 없는지 되는지 괜찮 한가 할지 assess analyse analyze", &[Weigh]),
    ("종합 종합적 전반적 총체적 통합 모두_고려 최종_판단 최종_의견 이것저것 전부_다 comprehensive overall", &[Overall]),
    ("^살_때 ^살_수 ^사도 ^사려 ^사고_싶 ^살까 ^살지 구입 구매 내집마련 내_집_마련 들어가도 들어갈까 이사_가 이사가 \
      입주 투자해도 투자할 투자_가치 뭘_봐야 뭐_봐야 주의할 유의 buy buying invest", &[Move]),
    ("같이 함께 합쳐 합해 ^둘_다 모두 동시에 아울러 both together", &[Together]),
    // Pointing back.
    ("방금 ^아까 조금_전 ^좀_전 금방 직전 ^위에 ^위의 ^위_결과 앞서 앞에서 지금까지 여태 이번_대화 ^위_데이터 ^위_내용 ^위_시세 ^위_조항 ^앞의 ^앞_결과 just_now above earlier just", &[Point(Pointer::Now)]),
    ("^전에_말 ^전에_찾 ^전에_알려 ^전에_본 ^전에_봤 ^전에_보여 ^전에_저장 ^전에_검토 ^전에_얘기 ^전에_물어 ^전에_검색 \
      ^전에_정리 ^전에_설명 ^전에_조회 ^전에_받 지난번 저번 예전 그때 이전에 이전_대화 기억하지 기억나 previously last_time", &[Point(Pointer::Before)]),
    ("그저께 엊그제 그끄저께 지난주 지난달 지난_달 지난_주 작년 어제 그제 일_전에 주_전에 달_전에 시간_전에 분_전에 yesterday last_week last_month", &[Point(Pointer::Dated)]),
    ("^그_결과 ^이_결과 ^이_데이터 ^이_자료 ^이_내용 ^이_정보 ^그_내용 ^그_정보 ^저_데이터 ^이전_결과 ^이전_데이터 ^이전_검색 ^지금_데이터 검색_결과 ^그_데이터 ^그_자료 ^그_목록 ^저_목록 ^이_목록 ^그_리스트 ^저_리스트 ^이_리스트 ^그_숫자 ^저_숫자 ^그_표 ^저_표 ^그중 ^그_중 ^이_중 ^이중에 ^저_결과 결과에서 결과로 결과만 결과를 \
      ^나온 ^찾은 검색해준 검색해_준 조회해준 조회해_준 찾아준 찾아_준 보여준 보여_준 알려준 알려_준 알려줬 검색한 검색된 나온_결과 나온_시세 정리한 정리해준 정리해_준 \
      조회한 설명해준 설명해_준 말해준 말한 얘기한 이야기한 말했던 뽑아준 저장한 저장된 저장해둔 보관된 검토한 ^본_걸 본_거 the_results those_results you_found you_showed \
      the_prices_you the_data_you", &[Point(Pointer::Result)]),
    ("^고거 ^그거 ^그걸 ^그것 ^그건 ^이거 ^이걸 ^이것 ^이건 ^저거 ^저걸 ^그게 ^이게 it that", &[Point(Pointer::It)]),
    ("^그_지역 ^그_동네 ^그_곳 ^그곳 ^거기 ^그쪽 ^이_지역 ^이_동네 말한_동네 말한_지역 본_동네 본_지역 ^해당_지역 ^그_아파트 ^이_아파트 \
      ^그_집 ^이_집 ^그_단지 ^그_구 that_area there", &[Point(Pointer::Place)]),
    ("^그대로 가지고 갖고 이미_있는 있는_걸로 있는_것만 재사용 고걸로 저걸로 이걸로 기존_결과 기존_데이터 기존_자료 그걸로 그_걸로", &[Keep, Point(Pointer::Result)]),
    // Newness.
    ("최신 최신화 가장_최근 최근_기준 요즘_기준 최근_걸로 최근_것으로 요즘_시세로 최근_시세로 최근_금리로 요즘_금리로 현재_가격 지금_가격 현재가 현시점 실시간 제일_최근 새로_뜬 새로_들어온 방금_올라온 막_올라온 지금_시점 현재_시점 이_시점 지금_기준 현재_기준 오늘_기준 오늘자 오늘_시세 오늘_금리 지금_시세 지금_금리 현재_시세 현재_금리 오늘_날짜 \
      새로_나온 새로_올라온 새로_등록 새로_검색 새로_찾 새로_조회 새로_뽑 새로_알아 새로_받 새로_고침 새로고침 새로운_매물 새로운_시세 \
      새로운_정보 새로운_데이터 새로운_상품 새로운_결과 새_데이터 새_정보 신규_매물 신규_상품 업데이트 갱신된_시세 갱신된_데이터 갱신된_금리 \
      갱신해 검색해 검색_해 조회해 조회_해 재검색 재조회 다시_검색 다시_찾 다시_조회 다시_알아 한번_더_검색 한_번_더_검색 바뀐_금리 바뀐_시세 이번_주_시세 이번주_시세 \
      오늘_나온 오늘_올라온 개정된 바뀐_법 개정_법 latest newest up-to-date search_again refresh as_of_today right_now current", &[Latest]),
    ("검색하지 찾지 조회하지 검색_없이 재검색_없이 검색_말고", &[Keep]),
    ("그대로인가 그대로인지 그대로야 그대로예요 그대로에요 그대로지 그대로죠 그대로일까 그대로입니까 아직_유효 아직도_유효 아직_맞 아직도_맞 지금도_맞 지금도_유효 여전히 아직_그대로 아직도_그대로 안_바뀌 안_바뀐 바뀐_거_아 바뀐_거_없 바뀐거 \
      믿을_만 바뀌지 바뀌었 바뀌진 바뀐_건 달라졌 달라지지 유효한가 유효해 유효한지 오래된_정보 오래된_거 너무_오래 옛날_거 개정됐 개정되 개정_여부 \
      다시_확인 맞는_정보 믿어도 still_valid still_true outdated", &[Doubt]),
    ("전체로 전체_다 넓혀 넓게 통째로 통으로 확대 전역으로 구_전체 시_전체 whole wider", &[Widen]),
    ("^그럼 ^그러면 ^그렇다면 ^그리고 ^또 ^이어서 이어서 ^계속 ^다시 ^더 하면 이면 으로는 다른_건 then and_if again", &[Onward]),
    ("안녕 안녕하세요 반가워 반갑 고마워 감사합니다 감사해 수고 hello hi thanks thank_you", &[Greeting]),
    // Other worlds.
    ("날씨 점심 저녁_메뉴 맛집 메뉴 파이썬 자바 코드 코딩 함수 알고리즘 주식 비트코인 코인 가상화폐 영화 드라마 축구 야구 농구 노래 음악 가수 아이돌 \
      요리 레시피 번역 농담 게임 연예인 다이어트 헬스 감기 금값 ^금_시세 환율 달러 유가 중고차 자동차 펀드 대통령 선거 로또 운세 사주 숙제 수학 영어_공부 우주 강아지 고양이 \
      weather lunch dinner recipe joke movie song$ songs$ football python code poem translate stock bitcoin", &[Alien]),
    // Harmless words, some of them there to hide a shorter one.
    ("pyeong sqm search district districts ^명의 ^이름 결론 고려 근거 바탕 최종 신청 서류 ^대화 수준 ^편이 신고된 신고한_거래 는_법$ 번호 방법 문법 요법 마법 법인카드 대출력 이자카야 싸움 싸우 그러니까 가격표", &[Filler]),
    ("^그래 ^오케이 ^알겠 ^좋아 ^맞아 ^글쎄 알아서 물어 문의 상담 ok okay ^좀 ^이$ ^그$ ^저$ ^것 ^거$ ^수$ ^해줘 ^해_줘 알려 알려줘 도와 ^부탁 궁금 질문 있어 ^있 ^뭐 무엇 어떻게 어떡 ^하지 ^해야 ^되 ^돼 ^왜 ^음 \
      ^아$ ^네$ ^예$ ^응 그냥 혹시 저기 제발 ^해 ^할 ^하 ^보여 ^말해 ^답 ^줘 ^주세요 ^봐 ^볼 ^나 ^내 ^제 ^저는 ^뭔 ^무슨 ^어떤 ^이런 ^그런 ^저런 ^언제 ^누가 ^누구 \
      ^여기 ^생각 ^의견 ^추천 ^조언 ^관련 ^대해 ^대한 ^기준 ^정도 ^제대로 ^자세 ^쉽게 ^간단 ^빨리 ^얘기 ^이야기 ^모르 ^잘 ^진짜 ^정말 ^너 ^당신 ^필요 ^가능 \
      please help me you can tell what how the a an for of in is are i my do does and show give explain to", &[Filler]),
];
