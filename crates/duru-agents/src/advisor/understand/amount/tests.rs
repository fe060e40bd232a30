//! Sums as people write them.

use super::*;

fn sums(text: &str) -> Vec<(u64, Role)> {
    find(text).into_iter().map(|amount| (amount.won, amount.role)).collect()
}

#[test]
fn sums_are_read_as_people_write_them() {
    for (text, won) in [
        ("5억", 500_000_000),
        ("3억5천", 350_000_000),
        ("5억 5천으로", 550_000_000),
        ("3억 5000만원", 350_000_000),
        ("8천만원", 80_000_000),
        ("1.8억", 180_000_000),
        ("2,500만 원", 25_000_000),
        ("이억", 200_000_000),
        ("350,000,000원", 350_000_000),
        ("500 million won", 500_000_000),
        ("6억5천만", 650_000_000),
    ] {
        assert_eq!(sums(text), [(won, Role::Unsaid)], "{text}");
    }
}

#[test]
fn a_sum_knows_what_it_is() {
    assert_eq!(sums("보증금 1억 월세 50"), [(100_000_000, Role::Deposit), (500_000, Role::MonthlyRent)]);
    assert_eq!(sums("500/50 원룸"), [(5_000_000, Role::Deposit), (500_000, Role::MonthlyRent)]);
    assert_eq!(sums("연봉 6천인데"), [(60_000_000, Role::Income)]);
    assert_eq!(sums("2억 대출이면"), [(200_000_000, Role::Loan)]);
    assert_eq!(sums("2억을 빌리면"), [(200_000_000, Role::Loan)]);
    assert_eq!(sums("if i borrow 300 million won"), [(300_000_000, Role::Loan)]);
    assert_eq!(sums("i earn 70 million won a year"), [(70_000_000, Role::Income)]);
    assert_eq!(sums("연소득은 7000이야"), [(70_000_000, Role::Income)]);
    assert_eq!(
        sums("is it safe to pay 250 million jeonse for a villa worth 300 million?"),
        [(250_000_000, Role::Deposit), (300_000_000, Role::Price)]
    );
    assert_eq!(
        sums("deposit 10 million, rent 900,000"),
        [(10_000_000, Role::Deposit), (900_000, Role::MonthlyRent)]
    );
    assert_eq!(sums("a studio for 600k a month"), [(600_000, Role::MonthlyRent)]);
    assert_eq!(find("a studio under 600k a month")[0].bound, Bound::AtMost);
    assert_eq!(sums("a house for 600 million won"), [(600_000_000, Role::Price)]);
    assert_eq!(find("6억 5천 이하")[0].bound, Bound::AtMost);
    assert_eq!(find("예산 5억으로")[0].bound, Bound::AtMost);
    assert_eq!(find("5억대 아파트")[0].bound, Bound::Around);
    assert_eq!(find("7억으로 살 수 있는 아파트")[0].role, Role::Budget);
    // A word between two sums is of the second, if that is what it stands before.
    assert_eq!(
        sums("월세 100만원 보증금 1000 복비"),
        [(1_000_000, Role::MonthlyRent), (10_000_000, Role::Deposit)]
    );
    assert_eq!(sums("보증금 2천에 월 80인데"), [(20_000_000, Role::Deposit), (800_000, Role::MonthlyRent)]);
    assert_eq!(
        sums("전세 낀 7억 아파트, 전세 5억"),
        [(700_000_000, Role::Unsaid), (500_000_000, Role::Deposit)]
    );
    assert_eq!(sums("5억에 사서 6억에 팔면"), [(500_000_000, Role::Unsaid), (600_000_000, Role::Resale)]);
    assert_eq!(sums("기존 신용대출 5천만원 있는데"), [(50_000_000, Role::Debt)]);
    assert_eq!(sums("마이너스통장 3천 쓰고 있어요"), [(30_000_000, Role::Debt)]);
    assert_eq!(sums("an existing loan of 50 million won"), [(50_000_000, Role::Debt)]);
    assert_eq!(
        sums("전세 2억인데 집주인이 5천 올려달래"),
        [(200_000_000, Role::Deposit), (50_000_000, Role::Unsaid)]
    );
    assert_eq!(sums("맞벌이 합산 1억 4천"), [(140_000_000, Role::Income)]);
    assert_eq!(
        sums("10 million deposit and 500,000 monthly rent"),
        [(10_000_000, Role::Deposit), (500_000, Role::MonthlyRent)]
    );
    assert_eq!(sums("i have 200 million won in cash"), [(200_000_000, Role::Budget)]);
    assert_eq!(sums("8천만원으로 전세 구할 수 있는 곳"), [(80_000_000, Role::Budget)]);
    assert_eq!(sums("3억으로 올리자는데 다른 집 구할까"), [(300_000_000, Role::Unsaid)]);
    let both: Vec<Bound> = find("보증금 1000에 월세 60 이하").iter().map(|sum| sum.bound).collect();
    assert_eq!(both, [Bound::AtMost, Bound::AtMost]);
}

#[test]
fn other_numbers_are_no_sums() {
    for text in [
        "84㎡",
        "30평대",
        "5년 뒤",
        "제6조의3",
        "80% 넘는",
        "3일 전",
        "2번만",
        "2024/05",
        "7건",
        "5km",
        "84 m²",
    ] {
        assert_eq!(sums(text), [], "{text}");
    }
}

fn roles(text: &str) -> Vec<(u64, Role)> {
    find(text).iter().map(|amount| (amount.won, amount.role)).collect()
}

#[test]
fn a_sum_without_a_name_is_what_stands_around_it() {
    assert_eq!(roles("1억9천을 25년 4.4%로"), [(190_000_000, Role::Loan)]);
    assert_eq!(roles("170 million, 4.6%, 25 years"), [(170_000_000, Role::Loan)]);
    assert_eq!(roles("8억짜리를 사면 25년 4.4%로 얼마를"), [(800_000_000, Role::Unsaid)]);
    assert_eq!(
        roles("10 million deposit plus 700k"),
        [(10_000_000, Role::Deposit), (700_000, Role::MonthlyRent)]
    );
    assert_eq!(roles("자동차 할부로 매달 30만원씩 나가요"), [(300_000, Role::MonthlyRepayment)]);
    assert_eq!(roles("a student loan of 200k a month"), [(200_000, Role::MonthlyRepayment)]);
}

#[test]
fn a_bare_number_of_a_price_counts_what_the_others_count() {
    assert_eq!(
        roles("bought a house in jeju for 250 million and had an offer of 310"),
        [(250_000_000, Role::Price), (310_000_000, Role::Resale)]
    );
    assert_eq!(roles("the registry shows a 60 million mortgage ahead of me"), [(60_000_000, Role::Prior)]);
}
