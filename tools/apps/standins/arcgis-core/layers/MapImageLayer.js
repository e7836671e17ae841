import { Layer } from "../shared.js";
export default class MapImageLayer extends Layer {}
