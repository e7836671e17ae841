// Loads a layer: requests its record, loads the code that draws its kind, and reports errors.

import { unwrapAnswer, client, ApiError } from '../lib/api';
import { isUsableBox } from '../lib/boundingBox';
import { familyOf } from '../lib/kinds.svelte';
import { t } from '../lib/messages.svelte';
import type { Dataset, ServiceRecord } from '../lib/records';
import { translateSentence } from '../lib/serverText';
import { reportLayerState } from './mapLayers.svelte';
import { layerKey, type ChosenLayer } from './layerCodec';
import { resolveToken } from './colours';
import { loadDrawer } from './layers/kinds';
import { isMixedContent, proxyUrl } from './layers/requestUrls';
import { LayerError, type DrawnLayer, type LayerRequest } from './layers/layerRequest';

async function datasetOf(id: string, layer: string): Promise<Dataset | null> {
  if (!layer) return null;
  const answer = await unwrapAnswer(client.GET('/records/{id}/layers', { params: { path: { id }, query: { q: layer, limit: 100 } } })).catch(() => ({ results: [] as Dataset[] }));
  return answer.results.find((one) => one.name === layer) ?? null;
}

/** Creates the layer; reports the error and returns null if that fails. */
export async function loadLayer(one: ChosenLayer): Promise<DrawnLayer | null> {
  const key = layerKey(one);
  reportLayerState(key, { state: 'loading', words: undefined, offerProxy: false });
  try {
    const [record, dataset] = await Promise.all([unwrapAnswer(client.GET('/records/{id}', { params: { path: { id: one.id } } })), datasetOf(one.id, one.layer)]);
    const box = dataset?.bbox ?? record.bbox;
    reportLayerState(key, { title: dataset?.title || one.layer || record.title || record.url, kind: record.kind, credit: record.provider ?? undefined, box: isUsableBox(box) ? box : undefined });
    const draw = await loadDrawer(record.kind);
    if (!draw) throw new LayerError(t('layer.kind', { kind: record.kind }));
    const request = wishOf(one, record, dataset);
    if (!one.proxied && isMixedContent(location.href, record.url)) throw new LayerError(t('layer.mixed'), true);
    const drawn = await draw(request);
    reportLayerState(key, { state: 'ready', legend: drawn.legend, note: drawn.note, ...(drawn.box ? { box: drawn.box } : {}) });
    return drawn;
  } catch (problem) {
    reportProblem(key, problem);
    return null;
  }
}

function reportProblem(key: string, problem: unknown): void {
  const words = problem instanceof LayerError ? problem.message : problem instanceof ApiError ? (problem.status === 404 ? t('layer.gone') : problem.message) : t('layer.broken', { words: problem instanceof Error ? problem.message : String(problem) });
  reportLayerState(key, { state: 'failed', words, offerProxy: problem instanceof LayerError && problem.blocked });
}

function wishOf(one: ChosenLayer, record: ServiceRecord, dataset: Dataset | null): LayerRequest {
  const key = layerKey(one);
  const via = (url: string) => (one.proxied ? proxyUrl(one.id, url) : url);
  const host = hostOf(record.url);
  let failures = 0;
  // Once something has loaded, later failures affect only a part, and the layer stays.
  let good = false;
  return {
    record,
    dataset,
    layer: one.layer,
    proxied: one.proxied,
    routeUrl: via,
    colour: resolveToken(`family-${familyOf(record.kind)}`),
    fetch: async (url, accept) => {
      const headers: Record<string, string> = accept === 'range' ? { range: 'bytes=0-15' } : accept ? { accept } : {};
      let response: Response;
      try {
        response = await fetch(via(url), { headers, credentials: one.proxied ? 'same-origin' : 'omit', signal: AbortSignal.timeout(30_000) });
      } catch (error) {
        if (error instanceof DOMException && error.name === 'TimeoutError') throw new LayerError(t('layer.slow', { host }));
        throw new LayerError(one.proxied ? t('layer.proxy') : t('layer.cors', { host }), !one.proxied);
      }
      if (!response.ok) throw new LayerError(one.proxied ? t('layer.proxied', { words: reasonIn(await response.text()) ?? String(response.status) }) : t('layer.status', { host, status: response.status }));
      return response;
    },
    // An image that fails may be one of many: report it only while nothing has loaded.
    imageFailed: (url) => {
      failures += 1;
      if (good || failures > 1) return;
      void explain(via(url), host, one.proxied).then(({ words, blocked }) => {
        if (!good) reportLayerState(key, { state: 'failed', words, offerProxy: blocked });
      });
    },
    loadStarted: () => {
      if (!good && failures === 0) reportLayerState(key, { state: 'loading', words: undefined, offerProxy: false });
    },
    loadFinished: () => {
      if (!good) reportLayerState(key, { state: 'ready', words: undefined, offerProxy: false });
      good = true;
    },
    viewFailed: (problem) => {
      good = false;
      reportProblem(key, problem);
    },
  };
}

/** Returns why the proxy did not load an address, in the server's words. */
function reasonIn(text: string): string | null {
  try {
    const { detail } = JSON.parse(text) as { detail?: string };
    return detail ? translateSentence(detail) : null;
  } catch {
    return null;
  }
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

/** A failed image has no error message; requesting the same address as text often returns one. */
async function explain(url: string, host: string, throughProxy: boolean): Promise<{ words: string; blocked: boolean }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(15_000), credentials: throughProxy ? 'same-origin' : 'omit' });
    const text = (response.headers.get('content-type') ?? '').includes('image/') ? '' : await response.text();
    const said = /<(?:\w+:)?(?:ServiceException|ExceptionText)[^>]*>\s*([^<]+)/.exec(text)?.[1]?.trim();
    if (said) return { words: t('layer.said', { words: said.slice(0, 240) }), blocked: false };
    if (!response.ok) return { words: throughProxy ? t('layer.proxied', { words: reasonIn(text) ?? String(response.status) }) : t('layer.status', { host, status: response.status }), blocked: false };
    return { words: t('layer.nopicture', { host }), blocked: false };
  } catch {
    return { words: throughProxy ? t('layer.proxy') : t('layer.unreachable', { host }), blocked: !throughProxy };
  }
}
