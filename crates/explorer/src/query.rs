//! What stands behind the question mark of a request.

use std::str::FromStr;

use crate::Fault;

/// Parameters, by name.
#[derive(Debug, Clone)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    pub(crate) fn parse(text: &str) -> Self {
        Self(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    /// The same with one more parameter, unless it is given.
    pub(crate) fn or(&self, name: &str, value: String) -> Self {
        let mut all = self.0.clone();
        if self.get(name).is_none() {
            all.push((name.to_owned(), value));
        }
        Self(all)
    }

    /// The value of a parameter; `None` when it is not given, or empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// A parameter that must be given.
    pub(crate) fn required(&self, name: &str) -> Result<&str, Fault> {
        self.get(name).ok_or_else(|| Fault::request(format!("the parameter \"{name}\" is missing")))
    }

    /// A number.
    pub(crate) fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>, Fault> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let read = text.parse().map(Some);
        read.map_err(|_| Fault::request(format!("the parameter \"{name}\" is not a whole number: {text:?}")))
    }

    /// A part of a list: where it begins, and how long it is at most.
    pub(crate) fn range<T: FromStr + Ord + Copy>(&self, most: T, none: T) -> Result<(T, T), Fault> {
        let from = self.number("from")?.unwrap_or(none);
        let count = self.number("count")?.unwrap_or(most).min(most);
        Ok((from, count))
    }

    /// All parameters but those of these names.
    pub(crate) fn without<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = (String, String)> + 'a {
        self.0.iter().filter(|(name, _)| !names.contains(&name.as_str())).cloned()
    }
}
