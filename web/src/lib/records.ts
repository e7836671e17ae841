// What the API says about a service, as far as these pages read it.

export type Status = 'alive' | 'degraded' | 'dead' | 'restricted' | 'blocked' | 'inconclusive' | 'unchecked';

export interface Dataset {
  name: string;
  title?: string;
  abstract?: string;
  keywords?: string[];
  bbox?: number[];
  crs?: string[];
  time?: string[];
  formats?: string[];
  title_html?: string;
}

export interface LayerHit {
  name: string;
  title_html: string;
  bbox?: number[];
}

export interface ServiceRecord {
  id: string;
  kind: string;
  kind_name?: string;
  url: string;
  aliases?: string[];
  versions?: string[];
  title?: string;
  abstract?: string;
  keywords?: string[];
  provider?: string;
  contact?: Record<string, string>;
  licence?: string;
  bbox?: number[];
  crs?: string[];
  languages?: string[];
  software?: string;
  datasets?: Dataset[];
  dataset_count?: number;
  status?: Status;
  reason?: string;
  score?: number;
  score_points?: Record<string, unknown>;
  themes?: { scheme: string; term: string }[];
  host?: { name: string; ip?: string; country?: string; city?: string; lat?: number; lon?: number };
  first_seen?: string;
  last_seen?: string;
  last_ok?: string;
  provenance?: { task?: string | number; page?: string; way?: string; depth?: number }[];
  issues?: { code: string; message: string }[];
}

export interface Hit extends ServiceRecord {
  hit: {
    score: number;
    title_html?: string;
    snippet_html?: string;
    layers?: LayerHit[];
    layers_matching?: number;
    explanation?: Record<string, number>;
  };
}

export type FacetName = 'kind' | 'theme' | 'country' | 'provider' | 'status' | 'quality' | 'licence' | 'crs' | 'language';

export interface Answer {
  total: number;
  results: Hit[];
  facets?: Partial<Record<FacetName, { value: string; count: number }[]>>;
  did_you_mean?: string;
  took_ms?: number;
}

export interface Meta {
  title: string;
  version: string;
  public_url?: string;
  oidc: { label: string } | null;
  proxy: boolean;
  base_maps: BaseMap[];
  max_running: number;
  attributions: string[];
  languages: string[];
  catalogue: { records: number; datasets: number; hosts: number };
}

export interface BaseMap {
  title: string;
  kind: string;
  url: string;
  layer?: string;
  attribution?: string;
}
