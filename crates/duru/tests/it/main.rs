mod derive;
mod reducers;
mod smoke;
