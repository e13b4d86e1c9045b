import t from 'tap';

import { HOLD_GUARD_MS } from '../../../src/stay/rules/hold.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import { bookCommand, placeHoldCommand, startBookingCommand } from '../../../src/testing/property-world.ts';

const HOLD_MS = 900_000;
const withCard = (card: string, openInOthers = 0) => ({
  ...bookCommand(),
  guarantee: { card, openElsewhere: openInOthers },
});

void t.test('a card guarantees 20 unpaid reservations at a time, over all properties', async (t) => {
  const scene = Scene.property({ policies: { overbookingLimit: 10_000 } });
  for (let n = 0; n < 19; n++) scene.accept(withCard('one'));
  t.match(scene.refuse(withCard('one', 1)), { code: 'QUOTA_EXCEEDED', details: { extra: { limit: 20 } } });
  scene.accept(withCard('one'));
  const { code, details } = scene.refuse(withCard('one'));
  t.match({ code, details }, { code: 'QUOTA_EXCEEDED', details: { retryAfterSeconds: HOLD_MS / 1000 } });
  scene.accept(withCard('another'));
  scene.accept(bookCommand());
  scene.accept(startBookingCommand());
  scene.accept(placeHoldCommand(1));
  t.pass('another card, none, a paid create and a hold of a client are not its business');
  scene.pass(HOLD_MS + HOLD_GUARD_MS);
  scene.accept(withCard('one'));
  t.pass('what has run out is not open');
});

void t.test('what a refused booking would have taken is not taken', async (t) => {
  const scene = Scene.property({ policies: { overbookingLimit: 10_000 } });
  scene.refuse(withCard('one', 20));
  t.equal(scene.state.holds.size, 0);
});
