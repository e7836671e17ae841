// WFS: GeoJSON if offered, else GML; only features in view.

import type Feature from 'ol/Feature';
import GeoJSON from 'ol/format/GeoJSON';
import WFS from 'ol/format/WFS';
import GML3 from 'ol/format/GML3';
import GML32 from 'ol/format/GML32';
import GML2 from 'ol/format/GML2';
import { get as getProjection } from 'ol/proj';
import { t } from '../../lib/messages.svelte';
import { createViewLayer } from './featuresInView';
import { detectGmlVersion, findJsonFormat, findSrsName, wfsFeaturesUrl } from './requestUrls';
import { LayerError, type DrawnLayer, type LayerRequest } from './layerRequest';
import { readXmlText } from './xmlText';

const most = 2000;

export async function draw(request: LayerRequest): Promise<DrawnLayer> {
  const { record, layer } = request;
  if (!layer) throw new LayerError(t('layer.choose'));
  const format = findJsonFormat([...(request.dataset?.formats ?? [])]) ?? (request.dataset?.formats?.length ? null : 'application/json');
  let asJson = format !== null;
  const load = async (box: [number, number, number, number], count = most): Promise<Feature[]> => {
    const response = await request.fetch(wfsFeaturesUrl(record.url, layer, record.versions, box, asJson ? format : null, count));
    const text = await readXmlText(response);
    if (asJson && !/^\s*[{[]/.test(text)) {
      // The server does not support GeoJSON after all: retry with its default format.
      asJson = false;
      return text.includes('ExceptionReport') || text.includes('ServiceException') ? load(box, count) : readGml(text);
    }
    return asJson ? readJson(text) : readGml(text);
  };
  // Request one feature first to find out whether the layer can be shown at all.
  await load([-180, -90, 180, 90], 1);
  return { layer: createViewLayer(request, load), note: t('layer.first', { n: most }) };
}

function readJson(text: string): Feature[] {
  return new GeoJSON().readFeatures(text, { dataProjection: 'EPSG:4326', featureProjection: 'EPSG:3857' }) as Feature[];
}

async function readGml(text: string): Promise<Feature[]> {
  const problem = /<(?:\w+:)?(?:ExceptionText|ServiceException)[^>]*>([^<]*)</.exec(text);
  if (problem) throw new LayerError(t('layer.said', { words: problem[1]!.trim().slice(0, 200) }));
  // Servers may respond in another system than requested.
  const dataProjection = findSrsName(text) ?? 'EPSG:4326';
  if (!getProjection(dataProjection)) (await import('./crs')).findProjection(dataProjection);
  const into = { dataProjection, featureProjection: 'EPSG:3857' };
  switch (detectGmlVersion(text)) {
    case '2':
      // The format of GML 2 puts east first, whatever the authority says; without a system name the reader keeps that order.
      return new WFS({ version: '1.0.0', gmlFormat: new GML2() }).readFeatures(text.replace(/\ssrsName\s*=\s*("[^"]*"|'[^']*')/g, ''), into) as Feature[];
    case '3.1':
      return new WFS({ version: '1.1.0', gmlFormat: new GML3() }).readFeatures(text, into) as Feature[];
    case '3.2':
      return new WFS({ version: '2.0.0', gmlFormat: new GML32() }).readFeatures(text, into) as Feature[];
  }
}
