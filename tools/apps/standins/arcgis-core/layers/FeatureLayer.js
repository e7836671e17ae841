import { Layer } from "../shared.js";
export default class FeatureLayer extends Layer {}
