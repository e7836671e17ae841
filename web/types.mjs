// Writes src/lib/api-types.ts from the OpenAPI document in the server's test snapshots. With `--check`, only checks that
// the file is up to date.

import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const kept = new URL('../crates/geotrawl-serve/tests/it/snapshots/it__answers__openapi.snap', import.meta.url);
const written = new URL('./src/lib/api-types.ts', import.meta.url);

// A snapshot begins with a header between two lines of dashes.
const document = JSON.parse(readFileSync(kept, 'utf8').replace(/^---\n[\s\S]*?\n---\n/, ''));
const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
const text = `// Written by \`npm run types\` from the server's OpenAPI document; not by hand.\n\n${types}`;

if (!process.argv.includes('--check')) {
  writeFileSync(written, text);
} else if (readFileSync(written, 'utf8') !== text) {
  console.error('src/lib/api-types.ts does not match the OpenAPI document: run `npm run types`.');
  process.exit(1);
}
