import fc from 'fast-check';
import t from 'tap';

import { nodeOf, SHARDS, shardOf } from './placement.ts';

const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
const nodeIds = fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 12 });
const owners = (nodes: readonly string[]) => shards.map((shard) => nodeOf(shard, nodes));

void t.test('when a node goes only its own shards move, and when it comes back they are its own again', async () => {
  fc.assert(
    fc.property(nodeIds, fc.nat(), (nodes, n) => {
      const gone = nodes[n % nodes.length]!;
      const before = owners(nodes);
      const after = owners(nodes.filter((node) => node !== gone));
      return before.every((owner, shard) => (owner === gone ? after[shard] !== gone : after[shard] === owner));
    }),
    { numRuns: 30 },
  );
});

void t.test('in whatever order the nodes are known, the owners are the same', async () => {
  fc.assert(
    fc.property(nodeIds, (nodes) => owners(nodes).join() === owners(nodes.toReversed()).join()),
    { numRuns: 30 },
  );
});

void t.test('each node has its share of the shards, within a quarter', async (t) => {
  const most = (nodes: readonly string[]) => {
    const counts = Object.values(Object.groupBy(owners(nodes), (owner) => owner!)).map((shares) => shares!.length);
    const share = SHARDS / nodes.length;
    return Math.max(...counts.map((count) => Math.abs(count - share) / share), counts.length < nodes.length ? 1 : 0);
  };
  fc.assert(
    fc.property(fc.uniqueArray(fc.uuid(), { minLength: 3, maxLength: 3 }), (nodes) => most(nodes) < 0.25),
    { numRuns: 50 },
  );
  // Of ten nodes the largest share is chance: 102 shards have a deviation of 9.6.
  const tens = Array.from({ length: 50 }, (_, n) => most(Array.from({ length: 10 }, (_one, m) => `node-${n}-${m}`)));
  t.ok(tens.filter((deviation) => deviation < 0.25).length >= 40, `${tens.map((one) => one.toFixed(2))}`);
  t.ok(Math.max(...tens) < 0.5);
});

void t.test('properties fall into all shards alike, near names too', async (t) => {
  const counts = shards.map(() => 0);
  for (let n = 0; n < SHARDS * 100; n++)
    counts[shardOf({ tenantId: `tenant-${n % 7}`, propertyId: `house-${n}` })]! += 1;
  t.ok(Math.min(...counts) > 50 && Math.max(...counts) < 160, `${Math.min(...counts)} to ${Math.max(...counts)}`);
});

void t.test('without nodes nobody has a shard', async (t) => {
  t.equal(nodeOf(1, []), undefined);
});
