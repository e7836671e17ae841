//! QGIS files: connections to load in the data source manager, and layer definitions to drop on the
//! map.

use crate::{ExportError, RecordSource};
use geotrawl_kinds::kinds::{self, QgisConnection, QgisLayer};
use geotrawl_model::{Dataset, Record};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Seek, Write};
use zip::write::SimpleFileOptions;

/// Maximum number of layers in a layer definition, because QGIS queries the server for each.
const MOST_LAYERS: usize = 200;

/// Returns the root element, its version, the element of a connection and the file name.
fn names(connection: QgisConnection) -> (&'static str, &'static str, &'static str, &'static str) {
    match connection {
        QgisConnection::Wms => ("qgsWMSConnections", "1.0", "wms", "wms-wmts.xml"),
        QgisConnection::Wfs => ("qgsWFSConnections", "1.1", "wfs", "wfs-ogcapi-features.xml"),
        QgisConnection::Wcs => ("qgsWCSConnections", "1.0", "wcs", "wcs.xml"),
        QgisConnection::Xyz => ("qgsXYZTilesConnections", "1.0", "xyztiles", "xyz-tiles.xml"),
        QgisConnection::VectorTile => ("qgsVectorTileConnections", "1.0", "vectortile", "vector-tiles.xml"),
        QgisConnection::Arcgis => {
            ("qgsARCGISFEATURESERVERConnections", "1.0", "arcgisfeatureserver", "arcgis-rest.xml")
        }
    }
}

/// A temporary file of connections.
struct ConnectionFile {
    connection: QgisConnection,
    xml: Writer<BufWriter<File>>,
    /// Hashes of used names. QGIS identifies connections by name, so a duplicate would replace the
    /// first.
    names: HashSet<u64>,
}

impl ConnectionFile {
    fn begin(connection: QgisConnection) -> io::Result<Self> {
        let (root, version, _, _) = names(connection);
        let mut xml = Writer::new_with_indent(BufWriter::new(tempfile::tempfile()?), b' ', 2);
        xml.write_event(Event::DocType(BytesText::from_escaped("connections")))?;
        xml.write_event(Event::Start(BytesStart::new(root).with_attributes([("version", version)])))?;
        Ok(Self { connection, xml, names: HashSet::new() })
    }

    fn add(&mut self, name: &str, url: &str, kind: &str) -> io::Result<()> {
        let mut unique = name.to_owned();
        for times in 2_u32.. {
            let mut hasher = DefaultHasher::new();
            unique.hash(&mut hasher);
            if self.names.insert(hasher.finish()) {
                break;
            }
            unique = format!("{name} ({times})");
        }
        let mut tag = BytesStart::new(names(self.connection).2);
        tag.push_attribute(("name", unique.as_str()));
        tag.push_attribute(("url", url));
        for attribute in connection_attributes(self.connection, kind) {
            tag.push_attribute(*attribute);
        }
        self.xml.write_event(Event::Empty(tag))
    }

    fn end(mut self) -> io::Result<File> {
        self.xml.write_event(Event::End(BytesEnd::new(names(self.connection).0)))?;
        let mut file = self.xml.into_inner().into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(file)
    }
}

/// Writes a ZIP archive with one file per type of connection, and returns the number of
/// connections.
pub(crate) fn write_connections(
    give: &mut RecordSource<'_>,
    out: &mut dyn Write,
) -> Result<u64, ExportError> {
    let mut files: BTreeMap<QgisConnection, ConnectionFile> = BTreeMap::new();
    let mut written = 0;
    give(&mut |record| {
        let Some(connection) =
            kinds::kind_profile(&record.resource.kind).and_then(|profile| profile.qgis_connection)
        else {
            return Ok(());
        };
        let file = match files.entry(connection) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(ConnectionFile::begin(connection)?),
        };
        file.add(&connection_name(record), &strip_invalid_xml(&record.resource.url), &record.resource.kind)?;
        written += 1;
        Ok(())
    })?;
    let mut whole = tempfile::tempfile()?;
    let mut archive = zip::ZipWriter::new(whole.try_clone()?);
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (connection, file) in files {
        archive.start_file(names(connection).3, options).map_err(io::Error::from)?;
        io::copy(&mut file.end()?, &mut archive)?;
    }
    archive.start_file("README.txt", options).map_err(io::Error::from)?;
    archive.write_all(
        b"In QGIS: Layer, Data Source Manager; choose the kind (WMS/WMTS, WFS / OGC API - Features, ...), then Load.\n",
    )?;
    archive.finish().map_err(io::Error::from)?;
    whole.rewind()?;
    io::copy(&mut whole, out)?;
    Ok(written)
}

/// Removes characters that XML does not allow.
fn strip_invalid_xml(text: &str) -> String {
    let holds = |c: &char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..);
    text.chars().filter(holds).collect()
}

fn connection_attributes(connection: QgisConnection, kind: &str) -> &'static [(&'static str, &'static str)] {
    match (connection, kind) {
        (QgisConnection::Wms | QgisConnection::Wcs, _) => &[
            ("ignoreGetMapURI", "false"),
            ("ignoreGetFeatureInfoURI", "false"),
            ("ignoreAxisOrientation", "false"),
            ("invertAxisOrientation", "false"),
            ("smoothPixmapTransform", "false"),
            ("dpiMode", "7"),
            ("username", ""),
            ("password", ""),
        ],
        (QgisConnection::Wfs, "ogcapi-features") => {
            &[("version", "OGC_API_FEATURES"), ("pagingenabled", "default")]
        }
        (QgisConnection::Wfs, _) => &[("version", "auto"), ("pagingenabled", "default")],
        (QgisConnection::Xyz | QgisConnection::VectorTile, _) => {
            &[("zmin", "0"), ("zmax", "18"), ("username", ""), ("password", "")]
        }
        (QgisConnection::Arcgis, _) => &[("username", ""), ("password", "")],
    }
}

fn connection_name(record: &Record) -> String {
    let title = record.resource.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    strip_invalid_xml(
        &title.map_or_else(|| record.host.name.clone(), |title| title.chars().take(120).collect()),
    )
}

/// Returns a layer definition (`.qlr`) that opens the record's layers when dropped on the map of
/// QGIS. `None` for kinds that QGIS cannot open as layers.
pub fn layer_definition(record: &Record, wanted: &[String]) -> io::Result<Option<Vec<u8>>> {
    let whole = Dataset { name: String::new(), title: record.resource.title.clone(), ..Dataset::default() };
    let all = &record.resource.datasets;
    let chosen: Vec<&Dataset> = all
        .iter()
        .filter(|layer| wanted.is_empty() || wanted.contains(&layer.name))
        .take(MOST_LAYERS)
        .collect();
    let chosen = if chosen.is_empty() { vec![&whole] } else { chosen };
    let layers: Vec<(String, String, QgisSource)> = chosen
        .into_iter()
        .enumerate()
        .filter_map(|(n, layer)| {
            Some((format!("{}_{n}", record.id), layer_title(layer), layer_source(record, layer)?))
        })
        .collect();
    if layers.is_empty() {
        return Ok(None);
    }
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.write_event(Event::DocType(BytesText::from_escaped("qgis-layer-definition")))?;
    xml.create_element("qlr").write_inner_content(|xml| {
        let group = connection_name(record);
        xml.create_element("layer-tree-group")
            .with_attributes([("name", ""), ("expanded", "1")])
            .write_inner_content(|xml| {
                xml.create_element("layer-tree-group")
                    .with_attributes([("name", group.as_str()), ("expanded", "1")])
                    .write_inner_content(|xml| {
                        for (n, (id, title, source)) in layers.iter().enumerate() {
                            xml.create_element("layer-tree-layer")
                                .with_attributes([
                                    ("id", id.as_str()),
                                    ("name", title.as_str()),
                                    ("providerKey", source.provider),
                                    ("source", source.uri.as_str()),
                                    // Show only the first layer, because showing all at once would
                                    // query the server for everything.
                                    ("checked", if n == 0 { "Qt::Checked" } else { "Qt::Unchecked" }),
                                    ("expanded", "0"),
                                ])
                                .write_empty()?;
                        }
                        Ok(())
                    })?;
                Ok(())
            })?;
        xml.create_element("maplayers").write_inner_content(|xml| {
            for (id, title, source) in &layers {
                xml.create_element("maplayer").with_attribute(("type", source.type_)).write_inner_content(
                    |xml| {
                        for (tag, text) in [
                            ("id", id.as_str()),
                            ("datasource", source.uri.as_str()),
                            ("layername", title.as_str()),
                            ("provider", source.provider),
                        ] {
                            xml.create_element(tag).write_text_content(BytesText::new(text))?;
                        }
                        Ok(())
                    },
                )?;
            }
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(Some(xml.into_inner()))
}

fn layer_title(layer: &Dataset) -> String {
    let name = if layer.name.is_empty() { "layer" } else { &layer.name };
    strip_invalid_xml(layer.title.as_deref().filter(|title| !title.is_empty()).unwrap_or(name))
}

/// Data source of a QGIS layer.
struct QgisSource {
    provider: &'static str,
    /// `raster` or `vector`.
    type_: &'static str,
    uri: String,
}

fn layer_source(record: &Record, layer: &Dataset) -> Option<QgisSource> {
    let source = raw_source(record, layer)?;
    Some(QgisSource { uri: strip_invalid_xml(&source.uri), ..source })
}

fn raw_source(record: &Record, layer: &Dataset) -> Option<QgisSource> {
    let url = record.resource.url.as_str();
    let encode = |text: &str| {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_key_only(text);
        query.finish()
    };
    let crs = ["EPSG:3857", "EPSG:4326"]
        .into_iter()
        .find(|wanted| {
            let own = layer.crs.iter().chain(&record.resource.crs);
            own.into_iter().any(|crs| crs.as_ref() == *wanted)
        })
        .unwrap_or("EPSG:4326");
    let raster = |uri: String| Some(QgisSource { provider: "wms", type_: "raster", uri });
    match kinds::kind_profile(&record.resource.kind)?.qgis_layer? {
        QgisLayer::Wms if !layer.name.is_empty() => raster(format!(
            "contextualWMSLegend=0&crs={crs}&dpiMode=7&format=image/png&layers={}&styles&url={}",
            encode(&layer.name),
            encode(url)
        )),
        QgisLayer::Xyz => raster(format!("type=xyz&url={}&zmax=18&zmin=0", encode(url))),
        QgisLayer::Wfs if !layer.name.is_empty() => Some(QgisSource {
            provider: "WFS",
            type_: "vector",
            uri: format!(
                " pagingEnabled='default' restrictToRequestBBOX='1' srsname='EPSG:4326' typename='{}' url='{}' version='auto'",
                escape_quotes(&layer.name),
                escape_quotes(url)
            ),
        }),
        QgisLayer::OgcFeatures if !layer.name.is_empty() => Some(QgisSource {
            provider: "OAPIF",
            type_: "vector",
            uri: format!(
                " pagingEnabled='default' restrictToRequestBBOX='1' srsname='EPSG:4326' typename='{}' url='{}'",
                escape_quotes(&layer.name),
                escape_quotes(url)
            ),
        }),
        QgisLayer::ArcgisMap => Some(QgisSource {
            provider: "arcgismapserver",
            type_: "raster",
            uri: format!(
                "crs='EPSG:3857' format='PNG32' layer='{}' url='{}'",
                escape_quotes(&layer.name),
                escape_quotes(url)
            ),
        }),
        QgisLayer::ArcgisFeatures if !layer.name.is_empty() => Some(QgisSource {
            provider: "arcgisfeatureserver",
            type_: "vector",
            uri: format!("crs='EPSG:4326' url='{}/{}'", escape_quotes(url), escape_quotes(&layer.name)),
        }),
        QgisLayer::Vector => {
            Some(QgisSource { provider: "ogr", type_: "vector", uri: format!("/vsicurl/{url}") })
        }
        QgisLayer::Raster => {
            Some(QgisSource { provider: "gdal", type_: "raster", uri: format!("/vsicurl/{url}") })
        }
        QgisLayer::Wms | QgisLayer::Wfs | QgisLayer::OgcFeatures | QgisLayer::ArcgisFeatures => None,
    }
}

/// Escapes text for a quoted value in a QGIS data source.
fn escape_quotes(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\'', "\\'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read};

    fn record(kind: &str, title: &str) -> Record {
        let mut record = Record { id: "r".into(), ..Record::default() };
        record.resource.kind = kind.into();
        record.resource.url = "https://example.org/ows?map=a&b=1".into();
        record.resource.title = Some(title.into());
        record.resource.datasets = vec![Dataset { name: "roads & rails".into(), ..Dataset::default() }];
        record
    }

    #[test]
    fn connections_of_one_name_are_told_apart_and_escaped() {
        let mut file = ConnectionFile::begin(QgisConnection::Wms).unwrap();
        file.add("A <b>", "https://example.org/?a=1&b=2", "wms").unwrap();
        file.add("A <b>", "https://example.org/2", "wms").unwrap();
        let mut text = String::new();
        file.end().unwrap().read_to_string(&mut text).unwrap();
        assert!(text.contains("name=\"A &lt;b&gt;\"") && text.contains("name=\"A &lt;b&gt; (2)\""), "{text}");
        assert!(text.contains("a=1&amp;b=2"), "{text}");
    }

    #[test]
    fn a_layer_definition_names_the_layer_and_its_server() {
        let text = layer_definition(&record("wms", "Streets"), &[]).unwrap().unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("layers=roads+%26+rails"), "{text}");
        assert!(text.contains("url=https%3A%2F%2Fexample.org%2Fows%3Fmap%3Da%26b%3D1"), "{text}");
        assert!(layer_definition(&record("csw", "Catalogue"), &[]).unwrap().is_none());
    }

    #[test]
    fn only_kinds_that_qgis_connects_to_are_in_the_archive() {
        let records = [record("wms", "A"), record("csw", "B"), record("wfs", "C")];
        let mut out = Vec::new();
        let written =
            write_connections(&mut |take| records.iter().try_for_each(&mut *take), &mut out).unwrap();
        assert_eq!(written, 2);
        let archive = zip::ZipArchive::new(Cursor::new(out)).unwrap();
        let mut names: Vec<_> = archive.file_names().map(Result::unwrap).collect();
        names.sort_unstable();
        assert_eq!(names, ["README.txt", "wfs-ogcapi-features.xml", "wms-wmts.xml"]);
    }
}
