use geotrawl_model::{Bbox, Dataset, Evidence, FoundResource, Resource, Status, Theme};
use jiff::Timestamp;

/// Starts to build a found service: `found("wms").at(url).with_layers(3)`.
pub fn found(kind: &str) -> FoundBuilder {
    let resource = Resource { kind: kind.into(), ..Resource::default() };
    let evidence = Evidence {
        at: super::test_time(0),
        status: 200,
        bytes: 5000,
        hash: "00".into(),
        rule: "root element".into(),
        ..Evidence::default()
    };
    let reason = String::new();
    FoundBuilder(FoundResource {
        resource,
        status: Status::Alive,
        reason,
        evidence,
        ip: None,
        themes: Vec::new(),
    })
}

/// Builds a found service.
#[derive(Debug, Clone)]
pub struct FoundBuilder(FoundResource);

impl FoundBuilder {
    /// Sets the URL and the request that confirmed it.
    pub fn at(mut self, url: &str) -> Self {
        url.clone_into(&mut self.0.resource.url);
        self.0.evidence.request = format!("{url}?SERVICE={}&REQUEST=GetCapabilities", self.0.resource.kind);
        self
    }

    /// Sets the title.
    pub fn with_title(mut self, title: &str) -> Self {
        self.0.resource.title = Some(title.into());
        self
    }

    /// Adds this many layers, called `layer-1` and so on.
    pub fn with_layers(self, count: usize) -> Self {
        let names: Vec<String> = (1..=count).map(|number| format!("layer-{number}")).collect();
        self.with_layer_names(names.iter().map(String::as_str))
    }

    /// Adds layers with these names.
    pub fn with_layer_names<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.0.resource.datasets.extend(names.into_iter().map(dataset));
        self.0.resource.dataset_count = self.0.resource.datasets.len() as u64;
        self
    }

    /// Sets the time of the confirmation.
    pub fn proven_at(mut self, time: Timestamp) -> Self {
        self.0.evidence.at = time;
        self
    }

    /// Adds a theme label.
    pub fn with_theme(mut self, scheme: &str, term: &str) -> Self {
        self.0.themes.push(Theme { scheme: scheme.into(), term: term.into(), evidence: "a word".into() });
        self
    }

    /// Replaces the resource, for tests that describe it in full.
    pub fn with_resource(mut self, resource: Resource) -> Self {
        let url = resource.url.clone();
        self.0.resource = resource;
        self.at(&url)
    }

    /// Returns the found service.
    pub fn build(self) -> FoundResource {
        self.0
    }
}

impl From<FoundBuilder> for FoundResource {
    fn from(builder: FoundBuilder) -> Self {
        builder.build()
    }
}

/// Returns a layer with this name, a title and a bounding box.
pub fn dataset(name: &str) -> Dataset {
    let bbox = Some(Bbox { west: -10.0, south: 35.5, east: 4.25, north: 44.0 });
    Dataset { name: name.into(), title: Some(format!("Layer {name}")), bbox, ..Dataset::default() }
}

/// Returns a service with these layers, whose title is their number, on 192.0.2.1.
pub fn service(kind: &str, url: &str, layers: &[&str]) -> FoundResource {
    let title = format!("Service of {}", layers.len());
    let found = found(kind).at(url).with_title(&title).with_layer_names(layers.iter().copied()).build();
    FoundResource { ip: Some("192.0.2.1".into()), ..found }
}
