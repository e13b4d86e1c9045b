import t from 'tap';

import type { Delivery } from '../../kernel/ports.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { PartnerBreaker } from './circuit-breaker.ts';

const AWAY: Delivery = { outcome: 'AWAY', reason: 'silence' };
const isLeft = (delivery: Delivery): boolean => 'reason' in delivery && delivery.reason !== AWAY.reason;

t.test('an open breaker lets a call through after a while', async (t) => {
  let answer: Delivery = AWAY;
  const partner = new PartnerBreaker(200);
  const ask: PartnerBreaker['deliver'] = (send) => partner.deliver(send);
  t.equal(partner.breaker, 'CLOSED');
  await untilTime(async () => isLeft(await ask(async () => answer)), 'a partner that is left alone');
  t.equal(partner.breaker, 'OPEN');
  answer = { outcome: 'SENT' };
  await untilTime(async () => (await ask(async () => answer)).outcome === 'SENT', 'an answer');
  t.equal(partner.breaker, 'CLOSED');
  t.notOk(isLeft(await ask(async () => AWAY)));
});

t.test('what a partner says of a message does not count as its silence', async (t) => {
  const answers: Delivery[] = [AWAY, AWAY, AWAY, AWAY, { outcome: 'REFUSED', reason: 'no' }, AWAY, AWAY, AWAY, AWAY];
  const partner = new PartnerBreaker();
  for (const answer of answers) t.equal(await partner.deliver(async () => answer), answer);
});
