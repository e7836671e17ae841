import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { staticIcons } from './icons.ts';

// Where `npm run dev` finds the API: a `geotrawl serve` on this machine.
const api = process.env.GEOTRAWL_API ?? 'http://127.0.0.1:8080';

// The core of the map in one file: it is always needed whole, and many small files are slow over HTTP/1.1. What only
// some kinds of layers need stays apart and loads with them.
const apart = /webgl|GeoTIFF|Zarr|\/format\/|Tile|WMTS|tilegrid|tileurl|ImageWMS|ArcGIS|OGC|\/source\/(wms|arcgis|static|mapguide)|proj4|reproj|sphere/i;
const mapCore = (id: string) => /node_modules\/ol\//.test(id) && !apart.test(id);

// What every page needs, and the first page with it: one file instead of dozens of small ones, each a request of its own.
const first = /\/src\/(lib|parts|frame|search|App\.svelte|main\.ts|routes\.ts|styles|map\/(Stage|LayersCard|HostCard|Legend|chosen|codec|kernel|colours|layers\/kinds)|pages\/Search|messages\/(desk\.|stage\.|trust\.|archive\.)?en\.json)|node_modules\/(svelte|@lucide|esm-env|clsx|@fontsource-variable)\//;

export default defineConfig({
  plugins: [staticIcons(), svelte()],
  build: { target: 'es2022', outDir: 'dist', modulePreload: { polyfill: false }, emptyOutDir: true, chunkSizeWarningLimit: 700, rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'map', test: mapCore }, { name: 'first', test: (id: string) => first.test(id) && !/\.test\.ts$/.test(id) }] } } } },
  worker: { format: 'es' },
  server: { proxy: { '/api': { target: api, changeOrigin: false } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
