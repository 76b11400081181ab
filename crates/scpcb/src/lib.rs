//! The files of SCP – Containment Breach.
