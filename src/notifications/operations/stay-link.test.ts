import t from 'tap';

import type { Services } from '../../kernel/operations/services.ts';
import { SignedText } from '../../kernel/operations/signed-text.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { freshId, NOW } from '../../testing/property-world.ts';
import { signedOwnStay, stayAddress, stayAddressInLetter } from './stay-link.ts';

const signed = new SignedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]);
const servicesWith = (linksFrom?: Instant) => {
  const stayPages = { get: async () => (linksFrom === undefined ? undefined : { linksFrom }) };
  return { signed, stayPages, pagesUrl: 'https://hotel.example' } as unknown as Services;
};

void t.test('a letter has the link as of its order, and none that was revoked since', async (t) => {
  const id = freshId();
  const address = (linksFrom?: Instant) => stayAddressInLetter(servicesWith(linksFrom), 'acme', id, NOW);
  const expected = stayAddress(servicesWith(), signedOwnStay({ signed }, 'acme', id, NOW));
  t.equal(await address(), expected, 'a revocation that comes after the letter was written ends it');
  t.equal(await address(NOW), expected);
  t.equal(await address(NOW + 1), undefined);
});
