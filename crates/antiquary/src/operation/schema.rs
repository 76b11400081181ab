//! Names and versions of the layouts of results.

/// Layout of `antiquary archive --json`.
pub const ARCHIVE: &str = "antiquary/archive/1";
/// Layout of `antiquary build --json`.
pub const BUILD: &str = "antiquary/build/1";
/// Layout of `antiquary check --json`.
pub const CHECK: &str = "antiquary/check/1";
/// Layout of `antiquary convert --json`.
pub const CONVERT: &str = "antiquary/convert/1";
/// Layout of `antiquary diff --json`.
pub const DIFF: &str = "antiquary/diff/1";
/// Layout of `antiquary extract --json`.
pub const EXTRACT: &str = "antiquary/extract/1";
/// Layout of `antiquary find --json`.
pub const FIND: &str = "antiquary/find/1";
/// Layout of `antiquary formats --json`.
pub const FORMATS: &str = "antiquary/formats/1";
/// Layout of `antiquary info --json`.
pub const INFO: &str = "antiquary/info/1";
/// Layout of `antiquary list --json`.
pub const LIST: &str = "antiquary/list/1";
/// Layout of `antiquary pack --json`.
pub const PACK: &str = "antiquary/pack/1";
/// Layout of `antiquary replace --json`.
pub const REPLACE: &str = "antiquary/replace/1";
/// Layout of `antiquary scan --json`.
pub const SCAN: &str = "antiquary/scan/1";
/// Layout of `antiquary script asm --json`.
pub const SCRIPT_ASM: &str = "antiquary/script-asm/1";
/// Layout of `antiquary script disasm --json`.
pub const SCRIPT_DISASM: &str = "antiquary/script-disasm/1";
/// Layout of `antiquary script find --json`.
pub const SCRIPT_FIND: &str = "antiquary/script-find/1";
/// Layout of `antiquary script run --json`.
pub const SCRIPT_RUN: &str = "antiquary/script-run/1";
/// Layout of `antiquary set --json`.
pub const SET: &str = "antiquary/set/1";
/// Layout of `antiquary unpack --json`.
pub const UNPACK: &str = "antiquary/unpack/1";
