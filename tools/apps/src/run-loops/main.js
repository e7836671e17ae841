import { Map, View } from "ol";
import TileLayer from "ol/layer/Tile.js";
import TileWMS from "ol/source/TileWMS.js";

const pieces = [];
const backwards = "@reversed{{http://wms.__ID__.example/geoserver/loop/wms}}";
for (let at = backwards.length - 1; at >= 0; at -= 1) pieces.push(backwards[at]);
let letters = "";
let step = 0;
const source = "@rot13{{http://letters.__ID__.example/ows/letters}}";
while (step < source.length) {
  const c = source.charCodeAt(step++);
  const base = c >= 97 && c <= 122 ? 97 : c >= 65 && c <= 90 ? 65 : 0;
  letters += base ? String.fromCharCode(((c - base + 13) % 26) + base) : String.fromCharCode(c);
}
const layer = (url, name) => new TileLayer({ source: new TileWMS({ url, params: { LAYERS: name } }) });
new Map({ target: "map", layers: [layer(pieces.join(""), "loop:one"), layer(letters, "letters")], view: new View({ center: [1_100_000, 6_600_000], zoom: 7 }) });
