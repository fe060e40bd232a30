mod sufficiency;
