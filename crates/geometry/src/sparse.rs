//! Writes records without the fields that have their defaults, for files that people read.
//!
//! A value and its default become trees, the equal fields are dropped, and the rest is written in the format of the
//! file. So no definition needs to say how each of its fields is left out.

use serde::ser::{
    Error as _, Impossible, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct,
};
use serde::{Serialize, Serializer};

/// How a value is written with all of its fields: in any format, and as a tree.
pub type Write<T, S> = (
    fn(&T, S) -> Result<<S as Serializer>::Ok, <S as Serializer>::Error>,
    fn(&T, TreeWriter) -> Result<Tree, TreeError>,
);

/// Writes `value`: in text without the fields that it shares with `default`.
///
/// # Errors
/// Those of the serializer, and values that no definition has.
pub fn serialize<T, S: Serializer>(
    value: &T,
    default: T,
    serializer: S,
    (write, write_tree): Write<T, S>,
) -> Result<S::Ok, S::Error> {
    if !serializer.is_human_readable() {
        return write(value, serializer);
    }
    let tree = |value: &T| write_tree(value, TreeWriter).map_err(S::Error::custom);
    tree(value)?.without(&tree(&default)?).serialize(serializer)
}

/// A value of serde's data model. Floating-point numbers are bits: a zero with another sign is another value.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    F32(u32),
    F64(u64),
    Text(String),
    Unit,
    None,
    Some(Box<Self>),
    List(Vec<Self>),
    Tuple(Vec<Self>),
    /// RON writes it in parentheses.
    Newtype(&'static str, Box<Self>),
    Struct(&'static str, Vec<(&'static str, Self)>),
    Variant(&'static str, u32, &'static str, Option<Box<Self>>),
}

impl Tree {
    /// Drops the fields of records that equal those of `default`.
    fn without(self, default: &Self) -> Self {
        match (self, default) {
            (Self::Struct(name, fields), Self::Struct(_, defaults)) => {
                let of = |key: &str| defaults.iter().find(|(name, _)| *name == key);
                let left = fields.into_iter().filter_map(|(key, value)| {
                    let Some((_, default)) = of(key) else {
                        return Some((key, value));
                    };
                    (value != *default).then(|| (key, value.without(default)))
                });
                Self::Struct(name, left.collect())
            }
            (
                Self::Variant(name, index, variant, Some(value)),
                Self::Variant(_, other, _, Some(default)),
            ) if index == *other => {
                let value = Box::new(value.without(default));
                Self::Variant(name, index, variant, Some(value))
            }
            (value, _) => value,
        }
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Unsigned(value) => serializer.serialize_u64(*value),
            Self::Signed(value) => serializer.serialize_i64(*value),
            Self::F32(bits) => serializer.serialize_f32(f32::from_bits(*bits)),
            Self::F64(bits) => serializer.serialize_f64(f64::from_bits(*bits)),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Unit => serializer.serialize_unit(),
            Self::None => serializer.serialize_none(),
            Self::Some(value) => serializer.serialize_some(value),
            Self::List(values) => values.serialize(serializer),
            Self::Tuple(values) => {
                let mut tuple = serializer.serialize_tuple(values.len())?;
                values
                    .iter()
                    .try_for_each(|value| tuple.serialize_element(value))?;
                tuple.end()
            }
            Self::Newtype(name, value) => serializer.serialize_newtype_struct(name, value),
            Self::Struct(name, fields) => {
                let mut record = serializer.serialize_struct(name, fields.len())?;
                fields
                    .iter()
                    .try_for_each(|(key, value)| record.serialize_field(key, value))?;
                record.end()
            }
            Self::Variant(name, index, variant, None) => {
                serializer.serialize_unit_variant(name, *index, variant)
            }
            Self::Variant(name, index, variant, Some(value)) => {
                serializer.serialize_newtype_variant(name, *index, variant, value)
            }
        }
    }
}

/// The error of values that definitions do not have: maps, bytes, characters and variants with several fields.
pub type TreeError = serde::de::value::Error;

/// Makes a tree of a value.
#[derive(Clone, Copy, Debug)]
pub struct TreeWriter;

/// Collects the elements of a list, a tuple or a record.
#[derive(Debug)]
pub struct Elements<T> {
    values: Vec<T>,
    finish: fn(&'static str, Vec<T>) -> Tree,
    name: &'static str,
}

impl<T> Elements<T> {
    fn new(name: &'static str, finish: fn(&'static str, Vec<T>) -> Tree) -> Self {
        Self {
            values: Vec::new(),
            finish,
            name,
        }
    }

    fn tree(self) -> Result<Tree, TreeError> {
        Ok((self.finish)(self.name, self.values))
    }
}

impl SerializeSeq for Elements<Tree> {
    type Ok = Tree;
    type Error = TreeError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), TreeError> {
        self.values.push(value.serialize(TreeWriter)?);
        Ok(())
    }

    fn end(self) -> Result<Tree, TreeError> {
        self.tree()
    }
}

impl SerializeTuple for Elements<Tree> {
    type Ok = Tree;
    type Error = TreeError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), TreeError> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<Tree, TreeError> {
        self.tree()
    }
}

impl SerializeTupleStruct for Elements<Tree> {
    type Ok = Tree;
    type Error = TreeError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), TreeError> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<Tree, TreeError> {
        self.tree()
    }
}

impl SerializeStruct for Elements<(&'static str, Tree)> {
    type Ok = Tree;
    type Error = TreeError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), TreeError> {
        self.values.push((key, value.serialize(TreeWriter)?));
        Ok(())
    }

    fn end(self) -> Result<Tree, TreeError> {
        self.tree()
    }
}

fn foreign() -> TreeError {
    TreeError::custom("definitions have no such values")
}

impl Serializer for TreeWriter {
    type Ok = Tree;
    type Error = TreeError;
    type SerializeSeq = Elements<Tree>;
    type SerializeTuple = Elements<Tree>;
    type SerializeTupleStruct = Elements<Tree>;
    type SerializeTupleVariant = Impossible<Tree, TreeError>;
    type SerializeMap = Impossible<Tree, TreeError>;
    type SerializeStruct = Elements<(&'static str, Tree)>;
    type SerializeStructVariant = Impossible<Tree, TreeError>;

    fn serialize_bool(self, value: bool) -> Result<Tree, TreeError> {
        Ok(Tree::Bool(value))
    }
    fn serialize_i8(self, value: i8) -> Result<Tree, TreeError> {
        self.serialize_i64(value.into())
    }
    fn serialize_i16(self, value: i16) -> Result<Tree, TreeError> {
        self.serialize_i64(value.into())
    }
    fn serialize_i32(self, value: i32) -> Result<Tree, TreeError> {
        self.serialize_i64(value.into())
    }
    fn serialize_i64(self, value: i64) -> Result<Tree, TreeError> {
        Ok(Tree::Signed(value))
    }
    fn serialize_u8(self, value: u8) -> Result<Tree, TreeError> {
        self.serialize_u64(value.into())
    }
    fn serialize_u16(self, value: u16) -> Result<Tree, TreeError> {
        self.serialize_u64(value.into())
    }
    fn serialize_u32(self, value: u32) -> Result<Tree, TreeError> {
        self.serialize_u64(value.into())
    }
    fn serialize_u64(self, value: u64) -> Result<Tree, TreeError> {
        Ok(Tree::Unsigned(value))
    }
    fn serialize_f32(self, value: f32) -> Result<Tree, TreeError> {
        Ok(Tree::F32(value.to_bits()))
    }
    fn serialize_f64(self, value: f64) -> Result<Tree, TreeError> {
        Ok(Tree::F64(value.to_bits()))
    }
    fn serialize_char(self, _: char) -> Result<Tree, TreeError> {
        Err(foreign())
    }
    fn serialize_str(self, value: &str) -> Result<Tree, TreeError> {
        Ok(Tree::Text(value.to_owned()))
    }
    fn serialize_bytes(self, _: &[u8]) -> Result<Tree, TreeError> {
        Err(foreign())
    }
    fn serialize_none(self) -> Result<Tree, TreeError> {
        Ok(Tree::None)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Tree, TreeError> {
        Ok(Tree::Some(Box::new(value.serialize(self)?)))
    }
    fn serialize_unit(self) -> Result<Tree, TreeError> {
        Ok(Tree::Unit)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<Tree, TreeError> {
        Ok(Tree::Unit)
    }
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<Tree, TreeError> {
        Ok(Tree::Variant(name, index, variant, None))
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Tree, TreeError> {
        Ok(Tree::Newtype(name, Box::new(value.serialize(self)?)))
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Tree, TreeError> {
        let value = Box::new(value.serialize(self)?);
        Ok(Tree::Variant(name, index, variant, Some(value)))
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, TreeError> {
        Ok(Elements::new("", |_, values| Tree::List(values)))
    }
    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, TreeError> {
        Ok(Elements::new("", |_, values| Tree::Tuple(values)))
    }
    fn serialize_tuple_struct(
        self,
        _: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleStruct, TreeError> {
        self.serialize_tuple(len)
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, TreeError> {
        Err(foreign())
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, TreeError> {
        Err(foreign())
    }
    fn serialize_struct(
        self,
        name: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStruct, TreeError> {
        Ok(Elements::new(name, Tree::Struct))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, TreeError> {
        Err(foreign())
    }
}
