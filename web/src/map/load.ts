// From a chosen layer to a drawn one: asks the catalogue what it is, loads the code of its kind, says what went wrong.

import { answerOf, client, Problem } from '../lib/api';
import { usable } from '../lib/box';
import { familyOf } from '../lib/kinds.svelte';
import { t } from '../lib/messages.svelte';
import type { Dataset, ServiceRecord } from '../lib/records';
import { translateSentence } from '../lib/serverText';
import { report } from './chosen.svelte';
import { keyOf, type Chosen } from './codec';
import { token } from './colours';
import { drawerOf } from './layers/kinds';
import { isMixed, proxied } from './layers/urls';
import { LayerProblem, type Drawn, type Wish } from './layers/wish';

async function datasetOf(id: string, layer: string): Promise<Dataset | null> {
  if (!layer) return null;
  const answer = await answerOf(client.GET('/records/{id}/layers', { params: { path: { id }, query: { q: layer, limit: 100 } } })).catch(() => ({ results: [] as Dataset[] }));
  return answer.results.find((one) => one.name === layer) ?? null;
}

/** Makes the layer; null when it cannot be, with the reason reported. */
export async function loadLayer(one: Chosen): Promise<Drawn | null> {
  const key = keyOf(one);
  report(key, { state: 'loading', words: undefined, offerProxy: false });
  try {
    const [record, dataset] = await Promise.all([answerOf(client.GET('/records/{id}', { params: { path: { id: one.id } } })), datasetOf(one.id, one.layer)]);
    const box = dataset?.bbox ?? record.bbox;
    report(key, { title: dataset?.title || one.layer || record.title || record.url, kind: record.kind, credit: record.provider ?? undefined, box: usable(box) ? box : undefined });
    const draw = await drawerOf(record.kind);
    if (!draw) throw new LayerProblem(t('layer.kind', { kind: record.kind }));
    const wish = wishOf(one, record, dataset);
    if (!one.proxied && isMixed(location.href, record.url)) throw new LayerProblem(t('layer.mixed'), true);
    const drawn = await draw(wish);
    report(key, { state: 'ready', legend: drawn.legend, note: drawn.note, ...(drawn.box ? { box: drawn.box } : {}) });
    return drawn;
  } catch (problem) {
    reportProblem(key, problem);
    return null;
  }
}

function reportProblem(key: string, problem: unknown): void {
  const words = problem instanceof LayerProblem ? problem.message : problem instanceof Problem ? (problem.status === 404 ? t('layer.gone') : problem.message) : t('layer.broken', { words: problem instanceof Error ? problem.message : String(problem) });
  report(key, { state: 'failed', words, offerProxy: problem instanceof LayerProblem && problem.blocked });
}

function wishOf(one: Chosen, record: ServiceRecord, dataset: Dataset | null): Wish {
  const key = keyOf(one);
  const via = (url: string) => (one.proxied ? proxied(one.id, url) : url);
  const host = hostOf(record.url);
  let failures = 0;
  // Something of it was seen; what fails from then on is a part of it, and the rest stays.
  let good = false;
  return {
    record,
    dataset,
    layer: one.layer,
    proxied: one.proxied,
    via,
    colour: token(`family-${familyOf(record.kind)}`),
    ask: async (url, accept) => {
      const headers: Record<string, string> = accept === 'range' ? { range: 'bytes=0-15' } : accept ? { accept } : {};
      let response: Response;
      try {
        response = await fetch(via(url), { headers, credentials: one.proxied ? 'same-origin' : 'omit', signal: AbortSignal.timeout(30_000) });
      } catch (error) {
        if (error instanceof DOMException && error.name === 'TimeoutError') throw new LayerProblem(t('layer.slow', { host }));
        throw new LayerProblem(one.proxied ? t('layer.proxy') : t('layer.cors', { host }), !one.proxied);
      }
      if (!response.ok) throw new LayerProblem(one.proxied ? t('layer.proxied', { words: reasonIn(await response.text()) ?? String(response.status) }) : t('layer.status', { host, status: response.status }));
      return response;
    },
    // A picture that does not come may be one of many: it counts when nothing has come yet.
    failed: (url) => {
      failures += 1;
      if (good || failures > 1) return;
      void explain(via(url), host, one.proxied).then(({ words, blocked }) => {
        if (!good) report(key, { state: 'failed', words, offerProxy: blocked });
      });
    },
    began: () => {
      if (!good && failures === 0) report(key, { state: 'loading', words: undefined, offerProxy: false });
    },
    loaded: () => {
      if (!good) report(key, { state: 'ready', words: undefined, offerProxy: false });
      good = true;
    },
    refused: (problem) => {
      good = false;
      reportProblem(key, problem);
    },
  };
}

/** Why this server did not load it, as it says. */
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

/** A picture that failed says nothing; asking the same address as text often does. */
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
