//! Downloads: the output of `convert`, and the unchanged file.

use std::io::{Cursor, Write};

use antiquary::asset::{MemorySink, Target};
use antiquary::files::name::safe_name;
use antiquary::{Error, Report, Severity};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::query::Query;
use crate::response::BYTES;
use crate::{Explorer, Fault, Response};

/// Media type of several files.
const ZIP: &str = "application/zip";
/// Parameters of an output; all others are options of the format.
const OWN: &[&str] = &["as"];

impl Explorer {
    /// Returns the output of `convert`.
    pub(crate) fn output(&self, path: &str, query: &Query) -> Result<Response, Fault> {
        let extension = query.required("as")?;
        let file = self.file(self.file_entry(path)?)?;
        let options = file.options(query, OWN)?;
        let stem = safe_name(file.stem()).into_owned();
        let target = Target { stem: &stem, ..Target::new(file.stem(), 1.0) };
        let (mut sink, mut report) = (MemorySink::new(), Report::new());
        let context = file.context(&options);
        file.format().convert(file.asset(), extension, &context, target, &mut sink, &mut report)?;
        let mut files = sink.into_files();
        let only = if files.len() == 1 { files.pop() } else { None };
        let (media_type, name, bytes) = match only {
            Some((name, bytes)) => (BYTES, name, bytes),
            None => (ZIP, format!("{stem}.zip"), zipped(&files)?),
        };
        let name = name.rsplit('/').next().unwrap_or_default();
        let response = Response::bytes(media_type, bytes).with("Content-Disposition", attachment(name));
        let losses = report.count(Severity::Warning) + report.count(Severity::Error);
        Ok(response.with("Antiquary-Warnings", losses.to_string()))
    }

    /// Returns the unchanged file.
    pub(crate) fn raw(&self, path: &str) -> Result<Response, Fault> {
        let entry = self.file_entry(path)?;
        let response = Response::file(entry.source()?, entry.tag());
        Ok(response.with("Content-Disposition", attachment(entry.name())))
    }
}

/// Returns the header that suggests a file name for a download (RFC 6266).
fn attachment(name: &str) -> String {
    let encoded = percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC);
    format!("attachment; filename*=UTF-8''{encoded}")
}

/// Packs files into a ZIP file in order, without compression, because most are pictures.
fn zipped(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>, Error> {
    let failed =
        |error: zip::result::ZipError| Error::unsupported(format!("the ZIP file cannot be created: {error}"));
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in files {
        writer.start_file(name.as_str(), options).map_err(failed)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish().map_err(failed)?.into_inner())
}
