mod crash_sweep;
mod derive;
mod reducers;
mod smoke;
