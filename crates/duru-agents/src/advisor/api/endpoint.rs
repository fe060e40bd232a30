//! The six services of the ministry: which homes, sold or let, and what each is called on the wire.

use crate::advisor::understand::{Deal, Property};

/// The homes that a service knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Homes {
    Apartments,
    /// 연립·다세대, which people call villas.
    RowHouses,
    Officetels,
}

/// Sold, or let for a deposit with or without a rent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contract {
    Sale,
    Lease,
}

/// One of the ministry's services.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    pub homes: Homes,
    pub contract: Contract,
}

impl Endpoint {
    /// The service that knows such deals, where there is one.
    pub fn of(property: Property, deal: Deal) -> Option<Self> {
        let homes = match property {
            Property::Apartment => Homes::Apartments,
            Property::Villa => Homes::RowHouses,
            Property::Officetel => Homes::Officetels,
            _ => return None,
        };
        let contract = match deal {
            Deal::Sale => Contract::Sale,
            Deal::Jeonse | Deal::MonthlyRent => Contract::Lease,
        };
        Some(Self { homes, contract })
    }

    /// Where it is, below the ministry's address.
    pub(super) fn path(self) -> &'static str {
        match (self.homes, self.contract) {
            (Homes::Apartments, Contract::Sale) => "RTMSDataSvcAptTradeDev/getRTMSDataSvcAptTradeDev",
            (Homes::Apartments, Contract::Lease) => "RTMSDataSvcAptRent/getRTMSDataSvcAptRent",
            (Homes::RowHouses, Contract::Sale) => "RTMSDataSvcRHTrade/getRTMSDataSvcRHTrade",
            (Homes::RowHouses, Contract::Lease) => "RTMSDataSvcRHRent/getRTMSDataSvcRHRent",
            (Homes::Officetels, Contract::Sale) => "RTMSDataSvcOffiTrade/getRTMSDataSvcOffiTrade",
            (Homes::Officetels, Contract::Lease) => "RTMSDataSvcOffiRent/getRTMSDataSvcOffiRent",
        }
    }

    /// What its deals say of their origin.
    pub fn source(self) -> &'static str {
        match (self.homes, self.contract) {
            (Homes::Apartments, Contract::Sale) => "국토교통부 아파트 매매 실거래가",
            (Homes::Apartments, Contract::Lease) => "국토교통부 아파트 전월세 실거래가",
            (Homes::RowHouses, Contract::Sale) => "국토교통부 연립다세대 매매 실거래가",
            (Homes::RowHouses, Contract::Lease) => "국토교통부 연립다세대 전월세 실거래가",
            (Homes::Officetels, Contract::Sale) => "국토교통부 오피스텔 매매 실거래가",
            (Homes::Officetels, Contract::Lease) => "국토교통부 오피스텔 전월세 실거래가",
        }
    }

    /// Short, for names of deals.
    pub(super) fn tag(self) -> &'static str {
        match (self.homes, self.contract) {
            (Homes::Apartments, Contract::Sale) => "AT",
            (Homes::Apartments, Contract::Lease) => "AR",
            (Homes::RowHouses, Contract::Sale) => "RT",
            (Homes::RowHouses, Contract::Lease) => "RR",
            (Homes::Officetels, Contract::Sale) => "OT",
            (Homes::Officetels, Contract::Lease) => "OR",
        }
    }

    pub(super) fn property(self) -> Property {
        match self.homes {
            Homes::Apartments => Property::Apartment,
            Homes::RowHouses => Property::Villa,
            Homes::Officetels => Property::Officetel,
        }
    }
}
