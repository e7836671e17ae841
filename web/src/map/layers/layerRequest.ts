// What a layer is made from, and what it becomes.

import type BaseLayer from 'ol/layer/Base';
import type { Dataset, ServiceRecord } from '../../lib/records';
import type { Box } from '../../lib/mapControl';

export interface LayerRequest {
  record: ServiceRecord;
  /** The layer as the catalogue knows it. */
  dataset: Dataset | null;
  /** Its name; empty for the whole service. */
  layer: string;
  /** The address the browser asks: the service's own, or this server's proxy for it. */
  routeUrl(url: string): string;
  /** Goes through this server. */
  proxied: boolean;
  /** Asks and answers with words for people when it goes wrong. */
  fetch(url: string, accept?: string): Promise<Response>;
  /** Something was asked for after the layer was made, for example a picture of it; then it loads or fails. */
  loadStarted(): void;
  loadFinished(): void;
  /** A picture from this address did not come. */
  imageFailed(url: string): void;
  /** What is in view could not be had, for a reason in words; the next view may do better. */
  viewFailed(problem: unknown): void;
  /** Colour of its family, for features without a style. */
  colour: string;
}

/** The record's own address with its server, for readers that make their requests themselves (also in workers). */
export function absoluteRecordUrl(request: LayerRequest): string {
  return new URL(request.routeUrl(request.record.url), location.href).href;
}

export interface DrawnLayer {
  layer: BaseLayer;
  /** Where it is, when the service says it better than the catalogue. */
  box?: Box;
  /** A picture that explains it. */
  legend?: string;
  /** Something a person should know, for example that only the first features are shown. */
  note?: string;
}

export type DrawLayer = (request: LayerRequest) => Promise<DrawnLayer>;

/** A failure in words; `blocked` when the browser was not allowed to ask, where the proxy can help. */
export class LayerError extends Error {
  constructor(
    message: string,
    readonly blocked = false,
  ) {
    super(message);
  }
}
