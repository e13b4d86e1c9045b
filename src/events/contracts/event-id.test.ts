import t from 'tap';
import { v5 } from 'uuid';

import { eventIdOf } from './event-id.ts';

const NAMESPACE = '0b6c3b0e-3d0d-5d0c-9a0e-6f1f6a1f7c11';

void t.test('an id is the UUIDv5 of what was published', async (t) => {
  const seen = new Set<string>();
  for (const tenantId of ['acme', 'acmé:ü', ''])
    for (const generation of [1, 2])
      for (let seq = 1; seq <= 200; seq++) {
        const id = eventIdOf({ tenantId, propertyId: 'anchor', generation }, seq, seq % 3);
        seen.add(id);
        t.equal(id, v5(JSON.stringify([tenantId, 'anchor', generation, seq, seq % 3]), NAMESPACE));
      }
  t.equal(seen.size, 1_200, 'no two are the same');
});
