mod derive;
mod reducers;
