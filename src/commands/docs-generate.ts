import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { referencePages } from './reference-pages.ts';

/** `npm run docs:generate`: writes the pages of docs/reference that follow from the code. A test fails when one is stale. */
const reference = join(import.meta.dirname, '../../docs/reference');
for (const [name, text] of Object.entries(referencePages())) {
  writeFileSync(join(reference, name), text);
  process.stdout.write(`docs/reference/${name}\n`);
}
