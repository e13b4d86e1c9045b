import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

import { referencePages } from './reference-pages.ts';

const REFERENCE = join(import.meta.dirname, '../../docs/reference');

void t.test('the generated pages of docs/reference are those of the code: npm run docs:generate', async (t) => {
  for (const [name, text] of Object.entries(referencePages()))
    t.equal(readFileSync(join(REFERENCE, name), 'utf8'), text, name);
});
