//! Opened files.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};

use antiquary::diff::MAX_CHANGES;
use antiquary::field::FieldPath;
use antiquary::files::suggest::did_you_mean;
use antiquary::json::{Document, json};
use antiquary::scene::product::Picture;
use antiquary::{
    CATALOG, CheckOptions, DescribeOptions, Detail, Error, Input, Inputs, Named, Opened, Session, Source,
    scene,
};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::argument::{Data, FormatOptions, Settings, Texts, shown};
use crate::error::{Failure, Result, exception};
use crate::font::Font;
use crate::image::Image;
use crate::operation::write::field_edits;
use crate::operation::{Object, succeeded};
use crate::scene::{Origins, Scene};
use crate::sound::Sound;
use crate::table::{self, Rows};
use crate::task;
use crate::value::to_python;

/// An opened file, in the context of its game. Create it with ``open``, ``Game.open`` or ``Archive.open``.
///
/// Its contents are computed when they are requested. If the file is on disk, functions such as ``check`` accept this object
/// as a path.
#[pyclass(frozen, module = "antiquary")]
pub(crate) struct File {
    opened: Arc<Opened>,
    /// The same file as an input of a session.
    input: Input,
    settings: Settings,
    options: Vec<(String, String)>,
    path: String,
    on_disk: Option<PathBuf>,
}

/// Opens a file of any known format.
///
/// The format is recognized by the content, then by the name. Bytes are copied.
///
/// Args:
///     file: The path of a file, or its bytes.
///     name: The name of the file if bytes are given, which helps to recognize the format.
///     **options: Options of the format, as listed by ``formats(id)``: ``open("ISLAND.RGM", light="baked")``.
///
/// Raises:
///     Error: The file cannot be read, has no known format, or is damaged.
#[pyfunction]
#[pyo3(signature = (file, *, name=None, **options))]
pub(crate) fn open(
    py: Python<'_>,
    file: Data,
    name: Option<String>,
    options: Option<&Bound<'_, PyDict>>,
) -> Result<File> {
    let given = FormatOptions::read(options, &["name"])?.0;
    match file {
        Data::Path(path) => {
            if name.is_some() {
                return Err(Error::usage("name applies to bytes; the path already has a name").into());
            }
            let settings = Settings::default();
            let input = Input::file(&path);
            let (shown, on_disk) = (shown(&path), Some(path.clone()));
            let opened = task::compute(py, move || Ok(antiquary::open(path)?))?;
            File::new(opened, input, (settings, given), shown, on_disk)
        }
        Data::Bytes(bytes) => {
            let source = Source::from(bytes.to_vec());
            File::of_source(py, source, name, given)
        }
    }
}

impl File {
    /// Opens bytes.
    pub(crate) fn of_source(
        py: Python<'_>,
        source: Source,
        name: Option<String>,
        options: Vec<(String, String)>,
    ) -> Result<Self> {
        let input = Input::of_source(name.as_deref().unwrap_or("bytes"), source.clone());
        let path = name.clone().unwrap_or_default();
        let opened = task::compute(py, move || {
            let opened = CATALOG.open_source(source, name.as_deref());
            Ok(opened.map_err(|error| match &name {
                Some(name) => error.in_file(name),
                None => error,
            })?)
        })?;
        Self::new(opened, input, (Settings::default(), options), path, None)
    }

    pub(crate) fn new(
        opened: Opened,
        input: Input,
        (settings, options): (Settings, Vec<(String, String)>),
        path: String,
        on_disk: Option<PathBuf>,
    ) -> Result<Self> {
        let opened = Arc::new(opened.with_options(&options)?);
        Ok(Self { opened, input, settings, options, path, on_disk })
    }

    /// Computes something from the opened file.
    fn compute<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Opened) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let opened = Arc::clone(&self.opened);
        task::compute(py, move || work(&opened))
    }

    /// Computes something that can be divided among threads, such as the textures of a room.
    fn compute_divided<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Opened) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.compute(py, move |opened| Session::default().run(|| work(opened)))
    }

    /// Runs an operation of a session on the file.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Session<'_>, &Inputs) -> Result<T> + Send,
    ) -> Result<T> {
        let inputs = Inputs::from(self.input.clone());
        self.settings.run(py, None, |session| work(session, &inputs))
    }
}

#[pymethods]
impl File {
    /// Path as given: on disk or in the game; the name of bytes.
    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    /// File name without folders.
    #[getter]
    fn name(&self) -> &str {
        self.opened.name()
    }

    /// Id of the format, such as ``scpcb.rmesh``.
    #[getter]
    fn format(&self) -> &'static str {
        self.opened.format.id
    }

    /// Length in bytes.
    #[getter]
    fn length(&self) -> u64 {
        self.opened.source.len()
    }

    /// Defects of the file, and losses of everything computed so far: a list of dicts with ``code``, ``severity``,
    /// ``message``, ``path`` and ``offset``.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> Result<Object> {
        Ok(to_python(py, &self.opened.warnings())?)
    }

    /// Returns the bytes of the file.
    fn read<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        let bytes = self.compute(py, |opened| Ok(opened.source.read_all()?.into_owned()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the scene: meshes, materials, images, lights, animations.
    ///
    /// Raises:
    ///     Error: Files of this format have no scene, or the scene is damaged.
    fn scene(&self, py: Python<'_>) -> Result<Scene> {
        let (scene, origins) = self.compute_divided(py, |opened| {
            let scene = opened.scene()?;
            let origins = Origins::new(&scene, &*opened.asset);
            Ok((scene, origins))
        })?;
        Scene::new(py, scene, origins)
    }

    /// Returns an iterator over the images. They are decoded one at a time, by a thread that is one image ahead.
    ///
    /// Args:
    ///     errors: ``"raise"`` raises the error of an image that cannot be decoded; ``"yield"`` returns it in place of the
    ///         image, and continues.
    ///
    /// Raises:
    ///     Error: Files of this format have no images.
    #[pyo3(signature = (*, errors="raise"))]
    fn images(&self, errors: &str) -> Result<Values> {
        Values::start(self, errors, |opened, give| {
            for image in opened.images()? {
                if !give(image.map(Value::Image)) {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Returns an iterator over the sounds, like ``images``.
    ///
    /// Raises:
    ///     Error: Files of this format have no sounds.
    #[pyo3(signature = (*, errors="raise"))]
    fn sounds(&self, errors: &str) -> Result<Values> {
        Values::start(self, errors, |opened, give| {
            for sound in opened.sounds()? {
                if !give(sound.map(Value::Sound)) {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Returns the tables: lists of dicts with the attributes ``name`` and ``columns``, and the method ``to_pandas``.
    ///
    /// Raises:
    ///     Error: Files of this format have no tables, or a table is damaged.
    fn tables(&self, py: Python<'_>) -> Result<Vec<Py<PyAny>>> {
        let tables = self.compute(py, |opened| {
            opened.tables()?.map(|table| Ok(Rows::read(table?))).collect::<Result<Vec<_>>>()
        })?;
        tables.into_iter().map(|rows| table::new(py, rows)).collect()
    }

    /// Returns the texts: strings with the attribute ``name``.
    ///
    /// Raises:
    ///     Error: Files of this format have no texts, or a text is damaged.
    fn texts(&self, py: Python<'_>) -> Result<Vec<Py<PyAny>>> {
        let texts = self.compute(py, |opened| {
            let texts = opened.texts()?.map(|text| text.map(|text| (text.name(), text.into_value())));
            Ok(texts.collect::<std::result::Result<Vec<_>, _>>()?)
        })?;
        let class = py.import("antiquary._values")?.getattr("Text")?;
        texts.into_iter().map(|(name, text)| Ok(class.call1((text, name))?.unbind())).collect()
    }

    /// Returns the subtitles of films: a list of dicts with ``name`` and ``cues``. A cue has ``start`` and ``end`` in
    /// seconds, ``text``, and ``forced`` if it is shown even without subtitles.
    ///
    /// Raises:
    ///     Error: Files of this format have no subtitles, or they are damaged.
    fn subtitles(&self, py: Python<'_>) -> Result<Object> {
        let films = self.compute(py, |opened| {
            let films = opened.subtitles()?.map(|film| {
                let film = film?;
                let cues = film.cues.iter().map(|cue| {
                    let (start, end) = (cue.start.as_secs_f64(), cue.end.as_secs_f64());
                    json!({ "start": start, "end": end, "text": cue.text, "forced": cue.is_forced })
                });
                let cues: Vec<_> = cues.collect();
                Ok(json!({ "name": film.name(), "cues": cues }))
            });
            films.collect::<Result<Vec<_>>>()
        })?;
        Ok(to_python(py, &films)?)
    }

    /// Returns the bitmap font.
    ///
    /// Raises:
    ///     Error: Files of this format have no font, or the font is damaged.
    fn font(&self, py: Python<'_>) -> Result<Font> {
        Ok(Font::new(self.compute(py, |opened| Ok(opened.font()?))?))
    }

    /// Returns what ``convert`` writes as JSON: all fields, or the metadata of each image or sound.
    ///
    /// Raises:
    ///     Error: Files of this format have no data.
    fn data(&self, py: Python<'_>) -> Result<Object> {
        let data = self.compute(py, |opened| Ok(Document::of(opened.data()?.value())?))?;
        Ok(to_python(py, &data)?)
    }

    /// Returns fields of the file by their documented names.
    ///
    /// Args:
    ///     *paths: Paths of fields, such as ``surfaces[0].texture.name`` or ``entities[*].color``. By default, all fields.
    ///
    /// Returns:
    ///     All fields as nested dicts and lists, or a dict of the requested ones by their paths.
    ///
    /// Raises:
    ///     Error: A path leads to no field.
    #[pyo3(signature = (*paths))]
    fn fields(&self, py: Python<'_>, paths: Vec<String>) -> Result<Object> {
        let paths = paths.iter().map(|path| FieldPath::parse(path));
        let paths = paths.collect::<std::result::Result<Vec<_>, _>>()?;
        let outcome = self.run(py, |session, inputs| {
            let outcome = if paths.is_empty() {
                session.describe(inputs, &DescribeOptions::default().detail(Detail::Full))?.outcomes.pop()
            } else {
                Some(session.fields(&self.input, &paths)?)
            };
            Ok(outcome.ok_or_else(no_result)?)
        })?;
        succeeded(&outcome)?;
        Ok(to_python(py, &outcome.description.map(|description| description.fields))?)
    }

    /// Describes the file: format, version, counts and, with ``full``, every field.
    ///
    /// Returns:
    ///     The item of ``results`` that ``antiquary info --json`` prints for the file.
    #[pyo3(signature = (*, full=false))]
    fn describe(&self, py: Python<'_>, full: bool) -> Result<Object> {
        let options = DescribeOptions::default().detail(if full { Detail::Full } else { Detail::Brief });
        let outcome = self.run(py, |session, inputs| {
            Ok(session.describe(inputs, &options)?.outcomes.pop().ok_or_else(no_result)?)
        })?;
        Ok(to_python(py, &outcome)?)
    }

    /// Checks the file for damage and missing references.
    ///
    /// Args:
    ///     codes: If given, only warnings with these codes are reported.
    ///     strict: Whether warnings are failures.
    ///
    /// Returns:
    ///     The item of ``results`` that ``antiquary check --json`` prints for the file.
    #[pyo3(signature = (*, codes=None, strict=false))]
    fn check(&self, py: Python<'_>, codes: Option<Texts>, strict: bool) -> Result<Object> {
        let mut options = CheckOptions::default().options(&self.options);
        options.codes = Texts::optional(codes);
        let settings = Settings { strict, ..self.settings.clone() };
        let inputs = Inputs::from(self.input.clone());
        let run = settings.run(py, None, |session| session.check(&inputs, &options))?;
        Ok(to_python(py, run.outcomes.first().ok_or_else(no_result)?)?)
    }

    /// Converts the file in memory.
    ///
    /// Args:
    ///     to: The extension of the output format: ``glb``, ``png``, ``wav``, ``json`` ...
    ///
    /// Returns:
    ///     The bytes of the output files by their names, main file first.
    ///
    /// Raises:
    ///     Error: Files of this format have no such output, or the file is damaged.
    fn convert(&self, py: Python<'_>, to: String) -> Result<Py<PyDict>> {
        let files = self.compute_divided(py, move |opened| Ok(opened.convert(&to)?))?;
        let dict = PyDict::new(py);
        for (name, bytes) in files {
            dict.set_item(name, PyBytes::new(py, &bytes))?;
        }
        Ok(dict.unbind())
    }

    /// Converts the scene to a self-contained GLB file.
    ///
    /// Raises:
    ///     Error: Files of this format have no scene, or the scene is damaged.
    fn to_glb<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        let glb = self.compute_divided(py, |opened| Ok(opened.to_glb()?))?;
        Ok(PyBytes::new(py, &glb))
    }

    /// Changes fields in memory; all other bytes stay as they are, except lengths and offsets that depend on the change.
    ///
    /// Args:
    ///     fields: Values by the paths of their fields, as in the function ``set``.
    ///     copy: Paths of items; a copy of each is appended to its list.
    ///     remove: Paths of items to remove.
    ///
    /// Returns:
    ///     The bytes of the edited file. This object is unchanged.
    ///
    /// Raises:
    ///     Error: A path leads to no field, or a field cannot hold its value.
    #[pyo3(signature = (fields, *, copy=None, remove=None))]
    fn set<'py>(
        &self,
        py: Python<'py>,
        fields: &Bound<'py, PyDict>,
        copy: Option<Texts>,
        remove: Option<Texts>,
    ) -> Result<Bound<'py, PyBytes>> {
        let edits = field_edits(fields, copy, remove)?;
        let edited = self.run(py, |session, _| Ok(session.set(&self.input, &edits, MAX_CHANGES)?))?;
        succeeded(&edited.outcome)?;
        Ok(PyBytes::new(py, &edited.bytes))
    }

    fn __fspath__(&self) -> Result<OsString> {
        let path = self.on_disk.clone().map(PathBuf::into_os_string);
        path.ok_or_else(|| Error::usage("the file is not on disk").in_file(&self.path).into())
    }

    fn __repr__(&self) -> String {
        format!("<File {:?}, {}, {} bytes>", self.path, self.format(), self.length())
    }
}

fn no_result() -> Error {
    Error::usage("the file has no known format")
}

/// An image or a sound.
enum Value {
    Image(Named<Picture>),
    Sound(Named<scene::Sound>),
}

/// An iterator over the images or sounds of a file.
#[pyclass(frozen, module = "antiquary", name = "_Values")]
pub(crate) struct Values {
    received: Mutex<Receiver<Result<Value>>>,
    yields_errors: bool,
}

/// Takes a value. Returns whether more are wanted.
type Give<'a> = &'a mut dyn FnMut(std::result::Result<Value, Error>) -> bool;

impl Values {
    /// Starts a thread that computes the values. It waits while a value is not taken, and ends with the iterator.
    fn start(
        file: &File,
        errors: &str,
        compute: impl FnOnce(&Opened, Give<'_>) -> Result<()> + Send + 'static,
    ) -> Result<Self> {
        let yields_errors = match errors {
            "raise" => false,
            "yield" => true,
            _ => {
                let guess = did_you_mean(errors, ["raise", "yield"]);
                let message =
                    format!("unknown value \"{errors}\" for errors (available: raise, yield){guess}");
                return Err(Error::usage(message).into());
            }
        };
        let (send, received) = sync_channel(0);
        let opened = Arc::clone(&file.opened);
        task::spawn(move || {
            let give =
                &mut |value: std::result::Result<Value, Error>| send.send(value.map_err(Into::into)).is_ok();
            if let Err(failure) = task::caught(|| compute(&opened, give)) {
                // The receiver is gone if the iterator is.
                let _ = send.send(Err(failure));
            }
        })?;
        Ok(Self { received: Mutex::new(received), yields_errors })
    }
}

#[pymethods]
impl Values {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> Result<Option<Py<PyAny>>> {
        match task::receive(py, &self.received)? {
            None => Ok(None),
            Some(Ok(Value::Image(image))) => Ok(Some(Image::new(image).into_py_any(py)?)),
            Some(Ok(Value::Sound(sound))) => Ok(Some(Sound::new(sound).into_py_any(py)?)),
            Some(Err(Failure::Library(error))) if self.yields_errors => {
                Ok(Some(exception(py, &error, None).into_value(py).into_any()))
            }
            Some(Err(failure)) => Err(failure),
        }
    }
}
