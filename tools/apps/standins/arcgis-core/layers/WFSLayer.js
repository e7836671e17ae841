import { Layer, ask } from "../shared.js";
export default class WFSLayer extends Layer {
  draw() { ask(this.url, { SERVICE: "WFS", REQUEST: "GetCapabilities" }); }
}
