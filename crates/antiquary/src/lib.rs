//! Opens the worlds of old games: reads, checks, converts and writes back their files.
