// Second of three chunks of the map library: the map, its view and interactions. The engine loads the third, which
// draws.

export { default as OlMap } from 'ol/Map';
export { default as View } from 'ol/View';
export { defaults as defaultInteractions } from 'ol/interaction/defaults';
