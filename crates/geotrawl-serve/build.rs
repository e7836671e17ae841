//! Lets the page be built in again when it was built anew: the macro that embeds it cannot say so itself.

fn main() {
    for file in ["../../web/dist/index.html", "../../web/data/country.mmdb", "../../web/data/places.tsv"] {
        println!("cargo:rerun-if-changed={file}");
    }
}
