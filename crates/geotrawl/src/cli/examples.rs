//! Examples of every command, shown by `--help` and in the manual pages.

/// An example with what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// What the command does.
    pub purpose: &'static str,
    /// The command as typed.
    pub command: &'static str,
}

const fn example(purpose: &'static str, command: &'static str) -> Example {
    Example { purpose, command }
}

/// Examples by command, in the order of the help. The empty name is the program itself.
pub static EXAMPLES: &[(&str, &[Example])] = &[
    (
        "",
        &[
            example("Try it on a simulated web, without internet", "geotrawl demo"),
            example(
                "Crawl a site two links deep; the same command resumes after Ctrl-C",
                "geotrawl crawl https://maps.example.org/ --scope domain",
            ),
            example("Search what was found", "geotrawl search water --bbox Austria"),
            example("Browse it at http://127.0.0.1:8080", "geotrawl serve"),
        ],
    ),
    (
        "crawl",
        &[
            example(
                "Stay on the domain and stop after 500 pages",
                "geotrawl crawl https://example.org/ --scope domain --max-pages 500",
            ),
            example(
                "Find only WMS and WFS in an area",
                "geotrawl crawl example.org --kind wms,wfs --bbox Austria",
            ),
            example(
                "Let search engines provide the seeds",
                "geotrawl crawl --keywords 'flood zones' --engines own --width 3",
            ),
        ],
    ),
    (
        "probe",
        &[
            example("Identify an address", "geotrawl probe https://example.org/geoserver/wms"),
            example("Identify files, as JSON", "geotrawl probe --json capabilities.xml rivers.zip"),
        ],
    ),
    (
        "extract",
        &[
            example("List what a page links to", "geotrawl extract https://example.org/maps.html"),
            example(
                "List possible services in a saved page",
                "geotrawl extract page.html --base-url https://example.org/ --services",
            ),
        ],
    ),
    (
        "harvest",
        &[
            example("Look at a catalogue first", "geotrawl harvest https://example.org/csw --dry-run"),
            example(
                "Harvest what changed in 2026",
                "geotrawl harvest https://example.org/csw --since 2026-01-01",
            ),
        ],
    ),
    (
        "mine",
        &[
            example("Find services in an archive and verify them live", "geotrawl mine crawl.warc.gz"),
            example(
                "Only list WMS addresses, without contacting any server",
                "geotrawl mine crawl.warc.gz --offline --kind wms",
            ),
        ],
    ),
    ("seeds", &[example("List the stored lists", "geotrawl seeds list")]),
    (
        "seeds import",
        &[
            example("Store a list and crawl it", "geotrawl seeds import portals.csv --list portals"),
            example(
                "Only catalogues in two countries",
                "geotrawl seeds import portals.jsonl --country AT,CH --kind csw,ckan",
            ),
        ],
    ),
    ("seeds list", &[example("List the stored lists", "geotrawl seeds list")]),
    ("seeds show", &[example("Print the seeds of a list", "geotrawl seeds show portals")]),
    ("seeds engines", &[example("Show which engines are ready", "geotrawl seeds engines")]),
    (
        "seeds search",
        &[
            example("See the queries without running them", "geotrawl seeds search 'flood zones' --plan"),
            example(
                "Store the seeds for a crawl",
                "geotrawl seeds search 'flood zones' --languages en,de --import floods",
            ),
        ],
    ),
    ("archive", &[example("List the collections", "geotrawl archive list")]),
    (
        "archive new",
        &[example(
            "Archive a page and what it links to, every Monday",
            "geotrawl archive new inspire --title INSPIRE \\\n    \
             --page https://example.org/inspire --schedule '30 4 * * 1'",
        )],
    ),
    ("archive run", &[example("Fetch the pages of a collection now", "geotrawl archive run inspire")]),
    ("archive list", &[example("List the collections", "geotrawl archive list")]),
    (
        "archive show",
        &[
            example("Show the current pages", "geotrawl archive show inspire"),
            example("Show them as of a day", "geotrawl archive show inspire --as-of 2026-11-16"),
        ],
    ),
    (
        "archive results",
        &[example("Show the results of a day", "geotrawl archive results inspire --run 2026-11-16")],
    ),
    (
        "archive history",
        &[example(
            "Show the versions of a page",
            "geotrawl archive history inspire https://example.org/inspire",
        )],
    ),
    (
        "archive rollback",
        &[example(
            "Make the first version current again",
            "geotrawl archive rollback inspire https://example.org/ --to 1",
        )],
    ),
    (
        "archive didl",
        &[example("Write the object of the latest run", "geotrawl archive didl inspire -o run.xml")],
    ),
    (
        "archive export",
        &[example("Write WARC files and pages to a folder", "geotrawl archive export inspire -o out")],
    ),
    ("archive remove", &[example("Remove a collection", "geotrawl archive remove inspire")]),
    (
        "export",
        &[
            example("Write everything to a GeoPackage", "geotrawl export --format gpkg -o found.gpkg"),
            example(
                "Only WMS and WFS that mention water",
                "geotrawl export --kind wms,wfs --query water --format csv",
            ),
        ],
    ),
    (
        "import",
        &[
            example("Import the dump of another instance", "geotrawl import ./dump"),
            example("Import records", "geotrawl import found.jsonl --source colleagues"),
        ],
    ),
    (
        "explain",
        &[example("Show the evidence for a service", "geotrawl explain https://example.org/geoserver/wms")],
    ),
    (
        "check",
        &[
            example("Check one service", "geotrawl check https://example.org/geoserver/wms"),
            example("Check the whole catalogue, as JSON", "geotrawl check --json"),
        ],
    ),
    (
        "monitor",
        &[
            example("Run what is due now, for example from cron", "geotrawl monitor --once"),
            example("Run until stopped, with metrics", "geotrawl monitor --listen 9090"),
        ],
    ),
    (
        "themes",
        &[
            example("Label a text", "geotrawl themes 'Flood zones of the Danube'"),
            example("List the vocabularies", "geotrawl themes --list"),
        ],
    ),
    (
        "search",
        &[
            example("Search by words and place", "geotrawl search flood zones --bbox Austria"),
            example("Only WMS and WFS, by layer", "geotrawl search roads --kind wms,wfs --layers --limit 50"),
        ],
    ),
    ("index", &[example("Build the index again", "geotrawl index rebuild")]),
    ("index rebuild", &[example("Build the index again", "geotrawl index rebuild")]),
    ("stats", &[example("Show statistics as JSON", "geotrawl stats --json")]),
    ("store", &[example("Back up the catalogue", "geotrawl store backup --to /backup/geotrawl")]),
    (
        "store copy",
        &[example(
            "Move the catalogue to PostgreSQL",
            "geotrawl store copy --to postgres://user@localhost/geotrawl",
        )],
    ),
    ("store backup", &[example("Back up the catalogue", "geotrawl store backup --to /backup/geotrawl")]),
    (
        "store distribute",
        &[example(
            "Distribute the frontier over Citus nodes",
            "geotrawl store distribute --store postgres://user@localhost/geotrawl",
        )],
    ),
    (
        "serve",
        &[
            example("Serve on this machine at port 8080", "geotrawl serve"),
            example("Serve on every network interface", "geotrawl serve --listen 0.0.0.0:8080"),
            example("Serve without running tasks", "geotrawl serve --role web"),
        ],
    ),
    (
        "worker",
        &[example(
            "Run two tasks of a shared store",
            "geotrawl worker --tasks 2 --store postgres://user@localhost/geotrawl",
        )],
    ),
    ("doctor", &[example("Find out why `serve` does not start", "geotrawl doctor --listen 8080")]),
    ("user", &[example("Create the first admin", "geotrawl user add anna --admin")]),
    (
        "user add",
        &[
            example("Add an admin; the password is printed", "geotrawl user add anna --admin"),
            example(
                "Set the password",
                "geotrawl user add ben --email ben@example.org --password-stdin < password.txt",
            ),
        ],
    ),
    ("user list", &[example("List all users", "geotrawl user list")]),
    ("user password", &[example("Print a new password", "geotrawl user password anna")]),
    ("user role", &[example("Let a user administer the instance", "geotrawl user role ben admin")]),
    ("user disable", &[example("Disable an account", "geotrawl user disable ben")]),
    ("user enable", &[example("Enable it again", "geotrawl user enable ben")]),
    ("user remove", &[example("Remove an account", "geotrawl user remove ben")]),
    (
        "demo",
        &[
            example("Crawl 120 simulated hosts and open the application", "geotrawl demo"),
            example("Crawl a small web in the terminal", "geotrawl demo --hosts 20 --no-serve"),
        ],
    ),
    (
        "simweb",
        &[
            example("Serve 50 hosts", "geotrawl simweb --hosts 50 --listen 8090"),
            example("Write the web as WARC files", "geotrawl simweb --hosts 20 --archive ./warc"),
        ],
    ),
    (
        "completions",
        &[
            example(
                "Complete commands in bash",
                "geotrawl completions bash > /etc/bash_completion.d/geotrawl",
            ),
            example(
                "Complete commands in fish",
                "geotrawl completions fish > ~/.config/fish/completions/geotrawl.fish",
            ),
        ],
    ),
    (
        "man",
        &[
            example("Write all pages", "geotrawl man --out ~/.local/share/man/man1"),
            example("Read one page", "geotrawl man crawl | man -l -"),
        ],
    ),
];

/// Returns the examples of a command, such as `user add`.
pub fn examples_of(command: &str) -> &'static [Example] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| examples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::build_command;

    fn add_names(command: &clap::Command, name: &str, names: &mut Vec<String>) {
        names.push(name.to_owned());
        for below in command.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help") {
            add_names(below, format!("{name} {}", below.get_name()).trim(), names);
        }
    }

    #[test]
    fn every_command_has_examples_and_no_other() {
        let (mut commands, mut named) = (Vec::new(), Vec::new());
        add_names(&build_command(), "", &mut commands);
        named.extend(EXAMPLES.iter().map(|(name, _)| (*name).to_owned()));
        commands.sort();
        named.sort();
        assert_eq!(named, commands);
        assert!(EXAMPLES.iter().all(|(_, examples)| !examples.is_empty()));
    }

    /// Splits a command as a shell does, up to a pipe or a redirection.
    fn words(command: &str) -> Vec<String> {
        let words = shlex::split(&command.replace("\\\n", " ")).unwrap();
        words.into_iter().take_while(|word| !["|", ">", "<"].contains(&word.as_str())).collect()
    }

    #[test]
    fn every_example_is_a_valid_command_that_fits_the_help() {
        for (name, examples) in EXAMPLES {
            for Example { purpose, command } in *examples {
                build_command()
                    .try_get_matches_from(words(command))
                    .unwrap_or_else(|error| panic!("{command}: {error}"));
                // The help indents examples by two columns.
                assert!(command.lines().all(|line| line.chars().count() <= 78), "{command}");
                assert!(purpose.chars().count() <= 76, "{purpose}");
                let of_command = command.starts_with(format!("geotrawl {name}").trim());
                assert!(of_command || name.is_empty(), "'{command}' is no example of `{name}`");
            }
        }
    }
}
