//! What can be wrong with object storage that holds a log store, in both languages, each with what to do.

use crate::guard::Lang;

/// Why a bucket does not do what is asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BucketTrouble {
    /// There is no bucket of that name.
    Missing,
    /// The key may not do this.
    Denied,
    /// The key, or its secret, is not known there.
    WrongKey,
    /// Nobody said which key to use.
    NoKey,
    WrongRegion,
    /// This machine's clock is too far from the service's.
    Clock,
    /// It asks to be left alone for a while.
    Busy,
    /// It does not answer, or not in time.
    Silent,
    /// What was there before is gone.
    Emptied,
    /// It replaces objects whatever the condition, so that two writers would lose each other's work.
    Unconditional,
    /// Another process goes on with a copy of this ingester's folder.
    Copied,
    /// An object is not what was written.
    Damaged,
    /// A later version of the program has written there.
    Newer,
    Other,
}

impl BucketTrouble {
    /// Whether it may be over by itself, or after somebody has changed a setting elsewhere: what waits is tried again.
    pub fn may_pass(self) -> bool {
        !matches!(self, Self::Emptied | Self::Unconditional | Self::Copied | Self::Damaged | Self::Newer)
    }

    /// What a person reads.
    pub fn text(self, lang: Lang) -> &'static str {
        let (ko, en) = match self {
            Self::Missing => (
                "그런 버킷이 없습니다; 이름과 endpoint를 확인하거나 버킷을 만드세요",
                "there is no such bucket; check its name and the endpoint, or create it",
            ),
            Self::Denied => (
                "그 키로는 할 수 없습니다; 키에 GetObject, PutObject, DeleteObject, ListBucket 권한을 주세요",
                "the key may not do this; allow it GetObject, PutObject, DeleteObject and ListBucket",
            ),
            Self::WrongKey => (
                "키가 맞지 않습니다; AWS_ACCESS_KEY_ID와 AWS_SECRET_ACCESS_KEY를 확인하세요",
                "the key is not accepted; check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
            ),
            Self::NoKey => (
                "키가 없습니다; AWS_ACCESS_KEY_ID와 AWS_SECRET_ACCESS_KEY를 설정하세요",
                "there is no key; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
            ),
            Self::WrongRegion => (
                "버킷이 다른 리전에 있습니다; AWS_REGION이나 ?region=을 고치세요",
                "the bucket is in another region; correct AWS_REGION or ?region=",
            ),
            Self::Clock => (
                "이 컴퓨터의 시계가 저장소와 15분 넘게 다릅니다; 시계를 맞추세요",
                "this machine's clock is more than 15 minutes off the service's; set it",
            ),
            Self::Busy => (
                "저장소가 바빠서 받지 않습니다; 잠시 뒤에 다시 하세요",
                "it is too busy to answer; try again in a while",
            ),
            Self::Silent => (
                "저장소가 제때 답하지 않습니다; 네트워크와 endpoint를 확인하세요",
                "it does not answer in time; check the network and the endpoint",
            ),
            Self::Emptied => (
                "있던 것이 사라졌습니다; 백업을 되살리거나(duru restore), 새로 시작하려면 이 수집기의 폴더를 옮기세요",
                "what was there is gone; bring back a backup (duru restore), or move this ingester's folder away to begin anew",
            ),
            Self::Unconditional => (
                "조건부 쓰기(If-Match, If-None-Match)를 지키지 않습니다; 지키는 서비스나 더 새 버전을 쓰세요",
                "it ignores conditional writes (If-Match, If-None-Match); use a service, or a version of it, that honours them",
            ),
            Self::Copied => (
                "다른 프로세스가 이 수집기 폴더의 사본으로 쓰고 있습니다; 사본을 쓰는 쪽을 끄고, 두 곳에 서로 다른 ?folder=를 주세요",
                "another process writes with a copy of this ingester's folder; stop one, and give each its own ?folder=",
            ),
            Self::Damaged => (
                "저장된 것이 손상되었습니다; 백업을 되살리세요(duru restore)",
                "what is stored there is damaged; bring back a backup (duru restore)",
            ),
            Self::Newer => (
                "더 새 버전의 프로그램이 쓴 것입니다; 이 프로그램을 올리세요",
                "a later version of this program has written there; upgrade this one",
            ),
            Self::Other => (
                "저장소가 요청을 받지 않습니다; 주소와 설정을 확인하세요",
                "it does not accept the request; check the address and the settings",
            ),
        };
        match lang {
            Lang::Ko => ko,
            Lang::En => en,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_a_person_at_this_machine_is_not_waited_for() {
        for passing in [BucketTrouble::Busy, BucketTrouble::Silent, BucketTrouble::WrongKey] {
            assert!(passing.may_pass());
        }
        for lasting in [BucketTrouble::Emptied, BucketTrouble::Copied, BucketTrouble::Unconditional] {
            assert!(!lasting.may_pass());
        }
    }
}
