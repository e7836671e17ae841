import { Layer } from "../shared.js";
export default class ImageryLayer extends Layer {}
