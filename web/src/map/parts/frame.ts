// The second third of the map's program: the map itself, its view, how one moves it. The engine brings the last, what is
// drawn on it.

export { default as OlMap } from 'ol/Map';
export { default as View } from 'ol/View';
export { defaults as defaultInteractions } from 'ol/interaction/defaults';
