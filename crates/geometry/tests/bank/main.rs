//! Bank of cases with answers that were verified by independent methods.

mod case;
mod pairs;
mod single;
mod motion;
mod plane;
