//! `cargo xtask python`: builds the Python package, installs it into its own environment, and tests it there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::command::{cargo, run, text};
use crate::step::{Steps, Verdict, passed_except, passed_with, skipped};
use crate::{Chore, Result, corpus, paths, test};

pub(crate) static CHORE: Chore = Chore {
    name: "python",
    arguments: "[--dist | --bench]",
    about: "builds the Python package, and tests it with its stubs, the examples of the book and the notebook\n\
            --dist builds and tests it with the profile of releases; --bench compares its speed with the program",
    run: chore,
};

/// The oldest version of Python that the package supports.
const OLDEST: (u32, u32) = (3, 11);

/// The packages for building and testing, and those that the examples use.
const REQUIREMENTS: &str = "requirements-test.txt";

/// The oldest versions of other packages that the package supports. They exist for the oldest version of Python only.
const OLDEST_REQUIREMENTS: &str = "requirements-oldest.txt";

/// The extent of the chore.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    Test,
    TestDist,
    Bench,
}

impl Task {
    /// The cargo profile of the package.
    const fn profile(self) -> &'static str {
        match self {
            Self::Test => "release",
            Self::TestDist | Self::Bench => "dist",
        }
    }
}

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let task = match arguments {
        [] => Task::Test,
        [argument] if argument == "--dist" => Task::TestDist,
        [argument] if argument == "--bench" => Task::Bench,
        _ => return Err("unexpected arguments; python accepts --dist or --bench".into()),
    };
    let mut all = Steps::new();
    if task == Task::Bench {
        all.run("python speed", bench);
    } else {
        all.run("python program", || {
            run(&mut cargo("build --release --package antiquary-cli"))?;
            passed_with("for comparing results")
        });
        run_steps(&mut all, task);
    }
    Ok(all.finish())
}

/// Adds the steps of this chore to those of `cargo xtask test`. The program must have been built.
pub(crate) fn steps(steps: &mut Steps) {
    run_steps(steps, Task::Test);
}

fn run_steps(steps: &mut Steps, task: Task) {
    let mut built = None;
    steps.run("python package", || {
        let Some(python) = find() else { return skipped(missing()) };
        let environment = Environment::create(&python)?;
        let wheel = environment.install(task)?;
        let verdict = passed_with(format!("{} ({} bytes)", name_of(&wheel), fs::metadata(&wheel)?.len()));
        built = Some((python, environment, wheel));
        verdict
    });
    if let Some((python, environment, wheel)) = built {
        steps.run("python types", || environment.check_types());
        steps.run("python tests", || environment.test());
        steps.run("python tests with the oldest packages", || test_oldest(&python, &wheel));
    }
}

/// The interpreter, if there is one that the package supports, with pip and venv.
pub(crate) fn find() -> Option<PathBuf> {
    let (major, minor) = OLDEST;
    let check = format!("import ensurepip, sys, venv; sys.exit(sys.version_info < ({major}, {minor}))");
    let names = ["python3", "python"].map(PathBuf::from);
    names.into_iter().find(|name| text(Command::new(name).args(["-c", &check])).is_ok())
}

pub(crate) fn missing() -> String {
    let (major, minor) = OLDEST;
    format!(
        "Python {major}.{minor} or later with venv and pip was not found, so the Python package was not built or tested"
    )
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// An environment of Python below the target folder.
pub(crate) struct Environment {
    python: PathBuf,
}

impl Environment {
    /// Creates the environment and installs the tools, unless they are installed.
    pub(crate) fn create(python: &Path) -> Result<Self> {
        Self::with(python, "python", REQUIREMENTS)
    }

    /// Creates an environment with the packages of a list.
    fn with(python: &Path, name: &str, requirements: &str) -> Result<Self> {
        let folder = paths::tools().join(name);
        let binaries = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
        let created = Self { python: binaries.join(format!("python{}", std::env::consts::EXE_SUFFIX)) };
        let (wanted, installed) = (package().join(requirements), folder.join(requirements));
        let wanted = fs::read_to_string(wanted)?;
        if fs::read_to_string(&installed).is_ok_and(|found| found == wanted) {
            return Ok(created);
        }
        paths::empty_folder(&folder)?;
        run(Command::new(python).args(["-m", "venv"]).arg(&folder))?;
        let mut pip = created.module("pip");
        run(pip.args(["install", "--quiet", "--requirement"]).arg(package().join(requirements)))?;
        // The list marks a complete installation.
        fs::write(installed, wanted)?;
        Ok(created)
    }

    /// A command that runs Python.
    pub(crate) fn python(&self) -> Command {
        Command::new(&self.python)
    }

    /// A command that runs a module.
    pub(crate) fn module(&self, name: &str) -> Command {
        let mut command = Command::new(&self.python);
        command.args(["-m", name]).env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
        command
    }

    /// Builds the wheel and installs it. Returns its path.
    pub(crate) fn install(&self, task: Task) -> Result<PathBuf> {
        let folder = paths::target().join("wheels");
        paths::empty_folder(&folder)?;
        let mut maturin = self.module("maturin");
        maturin.args(["build", "--quiet", "--profile", task.profile(), "--interpreter"]).arg(&self.python);
        maturin.arg("--target-dir").arg(paths::target());
        run(maturin.arg("--out").arg(&folder).current_dir(package()))?;
        let mut wheels = fs::read_dir(&folder)?;
        let wheel = wheels.next().ok_or("maturin has built no wheel")??.path();
        self.install_wheel(&wheel)?;
        Ok(wheel)
    }

    fn install_wheel(&self, wheel: &Path) -> Result<()> {
        let mut pip = self.module("pip");
        pip.args(["install", "--quiet", "--force-reinstall", "--no-deps"]);
        run(pip.arg(wheel))
    }

    /// Checks the types of the package, and that its stubs agree with the module.
    fn check_types(&self) -> Result<Verdict> {
        // Outside of the sources, so that the installed package is checked.
        let folder = paths::target().join("wheels");
        let mut mypy = self.module("mypy");
        run(mypy.args(["--strict", "--package", "antiquary"]).current_dir(&folder))?;
        run(self.module("mypy.stubtest").arg("antiquary").current_dir(&folder))?;
        passed_with("strict, and the stubs agree with the module")
    }

    /// Runs the tests, with the examples of the book and the notebook.
    fn test(&self) -> Result<Verdict> {
        let list = paths::target().join("skipped-python-tests.txt");
        test::remove_list(&list)?;
        run(self.pytest()?.env("ANTIQUARY_SKIPPED", &list))?;
        passed_except("", test::read_list(&list)?)
    }

    fn pytest(&self) -> Result<Command> {
        let mut pytest = self.module("pytest");
        corpus::set_variable(&mut pytest)?;
        pytest.env("ANTIQUARY_PROGRAM", paths::program());
        pytest.args(["--quiet", "-p", "no:cacheprovider"]).current_dir(package());
        Ok(pytest)
    }
}

/// Runs the tests with the oldest versions of other packages, without the examples, whose output depends on the version.
fn test_oldest(python: &Path, wheel: &Path) -> Result<Verdict> {
    let (major, minor) = OLDEST;
    let check = format!("import sys; sys.exit(sys.version_info[:2] != ({major}, {minor}))");
    if text(Command::new(python).args(["-c", &check])).is_err() {
        return skipped(format!("the oldest packages exist only for Python {major}.{minor}"));
    }
    let environment = Environment::with(python, "python-oldest", OLDEST_REQUIREMENTS)?;
    environment.install_wheel(wheel)?;
    run(environment.pytest()?.arg("--ignore=tests/test_guide.py"))?;
    passed_with("")
}

/// Compares the number of files per second with that of the program, both with the profile of releases.
fn bench() -> Result<Verdict> {
    let Some(python) = find() else { return skipped(missing()) };
    let Some(corpus) = corpus::find()? else { return skipped(corpus::missing()) };
    let environment = Environment::create(&python)?;
    environment.install(Task::Bench)?;
    run(&mut cargo("build --profile dist --package antiquary-cli"))?;
    let program = paths::target().join("dist").join(format!("antiquary{}", std::env::consts::EXE_SUFFIX));
    let mut script = Command::new(&environment.python);
    run(script.arg(package().join("benches/files_per_second.py")).arg(program).arg(corpus))?;
    passed_with("")
}

/// The folder of the package.
fn package() -> PathBuf {
    paths::root().join("crates/python")
}
