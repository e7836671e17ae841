/* Stand-in for @arcgis/core as ES modules. Written for the simulated web. */
export const config = { request: { proxyUrl: "" } };
export function ask(url, params) {
  const mark = url.includes("?") ? "&" : "?";
  fetch(url + mark + new URLSearchParams(params)).catch(() => {});
}
export class Layer {
  constructor(settings) { Object.assign(this, settings); }
  draw() { ask(this.url, { f: "json" }); }
}
