//! The random numbers that the lines were first made with: those of Python's `random`, so that the lines stay the same to the
//! byte, and with them every label that was written for them.

const WORDS: usize = 624;

/// Mersenne Twister (MT19937), seeded and read as Python does.
pub(super) struct Random {
    words: [u32; WORDS],
    next: usize,
    /// The second of a pair of normally distributed numbers.
    kept: Option<f64>,
}

impl Random {
    pub(super) fn seeded(seed: u32) -> Self {
        let mut words = [0_u32; WORDS];
        words[0] = 19_650_218;
        for at in 1..WORDS {
            let before = words[at - 1];
            words[at] = 1_812_433_253_u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(at as u32);
        }
        // Initialised by an array of one word, the seed.
        let mut at = 1;
        for _ in 0..WORDS {
            let before = words[at - 1];
            words[at] = (words[at] ^ (before ^ (before >> 30)).wrapping_mul(1_664_525)).wrapping_add(seed);
            at = Self::following(&mut words, at);
        }
        for _ in 1..WORDS {
            let before = words[at - 1];
            words[at] =
                (words[at] ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(at as u32);
            at = Self::following(&mut words, at);
        }
        words[0] = 0x8000_0000;
        Self { words, next: WORDS, kept: None }
    }

    fn following(words: &mut [u32; WORDS], at: usize) -> usize {
        if at + 1 < WORDS {
            return at + 1;
        }
        words[0] = words[WORDS - 1];
        1
    }

    fn word(&mut self) -> u32 {
        if self.next == WORDS {
            for at in 0..WORDS {
                let mixed = (self.words[at] & 0x8000_0000) | (self.words[(at + 1) % WORDS] & 0x7fff_ffff);
                let odd = if mixed & 1 == 1 { 0x9908_b0df } else { 0 };
                self.words[at] = self.words[(at + 397) % WORDS] ^ (mixed >> 1) ^ odd;
            }
            self.next = 0;
        }
        let mut word = self.words[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// From 0 up to 1.
    pub(super) fn unit(&mut self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    pub(super) fn chance(&mut self, of: f64) -> bool {
        self.unit() < of
    }

    pub(super) fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.unit()
    }

    /// One of the numbers from `from` up to, and without, `to`.
    pub(super) fn whole(&mut self, from: u32, to: u32) -> u32 {
        let range = to - from;
        loop {
            let drawn = self.word() >> range.leading_zeros();
            if drawn < range {
                return from + drawn;
            }
        }
    }

    /// The exponential of a normally distributed number.
    pub(super) fn log_normal(&mut self, mean: f64, deviation: f64) -> f64 {
        let magic = 4.0 * (-0.5_f64).exp() / 2.0_f64.sqrt();
        loop {
            let (first, second) = (self.unit(), 1.0 - self.unit());
            let z = magic * (first - 0.5) / second;
            if z * z / 4.0 <= -second.ln() {
                return (mean + z * deviation).exp();
            }
        }
    }

    pub(super) fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        let z = self.kept.take().unwrap_or_else(|| {
            let angle = self.unit() * std::f64::consts::TAU;
            let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
            self.kept = Some(angle.sin() * radius);
            angle.cos() * radius
        });
        mean + z * deviation
    }

    /// One of several, by their weights.
    pub(super) fn pick<T: Copy>(&mut self, weighted: &[(T, f64)]) -> T {
        let sum = weighted.iter().fold(0.0, |sum, (_, weight)| sum + weight);
        let mut left = self.unit() * sum;
        for (value, weight) in weighted {
            left -= weight;
            if left < 0.0 {
                return *value;
            }
        }
        weighted[weighted.len() - 1].0
    }

    /// One of several that are as likely as each other.
    pub(super) fn any<T: Copy>(&mut self, values: &[T]) -> T {
        let weighted: Vec<(T, f64)> = values.iter().map(|value| (*value, 1.0)).collect();
        self.pick(&weighted)
    }

    /// Sixteen bytes in hexadecimal.
    pub(super) fn id(&mut self) -> String {
        (0..16).map(|_| format!("{:02x}", self.whole(0, 256))).collect()
    }
}
