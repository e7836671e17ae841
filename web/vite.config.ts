import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { staticIcons } from './icons.ts';

// API used by `npm run dev`: a local `geotrawl serve`.
const api = process.env.GEOTRAWL_API ?? 'http://127.0.0.1:8080';

// Bundles the core of the map in three chunks: all of it is always needed, and many small files are slow over HTTP/1.1, but
// parsing a single file would block a slow phone noticeably. Modules that only some kinds of layers need stay separate
// and load with them.
const apart = /webgl|GeoTIFF|Zarr|\/format\/|Tile|WMTS|tilegrid|tileurl|ImageWMS|ArcGIS|OGC|\/source\/(wms|arcgis|static|mapguide)|proj4|reproj|sphere/i;
const mapCore = (id: string) => /node_modules\/ol\/.*\.js$/.test(id) && !apart.test(id);
const mapShapes = /\/ol\/(geom|proj|extent|style)\/|\/ol\/(events\/(Event|EventType|Target)|render\/canvas|Disposable|Feature|Image|ImageState|Object|ObjectEventType|Observable|array|asserts|color|colorlike|console|coordinate|css|dom|events|extent|functions|has|math|obj|proj|size|string|transform|util)\.js/;
const mapFrame = /\/ol\/(control|interaction|expr|pointer|events)\/|\/ol\/((layer\/(Base|BaseVector|Group|Layer|Property)|render\/(Box|Event|EventType|canvas\/style)|renderer\/(Composite|Map)|structs\/PriorityQueue|Collection|CollectionEventType|Kinetic|Map|MapBrowserEvent|MapBrowserEventHandler|MapBrowserEventType|MapEvent|MapEventType|MapProperty|View|ViewHint|ViewProperty|centerconstraint|easing|resolutionconstraint|rotationconstraint)\.js)/;

// Bundles what every page needs, and the first page, in two chunks instead of dozens of small files with one request each.
// The core (framework, messages, modules without markup) is parsed before the frame, as a separate task; it also contains
// all initial styles, which are inlined into the page.
const core = /\/src\/(lib|main\.ts|styles|messages\/(desk\.|stage\.|trust\.|archive\.)?en\.json)|node_modules\/(svelte|esm-env|clsx|openapi-fetch|@fontsource-variable)\/|node_modules\/ol\/ol\.css/;
const first = /\/src\/(parts|frame|search|mountApp\.ts|routes\.ts|App\.svelte|map\/(MapView|LayersCard|HostCard|Legend|mapLayers|layerCodec|densityKernel|colours|layers\/kinds)|pages\/Search)|node_modules\/@lucide\//;
// Modules shared by the task pages.
const tasks = /\/src\/tasks\/(PageHeader|LogInFirst|TaskStateLabel|RelativeTime|DataFigure|TaskProgress|runHistory|eventStream|localFormat|format|orderingNames|outcomeNames|screenSize|taskSentence|colours|toasts|types|tasks\.css)/;
const groups = [
  { name: 'map-shapes', test: (id: string) => /\/src\/map\/parts\/shapes/.test(id) || (mapCore(id) && mapShapes.test(id)) },
  { name: 'map-frame', test: (id: string) => /\/src\/map\/parts\/frame/.test(id) || (mapCore(id) && mapFrame.test(id)) },
  { name: 'map', test: mapCore },
  { name: 'core', test: (id: string) => core.test(id) || (first.test(id) && /\.css$/.test(id)) },
  { name: 'first', test: first },
  { name: 'tasks', test: (id: string) => tasks.test(id) && !/\.test\.ts$/.test(id) },
];

export default defineConfig({
  plugins: [staticIcons(), svelte()],
  build: { target: 'es2022', outDir: 'dist', modulePreload: { polyfill: false }, emptyOutDir: true, chunkSizeWarningLimit: 700, rolldownOptions: { output: { codeSplitting: { groups } } } },
  worker: { format: 'es' },
  server: { proxy: { '/api': { target: api, changeOrigin: false } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
