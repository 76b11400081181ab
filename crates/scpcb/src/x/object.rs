//! The object tree of a file in any encoding: template, name and values of each object.
//!
//! An object consists of the name of its template, an optional name, and in braces an optional GUID, its values, and its child
//! objects. Braces without a template name contain the name or GUID of an object defined elsewhere. Template declarations are
//! skipped: files use the standard ones, and unknown ones cannot be converted.
//!
//! The tree is stored as a list in file order, with the end of the descendants of each object. It is built without recursion.

use std::ops::Range;

use asset::Report;
use record::{Kind, Result};

use super::content::Content;
use super::token::{Token, Tokens};
use super::warning;

/// Maximum nesting depth of objects.
pub const MAX_DEPTH: usize = 64;

/// Maximum number of objects in a file.
pub const MAX_OBJECTS: usize = 1 << 17;

/// An object, or a reference to one.
#[derive(Debug, Clone)]
pub(super) struct Object {
    /// Name of its template; empty for a reference.
    pub(super) class: Range<usize>,
    /// Name of the object or of the referenced object; may be empty.
    pub(super) name: Range<usize>,
    /// GUID of the object or of the referenced object.
    pub(super) guid: Option<[u8; 16]>,
    /// Offset of the object.
    pub(super) start: usize,
    /// Range of its values.
    pub(super) values: Range<usize>,
    /// Index in the list. Its descendants follow.
    own: usize,
    /// Index after its last descendant.
    end: usize,
    /// Whether values follow the first child object, which no template allows.
    has_stray_values: bool,
}

/// All objects of a file.
#[derive(Debug)]
pub(super) struct Objects<'a> {
    pub(super) content: &'a Content<'a>,
    list: Vec<Object>,
    /// Number of template declarations.
    pub(super) templates: usize,
}

impl Object {
    /// Whether this is a reference to another object.
    pub(super) fn is_reference(&self) -> bool {
        self.class.is_empty()
    }
}

impl<'a> Objects<'a> {
    /// Reads the tree. Reports unexpected content between objects.
    pub(super) fn read(content: &'a Content<'a>, report: &mut Report) -> Result<Self> {
        Scan::new(content).run(report)
    }

    /// Returns all objects in file order, at any level.
    pub(super) fn all(&self) -> &[Object] {
        &self.list
    }

    /// Returns the top-level objects.
    pub(super) fn top(&self) -> Siblings<'_> {
        Siblings { list: &self.list, next: 0, end: self.list.len() }
    }

    /// Returns the children of an object.
    pub(super) fn within(&self, object: &Object) -> Siblings<'_> {
        Siblings { list: &self.list, next: object.own.saturating_add(1), end: object.end }
    }

    /// Whether an object has this template. Letter case is ignored: both `TextureFilename` and `TextureFileName` occur.
    pub(super) fn is(&self, object: &Object, class: &str) -> bool {
        self.content.get(object.class.clone()).eq_ignore_ascii_case(class.as_bytes())
    }

    /// Returns the name of the object's template.
    pub(super) fn class(&self, object: &Object) -> String {
        self.content.text(object.class.clone())
    }

    /// Returns the name of the object.
    pub(super) fn name(&self, object: &Object) -> Option<String> {
        (!object.name.is_empty()).then(|| self.content.text(object.name.clone()))
    }

    /// Returns the object's index in [`all`](Self::all).
    pub(super) fn index(object: &Object) -> usize {
        object.own
    }
}

/// Iterator over sibling objects.
#[derive(Debug, Clone)]
pub(super) struct Siblings<'a> {
    list: &'a [Object],
    next: usize,
    end: usize,
}

impl<'a> Iterator for Siblings<'a> {
    type Item = &'a Object;

    fn next(&mut self) -> Option<&'a Object> {
        if self.next >= self.end {
            return None;
        }
        let object = self.list.get(self.next)?;
        self.next = object.end;
        Some(object)
    }
}

/// Adjacent names without separators: `Frame Bone.01`.
#[derive(Debug, Clone)]
struct NameRun {
    first: Range<usize>,
    rest: Option<Range<usize>>,
}

/// State of building the tree.
struct Scan<'a> {
    objects: Objects<'a>,
    tokens: Tokens<'a>,
    /// Indices of the open objects, outermost first.
    open: Vec<usize>,
    names: Option<NameRun>,
}

impl<'a> Scan<'a> {
    fn new(content: &'a Content<'a>) -> Self {
        let objects = Objects { content, list: Vec::new(), templates: 0 };
        Self { objects, tokens: Tokens::new(content, content.range()), open: Vec::new(), names: None }
    }

    fn run(mut self, report: &mut Report) -> Result<Objects<'a>> {
        while let Some((start, token)) = self.tokens.next()? {
            match token {
                Token::Word(range) => self.word(range, report)?,
                Token::Open => self.open(start, report)?,
                Token::Close => self.close(start, report),
                Token::Guid(range) => self.guid(start, &range),
                Token::Template => {
                    self.names = None;
                    self.template(start, report)?;
                }
                Token::Separator | Token::Other => self.names = None,
                Token::Quoted(_) | Token::Integers(..) | Token::Floats(..) => {
                    self.names = None;
                    self.value(start, report);
                }
            }
        }
        self.finish(report);
        Ok(self.objects)
    }

    fn is_binary(&self) -> bool {
        self.objects.content.header.encoding.is_binary()
    }

    fn current(&mut self) -> Option<&mut Object> {
        let current = *self.open.last()?;
        self.objects.list.get_mut(current)
    }

    /// Handles a name, the keyword `template`, or a number in text.
    fn word(&mut self, word: Range<usize>, report: &mut Report) -> Result<()> {
        if let Some(names) = &mut self.names {
            let start = names.rest.as_ref().map_or(word.start, |rest| rest.start);
            names.rest = Some(start..word.end);
            return Ok(());
        }
        let bytes = self.objects.content.get(word.clone());
        if !self.is_binary() {
            if bytes.eq_ignore_ascii_case(b"template") {
                return self.template(word.start, report);
            }
            if bytes.first().is_some_and(|first| first.is_ascii_digit() || b"+-.".contains(first)) {
                self.value(word.start, report);
                return Ok(());
            }
        }
        self.names = Some(NameRun { first: word, rest: None });
        Ok(())
    }

    /// Handles a value at `start`.
    fn value(&mut self, start: usize, report: &mut Report) {
        let content = self.objects.content;
        match self.current() {
            Some(object) if object.end > object.own.saturating_add(1) => {
                if !std::mem::replace(&mut object.has_stray_values, true) {
                    let message = "values after the nested objects are left out";
                    let message = content.located(start, message);
                    report.warn(&warning::STRAY, message).at(content.offset(start));
                }
            }
            Some(_) => {}
            None => {
                let message = content.located(start, "value outside of any object is left out");
                report.warn(&warning::STRAY, message).at(content.offset(start));
            }
        }
    }

    /// Skips a template up to its closing brace.
    fn template(&mut self, start: usize, report: &mut Report) -> Result<()> {
        self.objects.templates = self.objects.templates.saturating_add(1);
        self.end_values(start);
        let mut depth = 0_usize;
        while let Some((_, token)) = self.tokens.next()? {
            match token {
                Token::Open => depth = depth.saturating_add(1),
                Token::Close => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
        self.cut_short(start, "a template", report);
        Ok(())
    }

    /// Ends the values of the innermost open object where a child object starts.
    fn end_values(&mut self, start: usize) {
        if let Some(object) = self.current()
            && object.end == object.own.saturating_add(1)
        {
            object.values.end = start;
        }
    }

    fn open(&mut self, brace: usize, report: &mut Report) -> Result<()> {
        match self.names.take() {
            Some(NameRun { first, rest }) => {
                let name = rest.unwrap_or(first.end..first.end);
                self.push(first.start, first, name)
            }
            None => self.reference(brace, report),
        }
    }

    /// Opens an object after its brace.
    fn push(&mut self, start: usize, class: Range<usize>, name: Range<usize>) -> Result<()> {
        if self.open.len() >= MAX_DEPTH {
            let message = format!("objects are nested more than {MAX_DEPTH} levels deep");
            return Err(self.objects.content.error(Kind::Limit, start, &message));
        }
        self.add(start, class, name)?;
        let own = self.objects.list.len().saturating_sub(1);
        self.open.push(own);
        Ok(())
    }

    fn add(&mut self, start: usize, class: Range<usize>, name: Range<usize>) -> Result<()> {
        let own = self.objects.list.len();
        if own >= MAX_OBJECTS {
            let message = format!("more than {MAX_OBJECTS} objects");
            return Err(self.objects.content.error(Kind::Limit, start, &message));
        }
        self.end_values(start);
        let end = own.saturating_add(1);
        // Extend all ancestors.
        for outer in &self.open {
            if let Some(outer) = self.objects.list.get_mut(*outer) {
                outer.end = end;
            }
        }
        let body = self.tokens.position();
        let content_end = self.objects.content.range().end;
        let values = body..content_end;
        let object = Object { class, name, guid: None, start, values, own, end, has_stray_values: false };
        self.objects.list.push(object);
        Ok(())
    }

    /// Reads braces without a template name: the name or GUID of an object.
    fn reference(&mut self, brace: usize, report: &mut Report) -> Result<()> {
        let (mut name, mut guid, mut is_invalid) = (None::<Range<usize>>, None, false);
        let mut has_separator = false;
        let mut depth = 1_usize;
        while depth > 0 {
            let Some((_, token)) = self.tokens.next()? else {
                self.cut_short(brace, "the name of another object", report);
                return Ok(());
            };
            match token {
                Token::Close => depth = depth.saturating_sub(1),
                Token::Word(word) => {
                    let start = name.as_ref().map_or(word.start, |name: &Range<usize>| name.start);
                    name = Some(start..word.end);
                    is_invalid |= has_separator;
                }
                Token::Guid(range) => guid = self.guid_at(&range),
                Token::Separator => has_separator = true,
                Token::Open => {
                    depth = depth.saturating_add(1);
                    is_invalid = true;
                }
                _ => is_invalid = true,
            }
        }
        let content = self.objects.content;
        if is_invalid || (name.is_none() && guid.is_none()) || self.open.is_empty() {
            let message = "braces without a template do not contain the name of another object; left out";
            let message = content.located(brace, message);
            report.warn(&warning::STRAY, message).at(content.offset(brace));
            return Ok(());
        }
        self.add(brace, brace..brace, name.unwrap_or(brace..brace))?;
        if let Some(object) = self.objects.list.last_mut() {
            object.guid = guid;
            object.values = brace..brace;
        }
        Ok(())
    }

    /// Sets the GUID of an object if it is the first token in it.
    fn guid(&mut self, start: usize, range: &Range<usize>) {
        self.names = None;
        let guid = self.guid_at(range);
        let (content, position) = (self.objects.content, self.tokens.position());
        if let Some(object) = self.current() {
            let before = Tokens::new(content, object.values.start..start).next();
            if object.guid.is_none() && matches!(before, Ok(None)) {
                object.guid = guid;
                object.values.start = position;
            }
        }
    }

    fn guid_at(&self, range: &Range<usize>) -> Option<[u8; 16]> {
        let bytes = self.objects.content.get(range.clone());
        if self.is_binary() { bytes.try_into().ok() } else { parse_guid(bytes) }
    }

    fn close(&mut self, brace: usize, report: &mut Report) {
        self.names = None;
        let Some(closed) = self.open.pop() else {
            let content = self.objects.content;
            let message = content.located(brace, "unmatched closing brace");
            report.warn(&warning::BRACE, message).at(content.offset(brace));
            return;
        };
        if let Some(object) = self.objects.list.get_mut(closed)
            && object.end == object.own.saturating_add(1)
        {
            object.values.end = brace;
        }
    }

    fn finish(&mut self, report: &mut Report) {
        let innermost = self.open.last().and_then(|open| self.objects.list.get(*open)).cloned();
        if let Some(object) = innermost {
            let class = self.objects.class(&object);
            self.cut_short(object.start, &format!("the object {class:.40}"), report);
        }
    }

    fn cut_short(&self, start: usize, what: &str, report: &mut Report) {
        let content = self.objects.content;
        let message = content.located(start, &format!("the file ends within {what} that starts here"));
        report.warn(&warning::CUT_SHORT, message).at(content.offset(start));
    }
}

/// Returns the sixteen bytes of `3D82AB44-62DA-11cf-AB39-0020AF71E433` as stored in binary files.
pub(super) fn parse_guid(text: &[u8]) -> Option<[u8; 16]> {
    let digits: Vec<u32> = text
        .iter()
        .filter(|byte| **byte != b'-' && **byte > b' ')
        .map(|byte| char::from(*byte).to_digit(16))
        .collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let bytes: Vec<u8> = pairs
        .iter()
        .map(|[high, low]| u8::try_from(high.checked_mul(16)?.checked_add(*low)?).ok())
        .collect::<Option<_>>()?;
    let [a, b, c, d, e, f, g, h, rest @ ..] = <[u8; 16]>::try_from(bytes).ok()?;
    let [i, j, k, l, m, n, o, p] = rest;
    Some([d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p])
}
