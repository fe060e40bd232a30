//! Memory across threads as a list, and random operations on it and on a store.
// These are tests, though another crate calls them.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use fastrand::Rng;
use serde_json::{Value, json};

use super::memory_contract::{Store, at, ns};
use crate::memory::text::{query_terms, value_terms};
use crate::memory::{Address, Hit, Item, Namespace, NamespaceQuery, Put, Search};

// Some that a sloppy comparison takes for each other.
const SPACES: &[&str] = &["a", "ab", "a/b", "a/b/c", "a/bc", "A", "a!", "가", "가/나", "x/b"];
const KEYS: &[&str] = &["1", "2", "k", "K", "%", "키"];
const WORDS: &[&str] = &[
    "전세",
    "전세금",
    "전세금을",
    "계약",
    "계약을",
    "계약서",
    "약을",
    "집",
    "집에서",
    "회의",
    "회의실",
    "contract",
    "contracts",
    "house",
    "2024",
    "3개월",
    "東京都",
    "?",
];

/// Does the same to a store and to a list, and panics where they disagree. Two
/// stores that agree with the list for the same seed agree with each other.
pub async fn compare(store: &Store, seed: u64, steps: usize) {
    let mut random = Rng::with_seed(seed);
    let mut model = Model::default();
    let mut now_ms = 1000;
    for step in 0..steps {
        let context = format!("seed {seed}, step {step}");
        now_ms += [0, 0, 1, 5, 20][random.usize(..5)];
        let place = at(SPACES[random.usize(..SPACES.len())], KEYS[random.usize(..KEYS.len())]);
        match random.u32(..20) {
            0..8 => {
                let ttl = random.bool().then(|| Duration::from_millis(random.u64(1..120)));
                let value = value(&mut random);
                store.put(Put::new(place.clone(), value.clone(), ttl).unwrap(), now_ms).await.unwrap();
                model.put(&place, value, ttl, now_ms);
            }
            8..10 => {
                let gone = store.forget(&place, now_ms).await.unwrap();
                assert_eq!(gone, model.delete(&place, now_ms), "{context}: delete {place}");
            }
            10..13 => {
                let refresh = random.bool();
                let item = store.get(&place, refresh, now_ms).await.unwrap();
                assert_eq!(item, model.get(&place, refresh, now_ms), "{context}: get {place}");
            }
            13..18 => {
                let search = search(&mut random);
                let hits = store.search(search.clone(), now_ms).await.unwrap();
                assert_eq!(hits, model.search(&search, now_ms), "{context}: {search:?}");
            }
            18 => {
                let query = namespace_query(&mut random);
                let listed = store.namespaces(query.clone(), now_ms).await.unwrap();
                assert_eq!(listed, model.namespaces(&query, now_ms), "{context}: {query:?}");
            }
            _ => {
                let before = model.0.len();
                model.0.retain(|item| !expired(item, now_ms));
                let swept = store.sweep(now_ms).await.unwrap();
                assert_eq!(swept, (before - model.0.len()) as u64, "{context}: sweep");
            }
        }
    }
}

fn text(random: &mut Rng, most: usize) -> String {
    let count = random.usize(..=most);
    (0..count).map(|_| WORDS[random.usize(..WORDS.len())]).collect::<Vec<_>>().join(" ")
}

fn value(random: &mut Rng) -> Value {
    let n = [json!(1), json!(1.0), json!(2), json!("2"), json!(null), json!([1]), json!({"x": 1})];
    json!({"t": text(random, 5), "n": n[random.usize(..n.len())], "in": {"t": text(random, 1)}})
}

fn search(random: &mut Rng) -> Search {
    let operand = [json!(1), json!(1.5), json!("2")][random.usize(..3)].clone();
    let filters = [
        json!({}),
        json!({}),
        json!({"n": operand}),
        json!({"n": {"$ne": operand}}),
        json!({"n": {"$gte": operand}}),
        json!({"n": {"$lt": operand}}),
        json!({"n.x": 1}),
        json!({"in": {"t": "집"}}),
    ];
    let mut search = Search::default().filter(filters[random.usize(..filters.len())].clone()).unwrap();
    if random.bool() {
        search.within = ns(SPACES[random.usize(..SPACES.len())]);
    }
    if random.u32(..3) > 0 {
        search.text = Some(text(random, 3));
    }
    if random.bool() {
        search.limit = random.usize(..6);
        search.offset = random.usize(..6);
    }
    search
}

fn namespace_query(random: &mut Rng) -> NamespaceQuery {
    let patterns = ["", "", "a", "a/b", "가", "*", "*/b", "b", "c"];
    let mut pattern = || ns(patterns[random.usize(..patterns.len())]);
    let (prefix, suffix) = (pattern(), pattern());
    NamespaceQuery {
        prefix,
        suffix,
        max_depth: random.bool().then(|| random.usize(1..4)),
        limit: random.usize(..12),
        offset: random.usize(..3),
    }
}

/// Everything that was put, in no order.
#[derive(Default)]
struct Model(Vec<Item>);

fn expired(item: &Item, now_ms: u64) -> bool {
    item.expires_ms.is_some_and(|end| end <= now_ms)
}

fn is_at(item: &Item, place: &Address) -> bool {
    item.namespace == *place.namespace() && item.key == place.key()
}

impl Model {
    fn take(&mut self, place: &Address, now_ms: u64) -> Option<Item> {
        let index = self.0.iter().position(|item| is_at(item, place))?;
        Some(self.0.swap_remove(index)).filter(|item| !expired(item, now_ms))
    }

    fn put(&mut self, place: &Address, value: Value, ttl: Option<Duration>, now_ms: u64) {
        let created_ms = self.take(place, now_ms).map_or(now_ms, |item| item.created_ms);
        let ttl_ms = ttl.map(|ttl| ttl.as_millis() as u64);
        self.0.push(Item {
            namespace: place.namespace().clone(),
            key: place.key().to_owned(),
            value: value.as_object().unwrap().clone(),
            created_ms,
            updated_ms: now_ms,
            ttl_ms,
            expires_ms: ttl_ms.map(|ttl_ms| now_ms + ttl_ms),
        });
    }

    fn delete(&mut self, place: &Address, now_ms: u64) -> bool {
        self.take(place, now_ms).is_some()
    }

    fn get(&mut self, place: &Address, refresh: bool, now_ms: u64) -> Option<Item> {
        let item = self.0.iter_mut().find(|item| is_at(item, place) && !expired(item, now_ms))?;
        if refresh && let Some(ttl_ms) = item.ttl_ms {
            item.expires_ms = Some(now_ms + ttl_ms);
        }
        Some(item.clone())
    }

    fn live(&self, within: &Namespace, now_ms: u64) -> impl Iterator<Item = &Item> {
        let labels: Vec<String> = within.labels().map(str::to_owned).collect();
        self.0.iter().filter(move |item| {
            let own: Vec<&str> = item.namespace.labels().collect();
            !expired(item, now_ms) && own.len() >= labels.len() && own[..labels.len()] == labels
        })
    }

    fn search(&self, search: &Search, now_ms: u64) -> Vec<Hit> {
        let text = search.text.as_deref().unwrap_or_default();
        let terms = query_terms(text);
        let items: Vec<&Item> = self.live(&search.within, now_ms).collect();
        let has = |item: &Item, term: &String| value_terms(&item.value).contains(term);
        let weight = |term: &String| {
            let count = items.iter().filter(|item| has(item, term)).count().max(1);
            1.0 / (1.0 + (count as f64).ln())
        };
        let mut hits: Vec<Hit> = Vec::new();
        for item in &items {
            let score = (!text.trim().is_empty()).then(|| {
                let found: f64 = terms.iter().filter(|term| has(item, term)).map(weight).sum();
                if found > 0.0 { found / terms.iter().map(weight).sum::<f64>() } else { 0.0 }
            });
            if score != Some(0.0) && search.filter.passes(&item.value) {
                hits.push(Hit { item: (*item).clone(), score });
            }
        }
        hits.sort_by(|a, b| {
            let labels = |hit: &Hit| hit.item.namespace.labels().map(str::to_owned).collect::<Vec<_>>();
            b.score
                .partial_cmp(&a.score)
                .unwrap()
                .then(b.item.updated_ms.cmp(&a.item.updated_ms))
                .then_with(|| labels(a).cmp(&labels(b)))
                .then_with(|| a.item.key.cmp(&b.item.key))
        });
        hits.into_iter().skip(search.offset).take(search.limit).collect()
    }

    fn namespaces(&self, query: &NamespaceQuery, now_ms: u64) -> Vec<Namespace> {
        let fits = |pattern: &[&str], labels: &[&str]| {
            pattern.iter().zip(labels).all(|(pattern, label)| *pattern == "*" || pattern == label)
        };
        let (prefix, suffix): (Vec<&str>, Vec<&str>) =
            (query.prefix.labels().collect(), query.suffix.labels().collect());
        let mut found: Vec<Vec<&str>> = Vec::new();
        for item in self.live(&Namespace::root(), now_ms) {
            let labels: Vec<&str> = item.namespace.labels().collect();
            let room = labels.len() >= prefix.len().max(suffix.len());
            if room && fits(&prefix, &labels) && fits(&suffix, &labels[labels.len() - suffix.len()..]) {
                found.push(labels[..query.max_depth.unwrap_or(9).min(labels.len())].to_vec());
            }
        }
        found.sort();
        found.dedup();
        let page = found.into_iter().skip(query.offset).take(query.limit);
        page.map(|labels| Namespace::new(labels).unwrap()).collect()
    }
}
