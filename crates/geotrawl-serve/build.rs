//! Rebuilds this crate when the web application has changed, which the embedding macro cannot
//! request itself.

fn main() {
    for file in ["../../web/dist/index.html", "../../web/data/country.mmdb", "../../web/data/places.tsv"] {
        println!("cargo:rerun-if-changed={file}");
    }
}
