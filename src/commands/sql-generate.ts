import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withGenerated } from '../property-store/storage/commit-sql.ts';
import { COMMIT_VERSION } from '../property-store/storage/lists.ts';

/** `npm run sql:generate`: writes the generated parts of the commit function. A test fails when they are outdated. */
const folder = join(import.meta.dirname, `../../migrations/sql/commit-batch.${COMMIT_VERSION}`);
for (const name of readdirSync(folder)) {
  const file = join(folder, name);
  writeFileSync(file, withGenerated(readFileSync(file, 'utf8')));
  process.stdout.write(`migrations/sql/commit-batch.${COMMIT_VERSION}/${name}\n`);
}
