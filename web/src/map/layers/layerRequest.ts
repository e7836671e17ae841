// Input and result of drawing a layer.

import type BaseLayer from 'ol/layer/Base';
import type { Dataset, ServiceRecord } from '../../lib/records';
import type { Box } from '../../lib/mapControl';

export interface LayerRequest {
  record: ServiceRecord;
  /** The layer as described in the catalogue. */
  dataset: Dataset | null;
  /** Layer name; empty for the whole service. */
  layer: string;
  /** Returns the address to request: the service's own, or the proxy of this server. */
  routeUrl(url: string): string;
  /** Loaded through this server. */
  proxied: boolean;
  /** Requests an address; failures throw a LayerError with a message for the user. */
  fetch(url: string, accept?: string): Promise<Response>;
  /** Reports that a request of the finished layer has started, for example an image; it then loads or fails. */
  loadStarted(): void;
  loadFinished(): void;
  /** Reports that an image failed to load. */
  imageFailed(url: string): void;
  /** Reports that the current view failed to load; the next view may succeed. */
  viewFailed(problem: unknown): void;
  /** Colour of the family, for features without a style. */
  colour: string;
}

/** Returns the absolute record URL, for readers that make their own requests (also in workers). */
export function absoluteRecordUrl(request: LayerRequest): string {
  return new URL(request.routeUrl(request.record.url), location.href).href;
}

export interface DrawnLayer {
  layer: BaseLayer;
  /** Extent, if the service states it better than the catalogue. */
  box?: Box;
  /** URL of the legend image. */
  legend?: string;
  /** Note for the user, for example that only the first features are shown. */
  note?: string;
}

export type DrawLayer = (request: LayerRequest) => Promise<DrawnLayer>;

/** A failure with a message for the user; `blocked` if the browser denied the request, so that the proxy can help. */
export class LayerError extends Error {
  constructor(
    message: string,
    readonly blocked = false,
  ) {
    super(message);
  }
}
