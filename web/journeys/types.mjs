// Writes src/lib/api-types.ts from the OpenAPI document of a server started for it.

import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { Ground } from './ground.mjs';

const ground = await Ground.lay({ hosts: 10 });
try {
  const document = await ground.api(null, 'GET', '/openapi.json');
  const text = astToString(await openapiTS(document, { defaultNonNullable: false }));
  const path = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'lib', 'api-types.ts');
  writeFileSync(path, `// Written by \`npm run types\` from the server's OpenAPI document; not by hand.\n\n${text}`);
} finally {
  await ground.clear();
}
