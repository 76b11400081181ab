//! Subtitles as products: the texts of a film with their times, written as SubRip or WebVTT.

use std::fmt::Write;
use std::time::Duration;

/// The texts that are shown over a film.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subtitles {
    /// The texts, in any order.
    pub cues: Vec<Cue>,
}

/// A text that is shown for some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cue {
    /// Time from the start of the film to the appearance of the text.
    pub start: Duration,
    /// Time from the start of the film to the disappearance of the text.
    pub end: Duration,
    /// The text, with `\n` between its lines.
    pub text: String,
    /// Whether the text is shown even if subtitles are turned off.
    pub is_forced: bool,
}

/// The class of forced cues in WebVTT. SubRip cannot store whether a cue is forced.
const FORCED: &str = "forced";

impl Subtitles {
    /// Writes SubRip (`.srt`): numbered cues, ordered by time.
    #[must_use]
    pub fn to_srt(&self) -> String {
        let mut out = String::new();
        for (number, cue) in (1_u64..).zip(self.shown()) {
            let [start, end] = times(cue).map(|time| stamp(time, ','));
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{number}\n{start} --> {end}\n{}\n", lines_of(&cue.text).join("\n"));
        }
        out
    }

    /// Writes WebVTT (`.vtt`), ordered by time. Forced cues have the class `forced`.
    #[must_use]
    pub fn to_vtt(&self) -> String {
        let mut out = "WEBVTT\n\n".to_owned();
        for cue in self.shown() {
            let [start, end] = times(cue).map(|time| stamp(time, '.'));
            let text = escaped(&lines_of(&cue.text).join("\n"));
            let _ = match cue.is_forced {
                true => writeln!(out, "{start} --> {end}\n<c.{FORCED}>{text}</c>\n"),
                false => writeln!(out, "{start} --> {end}\n{text}\n"),
            };
        }
        out
    }

    /// Returns the cues with a text, ordered by time: WebVTT requires the order, and neither format has empty cues.
    fn shown(&self) -> Vec<&Cue> {
        let mut out: Vec<&Cue> = self.cues.iter().filter(|cue| !lines_of(&cue.text).is_empty()).collect();
        out.sort_by_key(|cue| cue.start);
        out
    }
}

/// Returns the lines of a text. An empty line would end the cue, and so would a control character that is a line break to some
/// programs.
fn lines_of(text: &str) -> Vec<String> {
    let line = |line: &str| line.replace(char::is_control, " ").trim().to_owned();
    text.lines().map(line).filter(|line| !line.is_empty()).collect()
}

/// Returns the start and the end of a cue in milliseconds. A cue is at least one millisecond long, as WebVTT requires.
fn times(cue: &Cue) -> [u128; 2] {
    let rounded = |time: Duration| time.saturating_add(Duration::from_micros(500)).as_millis();
    let start = rounded(cue.start);
    [start, rounded(cue.end).max(start + 1)]
}

/// Formats milliseconds as `01:02:03.004`, with the given decimal separator.
fn stamp(time: u128, separator: char) -> String {
    let (seconds, milliseconds) = (time / 1000, time % 1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours:02}:{minutes:02}:{seconds:02}{separator}{milliseconds:03}")
}

/// Escapes the characters that are markup in WebVTT.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cue(start: u64, end: u64, text: &str) -> Cue {
        let time = Duration::from_micros;
        Cue { start: time(start), end: time(end), text: text.to_owned(), is_forced: false }
    }

    #[test]
    fn writes_cues_with_times_in_milliseconds() {
        let cues = vec![cue(66_660, 600_000, "Hello,\nCyrus."), cue(3_723_004_499, 3_723_004_500, "Gone")];
        let subtitles = Subtitles { cues };
        assert_eq!(
            subtitles.to_srt(),
            "1\n00:00:00,067 --> 00:00:00,600\nHello,\nCyrus.\n\n2\n01:02:03,004 --> 01:02:03,005\nGone\n\n"
        );
        assert_eq!(
            subtitles.to_vtt(),
            "WEBVTT\n\n00:00:00.067 --> 00:00:00.600\nHello,\nCyrus.\n\n01:02:03.004 --> 01:02:03.005\nGone\n\n"
        );
    }

    #[test]
    fn orders_cues_by_time_and_numbers_only_those_with_a_text() {
        let cues = vec![cue(5000, 6000, "second"), cue(3000, 4000, " \n"), cue(1000, 9000, "first")];
        let srt = Subtitles { cues }.to_srt();
        assert!(srt.starts_with("1\n00:00:00,001 --> 00:00:00,009\nfirst\n\n2\n"), "{srt}");
        assert!(srt.ends_with("second\n\n") && !srt.contains("3\n"), "{srt}");
    }

    #[test]
    fn no_text_can_end_a_cue_or_become_markup() {
        let subtitles = Subtitles { cues: vec![cue(0, 1000, "a < b\n\n\r2\u{85}--> & c\n")] };
        assert_eq!(subtitles.to_srt(), "1\n00:00:00,000 --> 00:00:00,001\na < b\n2 --> & c\n\n");
        assert_eq!(
            subtitles.to_vtt(),
            "WEBVTT\n\n00:00:00.000 --> 00:00:00.001\na &lt; b\n2 --&gt; &amp; c\n\n"
        );
    }

    #[test]
    fn forced_cues_have_a_class_in_webvtt() {
        let forced = Cue { is_forced: true, ..cue(0, 1000, "On") };
        let vtt = Subtitles { cues: vec![forced] }.to_vtt();
        assert!(vtt.ends_with("\n<c.forced>On</c>\n\n"), "{vtt}");
    }

    #[test]
    fn a_cue_is_at_least_a_millisecond_long() {
        let srt = Subtitles {
            cues: vec![cue(100, 200, "Short"), Cue { end: Duration::MAX, ..cue(900, 0, "Long") }],
        };
        let srt = srt.to_srt();
        assert!(
            srt.contains("00:00:00,000 --> 00:00:00,001\n") && srt.contains("\n00:00:00,001 --> "),
            "{srt}"
        );
    }
}
