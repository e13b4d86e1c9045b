import t from 'tap';

import { RESERVED_BYTES, WriteGate } from './write-gate.ts';

/** A disk of which so much is free, and a clock. */
function disk() {
  const world = { free: RESERVED_BYTES, now: 0, folders: [] as string[] };
  const freeIn = async (folder: string): Promise<number> => {
    world.folders.push(folder);
    if (folder.endsWith('postgres')) throw new Error('this process may not follow the link');
    return world.free;
  };
  const gate = new WriteGate({ dataDir: '/data', now: () => world.now, freeIn });
  return { world, gate };
}

void t.test('below the reserve nothing is written, above it everything', async (t) => {
  const { world, gate } = disk();
  t.match(await gate.check(), { status: 'UP', details: { readOnly: false, free: RESERVED_BYTES } });
  t.equal(gate.closed, undefined);
  world.free = RESERVED_BYTES - 1;
  world.now += 499;
  t.equal(gate.closed, undefined, 'what is known is half a second old at most');
  world.now += 1;
  t.equal(gate.closed, undefined, 'and no call waits for the disk');
  await new Promise(setImmediate);
  t.equal(gate.closed, '31 MB are free on the disk of the database');
  t.match(await gate.check(), {
    status: 'OUT_OF_SERVICE',
    details: { readOnly: true, reason: /31 MB are free/, reserved: RESERVED_BYTES },
  });
  world.free = RESERVED_BYTES;
  t.match(await gate.check(), { status: 'UP' });
  t.equal(gate.closed, undefined);
  t.match(new Set(world.folders), new Set(['/data/postgres', '/data']));
});

void t.test('what a server of ones own says of its disk is shown until it takes a write, or for 10 s', async (t) => {
  let now = 0;
  const gate = new WriteGate({ now: () => now });
  const { details } = await gate.check();
  t.same(details, { readOnly: false }, 'its disk is not seen from here');
  gate.answered('53100 no space left');
  t.equal(gate.closed, undefined, 'the next write is tried');
  t.match(await gate.check(), { status: 'OUT_OF_SERVICE', details: { reason: '53100 no space left' } });
  now += 10_000;
  t.match(await gate.check(), { status: 'UP' });
  gate.answered('53100 no space left');
  gate.answered();
  t.match(await gate.check(), { status: 'UP' });
  t.equal(gate.essential, false, 'reads go on, so the node stays in service');
});

void t.test('what the start found missing is shown beside it', async (t) => {
  const gate = new WriteGate({ rewound: 'history was rewound' });
  t.match(await gate.check(), { status: 'UP', details: { rewound: 'history was rewound' } });
});
