import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// Where `npm run dev` finds the API: a `geotrawl serve` on this machine.
const api = process.env.GEOTRAWL_API ?? 'http://127.0.0.1:8080';

// The core of the map in one file: it is always needed whole, and many small files are slow over HTTP/1.1. What only
// some kinds of layers need stays apart and loads with them.
const apart = /webgl|GeoTIFF|Zarr|\/format\/|Tile|WMTS|tilegrid|tileurl|ImageWMS|ArcGIS|OGC|\/source\/(wms|arcgis|static|mapguide)|proj4|reproj|sphere/i;
const mapCore = (id: string) => /node_modules\/ol\//.test(id) && !apart.test(id);

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, chunkSizeWarningLimit: 700, rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'map', test: mapCore }] } } } },
  server: { proxy: { '/api': { target: api, changeOrigin: false } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
