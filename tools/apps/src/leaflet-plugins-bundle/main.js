import L from "leaflet";
import { dynamicMapLayer, featureLayer } from "esri-leaflet";
import "leaflet.nontiledlayer";

const services = "http://gis.__ID__.example/server/rest/services";
const map = L.map("map").setView([48, 11], 10);
dynamicMapLayer({ url: `${services}/Transit/MapServer`, opacity: 0.8 }).addTo(map);
featureLayer({ url: `${services}/Stops/FeatureServer/0` }).addTo(map);
L.nonTiledLayer.wms("http://wms.__ID__.example/geoserver/transit/ows", { layers: "transit:lines", transparent: true }).addTo(map);
