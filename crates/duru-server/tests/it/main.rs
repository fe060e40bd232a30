
mod assistants;
mod client;
mod served;
