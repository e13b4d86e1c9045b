import type { channelAnswer, channelStatusAnswer } from '../../../../src/channels/contracts/channels.ts';
import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { planListAnswer } from '../../../../src/rates/contracts/rate-answers.ts';
import { read } from '../../api.ts';
import { locale } from '../../language/texts.ts';
import { type FormField, formBody, type FormValues, isYes, valuesOf } from '../form/fields.ts';
import { reservationRequest } from '../form/reservation-request.ts';
import type { Form, LoadedList, Place, Section } from '../section.ts';
import { readRoomTypes, type RoomTypeSetUp } from '../sections/room-reads.ts';
import { channelTexts as words } from './messages.ts';

type ChannelItem = WireOf<typeof channelAnswer>;
type Status = WireOf<typeof channelStatusAnswer>;
type ChannelRow = ChannelItem & { sending: Status };
type Plan = { code: string; name: string };
type LoadedChannels = LoadedList<ChannelRow> & { types: readonly RoomTypeSetUp[]; plans: readonly Plan[] };

const PATH = '/api/v1/channels';
const pathOf = ({ channelId }: ChannelItem, more = ''): string => `${PATH}/${channelId}${more}`;
const TIME = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' });
const timeOf = (at: string): string => TIME.format(new Date(at));

const SETTINGS: readonly FormField[] = [
  { name: 'name', label: words.name, type: 'text', required: true, maxLength: 100 },
  { name: 'channelCode', label: words.code, type: 'text', required: true, maxLength: 100, hint: words.codeHint },
  {
    name: 'adapter',
    label: words.protocol,
    type: 'choice',
    required: true,
    options: [
      { value: 'generic-json', text: words.genericJson },
      { value: 'ota-2003b', text: words.ota },
    ],
  },
  { name: 'url', label: words.address, type: 'text', required: true, maxLength: 2_000, hint: words.addressHint },
  {
    name: 'authorization',
    label: words.authorization,
    type: 'text',
    maxLength: 500,
    hint: words.authorizationHint,
  },
  { name: 'availabilitySync', label: words.availability, type: 'flag' },
  { name: 'rateSyncEnabled', label: words.rates, type: 'flag' },
  { name: 'minRate', label: words.minRate, type: 'amount' },
  { name: 'maxRate', label: words.maxRate, type: 'amount' },
  { name: 'commission', label: words.commission, type: 'decimal', min: 0, max: 100 },
  { name: 'stopSellOnFailure', label: words.stopSell, type: 'flag', hint: words.stopSellHint },
];
const IS_ACTIVE: FormField = { name: 'isActive', label: words.isActive, type: 'flag', hint: words.isActiveHint };

const roomName = (roomType: string): string => `room ${roomType}`;
const rateName = (roomType: string, plan: string): string => `rate ${roomType} ${plan}`;

/** For each room type the room at the channel, and for each plan its rate there. */
function mappingFields(loaded: LoadedList<ChannelRow>): FormField[] {
  const { types, plans } = loaded as LoadedChannels;
  return types.flatMap(({ roomType, name }): FormField[] => {
    const common = { type: 'text' as const, maxLength: 100, group: name, isOutside: true };
    const isShown = (values: FormValues): boolean => (values[roomName(roomType)] ?? '').trim() !== '';
    return [
      { ...common, name: roomName(roomType), label: words.room, hint: words.roomHint },
      ...plans.map(({ code, name: plan }) => ({
        ...common,
        name: rateName(roomType, code),
        label: words.rate(plan),
        isShown,
      })),
    ];
  });
}

function mappingsIn(values: FormValues, loaded: LoadedList<ChannelRow>): object[] {
  const { types, plans } = loaded as LoadedChannels;
  const typed = (name: string): string => (values[name] ?? '').trim();
  return types.flatMap(({ roomType }) => {
    const externalRoom = typed(roomName(roomType));
    if (externalRoom === '') return [];
    return plans.flatMap(({ code: ratePlan }) => {
      const externalRate = typed(rateName(roomType, ratePlan));
      return externalRate === '' ? [] : [{ roomType, ratePlan, externalRoom, externalRate }];
    });
  });
}

const mappingValues = ({ mappings }: ChannelItem): FormValues =>
  Object.fromEntries(
    mappings.flatMap(({ roomType, ratePlan, externalRoom, externalRate }) => [
      [roomName(roomType), externalRoom],
      [rateName(roomType, ratePlan), externalRate],
    ]),
  );

const settingsBody = (values: FormValues, loaded: LoadedList<ChannelRow>): object => ({
  ...formBody(SETTINGS, values),
  mappings: mappingsIn(values, loaded),
});

/** A channel as it was; its header stays as it is. */
function bodyOf(row: ChannelRow): object {
  const { name, channelCode, adapter, url, availabilitySync, rateSyncEnabled, stopSellOnFailure, mappings } = row;
  const { minRate, maxRate, commission, status } = row;
  return {
    name,
    channelCode,
    adapter,
    url,
    availabilitySync,
    rateSyncEnabled,
    stopSellOnFailure,
    mappings,
    status,
    ...(minRate !== null && { minRate }),
    ...(maxRate !== null && { maxRate }),
    ...(commission !== null && { commission }),
  };
}

function stateOf({ status, pausedBecause, sending }: ChannelRow): string {
  if (pausedBecause === 'UNDELIVERABLE') return words.undeliverable;
  if (pausedBecause === 'GONE') return words.gone;
  if (status === 'PAUSED') return words.paused;
  const { failingSince, lastError, atRisk, rejected, queued } = sending;
  const risk = atRisk > 0 ? [words.atRisk(atRisk)] : [];
  if (failingSince !== null) return [words.failing(lastError ?? ''), ...risk].join(' · ');
  const open = [...risk, ...(rejected > 0 ? [words.rejected(rejected)] : [])];
  if (queued > 0) open.push(words.waiting(queued));
  return open.length > 0 ? open.join(' · ') : words.active;
}

function statusLines({ lastTakenAt, lastError, lastErrorAt, drift, auditedAt, ...status }: Status): string[] {
  return [
    lastTakenAt === null ? words.neverTaken : words.lastTaken(timeOf(lastTakenAt)),
    ...(status.queued > 0 ? [words.waiting(status.queued)] : []),
    ...(status.rejected > 0 ? [words.rejected(status.rejected)] : []),
    ...(status.atRisk > 0 ? [words.atRisk(status.atRisk)] : []),
    ...(lastErrorAt === null ? [] : [words.lastError(timeOf(lastErrorAt), lastError ?? '')]),
    ...(auditedAt === null ? [] : [drift === null ? words.cannotSay : words.audited(timeOf(auditedAt), drift)]),
  ];
}

const refusedWithout = (values: FormValues, loaded: LoadedList<ChannelRow>): string =>
  mappingsIn(values, loaded).length === 0 ? words.noRoom : '';

const forms: Form<ChannelRow>[] = [
  {
    id: 'new',
    name: words.newChannel,
    of: 'list',
    action: words.add,
    line: (values, _row, loaded) => refusedWithout(values, loaded),
    fields: (_place, _row, loaded) => [...SETTINGS, ...mappingFields(loaded)],
    values: () => ({ adapter: 'generic-json', availabilitySync: 'yes', rateSyncEnabled: 'yes' }),
    requests: (values, _row, { property }, loaded) => [
      reservationRequest('POST', PATH, { propertyId: property!.propertyId, ...settingsBody(values, loaded) }),
    ],
    undo: (_values, _row, _place, answer) => [reservationRequest('DELETE', pathOf(answer as ChannelItem))],
    done: () => words.added,
  },
  {
    id: 'edit',
    name: words.edit,
    of: 'row',
    line: (values, _row, loaded) => refusedWithout(values, loaded),
    fields: (_place, _row, loaded) => [...SETTINGS, ...mappingFields(loaded), IS_ACTIVE],
    values: (row) => ({
      ...valuesOf(SETTINGS, row),
      ...mappingValues(row!),
      isActive: row!.status === 'ACTIVE' ? 'yes' : '',
    }),
    requests: (values, row, _place, loaded) => {
      const status = isYes(values['isActive']) ? 'ACTIVE' : 'PAUSED';
      return [reservationRequest('PUT', pathOf(row!), { ...settingsBody(values, loaded), status })];
    },
    undo: (_values, row) => [reservationRequest('PUT', pathOf(row!), bodyOf(row!))],
    done: () => words.saved,
  },
  {
    id: 'status',
    name: words.status,
    of: 'row',
    action: words.sendAll,
    fields: () => [],
    values: () => ({}),
    line: () => words.statusLine,
    async preview(_values, row, { access }) {
      return statusLines(await read<Status>(access, 'reservation', pathOf(row!, '/status')));
    },
    requests: (_values, row) => [reservationRequest('POST', pathOf(row!, '/sync'), {})],
    done: () => words.isSent,
  },
  {
    id: 'delete',
    name: words.delete,
    of: 'row',
    action: words.delete,
    fields: () => [],
    values: () => ({}),
    line: () => words.deleteLine,
    requests: (_values, row) => [reservationRequest('DELETE', pathOf(row!))],
    done: () => words.deleted,
  },
];

/** Other sellers of the rooms of a property (docs/reference/channels.md#channels). */
export const channelsSection: Section<ChannelRow> = {
  lead: words.lead,
  list: {
    none: words.none,
    async read(place: Place): Promise<LoadedChannels> {
      const { access, property } = place;
      const { propertyId = '' } = property ?? {};
      const [{ items }, types, plans] = await Promise.all([
        read<{ items: ChannelItem[] }>(access, 'reservation', PATH, { propertyId }),
        readRoomTypes(place),
        read<WireOf<typeof planListAnswer>>(access, 'rate', '/api/v1/rates/plans', { propertyId, limit: '200' }),
      ]);
      const rows = await Promise.all(
        items.map(async (one) => ({
          ...one,
          sending: await read<Status>(access, 'reservation', pathOf(one, '/status')),
        })),
      );
      return { rows, types, plans: plans.items, isSettling: rows.some(({ sending }) => sending.queued > 0) };
    },
    key: ({ channelId }) => channelId,
    columns: [
      { label: words.name, text: ({ name }) => name },
      { label: words.address, text: ({ url }) => url },
      {
        label: words.rooms,
        text: ({ mappings }) => [...new Set(mappings.map(({ roomType }) => roomType))].join(', '),
      },
      { label: words.state, text: stateOf },
    ],
    forms,
  },
};
