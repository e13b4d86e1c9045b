import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { setRatesAnswer } from '../../../src/rates/contracts/rate-answers.ts';
import { read } from '../api.ts';
import { addDays } from '../grid/days.ts';
import { textsOf } from '../language/texts.ts';
import type { Place } from './section.ts';
import { readProperty } from './sections/property-body.ts';
import { readRooms, readRoomTypes } from './sections/room-reads.ts';

const say = textsOf('admin');

/** One thing that a property needs, and whether it has it; `unknown` where it could not be read. */
export type Check = {
  id: string;
  name: string;
  state: 'done' | 'missing' | 'unknown';
  text: string;
  section: string;
  form?: string;
  /** Row that the form is about. */
  item?: string;
};

type Rule = Omit<Check, 'state' | 'text' | 'item'> & {
  look(place: Place): Promise<{ isDone: boolean; text: string }>;
};

/** Nights ahead that should have a price. */
const PRICED_NIGHTS = 365;

const RULES: readonly Rule[] = [
  {
    id: 'address',
    name: say('Name and address'),
    section: 'properties',
    form: 'edit',
    look: async (place) => {
      const { address } = await readProperty(place);
      return address
        ? { isDone: true, text: [address.addressLine1, address.city, address.country].join(', ') }
        : { isDone: false, text: say('invoices and letters of this property have no address yet.') };
    },
  },
  {
    id: 'room-types',
    name: say('Room types'),
    section: 'room-types',
    look: async (place) => {
      const types = await readRoomTypes(place);
      const count = types.reduce((sum, { totalRooms }) => sum + totalRooms, 0);
      if (count === 0)
        return { isDone: false, text: say('nothing can be booked before there is a type with rooms to sell.') };
      return {
        isDone: true,
        text: say(
          '{types, plural, one {# type} other {# types}} with {rooms, plural, one {# room} other {# rooms}} to sell.',
          { types: types.length, rooms: count },
        ),
      };
    },
  },
  {
    id: 'rooms',
    name: say('Rooms'),
    section: 'rooms',
    look: async (place) => {
      const [rooms, types] = await Promise.all([readRooms(place), readRoomTypes(place)]);
      const toSell = types.reduce((sum, { totalRooms }) => sum + totalRooms, 0);
      const text = say('{rooms, plural, one {# room} other {# rooms}} with a number, {toSell} to sell.', {
        rooms: rooms.length,
        toSell,
      });
      return { isDone: rooms.length > 0 && rooms.length >= Math.min(toSell, 1_000), text };
    },
  },
  { id: 'rates', name: say('Rates'), section: 'rates', look: lookAtRates },
  {
    id: 'taxes',
    name: say('Taxes'),
    section: 'taxes',
    look: async (place) => {
      const { effectiveTaxes } = await readProperty(place);
      return effectiveTaxes.length === 0
        ? { isDone: false, text: say('prices are charged without any tax or fee.') }
        : { isDone: true, text: effectiveTaxes.map(({ name }) => name).join(', ') };
    },
  },
  {
    id: 'users',
    name: say('Users'),
    section: 'users',
    look: async ({ access, tenantPath }) => {
      const { items } = await read<{ items: object[] }>(access, 'reservation', `${tenantPath}/users`, {
        limit: '200',
      });
      const text = say('{users, plural, one {# person} other {# people}} can sign in to this tenant.', {
        users: items.length,
      });
      return { isDone: items.length > 1, text };
    },
  },
];

/** Nights of the next year that have a price, by type. */
async function lookAtRates(place: Place): Promise<{ isDone: boolean; text: string }> {
  const { access, property, today } = place;
  const types = await readRoomTypes(place);
  const { items } = await read<WireOf<typeof setRatesAnswer>>(access, 'rate', '/api/v1/rates/base', {
    propertyId: property?.propertyId ?? '',
    startDate: today,
    endDate: addDays(today, PRICED_NIGHTS - 1),
  });
  const missing = types.flatMap(({ roomType, name }) => {
    const priced = items.filter((night) => night.roomType === roomType && night.rate !== null).length;
    return priced >= PRICED_NIGHTS
      ? []
      : [say('{name} has a price on {priced} of the next {nights} nights', { name, priced, nights: PRICED_NIGHTS })];
  });
  if (types.length === 0) return { isDone: false, text: say('there is no room type that could have a price.') };
  if (missing.length > 0)
    return {
      isDone: false,
      text: say('{missing}. Nights without a price are not sold.', { missing: missing.join('; ') }),
    };
  return {
    isDone: true,
    text: say('every type has a price on each of the next {nights} nights.', { nights: PRICED_NIGHTS }),
  };
}

/** Looks at each thing; one that cannot be read does not hide the others. @param open sections that can be opened */
export async function checksOf(place: Place, open: ReadonlySet<string>): Promise<readonly Check[]> {
  if (!place.property) return [];
  const { propertyId } = place.property;
  return Promise.all(
    RULES.filter(({ section }) => open.has(section)).map(async ({ look, form, ...rule }): Promise<Check> => {
      const shown = { ...rule, ...(form !== undefined && { form, item: propertyId }) };
      try {
        const { isDone, text } = await look(place);
        return { ...shown, state: isDone ? 'done' : 'missing', text };
      } catch (error) {
        return { ...shown, state: 'unknown', text: error instanceof Error ? error.message : '' };
      }
    }),
  );
}
