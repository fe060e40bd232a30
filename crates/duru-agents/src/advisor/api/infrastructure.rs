//! What really lies around a place, as the advisor's tool.

use async_trait::async_trait;
use futures_util::future::join_all;

use super::places::{Around, Group, Places, SOURCE};
use crate::advisor::tools::{Error, Found, NearbyView, Parameters, Report, Tool, Used};
use crate::advisor::understand::Facility;
use crate::advisor::understand::region::Region;

/// `infrastructure` with the places of Kakao's Local service.
pub struct RealInfrastructure {
    places: Places,
}

impl RealInfrastructure {
    pub fn new(places: Places) -> Self {
        Self { places }
    }

    /// What there is of each kind around one place. What could not be looked up is told as not known; where nothing
    /// could, the first reason is the tool's.
    async fn around(
        &self,
        region: &Region,
        facilities: &[Facility],
        radius: u32,
        found: &mut Found,
    ) -> Result<(), Error> {
        let failed = |error: super::Error| Error::Failed(error.to_string());
        let Some(centre) = self.places.centre(region).await.map_err(failed)? else { return Ok(()) };
        let mut groups: Vec<Group> = Vec::new();
        for group in facilities.iter().map(|facility| Group::of(*facility)) {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        let asked = groups.iter().map(|group| self.places.around(*group, centre, radius));
        let answers: Vec<Result<Around, super::Error>> = join_all(asked).await;
        if let Some(Err(error)) = answers.iter().find(|answer| answer.is_err())
            && answers.iter().all(Result::is_err)
        {
            return Err(failed(error.clone()));
        }
        for facility in facilities {
            let group = Group::of(*facility);
            let answer = groups.iter().position(|one| *one == group).and_then(|at| answers.get(at));
            let answer = answer.and_then(|answer| answer.as_ref().ok());
            let (places, count, more) = answer.map(|answer| answer.of(*facility)).unwrap_or_default();
            let view = NearbyView {
                region: region.clone(),
                facility: *facility,
                centre: (region.to_string(), region.in_english()),
                radius,
                count,
                more,
                unknown: answer.is_none(),
                places: Vec::new(),
                source: SOURCE.to_owned(),
            };
            let (view, items) = view.found(places);
            found.reports.push(Report::Nearby(view));
            found.items.extend(items);
        }
        Ok(())
    }
}

#[async_trait]
impl Tool for RealInfrastructure {
    fn name(&self) -> &str {
        "infrastructure"
    }

    async fn call(&self, asked: &Parameters, _: &[Used]) -> Result<Found, Error> {
        let mut found = Found::default();
        let regions: Vec<&Region> = asked.regions.iter().filter(|place| place.district.is_some()).collect();
        if regions.is_empty() {
            found.wanting.push("district".to_owned());
            return Ok(found);
        }
        let usual = Facility::USUAL;
        let facilities = if asked.facilities.is_empty() { &usual[..] } else { &asked.facilities };
        for region in regions {
            let radius = asked.radius.unwrap_or_else(|| NearbyView::usual_radius(region));
            self.around(region, facilities, radius, &mut found).await?;
        }
        found.quality = if found.reports.is_empty() { 0.0 } else { 0.9 };
        Ok(found)
    }
}
