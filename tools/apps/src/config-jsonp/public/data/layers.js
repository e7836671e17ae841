showLayers({ "centre": [50, 10], "base": "http://tiles.__ID__.example/grey/{z}/{x}/{y}.png", "root": "http://wms.__ID__.example", "overlays": [{ "path": "/ows/pipelines", "layers": "gas" }] });
