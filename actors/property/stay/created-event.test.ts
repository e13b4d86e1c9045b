import t from 'tap';

import type { EventFields } from '../../../src/events/rules/events.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import { eventsOf } from '../../../src/testing/events.ts';
import { bookCommand, DAY, PROPERTY_ID } from '../../../src/testing/property-world.ts';

type Created = EventFields['reservation.created'];

/** The field of `reservation.created` that says a member of the stay, or null; a new one does not compile before. */
const SAID = {
  checkIn: 'checkIn',
  checkOut: 'checkOut',
  roomType: 'roomType',
  adults: 'numberOfGuests',
  children: 'numberOfGuests',
  childAges: null,
  rateCode: null,
} as const satisfies Record<Exclude<keyof Stay, 'dayUse'>, keyof Created | null>;

const OTHER: Required<Omit<Stay, 'dayUse'>> = {
  checkIn: DAY + 4,
  checkOut: DAY + 8,
  roomType: 'DLX',
  adults: 1,
  children: 1,
  childAges: [3],
  rateCode: 'FLEX',
};

function createdWith(stay: Partial<Stay>): Created {
  const scene = Scene.property();
  scene.accept(bookCommand({ stay }));
  const [record] = eventsOf({ ...PROPERTY_ID, generation: 1 }, scene.last.entries);
  return record!.value as unknown as Created;
}

void t.test('the event of a new booking says every member of its stay, or is known not to', async (t) => {
  const usual = createdWith({});
  const fields = new Set(Object.values(SAID).filter((field) => field !== null));
  for (const [member, field] of Object.entries(SAID)) {
    const other = createdWith({ [member]: OTHER[member as keyof typeof OTHER] });
    const changed = [...fields].filter((name) => other[name] !== usual[name]);
    t.same(changed, field === null ? [] : [field], member);
  }
});
