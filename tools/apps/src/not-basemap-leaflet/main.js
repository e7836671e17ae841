var map = L.map("map").setView([50.1, 8.6], 14);
var street = L.tileLayer("https://tile.openstreetmap.org/{z}/{x}/{y}.png", { maxZoom: 19, attribution: "&copy; OpenStreetMap contributors" }).addTo(map);
var light = L.tileLayer("https://{s}.basemaps.cartocdn.com/light_all/{z}/{x}/{y}.png", { subdomains: "abcd" });
L.control.layers({ Street: street, Light: light }).addTo(map);
L.marker([50.1, 8.6]).addTo(map).bindPopup("Our office");
