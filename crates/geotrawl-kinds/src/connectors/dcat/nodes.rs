//! Linked data as a flat list of nodes, the same for JSON-LD, RDF/XML and Turtle.
//!
//! Names are read without their namespace: `dcat:Dataset`, `http://www.w3.org/ns/dcat#Dataset` and
//! `Dataset` are equal. Catalogues use contexts and prefixes so inconsistently that this reads more
//! of them correctly than exact names would, and no context must be fetched.

use oxrdf::{NamedOrBlankNode, Term};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Maximum number of statements kept of one document.
const STATEMENTS: usize = 500_000;
/// Maximum depth to which references are followed.
const DEPTH: usize = 5;
/// Maximum number of values followed when a node is expanded.
const VALUES: usize = 4000;

/// Returns the name without its namespace.
pub fn local_name(name: &str) -> &str {
    if name.starts_with('@') {
        return name;
    }
    let name = name.trim_end_matches(['/', '#']);
    name.rsplit(['#', '/', ':']).next().unwrap_or(name)
}

/// Builds nodes from RDF statements.
#[derive(Default)]
pub struct RdfStatements {
    nodes: Vec<Map<String, Value>>,
    by_id: HashMap<String, usize>,
    count: usize,
}

impl RdfStatements {
    /// Adds a statement. Returns `false` if the limit is reached.
    pub fn add_statement(&mut self, subject: &str, predicate: &str, object: Value) -> bool {
        if self.count >= STATEMENTS {
            return false;
        }
        self.count += 1;
        let at = *self.by_id.entry(subject.to_owned()).or_insert_with(|| {
            let mut node = Map::new();
            node.insert("@id".to_owned(), Value::String(subject.to_owned()));
            self.nodes.push(node);
            self.nodes.len() - 1
        });
        if let Some(node) = self.nodes.get_mut(at) {
            let values =
                node.entry(local_name(predicate).to_owned()).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(values) = values {
                values.push(object);
            }
        }
        true
    }

    /// Adds the class of a node.
    pub fn add_type(&mut self, subject: &str, class: &str) -> bool {
        self.add_statement(subject, "@type", Value::String(class.to_owned()))
    }

    pub fn into_nodes(self) -> Vec<Value> {
        self.nodes.into_iter().map(Value::Object).collect()
    }
}

/// Returns a reference to a node.
pub fn node_reference(id: &str) -> Value {
    let mut node = Map::new();
    node.insert("@id".to_owned(), Value::String(id.to_owned()));
    Value::Object(node)
}

/// Parses a Turtle document into nodes. On a syntax error, returns the nodes before it and the
/// error.
pub fn parse_turtle(body: &[u8], base: &str) -> (Vec<Value>, Option<String>) {
    let parser = oxttl::TurtleParser::new().lenient();
    let parser = match parser.with_base_iri(base) {
        Ok(parser) => parser,
        Err(_) => oxttl::TurtleParser::new().lenient(),
    };
    let mut statements = RdfStatements::default();
    let mut mistake = None;
    for triple in parser.for_slice(body) {
        let triple = match triple {
            Ok(triple) => triple,
            Err(error) => {
                mistake = Some(error.to_string());
                break;
            }
        };
        let subject = match &triple.subject {
            NamedOrBlankNode::NamedNode(node) => node.as_str().to_owned(),
            NamedOrBlankNode::BlankNode(node) => format!("_:{}", node.as_str()),
        };
        let kept = if triple.predicate.as_str() == "http://www.w3.org/1999/02/22-rdf-syntax-ns#type" {
            match &triple.object {
                Term::NamedNode(class) => statements.add_type(&subject, class.as_str()),
                _ => true,
            }
        } else {
            let object = match &triple.object {
                Term::NamedNode(node) => node_reference(node.as_str()),
                Term::BlankNode(node) => node_reference(&format!("_:{}", node.as_str())),
                Term::Literal(text) => Value::String(text.value().to_owned()),
                #[allow(unreachable_patterns, clippy::allow_attributes, reason = "RDF 1.2 terms by feature")]
                _ => continue,
            };
            statements.add_statement(&subject, triple.predicate.as_str(), object)
        };
        if !kept {
            mistake = Some(format!("more than {STATEMENTS} statements"));
            break;
        }
    }
    (statements.into_nodes(), mistake)
}

/// Nodes by id.
pub struct NodeIndex<'v>(HashMap<&'v str, &'v Value>);

impl<'v> NodeIndex<'v> {
    pub fn from_nodes(nodes: &'v [Value]) -> Self {
        let id = |node: &'v Value| node.get("@id").or_else(|| node.get("id")).and_then(Value::as_str);
        Self(nodes.iter().filter_map(|node| id(node).map(|id| (id, node))).collect())
    }

    /// Returns a node with plain names and with all referenced nodes embedded.
    pub fn expand_node(&self, node: &Value) -> Value {
        let mut left = VALUES;
        self.unfold(node, 0, &mut left)
    }

    fn unfold(&self, value: &Value, depth: usize, left: &mut usize) -> Value {
        if *left == 0 {
            return Value::Null;
        }
        *left -= 1;
        match value {
            Value::Object(object) => {
                let only_id = object.len() == 1;
                let id = object.get("@id").and_then(Value::as_str);
                if only_id
                    && depth < DEPTH
                    && let Some(node) = id.and_then(|id| self.0.get(id))
                    && node.as_object().is_some_and(|o| o.len() > 1)
                {
                    return self.unfold(node, depth + 1, left);
                }
                if depth >= DEPTH {
                    return id.map_or(Value::Null, node_reference);
                }
                let plain = object.iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| {
                    // Where nodes are expected, a plain string may be the id of a node.
                    let name = local_name(name);
                    let named =
                        matches!(name, "distribution" | "accessService" | "contactPoint" | "publisher");
                    (name.to_owned(), self.member(value, named, depth + 1, left))
                });
                Value::Object(plain.collect())
            }
            Value::Array(list) => list.iter().map(|v| self.unfold(v, depth, left)).collect(),
            other => other.clone(),
        }
    }

    fn member(&self, value: &Value, named: bool, depth: usize, left: &mut usize) -> Value {
        match value {
            Value::String(id) if named => match self.0.get(id.as_str()) {
                Some(node) if depth < DEPTH => self.unfold(node, depth, left),
                _ => value.clone(),
            },
            Value::Array(list) => list.iter().map(|v| self.member(v, named, depth, left)).collect(),
            _ => self.unfold(value, depth, left),
        }
    }
}

/// Returns whether a node has one of these classes.
pub fn is_a(node: &Value, classes: &[&str]) -> bool {
    let is = |value: &Value| value.as_str().is_some_and(|name| classes.contains(&local_name(name)));
    match node.get("@type").or_else(|| node.get("type")) {
        Some(Value::Array(list)) => list.iter().any(is),
        Some(value) => is(value),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_namespace() {
        for name in
            ["dcat:Dataset", "http://www.w3.org/ns/dcat#Dataset", "Dataset", "https://schema.org/Dataset"]
        {
            assert_eq!(local_name(name), "Dataset");
        }
        assert_eq!(local_name("@id"), "@id");
    }

    #[test]
    fn turtle_is_read_up_to_a_mistake() {
        let body = b"@prefix dcat: <http://www.w3.org/ns/dcat#> .\n<a> a dcat:Dataset ; dcat:keyword \"x\" .\n<b> a ???";
        let (nodes, mistake) = parse_turtle(body, "http://x.org/");
        assert!(mistake.is_some());
        assert!(is_a(&nodes[0], &["Dataset"]));
        assert_eq!(nodes[0]["@id"], "http://x.org/a");
    }

    #[test]
    fn circles_end() {
        let mut statements = RdfStatements::default();
        statements.add_statement("a", "x:distribution", node_reference("b"));
        statements.add_statement("b", "x:distribution", node_reference("a"));
        let nodes = statements.into_nodes();
        assert!(NodeIndex::from_nodes(&nodes).expand_node(&nodes[0]).is_object());
    }
}
