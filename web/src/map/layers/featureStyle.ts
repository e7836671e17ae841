// Default style of features without their own.

import Circle from 'ol/style/Circle';
import Fill from 'ol/style/Fill';
import Stroke from 'ol/style/Stroke';
import Style from 'ol/style/Style';

export function plainStyle(colour: string): Style {
  const translucent = colour.replace(/^rgb\(([^)]*)\)$/, 'rgba($1, 0.18)');
  const fill = new Fill({ color: translucent });
  const stroke = new Stroke({ color: colour, width: 1.6 });
  return new Style({ fill, stroke, image: new Circle({ radius: 4.5, fill: new Fill({ color: colour }), stroke: new Stroke({ color: 'white', width: 1.2 }) }) });
}
