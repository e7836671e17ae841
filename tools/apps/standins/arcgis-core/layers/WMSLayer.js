import { Layer, ask } from "../shared.js";
export default class WMSLayer extends Layer {
  draw() { ask(this.url, { SERVICE: "WMS", REQUEST: "GetCapabilities" }); }
}
