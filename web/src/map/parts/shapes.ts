// First of three chunks of the map library, without dependencies on the others: geometries, projections, styles.

export { default as Feature } from 'ol/Feature';
export { default as LineString } from 'ol/geom/LineString';
export { default as Point } from 'ol/geom/Point';
export { default as Polygon } from 'ol/geom/Polygon';
export { fromLonLat } from 'ol/proj';
export { default as Style } from 'ol/style/Style';
export { default as Text } from 'ol/style/Text';
