mod conversations;
mod robust;
mod rules;
mod sufficiency;
mod world;
