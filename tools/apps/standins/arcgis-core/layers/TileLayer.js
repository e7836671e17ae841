import { Layer } from "../shared.js";
export default class TileLayer extends Layer {}
