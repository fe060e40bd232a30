mod robust;
mod sufficiency;
