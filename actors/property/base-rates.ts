import type { SetBaseRates } from '../../src/domain/commands.ts';
import { WEEKDAYS, weekdayIndex } from '../../src/domain/dates.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { checkNights } from '../../src/domain/sale-window.ts';
import type { Decision, Turn } from './decide.ts';
import type { Draft } from './draft.ts';
import { saleWindow } from './state.ts';

/**
 * Sets base rates and seasons (specification 4.1, `PUT /rates/base`; contracts.md 6). Weekdays that are not named and
 * nights in no named season keep what they have; a season sets, it never compounds, so the same body twice gives the
 * same prices. A season on a night that has no rate is kept back: there is nothing to multiply.
 */
export function setBaseRates(draft: Draft, command: SetBaseRates, turn: Turn): Decision<'SET_BASE_RATES'> {
  const slab = draft.slab(command.roomType);
  if (!slab) throw new Refusal('UNKNOWN_ROOM_TYPE', `The property has no room type ${command.roomType}.`);
  checkNights(saleWindow(draft), command, { start: { pointer: '/effectiveDate' }, end: { pointer: '/endDate' } });
  const named = new Map(command.rates.map(({ weekday, rate }) => [WEEKDAYS.indexOf(weekday), rate]));
  const before: number[] = [];
  const after: number[] = [];
  let affectedDates = 0;
  for (let day = command.start; day <= command.end; day++) {
    const season = command.seasons.find(({ start, end }) => day >= start && day <= end);
    const rate = named.get(weekdayIndex(day));
    if (rate === undefined && !season) continue;
    affectedDates += 1;
    const base = rate ?? slab.base(day);
    before.push(slab.base(day));
    after.push(base);
    if (base < 0) continue;
    draft.setRate(
      command.roomType,
      day,
      base,
      season?.multiplier ?? slab.multiplier(day),
      season?.amount ?? slab.amount(day),
    );
  }
  const { rateId, roomType, start, end } = command;
  return {
    result: { rateId, start, affectedDates, updatedAt: turn.now },
    entity: rateId,
    facts: { rates: { rateId, roomType, start, end, before, after } },
  };
}
