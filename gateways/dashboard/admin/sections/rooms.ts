import { textsOf } from '../../language/texts.ts';
import { formBody, type FormField, listIn } from '../form/fields.ts';
import type { LoadedList, Place, Request, Section } from '../section.ts';
import { MAX_PAGES } from './property-body.ts';
import { floorOf, readRanges } from './room-ranges.ts';
import { readRooms, readRoomTypes, type RoomSetUp, type RoomTypeSetUp } from './room-reads.ts';
import { common } from './texts.ts';

const say = textsOf('admin-property');

type LoadedRooms = LoadedList<RoomSetUp> & { types: readonly RoomTypeSetUp[] };

async function readAll(place: Place): Promise<LoadedRooms> {
  const [rows, types] = await Promise.all([readRooms(place), readRoomTypes(place)]);
  const isCut = rows.length >= MAX_PAGES * 200;
  return { rows, types, isCut, note: isCut ? undefined : differenceOf(rows, types) };
}

/** Types that sell another number of rooms than they have. */
function differenceOf(rooms: readonly RoomSetUp[], types: readonly RoomTypeSetUp[]): string | undefined {
  const wrong = types.flatMap(({ roomType, name, totalRooms }) => {
    const count = rooms.filter((room) => room.roomType === roomType).length;
    return count === totalRooms
      ? []
      : [
          say('{name} sells {totalRooms} and has {count, plural, one {# room} other {# rooms}}', {
            name,
            totalRooms,
            count,
          }),
        ];
  });
  return wrong.length === 0
    ? undefined
    : say('{wrong}. Change the rooms to sell under Room types, or add rooms.', { wrong: wrong.join('; ') });
}

const pathOf = ({ propertyPath }: Place, { roomNumber }: { roomNumber: string }): string =>
  `${propertyPath}/rooms/${encodeURIComponent(roomNumber)}`;

const typeField = (loaded: LoadedList<RoomSetUp>): FormField => ({
  name: 'roomType',
  label: say('Room type'),
  type: 'choice',
  required: true,
  options: (loaded as LoadedRooms).types.map(({ roomType, name }) => ({
    value: roomType,
    text: `${name} (${roomType})`,
  })),
});

const MORE: readonly FormField[] = [
  {
    name: 'features',
    label: say('Features'),
    type: 'tags',
    hint: say('What guests wish for, with commas between: KING, TWIN, SMOKING, Sea view.'),
  },
  {
    name: 'accessible',
    label: say('Accessible'),
    type: 'flag',
    hint: say('For guests who need an accessible room; others get it last.'),
  },
];

const editFields = (loaded: LoadedList<RoomSetUp>): FormField[] => [
  typeField(loaded),
  { name: 'floor', label: say('Floor'), type: 'whole', min: -10, max: 200 },
  ...MORE,
  {
    name: 'connectsTo',
    label: say('Connecting doors to'),
    type: 'tags',
    hint: say('Room numbers, with commas between.'),
  },
];

const rangeField: FormField = {
  name: 'numbers',
  label: say('Room numbers'),
  type: 'lines',
  required: true,
  isOutside: true,
  hint: (text) => {
    if (text.trim() === '') return say('Single numbers and ranges: 101-120, 201-220, 305.');
    const read = readRanges(text);
    return 'problem' in read ? read.problem : summaryOf(read.rooms);
  },
};

function summaryOf(numbers: readonly string[]): string {
  const [first = ''] = numbers;
  const ends = numbers.length === 1 ? first : say('{first} to {last}', { first, last: numbers.at(-1) ?? '' });
  return say('{rooms, plural, one {# room} other {# rooms}}: {ends}. The floor is taken from the number.', {
    rooms: numbers.length,
    ends,
  });
}

const STATES: Record<RoomSetUp['status'], string> = {
  AVAILABLE: say('available'),
  OCCUPIED: say('occupied'),
  DIRTY: say('dirty'),
  CLEAN: say('clean'),
  INSPECTED: say('inspected'),
  OUT_OF_ORDER: say('out of order'),
};

const roomName = (row: RoomSetUp | undefined): string => say('Room {room}', { room: row?.roomNumber ?? '' });

/** The requests that add rooms of a type. */
function addRooms({ propertyPath }: Place, numbers: string, more: object): Request[] {
  const read = readRanges(numbers);
  if ('problem' in read) return [];
  return read.rooms.map((roomNumber) => ({
    service: 'reservation',
    method: 'POST',
    path: `${propertyPath}/rooms`,
    body: { roomNumber, floor: floorOf(roomNumber), ...more },
  }));
}

const put = (place: Place, row: RoomSetUp, body: object): Request => {
  return { service: 'reservation', method: 'PUT', path: pathOf(place, row), body };
};

/** Rooms: what guests get at check-in. */
export const roomsSection: Section<RoomSetUp> = {
  lead: say(
    'What guests get at check-in. Rooms to sell are counted by type; a room here can be assigned, cleaned and closed.',
  ),
  list: {
    none: say('There is no room yet. Add the first ones by their numbers.'),
    read: readAll,
    key: ({ roomNumber }) => roomNumber,
    columns: [
      { label: say('Room'), text: ({ roomNumber }) => roomNumber },
      { label: say('Type'), text: ({ roomType }) => roomType },
      { label: say('Floor'), text: ({ floor }) => String(floor), isAmount: true },
      { label: say('Features'), text: ({ features }) => features.join(', ') },
      { label: say('State'), text: ({ status }) => STATES[status] },
    ],
    forms: [
      {
        id: 'new',
        name: say('Add rooms'),
        of: 'list',
        action: say('Add rooms'),
        fields: (_place, _row, loaded) => [rangeField, typeField(loaded), ...MORE],
        line: ({ numbers = '' }, _row, { rows }) => {
          const read = readRanges(numbers);
          const known = 'rooms' in read ? read.rooms.filter((one) => rows.some((row) => row.roomNumber === one)) : [];
          return known.length === 0 ? '' : say('There already: {rooms}.', { rooms: listIn(known.join()).join(', ') });
        },
        requests: (values, _row, place, loaded) =>
          addRooms(place, values['numbers'] ?? '', formBody([typeField(loaded), ...MORE], values)),
        undo: (values, _row, place) =>
          addRooms(place, values['numbers'] ?? '', {}).map(({ body }) => ({
            service: 'reservation',
            method: 'DELETE',
            path: pathOf(place, body as { roomNumber: string }),
          })),
        done: ({ numbers = '' }) => {
          const read = readRanges(numbers);
          return say('{rooms, plural, one {# room} other {# rooms}} added.', {
            rooms: 'rooms' in read ? read.rooms.length : 0,
          });
        },
      },
      {
        id: 'edit',
        name: common.edit,
        of: 'row',
        fields: (_place, _row, loaded) => editFields(loaded),
        requests: (values, row, place, loaded) => [put(place, row!, formBody(editFields(loaded), values))],
        undo: (_values, row, place) => {
          const { roomType, floor, features, accessible, connectsTo } = row!;
          return [put(place, row!, { roomType, floor, features, accessible, connectsTo })];
        },
        done: (_values, row) => common.saved(roomName(row)),
      },
      {
        id: 'delete',
        name: common.delete,
        of: 'row',
        action: say('Delete room'),
        fields: () => [],
        values: () => ({}),
        line: (_values, row) =>
          say(
            'Room {room} cannot be assigned any more, and its doors to other rooms go. The rooms to sell of its type stay as they are.',
            { room: row?.roomNumber ?? '' },
          ),
        requests: (_values, row, place) => [{ service: 'reservation', method: 'DELETE', path: pathOf(place, row!) }],
        undo: (_values, row, place) => [
          { service: 'reservation', method: 'POST', path: `${pathOf(place, row!)}/restore` },
        ],
        done: (_values, row) => common.deleted(roomName(row)),
        explained: { ROOM_OCCUPIED: say('A guest is in the room. Move the guest first.') },
      },
    ],
  },
};
