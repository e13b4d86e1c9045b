import t from 'tap';
import { v7 as uuidv7 } from 'uuid';

import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { storedProperty } from '../../testing/stored-property.ts';
import { importMapping } from '../contracts/mapping.ts';
import { databaseImports } from './imports.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const imports = databaseImports(database, () => Promise.resolve(admin));

void t.test('imports of the same moment are each listed once', async (t) => {
  const to = await storedProperty(admin, 'tenant-1');
  const by = { tenantId: to.tenantId, subject: 'u-1', requestId: 'r-1' };
  const mapping = importMapping.parse({ files: [{ kind: 'reservations', file: 'a.csv', fields: {} }] });
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const importId = uuidv7();
    ids.push(importId);
    const run = { importId, propertyId: to.propertyId, dryRun: true, lines: 0, mapping, bodyHash: 'h' };
    await imports.begin(by, { ...run, parts: ['x'], isUploadOnly: true });
  }
  await admin.query(`update imports set created_at = '2027-01-01T12:00:00Z'`);
  const listed: string[] = [];
  for (let after: { createdAt: number; id: string } | undefined; ;) {
    const page = await imports.list(to, 2, after);
    listed.push(...page.map(({ importId }) => importId));
    const last = page.at(-1);
    if (!last) break;
    after = { createdAt: last.createdAt, id: last.importId };
  }
  t.same(listed, ids.toReversed());
});
