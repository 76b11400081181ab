//! Generated sections of the README and the book: the output of the program between markers, compared by the tests.

use std::borrow::Cow;
use std::fmt::Write;
use std::fs;
use std::process::Command;

use crate::catalog::{Code, Format, FormatOption, formats};
use crate::command::{antiquary, text, transcript};
use crate::{Result, bench, paths};

/// A generated section of a page.
struct Section {
    page: Cow<'static, str>,
    name: &'static str,
    text: String,
}

/// Writes all sections. Returns the pages that changed.
pub(crate) fn write() -> Result<Vec<Cow<'static, str>>> {
    let mut changed = Vec::new();
    for section in sections()? {
        let path = paths::root().join(&*section.page);
        let old = if path.is_file() { fs::read_to_string(&path)? } else { empty_page(&section) };
        let new = replaced(&old, &section)?;
        if new != old {
            fs::write(&path, new)?;
            changed.push(section.page);
        }
    }
    changed.dedup();
    Ok(changed)
}

/// Compares all sections with the output of the program. Returns the number of sections.
pub(crate) fn compare() -> Result<usize> {
    let sections = sections()?;
    for section in &sections {
        let old = fs::read_to_string(paths::root().join(&*section.page))?;
        let new = replaced(&old, section)?;
        if let Some(line) = first_difference(&old, &new) {
            return Err(format!(
                "{}:{line} differs from the output of the program; to update it: cargo xtask docs --write",
                section.page
            )
            .into());
        }
    }
    Ok(sections.len())
}

fn sections() -> Result<Vec<Section>> {
    let formats = formats()?;
    let table = formats_table(&formats);
    let mut out = layouts(&formats)?;
    out.extend([
        Section { page: "README.md".into(), name: "formats", text: table.clone() },
        Section { page: "docs/src/formats/index.md".into(), name: "formats", text: table },
        Section { page: "docs/src/start.md".into(), name: "demo", text: demo()? },
        Section { page: "docs/src/warnings.md".into(), name: "codes", text: codes(&formats) },
        Section { page: "docs/src/functions.md".into(), name: "functions", text: functions()? },
        Section { page: "docs/src/settings.md".into(), name: "settings", text: settings()? },
        Section { page: "docs/src/console.md".into(), name: "commands", text: console("command")? },
        Section { page: "docs/src/console.md".into(), name: "operations", text: operations()? },
        Section { page: "docs/src/console.md".into(), name: "cheats", text: console("cheat")? },
        Section { page: "docs/src/cli.md".into(), name: "commands", text: commands()? },
        Section { page: "docs/src/cli.md".into(), name: "options", text: options(&formats) },
        Section { page: "docs/src/speed.md".into(), name: "measures", text: bench::page()? },
        Section {
            page: "docs/src/json.md".into(),
            name: "fields",
            text: text(&mut Command::new(paths::fields()))?,
        },
    ]);
    Ok(out)
}

/// A page for the bytes of each format.
fn layouts(formats: &[Format]) -> Result<Vec<Section>> {
    let declared = formats.iter().filter(|format| format.has_schema);
    let section = |format: &Format| -> Result<Section> {
        let page = format!("docs/src/layouts/{}.md", format.id);
        let text = text(antiquary().args(["formats", &format.id, "--as", "md"]))?;
        Ok(Section { page: page.into(), name: "layout", text })
    };
    declared.map(section).collect()
}

/// A page that consists of the section.
fn empty_page(section: &Section) -> String {
    format!("{}\n{}", begin(section), end(section))
}

fn begin(section: &Section) -> String {
    format!("<!-- begin {}: written by `cargo xtask docs --write` -->\n", section.name)
}

fn end(section: &Section) -> String {
    format!("<!-- end {} -->\n", section.name)
}

/// Returns the page with the section between its markers replaced.
fn replaced(page: &str, section: &Section) -> Result<String> {
    let (begin, end) = (begin(section), end(section));
    let halves = page
        .split_once(&begin)
        .and_then(|(before, rest)| rest.split_once(&end).map(|(_, after)| (before, after)));
    match halves {
        Some((before, after)) => Ok(format!("{before}{begin}\n{}\n\n{end}{after}", section.text.trim())),
        None => Err(format!("{} has no markers for the section \"{}\"", section.page, section.name).into()),
    }
}

/// The number of the first line that differs.
fn first_difference(old: &str, new: &str) -> Option<usize> {
    if old == new {
        return None;
    }
    let same = old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
    Some(same + 1)
}

fn formats_table(formats: &[Format]) -> String {
    let mut out = String::from("| format | files | can | converts to |\n| --- | --- | --- | --- |\n");
    for format in formats {
        let extensions: Vec<_> =
            format.extensions.iter().map(|extension| format!("`.{extension}`")).collect();
        let files = if extensions.is_empty() { "by their content".to_owned() } else { extensions.join(" ") };
        let _ = writeln!(
            out,
            "| {} (`{}`) | {files} | {} | {} |",
            format.name,
            format.id,
            format.can.join(", "),
            format.outputs.join(", ")
        );
    }
    out
}

/// The output of `antiquary demo`, with a fixed duration.
fn demo() -> Result<String> {
    let folder = paths::root().join("target").join("demo-page");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let printed = transcript(antiquary().arg("demo").current_dir(&folder))?;
    fs::remove_dir_all(&folder)?;
    let program = paths::program().display().to_string();
    let mut out = String::from("```text\n$ antiquary demo\n");
    for line in printed.trim().lines() {
        let line = line.replace(&program, "antiquary");
        let is_summary = line.ends_with(" s") && line.contains(" files: ");
        let summary = line.rsplit_once(", ").filter(|_| is_summary);
        let _ = writeln!(out, "{}", summary.map_or(line.clone(), |(counts, _)| format!("{counts}, 0.2 s")));
    }
    out.push_str("```\n");
    Ok(out)
}

/// The functions of Redguard scripts, with the behavior of the interpreter.
fn functions() -> Result<String> {
    let json: serde_json::Value =
        serde_json::from_str(&text(antiquary().args(["script", "functions", "--json"]))?)?;
    let mut out = String::from(
        "| number | function | parameters | run | what happens |\n| --- | --- | --- | --- | --- |\n",
    );
    for it in json.get("results").and_then(|it| it.as_array()).into_iter().flatten() {
        let word = |name: &str| it.get(name).and_then(|it| it.as_str()).unwrap_or_default();
        let number = |name: &str| it.get(name).and_then(|it| it.as_u64()).unwrap_or_default();
        let (parameters, number) = (number("parameters"), number("number"));
        let _ = writeln!(
            out,
            "| {number} | {} `{}` | {parameters} | {} | {} |",
            word("kind"),
            word("name"),
            word("run"),
            word("about")
        );
    }
    Ok(out)
}

/// The keys of Redguard's settings, with a table for each section.
fn settings() -> Result<String> {
    let answer = text(antiquary().args(["formats", "redguard.ini", "--json"]))?;
    let answer: serde_json::Value = serde_json::from_str(&answer)?;
    let keys = answer.pointer("/results/0/settings").and_then(|it| it.as_array());
    let mut out = String::new();
    let (mut file, mut section) = (String::new(), String::new());
    for key in keys.into_iter().flatten() {
        let word = |name: &str| key.get(name).and_then(|it| it.as_str()).unwrap_or_default();
        if word("file") != file {
            (file, section) = (word("file").to_owned(), String::new());
            let _ = writeln!(out, "\n## {file}");
        }
        if word("section") != section {
            section = word("section").to_owned();
            let _ = writeln!(out, "\n### [{section}] of {file}\n");
            out.push_str("| key | type | shipped | missing | valid | meaning |\n| --- | --- | --- | --- | --- | --- |\n");
        }
        let unit = match word("unit") {
            "" => String::new(),
            unit => format!(", {unit}"),
        };
        let shipped = match word("shipped") {
            "" => String::new(),
            shipped => format!("`{shipped}`"),
        };
        let effect = match word("effect") {
            "name" => " *",
            "none" => " †",
            _ => "",
        };
        let (ty, missing, valid, about) = (word("type"), word("missing"), word("valid"), word("about"));
        let _ = writeln!(
            out,
            "| `{}` | {ty}{unit} | {shipped} | {missing} | {valid} | {about}{effect} |",
            word("key")
        );
    }
    Ok(out)
}

/// The commands and cheats of Redguard's console.
fn console_commands() -> Result<Vec<serde_json::Value>> {
    let json: serde_json::Value =
        serde_json::from_str(&text(antiquary().args(["script", "console", "--json"]))?)?;
    Ok(json.get("results").and_then(|it| it.as_array()).cloned().unwrap_or_default())
}

/// The cells of a command or an operation: its name with arguments, its effect, and its mark.
fn console_cells(it: &serde_json::Value) -> (String, String, String) {
    let word = |name: &str| it.get(name).and_then(|it| it.as_str()).unwrap_or_default();
    // A bar would end the cell.
    let call = format!("{} {}", word("name"), word("arguments")).replace('|', "\\|");
    (format!("`{}`", call.trim()), word("effect").to_owned(), format!("\\[{}\\]", word("mark")))
}

/// The words of one kind that Redguard's console accepts.
fn console(kind: &str) -> Result<String> {
    let mut out = String::from("| name | alias | effect | mark |\n| --- | --- | --- | --- |\n");
    let commands = console_commands()?;
    for it in commands.iter().filter(|it| it.get("kind").and_then(|it| it.as_str()) == Some(kind)) {
        let (call, effect, mark) = console_cells(it);
        let alias = it.get("alias").and_then(|it| it.as_str());
        let alias = alias.map_or_else(String::new, |alias| format!("`{alias}`"));
        let _ = writeln!(out, "| {call} | {alias} | {effect} | {mark} |");
    }
    Ok(out)
}

/// The operations of the commands of Redguard's console.
fn operations() -> Result<String> {
    let mut out = String::from("| command | operation | effect | mark |\n| --- | --- | --- | --- |\n");
    for command in console_commands()? {
        let name = command.get("name").and_then(|it| it.as_str()).unwrap_or_default();
        for it in command.get("operations").and_then(|it| it.as_array()).into_iter().flatten() {
            let (call, effect, mark) = console_cells(it);
            let _ = writeln!(out, "| `{name}` | {call} | {effect} | {mark} |");
        }
    }
    Ok(out)
}

fn codes(formats: &[Format]) -> String {
    let mut out = shared_codes(formats);
    let own = |format: &Format| format.codes.iter().find(|code| !code.is_shared).map(|code| code.id.clone());
    for (index, format) in formats.iter().enumerate().filter(|(_, format)| own(format).is_some()) {
        // Formats that share all their codes have one section under all their names.
        let same = |other: &&Format| own(other) == own(format);
        if formats.iter().take(index).any(|earlier| same(&earlier)) {
            continue;
        }
        let names: Vec<&str> = formats.iter().filter(same).map(|format| format.name.as_str()).collect();
        let _ = writeln!(out, "## {}\n", names.join(", "));
        for code in format.codes.iter().filter(|code| !code.is_shared) {
            write_code(&mut out, code);
            out.push('\n');
        }
    }
    out
}

/// The codes that several formats use, grouped by prefix under the names of these formats, each with its former ids.
fn shared_codes(formats: &[Format]) -> String {
    let mut out = String::new();
    let all = || formats.iter().flat_map(|format| format.codes.iter().filter(|code| code.is_shared));
    let start = |code: &Code| code.id.split('-').next().unwrap_or_default().to_owned();
    let mut starts: Vec<String> = Vec::new();
    for code in all() {
        if !starts.contains(&start(code)) {
            starts.push(start(code));
        }
    }
    for wanted in starts {
        let has = |format: &&Format| format.codes.iter().any(|code| code.is_shared && start(code) == wanted);
        let names: Vec<&str> = formats.iter().filter(has).map(|format| format.name.as_str()).collect();
        let _ = writeln!(out, "## {}\n", names.join(", "));
        let mut codes: Vec<&Code> = Vec::new();
        for code in all().filter(|code| start(code) == wanted) {
            if !codes.iter().any(|known| known.id == code.id) {
                codes.push(code);
            }
        }
        codes.sort_by_key(|code| {
            code.id.rsplit_once('-').map(|(_, number)| number.get(1..).map(str::to_owned))
        });
        for code in codes {
            write_code(&mut out, code);
            let former =
                all().filter(|other| other.id == code.id).filter_map(|code| code.formerly.as_deref());
            let former: Vec<String> =
                former.map(|id| format!("<a id=\"{}\"></a>`{id}`", id.to_lowercase())).collect();
            if !former.is_empty() {
                let _ = writeln!(out, "\nFormerly {}.", former.join(", "));
            }
            out.push('\n');
        }
    }
    out
}

fn write_code(out: &mut String, code: &Code) {
    let Code { id, title, severity, about, .. } = code;
    let article = if severity == "error" { "An" } else { "A" };
    let _ = writeln!(out, "### {id}: {title} {{#{}}}\n\n{article} {severity}. {about}", id.to_lowercase());
}

/// The options of the formats: each name once, with its descriptions and the formats that have it.
fn options(formats: &[Format]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for option in formats.iter().flat_map(|format| &format.options) {
        if !names.contains(&option.name.as_str()) {
            names.push(&option.name);
        }
    }
    let mut out = String::new();
    for name in names {
        let _ = writeln!(out, "### `--{name}`\n");
        let mut descriptions: Vec<(String, Vec<&str>)> = Vec::new();
        for format in formats {
            for option in format.options.iter().filter(|option| option.name == name) {
                let text = option_text(option);
                match descriptions.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, ids)) => ids.push(&format.id),
                    None => descriptions.push((text, vec![&format.id])),
                }
            }
        }
        for (text, ids) in descriptions {
            let _ = writeln!(out, "{text}\n\nFormats: `{}`.\n", ids.join("`, `"));
        }
    }
    out
}

fn option_text(option: &FormatOption) -> String {
    let word = |[word, about]: &[String; 2]| {
        let default = if option.default.as_ref() == Some(word) { " (default)" } else { "" };
        format!("\n- `{word}`{default}: {about}")
    };
    let words: String = option.words.iter().map(word).collect();
    let gap = if words.is_empty() { "" } else { "\n" };
    let limits = option.limits.as_ref().map(|limits| format!(" ({limits})")).unwrap_or_default();
    format!("{}{limits}{gap}{words}", option.about)
}

/// The help of the program and of each of its commands.
fn commands() -> Result<String> {
    let overview = help(&[])?;
    let mut out = help_section("antiquary", &overview);
    for command in subcommands(&overview) {
        let text = help(&[command])?;
        out.push_str(&help_section(&format!("antiquary {command}"), &text));
        for task in tasks(&text) {
            out.push_str(&help_section(&format!("antiquary {command} {task}"), &help(&[command, task])?));
        }
    }
    Ok(out)
}

fn help_section(title: &str, help: &str) -> String {
    format!("## {title}\n\n```text\n{}\n```\n\n", help.trim_end())
}

fn help(command: &[&str]) -> Result<String> {
    let help = text(antiquary().args(command).arg("--help").env("NO_COLOR", "1").env("COLUMNS", "100"))?;
    Ok(help.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"))
}

/// The commands that the help of a command lists.
fn tasks(help: &str) -> Vec<&str> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| line.starts_with("  "));
    let names =
        listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").collect()
}

/// The commands that the overview lists, group by group. Its last group is the options.
fn subcommands(overview: &str) -> Vec<&str> {
    let listed =
        overview.lines().take_while(|line| *line != "Options:").filter_map(|line| line.strip_prefix("  "));
    let names =
        listed.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_only_the_text_between_the_markers() {
        let section = Section { page: "page.md".into(), name: "x", text: "new".to_owned() };
        let page = "a\n<!-- begin x: written by `cargo xtask docs --write` -->\nold\n<!-- end x -->\nb\n";
        let once = replaced(page, &section).unwrap();
        assert_eq!(
            once,
            "a\n<!-- begin x: written by `cargo xtask docs --write` -->\n\nnew\n\n<!-- end x -->\nb\n"
        );
        assert_eq!(replaced(&once, &section).unwrap(), once);
        assert_eq!(first_difference(page, &once), Some(3));
        assert!(replaced("no markers", &section).is_err());
    }

    #[test]
    fn finds_commands_in_the_overview() {
        let overview = "Opens.\n\nUsage: x\n\nSee:\n  info   What it\n         holds\n\nBegin:\n  demo   Show\n  help   Print\n\nOptions:\n  -q\n";
        assert_eq!(subcommands(overview), ["info", "demo"]);
        let help = "Changes.\n\nCommands:\n  add     Add\n          more\n  merge   Merge\n  help    Print\n\nOptions:\n  -q\n";
        assert_eq!(tasks(help), ["add", "merge"]);
        assert!(tasks(overview).is_empty());
    }
}
