//! Lines, in the order of their times.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fastrand::Rng;
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::clock::Clock;
use super::incidents::{self, Incident};
use super::journeys::{JOURNEYS, Step};
use super::shop::{Failure, SERVICES, Service};
use crate::{Level, LogType, Record};

/// What to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub rows: u64,
    pub seed: u64,
    /// Nothing is later.
    pub now: Timestamp,
    /// How far back it goes.
    pub days: u32,
}

/// Makes lines, one at a time: the same plan always makes the same.
///
/// ```
/// use duru_sql::generate::{Generator, Plan};
///
/// let plan = Plan { rows: 1_000, seed: 7, now: "2026-03-18T05:30:00Z".parse()?, days: 7 };
/// let lines: Vec<_> = Generator::new(plan.clone()).collect();
/// assert_eq!(lines.len(), 1_000);
/// assert!(lines.is_sorted_by_key(|line| line.created_at));
/// assert_eq!(lines, Generator::new(plan).collect::<Vec<_>>());
/// # Ok::<(), jiff::Error>(())
/// ```
pub struct Generator {
    plan: Plan,
    rng: Rng,
    clock: Clock,
    incidents: Vec<Incident>,
    /// Lines of journeys under way, the next one on top.
    ahead: BinaryHeap<Reverse<Ahead>>,
    given: u64,
    begun: u64,
    /// When the next journey begins.
    next_us: i64,
    total_weight: u32,
}

/// A line to come. Its number makes the order whole.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Ahead {
    at_us: i64,
    number: u64,
    step: StepOf,
    who: Who,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
struct StepOf {
    journey: usize,
    step: usize,
}

/// Whose journey it is.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
struct Who {
    trace: u128,
    session: u64,
    user: u32,
    korean: bool,
    /// The journey broke at this step: it fails, and nothing follows.
    breaks: Option<usize>,
    environment: u8,
}

const USERS: u32 = 5_000;

impl Generator {
    pub fn new(plan: Plan) -> Self {
        let mut rng = Rng::with_seed(plan.seed);
        let clock = Clock::new(plan.now, plan.days);
        let incidents = incidents::plan(&mut rng, &clock);
        let next_us = clock.at(0.0);
        let total_weight = JOURNEYS.iter().map(|journey| journey.weight).sum();
        Self {
            plan,
            rng,
            clock,
            incidents,
            ahead: BinaryHeap::new(),
            given: 0,
            begun: 0,
            next_us,
            total_weight,
        }
    }

    /// Begins a journey, and knows when the next one begins.
    fn begin(&mut self) {
        let mut choice = self.rng.u32(..self.total_weight);
        let journey = JOURNEYS.iter().position(|journey| {
            let chosen = choice < journey.weight;
            choice = choice.saturating_sub(journey.weight);
            chosen
        });
        let journey = journey.unwrap_or_default();
        let rng = &mut self.rng;
        let mut who = Who {
            trace: rng.u128(..),
            session: rng.u64(..),
            // Few people come often, many seldom.
            user: (f64::from(USERS) * rng.f64() * rng.f64()) as u32 + 1,
            korean: rng.u32(..10) < 6,
            breaks: None,
            environment: match rng.u32(..100) {
                0..88 => 0,
                88..96 => 1,
                _ => 2,
            },
        };
        let mut at_us = self.next_us;
        for (step, about) in JOURNEYS[journey].steps.iter().enumerate() {
            if self.rng.u32(..1000) < self.fails(about.service, at_us) {
                who.breaks = Some(step);
            }
            self.begun += 1;
            let step_of = StepOf { journey, step };
            self.ahead.push(Reverse(Ahead { at_us, number: self.begun, step: step_of, who }));
            if who.breaks.is_some() {
                break;
            }
            // A person takes seconds, a program milliseconds.
            let pause = if about.action.is_some() { 150_000..900_000 } else { 800..60_000 };
            at_us += self.rng.i64(pause) + about.takes_us;
        }
        self.next_us = self.clock.at(self.begun as f64 / self.plan.rows as f64);
    }

    fn incident(&self, service: usize, at_us: i64) -> Option<&Incident> {
        self.incidents.iter().find(|incident| {
            incident.service == service && (incident.from_us..incident.until_us).contains(&at_us)
        })
    }

    fn fails(&self, service: usize, at_us: i64) -> u32 {
        self.incident(service, at_us).map_or(SERVICES[service].fails, |incident| incident.fails)
    }

    fn line(&mut self, ahead: &Ahead) -> Record {
        let step = &JOURNEYS[ahead.step.journey].steps[ahead.step.step];
        let service = &SERVICES[step.service];
        let who = ahead.who;
        let incident =
            self.incident(step.service, ahead.at_us).map(|incident| (incident.failure, incident.slow));
        let broken = who.breaks == Some(ahead.step.step);
        let failure = broken.then(|| {
            let index =
                incident.map_or_else(|| self.rng.usize(..service.errors.len()), |(failure, _)| failure);
            &service.errors[index.min(service.errors.len() - 1)]
        });
        let (level, message) = self.words(step, failure, who.korean);
        let duration_us =
            (step.takes_us > 0).then(|| self.duration(step, incident.map(|(_, slow)| slow), failure));
        let has_user = JOURNEYS[ahead.step.journey].has_user;
        let file = failure.map(|_| file(step, service));
        Record {
            id: None,
            created_at: Timestamp::from_microsecond(ahead.at_us.min(self.clock.end_us()))
                .unwrap_or(self.plan.now),
            level,
            log_type: service.kind,
            service: service.name.to_owned(),
            environment: ["production", "staging", "development"][usize::from(who.environment)].to_owned(),
            service_version: self.version(step.service, ahead.at_us),
            trace_id: Some(hex(who.trace)),
            user_id: has_user.then(|| format!("member-{:05}", who.user)),
            session_id: has_user.then(|| format!("s-{:016x}", who.session)),
            error_type: failure.map(|failure| failure.kind.to_owned()),
            stack_trace: failure.zip(file.as_ref()).map(|(failure, file)| {
                let line = self.rng.u32(20..400);
                format!("{}: {message}\n  at {} ({file}:{line})\n  at main", failure.kind, step.function)
            }),
            message,
            path: step.path.map(str::to_owned),
            method: step.method.map(str::to_owned),
            action_type: step.action.map(str::to_owned),
            function_name: Some(step.function.to_owned()),
            file_path: file,
            duration_us,
            deleted: self.rng.u32(..200) == 0,
            metadata: Some(self.metadata(service, failure)),
        }
    }

    fn words(&mut self, step: &Step, failure: Option<&Failure>, korean: bool) -> (Level, String) {
        let pick = |ko: &'static str, en: &'static str| if korean { ko } else { en };
        if let Some(failure) = failure {
            // What the client did wrong is a warning; some errors end the process.
            let level = match failure.status {
                400..500 if self.rng.u32(..3) > 0 => Level::Warn,
                _ if self.rng.u32(..60) == 0 => Level::Fatal,
                _ => Level::Error,
            };
            return (level, pick(failure.ko, failure.en).to_owned());
        }
        match self.rng.u32(..1000) {
            0..12 => (Level::Trace, format!("enter {}", step.function)),
            12..110 => (Level::Debug, format!("{} args=#{}", step.function, self.rng.u16(..))),
            110..150 => (Level::Warn, pick("응답이 느립니다", "slow response").to_owned()),
            150..165 => (Level::Warn, pick("다시 시도합니다", "retrying").to_owned()),
            _ => (Level::Info, pick(step.ko, step.en).to_owned()),
        }
    }

    /// Around the usual, now and then much longer.
    fn duration(&mut self, step: &Step, slow: Option<i64>, failure: Option<&Failure>) -> i64 {
        if failure.is_some_and(|failure| failure.status == 504) {
            return self.rng.i64(2_000_000..30_000_000);
        }
        // Three dice are near enough to a bell.
        let dice = self.rng.f64() + self.rng.f64() + self.rng.f64() - 1.5;
        let tail = if self.rng.u32(..80) == 0 { self.rng.f64() * 12.0 + 3.0 } else { 1.0 };
        (step.takes_us as f64 * (dice * 1.1).exp() * tail) as i64 * slow.unwrap_or(1)
    }

    /// A service gets a new version every nine days, each on a day of its own.
    fn version(&self, service: usize, at_us: i64) -> String {
        const DAY_US: i64 = 86_400_000_000;
        let (major, minor) = SERVICES[service].version;
        let age = (self.clock.end_us() - at_us) / DAY_US + service as i64 % 9;
        let rollouts = (i64::from(self.plan.days) + 9) / 9 - age / 9;
        format!("v{major}.{}.{}", minor + rollouts.max(0) as u32, service % 4)
    }

    fn metadata(&mut self, service: &Service, failure: Option<&Failure>) -> Map<String, Value> {
        let rng = &mut self.rng;
        let mut map = Map::new();
        let mut put = |name: &str, value: Value| drop(map.insert(name.to_owned(), value));
        match service.kind {
            LogType::Backend => {
                put("status_code", failure.map_or(200, |failure| failure.status).into());
                put("host", format!("{}-{}", service.name, rng.u8(1..5)).into());
                put("client_ip", format!("203.0.113.{}", rng.u8(1..255)).into());
                put("cache_hit", rng.bool().into());
            }
            LogType::Frontend => {
                put("browser", ["Chrome", "Safari", "Edge", "Whale"][rng.usize(..4)].into());
                put("device", ["desktop", "mobile"][rng.usize(..2)].into());
            }
            LogType::Mobile => {
                put("os", ["iOS", "Android"][rng.usize(..2)].into());
                put("app_build", rng.u32(4_000..4_060).into());
            }
            LogType::Worker => put("batch_size", rng.u32(10..2_000).into()),
            LogType::Iot => {
                put("locker", format!("locker-{:03}", rng.u8(1..120)).into());
                put("battery", rng.u8(5..101).into());
            }
        }
        map
    }
}

fn hex(number: u128) -> String {
    format!("{number:032x}")
}

fn file(step: &Step, service: &Service) -> String {
    format!("src/{}/{}.{}", service.name.replace('-', "_"), step.function.to_lowercase(), service.ending)
}

impl Iterator for Generator {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        if self.given == self.plan.rows {
            return None;
        }
        // A journey that begins earlier than the next line comes first.
        while self.begun < self.plan.rows
            && self.ahead.peek().is_none_or(|Reverse(ahead)| ahead.at_us >= self.next_us)
        {
            self.begin();
        }
        let Reverse(ahead) = self.ahead.pop()?;
        self.given += 1;
        Some(self.line(&ahead))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.plan.rows - self.given).unwrap_or(usize::MAX);
        (left, Some(left))
    }
}
