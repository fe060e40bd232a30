//! What people and graphs have said in threads, to find threads by.

mod keeping;
mod kept;
mod text;
mod wanted;

pub(crate) use keeping::keeping;
pub(crate) use kept::Said;
pub(crate) use wanted::Wanted;
