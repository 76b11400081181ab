//! Query parameters of a request.

use std::str::FromStr;

use crate::Fault;

/// Parameters, by name.
#[derive(Debug, Clone)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    pub(crate) fn parse(text: &str) -> Self {
        Self(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    /// Adds a parameter, unless it is present.
    pub(crate) fn or(&self, name: &str, value: String) -> Self {
        let mut all = self.0.clone();
        if self.get(name).is_none() {
            all.push((name.to_owned(), value));
        }
        Self(all)
    }

    /// Returns the value of a parameter, or `None` if it is missing or empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// Returns the value of a required parameter.
    pub(crate) fn required(&self, name: &str) -> Result<&str, Fault> {
        self.get(name).ok_or_else(|| Fault::request(format!("the parameter \"{name}\" is missing")))
    }

    /// Parses a numeric parameter.
    pub(crate) fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>, Fault> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let read = text.parse().map(Some);
        read.map_err(|_| Fault::request(format!("the parameter \"{name}\" is not an integer: {text:?}")))
    }

    /// Returns the range of a list: its start, and its maximum length.
    pub(crate) fn range<T: FromStr + Ord + Copy>(&self, most: T, none: T) -> Result<(T, T), Fault> {
        let from = self.number("from")?.unwrap_or(none);
        let count = self.number("count")?.unwrap_or(most).min(most);
        Ok((from, count))
    }

    /// Iterates over all parameters except those with these names.
    pub(crate) fn without<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = (String, String)> + 'a {
        self.0.iter().filter(|(name, _)| !names.contains(&name.as_str())).cloned()
    }
}
