export default class Map {
  constructor(settings) { this.layers = []; for (const layer of settings?.layers ?? []) this.add(layer); }
  add(layer) { this.layers.push(layer); layer.draw(); }
  addMany(layers) { layers.forEach(layer => this.add(layer)); }
}
