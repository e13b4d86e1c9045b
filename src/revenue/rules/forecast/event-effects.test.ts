import t from 'tap';

import { EventEffects, type ForecastEvent } from './event-effects.ts';

const TODAY = 1_000;
const event = (name: string, firstNight: number, nights = 3, effect: ForecastEvent['effect'] = 'MEDIUM') => ({
  name,
  firstNight,
  lastNight: firstNight + nights - 1,
  effect,
});
/** A year of nights that ended as expected, give or take a room, and some that did not. */
const passed = (offs: Record<number, number> = {}) =>
  Array.from({ length: 365 }, (_, n) => TODAY - 365 + n).map((night) => ({
    night,
    off: offs[night] ?? (night % 2 === 0 ? 1 : -1),
  }));

void t.test('an event that took place before adds what its nights had more than was expected', async (t) => {
  const effects = new EventEffects([event('Jazz Days 2025', 700), event('jazz days, 2026', 1_064)], TODAY);
  const found = effects.at(1_065, 50, 65, () => passed({ 700: 10, 701: 12, 702: 8 }));
  t.equal(found?.event.basis, 'learnt');
  t.equal(found?.event.name, 'jazz days, 2026');
  t.ok(found!.event.rooms > 9 && found!.event.rooms <= 10, `${found?.event.rooms}`);
});

void t.test('nights that say different things add little', async (t) => {
  const effects = new EventEffects([event('Fair', 700), event('Fair', 1_064)], TODAY);
  const surely = effects.at(1_065, 50, 65, () => passed({ 700: 6, 701: 6, 702: 6 }))!;
  const hardly = effects.at(1_065, 50, 65, () => passed({ 700: 30, 701: -20, 702: 8 }))!;
  t.ok(hardly.event.rooms < 0.2 * surely.event.rooms, `${hardly.event.rooms}`);
  t.ok(hardly.deviation > surely.deviation);
});

void t.test('a new event adds what is stated, the less the more of the night is on the books', async (t) => {
  const rooms = (effect: ForecastEvent['effect'], lead: number): number => {
    const found = new EventEffects([event('Regatta', TODAY + lead, 2, effect)], TODAY);
    const added = found.at(TODAY + lead, 50, lead, () => passed())!;
    t.equal(added.event.basis, 'stated');
    return added.event.rooms;
  };
  t.ok(rooms('LOW', 90) < rooms('MEDIUM', 90) && rooms('MEDIUM', 90) < rooms('HIGH', 90));
  t.ok(rooms('HIGH', 2) < 0.5 * rooms('HIGH', 90));
  t.ok(Math.abs(rooms('HIGH', 365) - 10) < 0.01, 'a fifth of a usual night');
});

void t.test('a night without an event reads nothing, and of two the larger one counts', async (t) => {
  const effects = new EventEffects([event('Small', 1_010, 3, 'LOW'), event('Large', 1_012, 3, 'HIGH')], TODAY);
  const read = (): never => {
    throw new Error('read');
  };
  t.equal(effects.at(1_009, 50, 9, read), undefined);
  t.equal(effects.at(1_011, 50, 11, () => [])?.event.name, 'Small');
  t.equal(effects.at(1_012, 50, 12, () => [])?.event.name, 'Large');
});
