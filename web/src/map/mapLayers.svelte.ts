// Layers on the map. The selection is in the address bar; the state of each layer is kept here.

import { layoutState } from '../lib/layoutState.svelte';
import { router, setQuery } from '../lib/router.svelte';
import type { Box } from '../lib/mapControl';
import { t } from '../lib/messages.svelte';
import { decodeLayers, encodeLayers, layerKey, type ChosenLayer } from './layerCodec';

export interface LayerState {
  state: 'loading' | 'ready' | 'failed';
  title: string;
  kind?: string;
  /** Error message with what to do next, if it failed. */
  words?: string;
  /** The proxy of the server may help. */
  offerProxy?: boolean;
  legend?: string;
  /** Provider. */
  credit?: string;
  note?: string;
  box?: Box;
}

const noLayerState: LayerState = { state: 'loading', title: '' };
let states = $state.raw<Record<string, LayerState>>({});

export const mapLayers = {
  /** Layers on the map, bottom first. */
  get list(): ChosenLayer[] {
    return decodeLayers(router.query.get('map'));
  },
  state(one: ChosenLayer): LayerState {
    return states[layerKey(one)] ?? noLayerState;
  },
};

export function reportLayerState(key: string, change: Partial<LayerState> | null): void {
  const { [key]: before, ...rest } = states;
  states = change === null ? rest : { ...rest, [key]: { ...(before ?? noLayerState), ...change } };
}

function setLayers(list: ChosenLayer[], replace = false): void {
  setQuery({ map: encodeLayers(list) || null }, replace);
}

export function isOnMap(id: string, layer?: string): boolean {
  return mapLayers.list.some((one) => one.id === id && (layer === undefined || one.layer === layer));
}

/** Adds a layer on top, or removes it if it is on the map. */
export function addToMap(id: string, layer: string): void {
  const list = mapLayers.list;
  const there = list.some((one) => one.id === id && one.layer === layer);
  setLayers(there ? list.filter((one) => one.id !== id || one.layer !== layer) : [...list, { id, layer, opacity: 100, proxied: false }]);
  if (!there) {
    layoutState.layersOpen = true;
    layoutState.announcement = t('map.added');
  }
}

export function changeLayer(one: ChosenLayer, change: Partial<Pick<ChosenLayer, 'opacity' | 'proxied'>>, replace = false): void {
  setLayers(
    mapLayers.list.map((other) => (layerKey(other) === layerKey(one) ? { ...other, ...change } : other)),
    replace,
  );
}

export function removeLayer(one: ChosenLayer): void {
  setLayers(mapLayers.list.filter((other) => layerKey(other) !== layerKey(one)));
}

/** Moves a layer to another position in the list. */
export function moveLayer(from: number, to: number): void {
  const list = [...mapLayers.list];
  if (from === to || !list[from] || to < 0 || to >= list.length) return;
  list.splice(to, 0, ...list.splice(from, 1));
  setLayers(list);
}

export function clearLayers(): void {
  setLayers([]);
}
