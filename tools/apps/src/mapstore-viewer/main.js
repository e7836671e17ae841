MapStore2.create("map", { localConfig: "configs/localConfig.json", configUrl: "configs/config.json", originalUrl: location.href });
