//! The codes of districts (법정동 코드, the first five digits), as the
//! ministry's services count: Seoul, the six metropolitan cities, and Sejong.

use crate::advisor::understand::region::Region;

#[rustfmt::skip]
const CODES: &[(&str, &[(&str, &str)])] = &[
    ("서울", &[
        ("종로구", "11110"), ("중구", "11140"), ("용산구", "11170"), ("성동구", "11200"), ("광진구", "11215"),
        ("동대문구", "11230"), ("중랑구", "11260"), ("성북구", "11290"), ("강북구", "11305"), ("도봉구", "11320"),
        ("노원구", "11350"), ("은평구", "11380"), ("서대문구", "11410"), ("마포구", "11440"), ("양천구", "11470"),
        ("강서구", "11500"), ("구로구", "11530"), ("금천구", "11545"), ("영등포구", "11560"), ("동작구", "11590"),
        ("관악구", "11620"), ("서초구", "11650"), ("강남구", "11680"), ("송파구", "11710"), ("강동구", "11740"),
    ]),
    ("부산", &[
        ("중구", "26110"), ("서구", "26140"), ("동구", "26170"), ("영도구", "26200"), ("부산진구", "26230"),
        ("동래구", "26260"), ("남구", "26290"), ("북구", "26320"), ("해운대구", "26350"), ("사하구", "26380"),
        ("금정구", "26410"), ("강서구", "26440"), ("연제구", "26470"), ("수영구", "26500"), ("사상구", "26530"),
        ("기장군", "26710"),
    ]),
    ("대구", &[
        ("중구", "27110"), ("동구", "27140"), ("서구", "27170"), ("남구", "27200"), ("북구", "27230"),
        ("수성구", "27260"), ("달서구", "27290"), ("달성군", "27710"), ("군위군", "27720"),
    ]),
    ("인천", &[
        ("중구", "28110"), ("동구", "28140"), ("미추홀구", "28177"), ("연수구", "28185"), ("남동구", "28200"),
        ("부평구", "28237"), ("계양구", "28245"), ("서구", "28260"), ("강화군", "28710"), ("옹진군", "28720"),
    ]),
    ("광주", &[("동구", "29110"), ("서구", "29140"), ("남구", "29155"), ("북구", "29170"), ("광산구", "29200")]),
    ("대전", &[("동구", "30110"), ("중구", "30140"), ("서구", "30170"), ("유성구", "30200"), ("대덕구", "30230")]),
    ("울산", &[("중구", "31110"), ("남구", "31140"), ("동구", "31170"), ("북구", "31200"), ("울주군", "31710")]),
];

/// The code of the district that a region is or lies in.
///
/// ```
/// use duru_agents::advisor::api::lawd_code;
/// use duru_agents::advisor::understand::region;
///
/// let region = region::find("잠실동", &[]).remove(0).region;
/// assert_eq!(lawd_code(&region), Some("11710"));
/// ```
pub fn lawd_code(region: &Region) -> Option<&'static str> {
    if region.province == "세종" {
        return Some("36110");
    }
    let (_, districts) = CODES.iter().find(|(province, _)| *province == region.province)?;
    let district = region.district.as_deref()?;
    districts.iter().find(|(name, _)| *name == district).map(|(_, code)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::understand::region;

    #[test]
    fn every_code_is_of_a_district_we_know_and_there_is_none_twice() {
        let mut codes = Vec::new();
        for (province, districts) in CODES {
            for (district, code) in *districts {
                let found = region::find(&format!("{province} {district}"), &[]).remove(0).region;
                assert_eq!(lawd_code(&found), Some(*code), "{province} {district}");
                codes.push(*code);
            }
        }
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), count);
        assert_eq!(CODES[0].1.len(), 25);
        let busan = region::find("부산 강서구", &[]).remove(0).region;
        assert_eq!(lawd_code(&busan), Some("26440"));
    }
}
