startTerria({ configUrl: "config.json", container: "map" });
