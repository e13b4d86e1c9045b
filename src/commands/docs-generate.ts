import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { promisePage } from './promise-page.ts';
import { referencePages } from './reference-pages.ts';

/** `npm run docs:generate`: writes the generated pages of docs/reference, and the totals of PROMISE.md#totals. A test fails when one is outdated. */
const reference = join(import.meta.dirname, '../../docs/reference');
for (const [name, text] of Object.entries(referencePages())) {
  writeFileSync(join(reference, name), text);
  process.stdout.write(`docs/reference/${name}\n`);
}
writeFileSync(join(import.meta.dirname, '../../PROMISE.md'), promisePage());
process.stdout.write('PROMISE.md\n');
