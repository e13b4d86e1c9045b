import * as node from 'node:crypto';
import { isDeepStrictEqual as nodeEqual } from 'node:util';
import t from 'tap';

import { Random } from '../../../src/kernel/rules/random.ts';
import { createHash, hash } from './crypto.ts';
import { isDeepStrictEqual } from './util.ts';

void t.test('SHA-256 is that of Node, at every length around its blocks', async (t) => {
  const random = new Random(1);
  const texts = Array.from({ length: 200 }, (_, length) =>
    Array.from({ length }, () => String.fromCodePoint(random.between(32, 0x2fff))).join(''),
  );
  for (const text of [...texts, 'a'.repeat(100_000)]) {
    t.equal(hash('sha256', text, 'base64url'), node.hash('sha256', text, 'base64url'));
    const parts = [text.slice(0, 9), text.slice(9)];
    const [ours, nodes] = [createHash('sha256'), node.createHash('sha256')];
    for (const part of parts) {
      ours.update(part);
      nodes.update(part);
    }
    t.equal(ours.digest('hex'), nodes.digest('hex'));
  }
});

void t.test('values are equal where Node says so', async (t) => {
  const plain = [0, -0, NaN, 1, '1', '', null, undefined, true, [], {}, [[]], [undefined], [1, 2], [2, 1]];
  const objects = [
    { a: 1 },
    { a: undefined },
    { a: 1, b: [{ c: null }] },
    { b: [{ c: null }], a: 1 },
    { b: [{ c: 0 }] },
  ];
  const values = [...plain, ...objects];
  for (const one of values)
    for (const other of values)
      t.equal(isDeepStrictEqual(one, structuredClone(other)), nodeEqual(one, structuredClone(other)));
});
