//! Reading records from bytes that are not trusted.

use super::{LoadError, LoadReason, Persist};

/// Bytes of a save, read from front to back.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    /// Place of `rest` in the save.
    offset: usize,
    /// Layout of the bytes.
    format: u32,
}

impl<'a> Reader<'a> {
    /// Reads `bytes`, which begin at `offset` of a save in the newest format.
    #[must_use]
    pub const fn new(bytes: &'a [u8], offset: usize) -> Self {
        Self {
            rest: bytes,
            offset,
            format: u32::MAX,
        }
    }

    /// Reads the rest as bytes of `format`, which may lack fields that later formats have.
    #[must_use]
    pub const fn with_format(self, format: u32) -> Self {
        Self { format, ..self }
    }

    /// Format of the bytes: `u32::MAX` if it is the newest.
    #[must_use]
    pub const fn format(&self) -> u32 {
        self.format
    }

    /// Distance from the start of the save \[bytes\].
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Number of bytes that are left.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Returns the error of a defect here.
    #[must_use]
    #[cold]
    pub const fn error(&self, reason: LoadReason) -> LoadError {
        LoadError {
            offset: self.offset,
            reason,
        }
    }

    /// Returns `value` if it is in range.
    ///
    /// # Errors
    /// Names `what` if not.
    #[inline]
    pub fn in_range(&self, what: &'static str, is_in_range: bool) -> Result<(), LoadError> {
        if is_in_range {
            return Ok(());
        }
        Err(self.error(LoadReason::Range { what }))
    }

    /// Takes the next `N` bytes.
    ///
    /// # Errors
    /// If fewer are left.
    #[inline]
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], LoadError> {
        match self.rest.split_first_chunk() {
            Some((bytes, rest)) => {
                self.rest = rest;
                self.offset += N;
                Ok(*bytes)
            }
            None => Err(self.error(LoadReason::Truncated)),
        }
    }

    /// Takes the next `len` bytes as they are.
    ///
    /// # Errors
    /// If fewer are left.
    pub fn slice(&mut self, len: usize) -> Result<&'a [u8], LoadError> {
        match self.rest.split_at_checked(len) {
            Some((bytes, rest)) => {
                self.rest = rest;
                self.offset += len;
                Ok(bytes)
            }
            None => Err(self.error(LoadReason::Truncated)),
        }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// See [`Persist::read`].
    #[inline]
    pub fn read<T: Persist>(&mut self) -> Result<T, LoadError> {
        T::read(self)
    }

    /// Reads the length of a list whose items have at least `least` bytes, at least one.
    ///
    /// # Errors
    /// If the rest of the save is too short for it.
    pub fn len(&mut self, least: usize) -> Result<usize, LoadError> {
        let start = *self;
        let len = self.read::<u32>()?;
        if len as usize > self.rest.len() / least {
            return Err(start.error(LoadReason::Length(len.into())));
        }
        Ok(len as usize)
    }

    /// Reads a list. Memory grows with the items that exist, not with the length.
    ///
    /// # Errors
    /// If the length does not fit, or for an item.
    pub fn list<T: Persist>(&mut self) -> Result<Vec<T>, LoadError> {
        let len = self.len(1)?;
        let mut list = Vec::with_capacity(len.min(self.rest.len() / size_of::<T>().max(1)));
        for _ in 0..len {
            list.push(self.read()?);
        }
        Ok(list)
    }

    /// Reads the tag of a choice among `count`.
    ///
    /// # Errors
    /// If the tag is `count` or more.
    #[inline]
    pub fn tag(&mut self, count: u8) -> Result<u8, LoadError> {
        let start = *self;
        let tag = self.read::<u8>()?;
        if tag < count {
            Ok(tag)
        } else {
            Err(start.error(LoadReason::Tag(tag.into())))
        }
    }

    /// Reads a choice among `all`, whose place in the list is the tag.
    ///
    /// # Errors
    /// If the tag is none of them.
    pub fn choice<T: Copy>(&mut self, all: &[T]) -> Result<T, LoadError> {
        let tag = self.tag(all.len() as u8)?;
        Ok(all[usize::from(tag)])
    }
}
