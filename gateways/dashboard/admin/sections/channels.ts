import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { channelMappingAnswer } from '../../../../src/tenants/contracts/tenants.ts';
import { read, readPages } from '../../api.ts';
import { textsOf } from '../../language/texts.ts';
import type { FormField } from '../form/fields.ts';
import type { LoadedList, Place, Section } from '../section.ts';
import { MAX_PAGES } from './property-body.ts';
import { recordForms } from './record-forms.ts';
import { readRoomTypes, type RoomTypeSetUp } from './room-reads.ts';

const say = textsOf('admin-selling');

type MappingRow = WireOf<typeof channelMappingAnswer>;
type LoadedMappings = LoadedList<MappingRow> & { types: readonly RoomTypeSetUp[] };

const fieldsOf = (loaded: LoadedList<MappingRow>): FormField[] => [
  { name: 'channelName', label: say('Channel'), type: 'text', required: true, maxLength: 100 },
  { name: 'channelCode', label: say('Code of the channel'), type: 'text', required: true, maxLength: 100 },
  {
    name: 'roomType',
    label: say('Room type'),
    type: 'choice',
    required: true,
    options: (loaded as LoadedMappings).types.map(({ roomType, name }) => ({ value: roomType, text: name })),
  },
  {
    name: 'externalRoomId',
    label: say('Room at the channel'),
    type: 'text',
    required: true,
    maxLength: 100,
    hint: say('The id that the channel has for this room type.'),
  },
  { name: 'mappingConfig/availabilitySync', label: say('Send availability'), type: 'flag' },
  { name: 'mappingConfig/rateSyncEnabled', label: say('Send rates'), type: 'flag' },
  { name: 'mappingConfig/minRate', label: say('Lowest rate to send'), type: 'amount' },
  { name: 'mappingConfig/maxRate', label: say('Highest rate to send'), type: 'amount' },
  { name: 'mappingConfig/commission', label: say('Commission, %'), type: 'decimal', min: 0, max: 100 },
];

const listPath = ({ propertyPath }: Place): string => `${propertyPath}/channel-mappings`;

/** Channel mappings: which room type is which at a channel. */
export const channelsSection: Section<MappingRow> = {
  lead: say('Which room type is which at a channel that sells for this property.'),
  list: {
    none: say('No channel is mapped.'),
    read: async (place): Promise<LoadedMappings> => {
      const [rows, types] = await Promise.all([
        readPages(MAX_PAGES, (query) =>
          read<{ items: MappingRow[]; nextCursor: string | null }>(
            place.access,
            'reservation',
            listPath(place),
            query,
          ),
        ),
        readRoomTypes(place),
      ]);
      return { rows, types };
    },
    key: ({ mappingId }) => mappingId,
    columns: [
      { label: say('Channel'), text: ({ channelName }) => channelName },
      { label: say('Room type'), text: ({ roomType }) => roomType },
      { label: say('Room at the channel'), text: ({ externalRoomId }) => externalRoomId },
      {
        label: say('Availability'),
        text: ({ mappingConfig }) => (mappingConfig.availabilitySync ? say('sent') : say('not sent')),
      },
      {
        label: say('Rates'),
        text: ({ mappingConfig }) => (mappingConfig.rateSyncEnabled ? say('sent') : say('not sent')),
      },
    ],
    forms: recordForms<MappingRow>({
      newName: say('New mapping'),
      addName: say('Add mapping'),
      fields: fieldsOf,
      unshown: ({ mappingConfig: { rateMapping } }) => ({ mappingConfig: { rateMapping } }),
      nameOf: ({ channelName, roomType }) =>
        say('The mapping of {roomType} at {channelName}', { roomType, channelName }),
      list: listPath,
      one: (place, { mappingId }) => `${listPath(place)}/${mappingId}`,
      isRestorable: true,
      line: { delete: () => say('Nothing of this room type is sent to the channel any more.') },
    }),
  },
};
