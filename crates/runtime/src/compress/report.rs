//! What compression did: a line of the log for each transfer, and sums for each array in the table of `ACCL_TIME`.
//!
//! Times are the host's: encoding and decoding by its cores. What the device does of it is among its kernels. Errors
//! are those of the encoding, of finite values, and looked for on request (`ACCL_COMPRESSION_ERRORS`), since that
//! costs as much as encoding again.

use super::transfer::EncodedSection;
use crate::call::CallContext;
use crate::config::{Converter, config, notify};
use crate::location::Name;
use crate::log;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

/// How far values are off when they come back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    pub most: f64,
    pub squares: f64,
    pub count: u64,
}

impl Errors {
    pub fn add(&mut self, off: f64) {
        self.join(Errors { most: off, squares: off * off, count: 1 });
    }

    pub fn join(&mut self, other: Errors) {
        self.most = self.most.max(other.most);
        self.squares += other.squares;
        self.count += other.count;
    }

    pub fn root_mean_square(&self) -> f64 {
        (self.squares / self.count.max(1) as f64).sqrt()
    }
}

/// One transfer of an array, or of a section of it.
pub struct Conversion<'a> {
    /// It was encoded; otherwise it was decoded.
    pub encoded: bool,
    pub sections: &'a [EncodedSection<'a>],
    pub converter: Converter,
    pub clamped: u64,
    /// The time that the host waited for the whole, and the time of its own encoding or decoding.
    pub whole: Duration,
    pub codec: Duration,
    pub errors: Option<Errors>,
}

impl Conversion<'_> {
    pub fn host_bytes(&self) -> usize {
        self.sections.iter().map(EncodedSection::host_bytes).sum()
    }

    /// Bytes that the device's memory does not hold.
    pub fn saved(&self) -> usize {
        self.host_bytes().saturating_sub(self.sections.iter().map(EncodedSection::bytes).sum())
    }

    /// Writes the log's line of the transfer: `milliseconds` are what the host waited, `codec_milliseconds` those of its
    /// encoding or decoding.
    fn log(&self, call: &CallContext, line: i32, name: Name) {
        if log::wants(notify::TRANSFER) {
            let Some(stored) = self.sections.first().map(|s| s.stored) else { return };
            let errors = self.errors.map_or(String::new(), |errors| {
                format!(" max_error={:.3e} rms_error={:.3e}", errors.most, errors.root_mean_square())
            });
            eprintln!(
                "{} {} data  {}{} variable={name} bytes={} bits={} of={} clamped={} milliseconds={:.3} saved={} way={} \
                 codec_milliseconds={:.3}{errors}",
                if self.encoded { "compress" } else { "decompress" },
                call.state.device.info().kind.name(),
                log::whereabouts(call.state, call.location, line),
                log::on(call.queue),
                self.host_bytes(),
                stored.bits,
                8 * stored.elem_size(),
                self.clamped,
                self.whole.as_secs_f64() * 1e3,
                self.saved(),
                self.converter.name(),
                self.codec.as_secs_f64() * 1e3,
            );
        }
    }

    /// Tells the log and the table.
    pub fn tell(&self, call: &CallContext, line: i32, name: Name) {
        self.log(call, line, name);
        if !config().time {
            return;
        }
        let Some(stored) = self.sections.first().map(|s| s.stored) else { return };
        // An array is told by the clause that brought it.
        let (location, line) =
            (stored.location, if stored.line > 0 { stored.line } else { stored.location.0.line });
        let format = format!("{} of {}", stored.words(), 8 * stored.elem_size());
        let key =
            (location.file().into_owned(), line, location.function().into_owned(), name.to_string(), format);
        let mut sums =
            call.state.storage.conversions.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        sums.entry(key).or_default().add(self);
    }
}

#[derive(Default)]
struct Sum {
    bytes: u64,
    saved: u64,
    clamped: u64,
    encoded: (u64, Duration),
    decoded: (u64, Duration),
    errors: Option<Errors>,
}

impl Sum {
    fn add(&mut self, one: &Conversion) {
        self.bytes += one.host_bytes() as u64;
        self.saved += one.saved() as u64;
        self.clamped += one.clamped;
        let (count, time) = if one.encoded { &mut self.encoded } else { &mut self.decoded };
        *count += 1;
        *time += one.codec;
        if let Some(errors) = one.errors {
            self.errors.get_or_insert_default().join(errors);
        }
    }
}

/// File, line, function and variable of the clause, and the format.
type ClauseKey = (String, i32, String, String, String);

/// The arrays of one device.
#[derive(Default)]
pub struct Conversions(Mutex<BTreeMap<ClauseKey, Sum>>);

impl Conversions {
    /// Empty where there were none.
    pub fn table(&self, device: &str) -> String {
        let sums = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if sums.is_empty() {
            return String::new();
        }
        let mut text = format!("\nCompressed arrays (ms) on {device}\n");
        let mut last = None;
        for ((file, line, function, name, format), sum) in sums.iter() {
            if last != Some((file, line)) {
                text += &format!("{file}:{line}: {function}\n");
                last = Some((file, line));
            }
            let [encoded, decoded] = [sum.encoded, sum.decoded]
                .map(|(count, time)| format!("count {count:>5}  total {:>9.3}", time.as_secs_f64() * 1e3));
            let errors = sum.errors.map_or(String::new(), |errors| {
                format!("  error max {:.3e}  rms {:.3e}", errors.most, errors.root_mean_square())
            });
            text += &format!(
                "    {name:<16} {format:<24} saved {} of {} bytes  clamped {}  compress {encoded}  decompress {decoded}{errors}\n",
                sum.saved, sum.bytes, sum.clamped,
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_joined() {
        let mut errors = Errors::default();
        [3.0, 4.0].into_iter().for_each(|off| errors.add(off));
        let mut all = Errors::default();
        all.join(errors);
        assert_eq!((all.most, all.count), (4.0, 2));
        assert_eq!(all.root_mean_square(), 12.5f64.sqrt());
    }
}
