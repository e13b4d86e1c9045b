import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { maintenanceAnswer, maintenanceListAnswer } from '../../../../src/rooms/contracts/maintenances.ts';
import { read, readPages } from '../../api.ts';
import { dayRange, mediumDay } from '../../grid/days.ts';
import { textsOf } from '../../language/texts.ts';
import type { FormField } from '../form/fields.ts';
import type { LoadedList, Place, Section } from '../section.ts';
import { MAX_PAGES } from './property-body.ts';
import { recordForms } from './record-forms.ts';
import { readRooms } from './room-reads.ts';

const say = textsOf('admin-property');

type MaintenanceRow = WireOf<typeof maintenanceAnswer>;
type LoadedMaintenances = LoadedList<MaintenanceRow> & { rooms: readonly string[] };

const KINDS = [
  { value: 'OUT_OF_ORDER', text: say('Out of order: not sold') },
  { value: 'OUT_OF_SERVICE', text: say('Out of service: still sold') },
];

const fieldsOf = (loaded: LoadedList<MaintenanceRow>): FormField[] => [
  {
    name: 'roomNumber',
    label: say('Room'),
    type: 'choice',
    required: true,
    options: (loaded as LoadedMaintenances).rooms.map((room) => ({ value: room, text: room })),
  },
  { name: 'from', label: say('First night'), type: 'date', required: true },
  { name: 'to', label: say('Last night'), type: 'date', hint: say('Left empty, it lasts until somebody ends it.') },
  {
    name: 'kind',
    label: say('Kind'),
    type: 'choice',
    required: true,
    options: KINDS,
    hint: (kind) =>
      kind === 'OUT_OF_ORDER'
        ? say(
            'One room fewer of its type is sold on these nights. Nights that have sold more are listed as overbooked.',
          )
        : say('The room can still be given to a guest.'),
  },
  { name: 'reason', label: say('Reason'), type: 'lines', required: true, maxLength: 500 },
];

const listPath = ({ propertyPath }: Place): string => `${propertyPath}/maintenances`;

/** Maintenances: nights on which rooms cannot be used. */
export const maintenancesSection: Section<MaintenanceRow> = {
  lead: say('Nights on which a room cannot be used. Those that are over are not listed.'),
  list: {
    none: say('No room is closed.'),
    read: async (place): Promise<LoadedMaintenances> => {
      const [rows, rooms] = await Promise.all([
        readPages(MAX_PAGES, (query) =>
          read<WireOf<typeof maintenanceListAnswer>>(place.access, 'reservation', listPath(place), query),
        ),
        readRooms(place),
      ]);
      return { rows, rooms: rooms.map(({ roomNumber }) => roomNumber) };
    },
    key: ({ maintenanceId }) => maintenanceId,
    columns: [
      { label: say('Room'), text: ({ roomNumber }) => roomNumber },
      {
        label: say('Nights'),
        text: ({ from, to }) => (to === null ? say('from {day}', { day: mediumDay(from) }) : dayRange(from, to)),
      },
      { label: say('Kind'), text: ({ kind }) => KINDS.find(({ value }) => value === kind)?.text ?? kind },
      { label: say('Reason'), text: ({ reason }) => reason },
    ],
    forms: recordForms<MaintenanceRow>({
      newName: say('New maintenance'),
      addName: say('Close room'),
      fields: fieldsOf,
      nameOf: ({ roomNumber }) => say('The maintenance of room {roomNumber}', { roomNumber }),
      list: listPath,
      one: (place, { maintenanceId }) => `${listPath(place)}/${maintenanceId}`,
      isRestorable: false,
      line: { delete: () => say('It ends: the room is on sale from tonight on.') },
      explained: {
        MAINTENANCE_OVERLAPS: say('The room has another maintenance on one of these nights. Change that one.'),
        ROOM_OCCUPIED: say('A guest is in the room. Move the guest first, or begin after the departure.'),
      },
    }),
  },
};
