//! Warnings about WAV files.

crate::codes! {
    CUT = "WAV-W001", Warning, "samples truncated",
        "The file has fewer bytes of samples than its header specifies. Players play the samples that are present. Example: \"120 bytes \
        of samples are missing at the end\".";
    SILENT = "WAV-E002", Error, "no sound",
        "The file has no channels or a rate of 0, so nothing can be played. Example: \"0 channels at 44100 Hz are not a sound\".";
}
