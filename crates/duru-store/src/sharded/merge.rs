//! One list of several, each in order.

use std::cmp::Ordering;
use std::collections::VecDeque;

/// The merged lists without their first `offset`, and at most `limit` of the rest.
/// Equal ones come in the order of their lists. What a list says of the order of
/// its own items stands, so that every page is cut from the same whole.
pub(super) fn merged<T>(
    lists: Vec<Vec<T>>,
    offset: usize,
    limit: usize,
    order: impl Fn(&T, &T) -> Ordering,
) -> Vec<T> {
    let mut lists: Vec<VecDeque<T>> = lists.into_iter().map(VecDeque::from).collect();
    let mut next = || {
        let (mut best, mut first): (Option<usize>, Option<&T>) = (None, None);
        for (n, list) in lists.iter().enumerate() {
            if let Some(item) = list.front()
                && first.is_none_or(|first| order(item, first).is_lt())
            {
                (best, first) = (Some(n), Some(item));
            }
        }
        lists[best?].pop_front()
    };
    std::iter::from_fn(&mut next).skip(offset).take(limit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_cut_from_one_whole() {
        let lists = || vec![vec![1, 4, 4, 9], vec![], vec![0, 4, 5], vec![7]];
        let whole = merged(lists(), 0, usize::MAX, Ord::cmp);
        assert_eq!(whole, [0, 1, 4, 4, 4, 5, 7, 9]);
        for (offset, limit) in [(0, 0), (0, 3), (3, 3), (7, 9), (8, 1), (usize::MAX, 1)] {
            let page: Vec<i32> = whole.iter().copied().skip(offset).take(limit).collect();
            assert_eq!(merged(lists(), offset, limit, Ord::cmp), page);
        }
    }
}
