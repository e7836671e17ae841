import { mapServer } from "../../services.mjs";
export default { title: "Form answer", library: "arcgis4", techniques: ["jquery-post", "html-answer"], level: 4, libs: ["jquery", "arcgis4"], builds: ["terser"], base: "/",
  services: [mapServer("http://gis.__ID__.example/arcgis/rest/services/Form/MapServer", "0")],
  endpoints: [{ method: "POST", path: "/theme", requires: { body: "theme=default" },
    reply: { status: 200, content_type: "text/html", body: "<ul><li data-server=\"gis.__ID__.example\" data-name=\"Form\">Form</li></ul>" }, otherwise: { status: 400, content_type: "text/html", body: "" } }] };
