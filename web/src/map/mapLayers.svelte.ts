// The layers on the map: what is chosen is in the address bar, what became of it is here.

import { layoutState } from '../lib/layoutState.svelte';
import { router, setQuery } from '../lib/router.svelte';
import type { Box } from '../lib/mapControl';
import { t } from '../lib/messages.svelte';
import { decodeLayers, encodeLayers, keyOf, type Chosen } from './layerCodec';

export interface LayerState {
  state: 'loading' | 'ready' | 'failed';
  title: string;
  kind?: string;
  /** What happened and what to do, when it failed. */
  words?: string;
  /** The server's proxy may help. */
  offerProxy?: boolean;
  legend?: string;
  /** Who offers it. */
  credit?: string;
  note?: string;
  box?: Box;
}

const none: LayerState = { state: 'loading', title: '' };
let states = $state.raw<Record<string, LayerState>>({});

export const chosen = {
  /** Bottom first. */
  get list(): Chosen[] {
    return decodeLayers(router.query.get('map'));
  },
  state(one: Chosen): LayerState {
    return states[keyOf(one)] ?? none;
  },
};

export function report(key: string, change: Partial<LayerState> | null): void {
  const { [key]: before, ...rest } = states;
  states = change === null ? rest : { ...rest, [key]: { ...(before ?? none), ...change } };
}

function put(list: Chosen[], replace = false): void {
  setQuery({ map: encodeLayers(list) || null }, replace);
}

export function isOnMap(id: string, layer?: string): boolean {
  return chosen.list.some((one) => one.id === id && (layer === undefined || one.layer === layer));
}

/** Puts a layer on top, or takes it off when it is there. */
export function addToMap(id: string, layer: string): void {
  const list = chosen.list;
  const there = list.some((one) => one.id === id && one.layer === layer);
  put(there ? list.filter((one) => one.id !== id || one.layer !== layer) : [...list, { id, layer, opacity: 100, proxied: false }]);
  if (!there) {
    layoutState.layersOpen = true;
    layoutState.announcement = t('map.added');
  }
}

export function changeLayer(one: Chosen, change: Partial<Pick<Chosen, 'opacity' | 'proxied'>>, replace = false): void {
  put(
    chosen.list.map((other) => (keyOf(other) === keyOf(one) ? { ...other, ...change } : other)),
    replace,
  );
}

export function removeLayer(one: Chosen): void {
  put(chosen.list.filter((other) => keyOf(other) !== keyOf(one)));
}

/** Moves it to another place of the list. */
export function moveLayer(from: number, to: number): void {
  const list = [...chosen.list];
  if (from === to || !list[from] || to < 0 || to >= list.length) return;
  list.splice(to, 0, ...list.splice(from, 1));
  put(list);
}

export function clearLayers(): void {
  put([]);
}
