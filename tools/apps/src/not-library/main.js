new geoToolkit.Sketch(document.getElementById("map")).line([[0, 0], [1, 2], [3, 4]]);
