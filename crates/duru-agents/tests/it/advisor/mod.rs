mod ab;
mod conversations;
mod draft;
mod memory;
mod robust;
mod sufficiency;
mod trades;
