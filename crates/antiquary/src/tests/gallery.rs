//! The gallery of a converted folder.

use std::fs;
use std::path::PathBuf;

use super::textbox::textbox;
use super::{Folder, convert_with, pairs, session};
use crate::run::{KnownFiles, Run};
use crate::session::{CheckOptions, ConvertOptions, Overview};
use asset::Overwrite;

fn with_gallery() -> ConvertOptions {
    ConvertOptions::default().overview(Overview::Gallery)
}

fn converted(folder: &Folder, options: &ConvertOptions, out: &str) -> Run {
    convert_with(&session(), options, &[folder.path("Boxes")], &folder.path(out))
}

/// Returns the page without its style and script.
fn body(folder: &Folder, out: &str) -> String {
    let page = folder.text(&format!("{out}/index.html"));
    let (_, body) = page.split_once("<body>").unwrap();
    body.split_once("<script>").unwrap().0.to_owned()
}

#[test]
fn shows_and_links_every_output() {
    let folder = Folder::game();
    let run = converted(&folder, &with_gallery().options(&pairs(&[("side", "")])), "out");
    assert_eq!(run.gallery.as_ref().unwrap().path, folder.path("out/index.html").display().to_string());
    assert_eq!(run.gallery.unwrap().error, None);
    let body = body(&folder, "out");
    let files = folder.files("out");
    assert!(files.len() > 4, "{files:?}");
    for file in files.iter().filter(|file| *file != "index.html") {
        assert!(body.contains(&format!("href=\"{file}\"")), "{file}: {body}");
    }
    for word in
        ["<h1>Test Game</h1>", "<bdi>b.box</bdi>", "<bdi>deep</bdi>", "text, 5 characters", ">hello</pre>"]
    {
        assert!(body.contains(word), "{word}: {body}");
    }
}

#[test]
fn lists_warnings_failures_and_unconverted_files() {
    let folder = Folder::game();
    for name in ["a.MOVIE", "b.movie", "part1.TMP", "part12.tmp"] {
        folder.put(&format!("Boxes/{name}"), b"");
    }
    let run = converted(&folder, &with_gallery(), "out");
    let known = |pattern, about, files| KnownFiles {
        game: Some("test"),
        pattern: std::borrow::Cow::Borrowed(pattern),
        about,
        files,
    };
    let reported =
        [known("*.Movie", "movie; any player shows it", 2), known("part?.tmp", "unfinished <things>", 1)];
    assert_eq!((&run.known[..], run.unknown["tmp"]), (&reported[..], 1));
    let body = body(&folder, "out");
    for word in [
        "<code>BOX-W001</code> picture: &quot;moon.png&quot; not found",
        "<bdi>bad.box</bdi>: <span class=\"why\">picture: picture runs past the end, at offset 0x8</span>",
        "<bdi>empty.box</bdi>: <span class=\"why\">the file is empty",
        "<td><code>*.Movie</code></td><td>movie; any player shows it</td><td>2</td>",
        "unfinished &lt;things&gt;",
        "<td><code>.###</code></td><td>unknown</td><td>2</td>",
    ] {
        assert!(body.contains(word), "{word}: {body}");
    }
}

#[test]
fn scans_and_checks_list_known_files() {
    let folder = Folder::game();
    folder.put("Boxes/a.MOVIE", b"");
    let scan = session().scan(&folder.path("Boxes")).unwrap();
    assert_eq!((scan.known.len(), scan.known[0].files, scan.unknown.get("movie")), (1, 1, None));
    let run =
        session().check(&crate::Inputs::collect(&[folder.path("Boxes")]), &CheckOptions::default()).unwrap();
    assert_eq!(run.known, scan.known);
}

#[test]
fn escapes_content_and_names_of_files() {
    let folder = Folder::new();
    let text = "</pre><script>alert('text')</script>";
    folder.put("Boxes/list.ini", b"");
    folder.put("Boxes/a.box", &textbox(1, "\"><img src=x>", text));
    #[cfg(unix)]
    for name in
        ["<img src=x onerror=alert(1)>.box", "\" onclick=\"x.box", "a & b #1?.box", "gpj.\u{202e}xob.box"]
    {
        folder.put(&format!("Boxes/{name}"), &textbox(1, "", "x"));
    }
    #[cfg(unix)]
    folder.put("Boxes/bad <b>.box", b"");
    #[cfg(unix)]
    folder.put("Boxes/x.<i>", b"");
    converted(&folder, &with_gallery(), "out");
    let body = body(&folder, "out");
    assert!(body.contains("&lt;/pre&gt;&lt;script&gt;alert(&#39;text&#39;)"), "{body}");
    for markup in ["<script>alert", "<img src=x", "<b>.box", ".<i>", "\" onclick", "\u{202e}"] {
        assert!(!body.contains(markup), "{markup}: {body}");
    }
    #[cfg(unix)]
    assert!(body.contains("href=\"a%20%26%20b%20%231_.box.txt\""), "{body}");
}

#[test]
fn the_page_is_reproducible() {
    let folder = Folder::game();
    let pages = [1, 4].map(|threads| {
        let out = format!("out{threads}");
        convert_with(
            &session().threads(threads),
            &with_gallery(),
            &[folder.path("Boxes")],
            &folder.path(&out),
        );
        folder.text(&format!("{out}/index.html"))
    });
    assert_eq!(pages[0], pages[1]);
}

#[test]
fn writes_a_page_only_on_request_and_only_for_folders() {
    let folder = Folder::game();
    let run = converted(&folder, &ConvertOptions::default(), "out");
    assert!(run.gallery.is_none() && !folder.path("out/index.html").exists());
    let run = convert_with(&session(), &with_gallery(), &[folder.path("Boxes/a.box")], &folder.path("one/"));
    assert!(run.gallery.is_none() && !folder.path("one/index.html").exists());
    let nothing = Folder::new();
    nothing.put("Boxes/x.unknown", b"");
    let run = converted(&nothing, &with_gallery(), "out");
    assert!(run.gallery.is_none() && !nothing.path("out").exists());
}

#[test]
fn an_existing_page_is_overwritten_only_if_allowed_and_an_input_never() {
    let folder = Folder::game();
    folder.put("out/index.html", b"mine");
    let run = converted(&folder, &with_gallery(), "out");
    let failure = run.gallery.as_ref().unwrap().error.as_ref().unwrap();
    assert!(failure.to_string().ends_with("index.html: already exists"), "{failure}");
    assert!(!run.is_success() && run.outcomes.iter().any(|outcome| outcome.ok));
    assert_eq!(folder.text("out/index.html"), "mine");

    folder.put("other/gallery/mine.txt", b"mine");
    let run = converted(&folder, &with_gallery(), "other");
    assert!(run.gallery.unwrap().error.unwrap().to_string().ends_with("gallery: already exists"));

    let session = session().overwrite(Overwrite::Allow);
    let run = convert_with(&session, &with_gallery(), &[folder.path("Boxes")], &folder.path("out"));
    assert_eq!(run.gallery.unwrap().error, None);
    assert!(folder.text("out/index.html").starts_with("<!doctype html>"));

    let inputs: Vec<PathBuf> = vec![folder.path("Boxes"), folder.put("Boxes/index.html", b"input")];
    let run = convert_with(&session, &with_gallery(), &inputs, &folder.path("Boxes"));
    assert!(run.gallery.unwrap().error.unwrap().message().contains("inputs are never overwritten"));
    assert_eq!(fs::read(folder.path("Boxes/index.html")).unwrap(), b"input");
}

#[test]
fn lists_an_archive_of_the_game_that_cannot_be_opened() {
    let folder = Folder::game();
    folder.put("crates.txt", b"lost.crate");
    converted(&folder, &with_gallery(), "out");
    let body = body(&folder, "out");
    assert!(body.contains("<li>Archive <bdi>lost.crate</bdi>: <span class=\"why\">was not found"), "{body}");
}
