import t from 'tap';

import { SealedText } from './sealed-text.ts';

const key = (id: string, fill: number) => ({ id, secret: new Uint8Array(32).fill(fill) });

t.test('what is sealed is read by its owner alone, also after the keys have moved on', async (t) => {
  const old = new SealedText([key('k1', 1)]);
  const sealed = old.seal('tok_visa', 'reservation 1');
  t.notMatch(sealed, /visa/);
  t.not(old.seal('tok_visa', 'reservation 1'), sealed, 'never the same twice');
  const both = new SealedText([key('k2', 2), key('k1', 1)]);
  t.equal(both.open(sealed, 'reservation 1'), 'tok_visa');
  t.match(both.seal('x', 'y'), /^k2\./);
  t.throws(() => both.open(sealed, 'reservation 2'));
  t.throws(() => both.open(`${sealed.slice(0, -2)}AA`, 'reservation 1'));
  t.throws(() => new SealedText([key('k3', 3)]).open(sealed, 'reservation 1'), /k1/);
  t.throws(() => new SealedText([]));
});
