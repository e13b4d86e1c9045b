import { textsOf } from '../../language/texts.ts';
import { formBody, type FormField, valuesOf } from '../form/fields.ts';
import type { Place, Request, Section } from '../section.ts';
import { readRoomTypes, type RoomTypeSetUp } from './room-reads.ts';
import { common } from './texts.ts';

const say = textsOf('admin-property');

const FIELDS: readonly FormField[] = [
  { name: 'name', label: say('Name'), type: 'text', required: true, maxLength: 100, hint: say('As guests read it.') },
  {
    name: 'roomType',
    label: say('Code'),
    type: 'text',
    required: true,
    maxLength: 50,
    isFixed: true,
    hint: say('In prices, reports and the calendar, such as DBL. It stays.'),
  },
  {
    name: 'totalRooms',
    label: say('Rooms to sell'),
    type: 'whole',
    required: true,
    min: 0,
    max: 60_000,
    hint: (count) =>
      say('{rooms, plural, one {# room} other {# rooms}} of this type can be sold for each night.', {
        rooms: Number(count) || 0,
      }),
  },
  {
    name: 'maxAdults',
    label: say('Adults at most'),
    type: 'whole',
    required: true,
    min: 1,
    max: 20,
    hint: say('More are refused when they book.'),
  },
  { name: 'maxChildren', label: say('Children at most'), type: 'whole', min: 0, max: 20 },
  {
    name: 'maxGuests',
    label: say('Guests at most'),
    type: 'whole',
    min: 1,
    max: 40,
    hint: say('Adults and children together; left empty, as many as both allow.'),
  },
  {
    name: 'amenities',
    label: say('Amenities'),
    type: 'tags',
    hint: say('With commas between them: Balcony, Bath tub.'),
  },
];

const pathOf = ({ propertyPath }: Place, { roomType }: { roomType: string }): string =>
  `${propertyPath}/room-types/${encodeURIComponent(roomType)}`;

const put = (place: Place, row: RoomTypeSetUp, body: object): Request => {
  return { service: 'reservation', method: 'PUT', path: pathOf(place, row), body };
};

/** Room types: what is sold. */
export const roomTypesSection: Section<RoomTypeSetUp> = {
  lead: say(
    'What guests book. Each type has as many rooms to sell as it says here; which room a guest gets is decided later.',
  ),
  list: {
    none: say('There is no room type yet. Add the first one.'),
    read: async (place) => ({ rows: await readRoomTypes(place) }),
    key: ({ roomType }) => roomType,
    columns: [
      { label: say('Name'), text: ({ name }) => name },
      { label: say('Code'), text: ({ roomType }) => roomType },
      { label: say('Rooms to sell'), text: ({ totalRooms }) => String(totalRooms), isAmount: true },
      { label: say('Guests at most'), text: ({ maxGuests }) => String(maxGuests), isAmount: true },
    ],
    forms: [
      {
        id: 'new',
        name: say('New room type'),
        of: 'list',
        action: say('Add room type'),
        fields: () => [...FIELDS],
        line: () => say('It is sold from the first night that has a price.'),
        requests: (values, _row, place) => [
          {
            service: 'reservation',
            method: 'POST',
            path: `${place.propertyPath}/room-types`,
            body: formBody(FIELDS, values),
          },
        ],
        undo: (_values, _row, place, answer) => [
          { service: 'reservation', method: 'DELETE', path: pathOf(place, answer as RoomTypeSetUp) },
        ],
        done: ({ name = '' }) => common.created(name),
      },
      {
        id: 'edit',
        name: common.edit,
        of: 'row',
        fields: () => [...FIELDS],
        values: (row) => valuesOf(FIELDS, row),
        line: ({ totalRooms = '' }, row) =>
          row && Number(totalRooms) < row.totalRooms
            ? say(
                '{rooms, plural, one {# room} other {# rooms}} fewer to sell on all nights. Nights that have sold more already keep their guests, are listed as overbooked, and sell nothing until they fit.',
                { rooms: row.totalRooms - Number(totalRooms) },
              )
            : '',
        requests: (values, row, place) => [put(place, row!, formBody(FIELDS, values))],
        undo: (_values, row, place) => [put(place, row!, row!)],
        done: ({ name = '' }) => common.saved(name),
      },
      {
        id: 'delete',
        name: common.delete,
        of: 'row',
        action: say('Delete room type'),
        fields: () => [],
        values: () => ({}),
        line: (_values, row) =>
          say(
            '{name} and its {rooms, plural, one {# room} other {# rooms}} are not sold any more. Restored, it has its rooms again, but no prices and no restrictions.',
            { name: row?.name ?? '', rooms: row?.totalRooms ?? 0 },
          ),
        confirm: (row) => row?.roomType ?? '',
        requests: (_values, row, place) => [{ service: 'reservation', method: 'DELETE', path: pathOf(place, row!) }],
        undo: (_values, row, place) => [
          { service: 'reservation', method: 'POST', path: `${pathOf(place, row!)}/restore` },
        ],
        done: (_values, row) => common.deleted(row?.name ?? ''),
      },
    ],
  },
};
