// Coordinate systems beyond the map's own. Only the definitions below are used; none are looked up online.

import { get as getProjection } from 'ol/proj';
import type Projection from 'ol/proj/Projection';
import { register, setProjectionCodeLookup } from 'ol/proj/proj4';
import proj4 from 'proj4';
import { t } from '../../lib/messages.svelte';
import { normalizeCrs } from './requestUrls';
import { LayerError } from './layerRequest';

const grs = '+ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs';
const bessel = '+ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +units=m +no_defs';

// "neu" where the authority puts north before east: it determines the axis order in WMS 1.3.0.
const written: Record<number, string> = {
  4258: '+proj=longlat +ellps=GRS80 +axis=neu +no_defs',
  4269: '+proj=longlat +datum=NAD83 +axis=neu +no_defs',
  4283: '+proj=longlat +ellps=GRS80 +axis=neu +no_defs',
  4674: '+proj=longlat +ellps=GRS80 +axis=neu +no_defs',
  2056: '+proj=somerc +lat_0=46.95240555555556 +lon_0=7.439583333333333 +k_0=1 +x_0=2600000 +y_0=1200000 +ellps=bessel +towgs84=674.374,15.056,405.346,0,0,0,0 +units=m +no_defs',
  21781: '+proj=somerc +lat_0=46.95240555555556 +lon_0=7.439583333333333 +k_0=1 +x_0=600000 +y_0=200000 +ellps=bessel +towgs84=674.374,15.056,405.346,0,0,0,0 +units=m +no_defs',
  2154: `+proj=lcc +lat_1=49 +lat_2=44 +lat_0=46.5 +lon_0=3 +x_0=700000 +y_0=6600000 ${grs}`,
  2180: `+proj=tmerc +lat_0=0 +lon_0=19 +k=0.9993 +x_0=500000 +y_0=-5300000 +axis=neu ${grs}`,
  2193: `+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +axis=neu ${grs}`,
  27700: '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489 +units=m +no_defs',
  28992: '+proj=sterea +lat_0=52.15616055555555 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel +towgs84=565.417,50.3319,465.552,-0.398957,0.343988,-1.8774,4.0725 +units=m +no_defs',
  3006: `+proj=utm +zone=33 +axis=neu ${grs}`,
  3035: `+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +axis=neu ${grs}`,
  3034: `+proj=lcc +lat_1=35 +lat_2=65 +lat_0=52 +lon_0=10 +x_0=4000000 +y_0=2800000 +axis=neu ${grs}`,
  3067: `+proj=utm +zone=35 ${grs}`,
  3301: `+proj=lcc +lat_1=59.33333333333334 +lat_2=58 +lat_0=57.51755393055556 +lon_0=24 +x_0=500000 +y_0=6375000 +axis=neu ${grs}`,
  3346: `+proj=tmerc +lat_0=0 +lon_0=24 +k=0.9998 +x_0=500000 +y_0=0 +axis=neu ${grs}`,
  3059: `+proj=tmerc +lat_0=0 +lon_0=24 +k=0.9996 +x_0=500000 +y_0=-6000000 +axis=neu ${grs}`,
  3763: `+proj=tmerc +lat_0=39.66825833333333 +lon_0=-8.133108333333334 +k=1 +x_0=0 +y_0=0 ${grs}`,
  3765: `+proj=tmerc +lat_0=0 +lon_0=16.5 +k=0.9999 +x_0=500000 +y_0=0 ${grs}`,
  3794: `+proj=tmerc +lat_0=0 +lon_0=15 +k=0.9999 +x_0=500000 +y_0=-5000000 ${grs}`,
  3812: `+proj=lcc +lat_1=49.83333333333334 +lat_2=51.16666666666666 +lat_0=50.797815 +lon_0=4.359215833333333 +x_0=649328 +y_0=665262 ${grs}`,
  31370: '+proj=lcc +lat_1=51.16666723333333 +lat_2=49.8333339 +lat_0=90 +lon_0=4.367486666666666 +x_0=150000.013 +y_0=5400088.438 +ellps=intl +towgs84=-106.8686,52.2978,-103.7239,0.3366,-0.457,1.8422,-1.2747 +units=m +no_defs',
  31287: '+proj=lcc +lat_1=49 +lat_2=46 +lat_0=47.5 +lon_0=13.33333333333333 +x_0=400000 +y_0=400000 +ellps=bessel +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232 +axis=neu +units=m +no_defs',
  31466: `+proj=tmerc +lat_0=0 +lon_0=6 +k=1 +x_0=2500000 +y_0=0 +axis=neu ${bessel}`,
  31467: `+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +y_0=0 +axis=neu ${bessel}`,
  31468: `+proj=tmerc +lat_0=0 +lon_0=12 +k=1 +x_0=4500000 +y_0=0 +axis=neu ${bessel}`,
  5514: '+proj=krovak +lat_0=49.5 +lon_0=24.83333333333333 +alpha=30.28813972222222 +k=0.9999 +x_0=0 +y_0=0 +ellps=bessel +towgs84=589,76,480,0,0,0,0 +units=m +no_defs',
  3413: '+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs',
  3995: '+proj=stere +lat_0=90 +lat_ts=71 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs',
  3031: '+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs',
  3575: '+proj=laea +lat_0=90 +lon_0=10 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs',
  3347: '+proj=lcc +lat_1=49 +lat_2=77 +lat_0=63.390675 +lon_0=-91.86666666666666 +x_0=6200000 +y_0=3000000 +datum=NAD83 +units=m +no_defs',
  3978: '+proj=lcc +lat_1=49 +lat_2=77 +lat_0=49 +lon_0=-95 +x_0=0 +y_0=0 +datum=NAD83 +units=m +no_defs',
  5070: '+proj=aea +lat_1=29.5 +lat_2=45.5 +lat_0=23 +lon_0=-96 +x_0=0 +y_0=0 +datum=NAD83 +units=m +no_defs',
  3577: `+proj=aea +lat_1=-18 +lat_2=-36 +lat_0=0 +lon_0=132 +x_0=0 +y_0=0 ${grs}`,
  5880: `+proj=poly +lat_0=0 +lon_0=-54 +x_0=5000000 +y_0=10000000 ${grs}`,
  6933: '+proj=cea +lat_ts=30 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs',
  3395: '+proj=merc +lon_0=0 +k=1 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs',
};

/** Returns the definition of a code: from the list above, or a UTM zone. */
function definition(code: string): string | null {
  const number = Number(/^EPSG:(\d+)$/.exec(code)?.[1]);
  if (written[number]) return written[number];
  const zone = number % 100;
  const hundred = Math.floor(number / 100);
  if (zone >= 1 && zone <= 60) {
    if (hundred === 326) return `+proj=utm +zone=${zone} +datum=WGS84 +units=m +no_defs`;
    if (hundred === 327) return `+proj=utm +zone=${zone} +south +datum=WGS84 +units=m +no_defs`;
    if (hundred === 258 && zone >= 28 && zone <= 38) return `+proj=utm +zone=${zone} ${grs}`;
    if (hundred === 269 && zone <= 23) return `+proj=utm +zone=${zone} +datum=NAD83 +units=m +no_defs`;
    if ((hundred === 283 || hundred === 78) && zone >= 46 && zone <= 59) return `+proj=utm +zone=${zone} +south ${grs}`;
  }
  if (number >= 31978 && number <= 31985) return `+proj=utm +zone=${number - 31960} +south ${grs}`;
  return null;
}

export function isKnownCrs(code: string): boolean {
  return !!getProjection(code) || definition(code) !== null;
}

/** Returns the projection of a code; throws a LayerError if it is unknown. */
export function findProjection(text: string): Projection {
  const code = normalizeCrs(text);
  const known = getProjection(code);
  if (known) return known;
  const written = definition(code);
  if (!written) throw new LayerError(t('layer.crs', { crs: code }));
  proj4.defs(code, written);
  register(proj4);
  return getProjection(code)!;
}

register(proj4);
setProjectionCodeLookup((code: string) => {
  const known = definition(normalizeCrs(code));
  return known ? Promise.resolve(known) : Promise.reject(new LayerError(t('layer.crs', { crs: code })));
});
