use duru::State;

#[derive(State, Clone)]
struct Wide {
    f0: u8, f1: u8, f2: u8, f3: u8, f4: u8, f5: u8, f6: u8, f7: u8,
    f8: u8, f9: u8, f10: u8, f11: u8, f12: u8, f13: u8, f14: u8, f15: u8,
    f16: u8, f17: u8, f18: u8, f19: u8, f20: u8, f21: u8, f22: u8, f23: u8,
    f24: u8, f25: u8, f26: u8, f27: u8, f28: u8, f29: u8, f30: u8, f31: u8,
    f32: u8, f33: u8, f34: u8, f35: u8, f36: u8, f37: u8, f38: u8, f39: u8,
    f40: u8, f41: u8, f42: u8, f43: u8, f44: u8, f45: u8, f46: u8, f47: u8,
    f48: u8, f49: u8, f50: u8, f51: u8, f52: u8, f53: u8, f54: u8, f55: u8,
    f56: u8, f57: u8, f58: u8, f59: u8, f60: u8, f61: u8, f62: u8, f63: u8,
    f64: u8, f65: u8, f66: u8, f67: u8, f68: u8, f69: u8, f70: u8, f71: u8,
    f72: u8, f73: u8, f74: u8, f75: u8, f76: u8, f77: u8, f78: u8, f79: u8,
    f80: u8, f81: u8, f82: u8, f83: u8, f84: u8, f85: u8, f86: u8, f87: u8,
    f88: u8, f89: u8, f90: u8, f91: u8, f92: u8, f93: u8, f94: u8, f95: u8,
    f96: u8, f97: u8, f98: u8, f99: u8, f100: u8, f101: u8, f102: u8, f103: u8,
    f104: u8, f105: u8, f106: u8, f107: u8, f108: u8, f109: u8, f110: u8, f111: u8,
    f112: u8, f113: u8, f114: u8, f115: u8, f116: u8, f117: u8, f118: u8, f119: u8,
    f120: u8, f121: u8, f122: u8, f123: u8, f124: u8, f125: u8, f126: u8, f127: u8,
    f128: u8,
}

fn main() {}
