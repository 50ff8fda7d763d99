//! The part of JSON Schema that the schema of scenes uses. A keyword that is not known here is a panic: nothing in the
//! schema is without effect.

use serde_json::{Map, Value};

/// A schema: the whole of it.
pub(crate) struct Schema(pub(crate) Value);

/// Keywords that describe and do not restrict.
const ANNOTATIONS: [&str; 6] = [
    "$schema",
    "$defs",
    "title",
    "description",
    "default",
    "examples",
];

impl Schema {
    /// Reads a schema.
    pub(crate) fn of_text(text: &str) -> Self {
        Self(serde_json::from_str(text).unwrap())
    }

    /// Checks a value against the whole schema.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        self.check_part(&self.0, value, "scene")
    }

    /// Checks a value against a part of the schema; an error begins with the path from `path` to the mistake.
    pub(crate) fn check_part(&self, part: &Value, value: &Value, path: &str) -> Result<(), String> {
        let part = part.as_object().unwrap();
        part.iter().try_for_each(|(keyword, rule)| {
            self.check_rule(part, keyword, rule, value, path)
                .map_err(|error| {
                    if error.contains(": ") {
                        error
                    } else {
                        format!("{path}: {error}")
                    }
                })
        })
    }

    fn check_rule(
        &self,
        part: &Map<String, Value>,
        keyword: &str,
        rule: &Value,
        value: &Value,
        path: &str,
    ) -> Result<(), String> {
        let demand = |is_met: bool| {
            if is_met {
                Ok(())
            } else {
                Err(format!("not {keyword} {rule}"))
            }
        };
        let size = value.as_array().map_or(0, Vec::len) as u64;
        let entries = value.as_object();
        let number = value.as_f64();
        match keyword {
            _ if ANNOTATIONS.contains(&keyword) => Ok(()),
            "$ref" => {
                let name = rule.as_str().unwrap().trim_start_matches("#/$defs/");
                self.check_part(&self.0["$defs"][name], value, path)
            }
            "type" => {
                let is_one = |name: &Value| is_of_type(value, name.as_str().unwrap());
                demand(
                    rule.as_array()
                        .map_or_else(|| is_one(rule), |names| names.iter().any(is_one)),
                )
            }
            "enum" => demand(rule.as_array().unwrap().contains(value)),
            "minimum" => demand(number.is_none_or(|number| number >= rule.as_f64().unwrap())),
            "maximum" => demand(number.is_none_or(|number| number <= rule.as_f64().unwrap())),
            "minItems" => demand(!value.is_array() || size >= rule.as_u64().unwrap()),
            "maxItems" => demand(!value.is_array() || size <= rule.as_u64().unwrap()),
            "items" => {
                let mut elements = value.as_array().into_iter().flatten().enumerate();
                elements.try_for_each(|(i, element)| {
                    self.check_part(rule, element, &format!("{path}[{i}]"))
                })
            }
            "prefixItems" => {
                let rules = rule.as_array().unwrap().iter();
                let elements = value.as_array().into_iter().flatten();
                rules
                    .zip(elements)
                    .try_for_each(|(rule, element)| self.check_part(rule, element, path))
            }
            "minProperties" => {
                demand(entries.is_none_or(|all| all.len() as u64 >= rule.as_u64().unwrap()))
            }
            "maxProperties" => {
                demand(entries.is_none_or(|all| all.len() as u64 <= rule.as_u64().unwrap()))
            }
            "required" => {
                let names = rule.as_array().unwrap();
                demand(entries.is_none_or(|all| {
                    names
                        .iter()
                        .all(|name| all.contains_key(name.as_str().unwrap()))
                }))
            }
            "properties" => entries.into_iter().flatten().try_for_each(|(name, value)| {
                rule.get(name).map_or(Ok(()), |rule| {
                    self.check_part(rule, value, &format!("{path}.{name}"))
                })
            }),
            "additionalProperties" => {
                assert_eq!(rule, &Value::Bool(false));
                let is_known = |name: &String| part["properties"].get(name).is_some();
                match entries
                    .into_iter()
                    .flatten()
                    .find(|(name, _)| !is_known(name))
                {
                    None => Ok(()),
                    Some((name, _)) => Err(format!("unknown property {name}")),
                }
            }
            "anyOf" => demand(
                rule.as_array()
                    .unwrap()
                    .iter()
                    .any(|part| self.check_part(part, value, path).is_ok()),
            ),
            "oneOf" => {
                let fits = |part: &&Value| self.check_part(part, value, path).is_ok();
                demand(rule.as_array().unwrap().iter().filter(fits).count() == 1)
            }
            _ => panic!("{path}: the keyword {keyword} is not known"),
        }
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => panic!("the type {name} is not known"),
    }
}
