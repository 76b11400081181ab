//! Type-safe options for programs: a type for each format has a method for each option, so the compiler checks names and values.

use super::{Choice, Flag, Number, Text, Words};

/// The options that a program selected for files of a format.
pub trait FormatOptions {
    /// Returns the selected options as (name, value) pairs.
    fn chosen(&self) -> &[(String, String)];
}

/// Names and values as on the command line.
impl FormatOptions for [(String, String)] {
    fn chosen(&self) -> &[(String, String)] {
        self
    }
}

/// Names and values as on the command line.
impl FormatOptions for Vec<(String, String)> {
    fn chosen(&self) -> &[(String, String)] {
        self
    }
}

/// An option with typed values.
pub trait TypedOption {
    /// The type of the value.
    type Value<'a>;

    /// Returns the name of the option.
    fn name(&self) -> &'static str;

    /// Formats a value as on the command line.
    fn text(&self, value: Self::Value<'_>) -> String;
}

impl<T: Copy + PartialEq + 'static> TypedOption for Choice<T> {
    type Value<'a> = T;

    fn name(&self) -> &'static str {
        self.option.name
    }

    fn text(&self, value: T) -> String {
        self.word(value).unwrap_or_default().to_owned()
    }
}

impl<T: PartialEq + 'static> TypedOption for Words<T> {
    type Value<'a> = &'a [T];

    fn name(&self) -> &'static str {
        self.option.name
    }

    fn text(&self, values: &[T]) -> String {
        values.iter().filter_map(|value| self.word(value)).collect::<Vec<_>>().join(",")
    }
}

impl TypedOption for Flag {
    type Value<'a> = bool;

    fn name(&self) -> &'static str {
        self.0.name
    }

    fn text(&self, value: bool) -> String {
        value.to_string()
    }
}

impl TypedOption for Number {
    type Value<'a> = f64;

    fn name(&self) -> &'static str {
        self.option.name
    }

    fn text(&self, value: f64) -> String {
        value.to_string()
    }
}

impl TypedOption for Text {
    type Value<'a> = &'a str;

    fn name(&self) -> &'static str {
        self.0.name
    }

    fn text(&self, value: &str) -> String {
        value.to_owned()
    }
}

/// Declares the options of a format: a type with a method for each option, and the format's list of options.
///
/// ```
/// use antiquary_asset::option::typed::FormatOptions;
/// use antiquary_asset::{Choice, Flag};
///
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// pub enum Light {
///     Plain,
///     Baked,
/// }
///
/// const LIGHT: Choice<Light> =
///     Choice::new("light", "Light of the scene.", &[("plain", "nothing"), ("baked", "the game")], &[Light::Plain, Light::Baked]);
/// const ATLAS: Flag = Flag::new("atlas", "Pack all images into one.");
///
/// antiquary_asset::format_options! {
///     /// The options of terrains.
///     pub struct TerrainOptions {
///         /// Sets the light of the scene.
///         light: Light = LIGHT;
///         /// Packs all images into one.
///         atlas: bool = ATLAS;
///     }
/// }
///
/// assert_eq!(TerrainOptions::DECLARED.len(), 2);
/// let options = TerrainOptions::default().light(Light::Baked);
/// assert_eq!(options.chosen(), [("light".to_owned(), "baked".to_owned())]);
/// ```
#[macro_export]
macro_rules! format_options {
    (
        $(#[$about:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$doc:meta])* $method:ident: $value:ty = $option:expr;)*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        $visibility struct $name(::std::vec::Vec<(::std::string::String, ::std::string::String)>);

        impl $name {
            /// All options, in the order of the help.
            $visibility const DECLARED: &'static [$crate::FormatOption] = &[$($option.option()),*];

            $(
                $(#[$doc])*
                #[must_use]
                $visibility fn $method(mut self, value: $value) -> Self {
                    use $crate::option::typed::TypedOption;
                    self.0.push(($option.name().to_owned(), $option.text(value)));
                    self
                }
            )*
        }

        impl $crate::option::typed::FormatOptions for $name {
            fn chosen(&self) -> &[(::std::string::String, ::std::string::String)] {
                &self.0
            }
        }
    };
}
