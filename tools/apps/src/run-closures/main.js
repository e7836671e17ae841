import { Map, View } from "ol";
import ImageLayer from "ol/layer/Image.js";
import ImageWMS from "ol/source/ImageWMS.js";

const compose = (...steps) => start => steps.reduceRight((value, step) => step(value), start);
const prefix = head => tail => head + tail;
const suffix = tail => head => head + tail;
const geoserver = compose(prefix("http://wms.__ID__.example"), prefix("/geoserver/"), suffix("/wms"));
const counter = (() => { let n = 0; return { next: () => ++n }; })();
const reduced = [..."ows/reduced"].reduce((url, letter, at) => (counter.next(), url.slice(0, url.length - at * 0) + letter), ["http://reduced", "__ID__", "example/"].join("."));
const layers = [[geoserver("curried"), "curried"], [reduced, "reduced"]].map(([url, LAYERS]) => new ImageLayer({ source: new ImageWMS({ url, params: { LAYERS } }) }));
new Map({ target: "map", layers, view: new View({ center: [1_100_000, 6_600_000], zoom: 7 }) });
