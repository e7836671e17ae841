(function () { new maplibregl.Map({ container: "map", style: new URL("styles/trails.json", document.baseURI).href, center: [11, 47], zoom: 7 }); })();
