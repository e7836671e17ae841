//! Selectors for elements and attributes in a document tree.
//!
//! Used only for documents that an operator describes (see the declarative connector). All other
//! documents are read as a stream.

use super::xml::{XmlEvent, XmlReader};
use std::io::Read;

/// Maximum number of elements and texts in a document.
const NODES: usize = 1_000_000;
/// Maximum depth. Deeper elements become children of the deepest element.
const DEPTH: usize = 256;
/// Maximum length of the text of a selected element.
const TEXT: usize = 64 << 10;

#[derive(Debug)]
enum TreeNode {
    Text(String),
    Element(TreeElement),
}

/// Element of the tree.
#[derive(Debug, Default)]
struct TreeElement {
    /// Local name.
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<usize>,
    /// Number of child elements.
    elements: usize,
    /// Position among the child elements of its parent, from 1.
    position: usize,
}

/// Document as a tree. Elements are numbered; 0 is the document itself.
#[derive(Debug)]
pub struct ElementTree {
    nodes: Vec<TreeNode>,
}

/// Builds an [`ElementTree`] from parser events.
#[derive(Debug)]
pub struct TreeBuilder {
    nodes: Vec<TreeNode>,
    open: Vec<usize>,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        Self { nodes: vec![TreeNode::Element(TreeElement::default())], open: vec![0] }
    }
}

impl TreeBuilder {
    fn push(&mut self, node: TreeNode) -> Option<usize> {
        if self.nodes.len() >= NODES {
            return None;
        }
        let at = self.nodes.len();
        let parent = self.open.last().copied().unwrap_or(0);
        let is_element = matches!(node, TreeNode::Element(_));
        let mut position = 0;
        if let Some(TreeNode::Element(parent)) = self.nodes.get_mut(parent) {
            parent.children.push(at);
            parent.elements += usize::from(is_element);
            position = parent.elements;
        }
        self.nodes.push(match node {
            TreeNode::Element(element) => TreeNode::Element(TreeElement { position, ..element }),
            text @ TreeNode::Text(_) => text,
        });
        Some(at)
    }

    /// Starts an element.
    pub fn start_element(&mut self, name: &str, attributes: Vec<(String, String)>) {
        let element = TreeElement { name: name.to_owned(), attributes, ..TreeElement::default() };
        let at = self.push(TreeNode::Element(element));
        let deepest = self.open.last().copied().unwrap_or(0);
        self.open.push(if self.open.len() < DEPTH { at.unwrap_or(deepest) } else { deepest });
    }

    /// Ends the innermost element.
    pub fn end_innermost(&mut self) {
        if self.open.len() > 1 {
            self.open.pop();
        }
    }

    /// Ends the innermost element with this name and everything open inside it. Ignored if none is
    /// open.
    pub fn end_element(&mut self, name: &str) {
        let named = |at: &usize| matches!(self.nodes.get(*at), Some(TreeNode::Element(e)) if e.name == name);
        if let Some(place) = self.open.iter().rposition(named).filter(|place| *place > 0) {
            self.open.truncate(place);
        }
    }

    /// Ends open elements with the names `ends`, up to the innermost element with a name in
    /// `holders`.
    pub fn close_up_to(&mut self, ends: &[&str], holders: &[&str]) {
        let mut keep = self.open.len();
        for (place, at) in self.open.iter().enumerate().rev() {
            let Some(TreeNode::Element(element)) = self.nodes.get(*at) else { break };
            if holders.contains(&element.name.as_str()) || place == 0 {
                break;
            }
            if ends.contains(&element.name.as_str()) {
                keep = place;
            }
        }
        self.open.truncate(keep.max(1));
    }

    /// Adds text to the innermost element.
    pub fn push_text(&mut self, text: &str) {
        if !text.is_empty() {
            let end = text.floor_char_boundary(text.len().min(TEXT));
            self.push(TreeNode::Text(text.get(..end).unwrap_or_default().to_owned()));
        }
    }

    /// Returns the tree.
    pub fn finish(self) -> ElementTree {
        ElementTree { nodes: self.nodes }
    }
}

impl ElementTree {
    /// Reads an XML document. Elements and attributes get their local names.
    pub fn read_xml(stream: &mut dyn Read, charset: Option<&str>) -> Self {
        let mut reader = XmlReader::new(stream, charset);
        let mut builder = TreeBuilder::default();
        loop {
            match reader.next() {
                XmlEvent::Start => {
                    let local = |name: &[u8]| {
                        let name = String::from_utf8_lossy(name).into_owned();
                        name.rsplit(':').next().unwrap_or(&name).to_owned()
                    };
                    let attributes =
                        reader.attrs().take(64).map(|(n, v)| (local(n), v.into_owned())).collect();
                    builder.start_element(&local(reader.local_name()), attributes);
                }
                XmlEvent::End => {
                    builder.end_innermost();
                    // The reader omits blank text, so separate the words of adjacent elements.
                    builder.push_text(" ");
                }
                XmlEvent::Text => {
                    let mut text = String::new();
                    reader.append_text(&mut text, TEXT);
                    builder.push_text(&text);
                }
                XmlEvent::Comment => {}
                XmlEvent::Eof => return builder.finish(),
            }
        }
    }

    fn element(&self, at: usize) -> Option<&TreeElement> {
        match self.nodes.get(at) {
            Some(TreeNode::Element(element)) => Some(element),
            _ => None,
        }
    }

    /// Returns all elements below `from` that match a selector, in document order. An empty
    /// selector selects `from` itself.
    pub fn select(&self, from: usize, selector: &Selector) -> Vec<usize> {
        let mut here = vec![from];
        for step in &selector.steps {
            let mut next = Vec::new();
            // Subtrees may overlap, so visit every element once per step.
            let mut seen = std::collections::HashSet::new();
            for at in here {
                let mut stack: Vec<usize> =
                    self.element(at).map(|e| e.children.iter().rev().copied().collect()).unwrap_or_default();
                while let Some(at) = stack.pop() {
                    let Some(element) = self.element(at) else { continue };
                    if !seen.insert(at) {
                        continue;
                    }
                    if step.matches(element) {
                        next.push(at);
                    }
                    if step.anywhere {
                        stack.extend(element.children.iter().rev());
                    }
                }
            }
            here = next;
        }
        here
    }

    /// Returns the selected values: attributes if the selector names one, otherwise texts.
    pub fn select_values(&self, from: usize, selector: &Selector) -> Vec<String> {
        let value = |at: usize| match &selector.attribute {
            Some(name) => {
                let attributes = &self.element(at)?.attributes;
                attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone())
            }
            None => Some(self.text_of(at)),
        };
        self.select(from, selector).into_iter().filter_map(value).collect()
    }

    fn text_of(&self, at: usize) -> String {
        let mut out = String::new();
        let mut stack = vec![at];
        while let Some(at) = stack.pop() {
            match self.nodes.get(at) {
                Some(TreeNode::Text(text)) if out.len() < TEXT => out.push_str(text),
                Some(TreeNode::Element(element)) => stack.extend(element.children.iter().rev()),
                _ => {}
            }
        }
        out
    }
}

/// Path to elements in a tree, with an optional attribute at the end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    steps: Vec<SelectorStep>,
    attribute: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct SelectorStep {
    /// Whether to match at any depth instead of only children.
    anywhere: bool,
    name: Option<String>,
    id: Option<String>,
    classes: Vec<String>,
    /// Required attributes, with their value if one is required.
    attributes: Vec<(String, Option<String>)>,
    position: Option<usize>,
}

impl SelectorStep {
    fn matches(&self, element: &TreeElement) -> bool {
        let attribute =
            |name: &str| element.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        self.name.as_ref().is_none_or(|name| *name == element.name)
            && self.position.is_none_or(|position| position == element.position)
            && self.id.as_ref().is_none_or(|id| attribute("id") == Some(id.as_str()))
            && self.attributes.iter().all(|(name, value)| match value {
                Some(value) => attribute(name) == Some(value.as_str()),
                None => attribute(name).is_some(),
            })
            && self.classes.iter().all(|class| {
                attribute("class").is_some_and(|all| all.split_ascii_whitespace().any(|c| c == class))
            })
    }
}

impl Selector {
    /// Parses a path such as `feed/entry/@id`. `*` is any element, `//` any depth, `.` the starting
    /// point.
    pub fn parse_path(text: &str) -> Result<Self, String> {
        let mut selector = Self::default();
        let text = text.trim();
        if text == "." {
            return Ok(selector);
        }
        let mut anywhere = false;
        let pieces: Vec<&str> = text.strip_prefix('/').unwrap_or(text).split('/').collect();
        for (at, piece) in pieces.iter().enumerate() {
            let last = at + 1 == pieces.len();
            if piece.is_empty() {
                if last {
                    return Err(format!("{text:?} must not end with a slash"));
                }
                anywhere = true;
            } else if let Some(name) = piece.strip_prefix('@') {
                if !last || !is_name(name) {
                    return Err(format!("{piece:?} must be an attribute name at the end of the path"));
                }
                selector.attribute = Some(name.to_owned());
            } else if *piece == "*" || is_name(piece) {
                let name = (*piece != "*").then(|| (*piece).to_owned());
                selector.steps.push(SelectorStep { anywhere, name, ..SelectorStep::default() });
                anywhere = false;
            } else {
                return Err(format!("{piece:?} is not an element name"));
            }
        }
        Ok(selector)
    }

    /// Parses a simple CSS selector such as `table.list > tr td:nth-child(2) a[rel=data] @href`.
    /// `.` is the starting point.
    pub fn parse_css(text: &str) -> Result<Self, String> {
        let mut selector = Self::default();
        let text = text.trim();
        if text == "." {
            return Ok(selector);
        }
        let (steps, attribute) = match text.rsplit_once('@') {
            Some((steps, name)) => (steps.trim(), Some(name.trim())),
            None => (text, None),
        };
        if let Some(name) = attribute {
            if !is_name(name) {
                return Err(format!("{name:?} is not an attribute name"));
            }
            selector.attribute = Some(name.to_ascii_lowercase());
        }
        let mut anywhere = true;
        for piece in steps.split_ascii_whitespace() {
            if piece == ">" {
                anywhere = false;
                continue;
            }
            selector.steps.push(SelectorStep { anywhere, ..css_step(piece)? });
            anywhere = true;
        }
        if !anywhere {
            return Err(format!("{text:?} must not end with \">\""));
        }
        Ok(selector)
    }
}

/// Parses one step of a CSS selector: an element name and its conditions.
fn css_step(piece: &str) -> Result<SelectorStep, String> {
    let mut step = SelectorStep::default();
    let mut rest = piece;
    let name_end = rest.find(['.', '#', '[', ':']).unwrap_or(rest.len());
    let (name, behind) = rest.split_at(name_end);
    if !name.is_empty() && name != "*" {
        if !is_name(name) {
            return Err(format!("{name:?} is not an element name"));
        }
        // The tokenizer packs element names into eight bytes, so it cannot distinguish longer ones.
        if name.len() > 8 {
            return Err(format!(
                "{name:?} is longer than eight letters; select it by a class or an attribute"
            ));
        }
        step.name = Some(name.to_ascii_lowercase());
    }
    rest = behind;
    while let Some(mark) = rest.chars().next() {
        let behind = rest.get(1..).unwrap_or_default();
        if mark == '[' {
            let (inside, after) =
                behind.split_once(']').ok_or_else(|| format!("{piece:?} lacks a closing \"]\""))?;
            let (name, value) = match inside.split_once('=') {
                Some((name, value)) => (name, Some(value.trim_matches(['"', '\'']).to_owned())),
                None => (inside, None),
            };
            if !is_name(name) {
                return Err(format!("{name:?} is not an attribute name"));
            }
            step.attributes.push((name.to_ascii_lowercase(), value));
            rest = after;
            continue;
        }
        let end = if mark == ':' {
            behind.find(')').map_or(behind.len(), |at| at + 1)
        } else {
            behind.find(['.', '#', '[', ':']).unwrap_or(behind.len())
        };
        let (word, after) = behind.split_at(end);
        match mark {
            '.' if is_name(word) => step.classes.push(word.to_owned()),
            '#' if is_name(word) => step.id = Some(word.to_owned()),
            ':' => {
                let number = word.strip_prefix("nth-child(").and_then(|w| w.strip_suffix(')'));
                let number = number.and_then(|n| n.trim().parse().ok()).filter(|n| *n > 0);
                step.position =
                    Some(number.ok_or_else(|| format!("{piece:?}: only :nth-child(number) is supported"))?);
            }
            _ => return Err(format!("{piece:?} has a syntax error at {rest:?}")),
        }
        rest = after;
    }
    Ok(step)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xml(text: &str) -> ElementTree {
        ElementTree::read_xml(&mut text.as_bytes(), None)
    }

    #[test]
    fn paths_find_elements_and_attributes() {
        let tree = xml(
            "<a:list xmlns:a='x'><a:item id='1'><t>One</t></a:item><a:item id='2'><t>Two</t></a:item></a:list>",
        );
        let values = |path: &str| tree.select_values(0, &Selector::parse_path(path).unwrap());
        assert_eq!(values("list/item/@id"), ["1", "2"]);
        assert_eq!(values("/list/item/t"), ["One", "Two"]);
        assert_eq!(values("//t"), ["One", "Two"]);
        assert_eq!(values("list/*/t"), ["One", "Two"]);
        assert!(values("item").is_empty());
        let items = tree.select(0, &Selector::parse_path("list/item").unwrap());
        assert_eq!(tree.select_values(items[1], &Selector::parse_path("@id").unwrap()), ["2"]);
        assert_eq!(tree.select_values(items[1], &Selector::parse_path(".").unwrap()), ["Two "]);
        let tree = xml("<e><l>5 45</l> <u>11 48</u>\n<u>7</u></e>");
        assert_eq!(tree.select_values(0, &Selector::parse_path("e").unwrap()), ["5 45 11 48 7 "]);
    }

    #[test]
    fn selectors_find_places_in_pages() {
        let tree = crate::extract::html_tree(
            "<table class='x list'><tr><td>A<td><a href='/a?x&amp;y' rel=data>a</a><tr><td>B<td><a href=b>b</a></table>\
             <p>one<p>two<ul id=l><li>1<li>2</ul><br><img src=i>",
        );
        let values = |css: &str| tree.select_values(0, &Selector::parse_css(css).unwrap());
        assert_eq!(values("table.list tr td:nth-child(1)"), ["A", "B"]);
        assert_eq!(values(".list a @href"), ["/a?x&y", "b"]);
        assert_eq!(values("a[rel=data]@href"), ["/a?x&y"]);
        assert_eq!(values("#l > li"), ["1", "2"]);
        assert_eq!(values("p"), ["one", "two12"]);
        assert_eq!(values("img @src"), ["i"]);
    }

    #[test]
    fn mistakes_are_named() {
        for bad in ["a/", "a b/c", "@x/y"] {
            assert!(Selector::parse_path(bad).is_err(), "{bad}");
        }
        for bad in ["a >", "a[b", "a:hover", "blockquote", "a..b", "a @"] {
            assert!(Selector::parse_css(bad).is_err(), "{bad}");
        }
    }
}
