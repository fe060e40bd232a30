mod conversations;
mod robust;
mod sufficiency;
