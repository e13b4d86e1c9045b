import t from 'tap';

import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf } from '../../kernel/rules/commands.ts';
import { DAY, freshId, NOW, property } from '../../testing/property-world.ts';
import type { PostingBody } from '../contracts/folio.ts';
import { postCharge } from './post-charge.ts';

const DESK = { tenantId: 'acme', subject: 'desk', role: 'STAFF' } as Caller;
const TAX = { code: 'BAR', name: 'Bar', kind: 'PERCENT' as const, value: 13, included: true, on: 'EXTRA' as const };
const BREAKFAST = { code: 'BREAKFAST', name: 'Breakfast', price: 1_130, taxPercent: 0, active: true };

/** The command that the actor gets for a posting. */
async function posted(body: Partial<PostingBody>): Promise<CommandOf<'POST_CHARGE'>> {
  const sent: CommandOf<'POST_CHARGE'>[] = [];
  const policies = { taxes: [TAX, { ...TAX, code: 'ROOMS', on: 'ROOM' as const }] };
  const view = async () => ({ setup: { property: property({ policies }) }, businessDate: DAY });
  const execute = async (_to: unknown, { command }: { command: CommandOf<'POST_CHARGE'> }) => {
    sent.push(command);
    return { seq: 1, result: {}, replayed: false };
  };
  const services = {
    properties: { view, execute },
    extras: { list: async () => [BREAKFAST] },
    reservations: { propertyOf: async () => 'harbor-hotel' },
    clock: { now: () => NOW },
  } as unknown as Services;
  await postCharge(services, DESK, freshId(), { quantity: 1, ...body }, {});
  return sent[0]!;
}

t.test('what is typed in has the taxes on extras, as an extra of the price list has', async (t) => {
  const taxLines = [{ code: 'BAR', amount: 130, included: true }];
  t.match(await posted({ description: 'Minibar', unitAmount: 1_130 }), { unitAmount: 1_130, taxLines });
  t.match(await posted({ extraCode: 'BREAKFAST' }), { unitAmount: 1_130, taxLines });
});
