use super::*;

fn commands() -> CommandLine {
    CommandLine::parse(
        "\npub enum Command {\n    /// Serve\n    Serve(ServeArgs),\n    User {\n        #[command(subcommand)]\n        \
         what: UserCommand,\n    },\n    Stats,\n}\n\npub enum UserCommand {\n    Add(X),\n    List,\n}\n\
         pub struct ServeArgs {\n    #[arg(long, default_value = \"a\", value_name = \"ADDR\")]\n    pub listen: X,\n    \
         #[arg(long, global = true)]\n    pub json: bool,\n    #[arg(long)]\n    pub host_concurrency: Option<usize>,\n}\n",
    )
}

fn faults(of: impl FnOnce(&mut Vec<String>)) -> Vec<String> {
    let mut faults = Vec::new();
    of(&mut faults);
    faults
}

#[test]
fn what_is_in_the_repository_is_in_order() {
    let found = check(&Checkout::read_files(&crate::root()).unwrap()).unwrap();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn commands_and_options_that_are_not_there_are_told() {
    let told = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        faults(|faults| commands().check_words("x", &words, faults))
    };
    for good in [
        "--json serve --listen 0.0.0.0:80",
        "user add",
        "user add|list x",
        "stats",
        "--host-concurrency 3 stats",
        "serve --help",
    ] {
        assert!(told(good).is_empty(), "{good}: {:?}", told(good));
    }
    assert!(told("work")[0].contains("geotrawl work"));
    assert!(told("serve --port 8")[0].contains("--port"));
    assert!(told("user forget")[0].contains("user forget"));
}

#[test]
fn a_unit_that_is_not_confined_is_told() {
    let found = faults(|faults| {
        unit("u", "[Service]\nExecStart=/bin/geotrawl serve\nnonsense\n", &commands(), faults);
    });
    assert!(found.iter().any(|fault| fault.contains("no ProtectSystem")), "{found:?}");
    assert!(found.iter().any(|fault| fault.contains("'nonsense'")), "{found:?}");
}

#[test]
fn a_compose_file_that_names_what_is_not_there_is_told() {
    let text = "services:\n  database:\n    image: x\n    ports: ['1:1']\n  worker:\n    build: .\n    command: [work]\n    \
                depends_on: [nobody]\n    secrets: [s]\n    volumes: ['v:/data']\n  web:\n    build: .\n    command: [serve]\n";
    let found = faults(|faults| compose("c", text, &commands(), faults));
    for expected in ["nobody", "'s' of secrets", "volume v", "no healthcheck", "no port", "geotrawl work"] {
        assert!(found.iter().any(|fault| fault.contains(expected)), "{expected} in {found:?}");
    }
    assert_eq!(found.len(), 6);
    assert!(!faults(|faults| compose("c", "a: [", &commands(), faults)).is_empty(), "broken YAML");
}

#[test]
fn metrics_that_nobody_tells_are_told() {
    let known =
        exported("page.gauge(\"geotrawl_a\", x); page.histogram(\"geotrawl_h\", y); \"geotrawl told\"");
    let asked = |expression: &str| faults(|faults| metrics("m", &[expression.to_owned()], &known, faults));
    assert!(asked("rate(geotrawl_h_bucket{job=\"geotrawl_web\"}[5m]) / geotrawl_a").is_empty());
    assert_eq!(asked("geotrawl_a_bucket + geotrawl_b").len(), 2);
}

#[test]
fn commands_of_a_page_are_looked_at_where_they_are_code() {
    let text = "geotrawl is a program.\n\n    geotrawl serve | geotrawl nothing\n\nUse `geotrawl user x`, `geotrawl stats`.\n";
    assert_eq!(faults(|faults| page("p", text, &commands(), faults)).len(), 2);
}

#[test]
fn a_container_that_stays_root_is_told() {
    assert_eq!(faults(|faults| container("c", "USER root\nCMD [\"serve\"]\n", &commands(), faults)).len(), 2);
}
