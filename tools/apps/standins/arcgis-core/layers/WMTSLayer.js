import { Layer, ask } from "../shared.js";
export default class WMTSLayer extends Layer {
  draw() { ask(this.url, { SERVICE: "WMTS", REQUEST: "GetCapabilities" }); }
}
