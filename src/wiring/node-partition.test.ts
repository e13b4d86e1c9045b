import t from 'tap';

import { sharedOut } from '../platform/database/partition-sql.ts';
import { NodePartition } from './cluster.ts';

void t.test('background work is all of this node until a cluster says which', async (t) => {
  const found = ['anchor', 'harbour'].map((propertyId) => ({ propertyId, free: true }));
  const partition = new NodePartition('a');
  const mine = (): string[] =>
    sharedOut(found, partition, ({ propertyId }) => ({ tenantId: 'acme', propertyId }), 10).map(
      ({ propertyId }) => propertyId,
    );
  t.same(mine(), ['anchor', 'harbour']);
  partition.follow({ takes: ({ propertyId }) => propertyId === 'anchor' });
  t.same(mine(), ['anchor']);
});
