import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { promotionListAnswer } from '../../../../src/rates/contracts/sales-answers.ts';
import { read, readPages } from '../../api.ts';
import { dayRange } from '../../grid/days.ts';
import { textsOf } from '../../language/texts.ts';
import type { PromotionView } from '../../revenue/night/terms-api.ts';
import { promotionText } from '../../revenue/night/terms-messages.ts';
import { type FormField, formBody } from '../form/fields.ts';
import type { LoadedList, Place, Request, Section } from '../section.ts';
import { MAX_PAGES } from './property-body.ts';
import { readRoomTypes, type RoomTypeSetUp } from './room-reads.ts';
import { common } from './texts.ts';

const say = textsOf('admin-selling');

type PromotionRow = PromotionView & { takes: string };
type LoadedPromotions = LoadedList<PromotionRow> & { types: readonly RoomTypeSetUp[] };

const KINDS = [
  { value: 'PERCENTAGE', text: say('Percent off each night') },
  { value: 'FIXED_AMOUNT', text: say('Amount off the stay') },
  { value: 'FREE_NIGHTS', text: say('Cheapest nights free') },
];

const fieldsOf = (loaded: LoadedList<PromotionRow>): FormField[] => [
  { name: 'promotionName', label: say('Name'), type: 'text', required: true, maxLength: 100 },
  {
    name: 'promoCode',
    label: say('Code'),
    type: 'text',
    maxLength: 50,
    hint: say('What guests type; left empty, one is chosen for you.'),
  },
  { name: 'discount/type', label: say('Discount'), type: 'choice', options: KINDS, required: true },
  {
    name: 'discount/value',
    label: say('How much'),
    type: 'amount',
    required: true,
    hint: say('Percent, an amount, or nights.'),
  },
  { name: 'validity/startDate', label: say('Booked from'), type: 'date', required: true },
  { name: 'validity/endDate', label: say('Booked until'), type: 'date', required: true },
  {
    name: 'validity/stayPeriod/startDate',
    label: say('First night of stays'),
    type: 'date',
    hint: say('Left empty, all nights.'),
  },
  { name: 'validity/stayPeriod/endDate', label: say('Last night of stays'), type: 'date' },
  { name: 'conditions/minimumStay', label: say('Nights at least'), type: 'whole', min: 1 },
  { name: 'conditions/advanceBookingDays', label: say('Days ahead at least'), type: 'whole', min: 0 },
  {
    name: 'inventory/totalRooms',
    label: say('Times at most'),
    type: 'whole',
    min: 1,
    hint: say('Over its whole life; a cancelled booking gives one back.'),
  },
  {
    name: 'roomTypes',
    label: say('Room types'),
    type: 'choices',
    options: (loaded as LoadedPromotions).types.map(({ roomType, name }) => ({ value: roomType, text: name })),
    hint: say('None ticked: all of them.'),
  },
];

const step = (id: string, word: 'pause' | 'resume'): Request => {
  return { service: 'rate', method: 'POST', path: `/api/v1/rates/promotions/${encodeURIComponent(id)}/${word}` };
};

async function readPromotions(place: Place): Promise<LoadedPromotions> {
  const propertyId = place.property?.propertyId ?? '';
  const [rows, types] = await Promise.all([
    readPages(MAX_PAGES, (query) =>
      read<WireOf<typeof promotionListAnswer>>(place.access, 'rate', '/api/v1/rates/promotions', {
        ...query,
        propertyId,
      }),
    ),
    readRoomTypes(place),
  ]);
  const currency = place.property?.currency ?? 'EUR';
  return { rows: rows.map((row) => ({ ...row, takes: promotionText(row, currency) })), types };
}

/** Promotions: discounts with a code. */
export const promotionsSection: Section<PromotionRow> = {
  lead: say('Discounts that guests get with a code. One never combines with another.'),
  list: {
    none: say('There is no promotion yet.'),
    read: readPromotions,
    key: ({ promotionId }) => promotionId,
    columns: [
      { label: say('Name'), text: ({ promotionName }) => promotionName },
      { label: say('What it takes off'), text: ({ takes }) => takes },
      { label: say('Booked'), text: ({ validity }) => dayRange(validity.startDate, validity.endDate) },
      { label: say('Used'), text: ({ inventory }) => String(inventory.used), isAmount: true },
    ],
    forms: [
      {
        id: 'new',
        name: say('New promotion'),
        of: 'list',
        action: say('Add promotion'),
        fields: (_place, _row, loaded) => fieldsOf(loaded),
        values: (_row, { today }) => ({ 'discount/type': 'PERCENTAGE', 'validity/startDate': today }),
        line: () => say('It is on sale at once. It is paused rather than deleted; bookings keep it.'),
        requests: (values, _row, place, loaded) => {
          const body = formBody(fieldsOf(loaded), values) as { roomTypes?: string[] };
          if (body.roomTypes?.length === 0) delete body.roomTypes;
          const path = '/api/v1/rates/promotional';
          return [
            { service: 'rate', method: 'POST', path, body: { propertyId: place.property?.propertyId, ...body } },
          ];
        },
        undo: (_values, _row, _place, answer) => [step((answer as PromotionView).promotionId, 'pause')],
        done: ({ promotionName = '' }) => common.created(promotionName),
      },
      {
        id: 'pause',
        name: say('Pause'),
        of: 'row',
        action: say('Pause'),
        isOffered: (row) => row?.status === 'ACTIVE',
        fields: () => [],
        values: () => ({}),
        line: () => say('Nobody books with its code until it is resumed. Bookings keep it.'),
        requests: (_values, row) => [step(row!.promotionId, 'pause')],
        undo: (_values, row) => [step(row!.promotionId, 'resume')],
        done: (_values, row) => say('{name} is paused.', { name: row!.promotionName }),
      },
      {
        id: 'resume',
        name: say('Resume'),
        of: 'row',
        action: say('Resume'),
        isOffered: (row) => row?.status === 'PAUSED',
        fields: () => [],
        values: () => ({}),
        line: () => say('Guests can book with its code again.'),
        requests: (_values, row) => [step(row!.promotionId, 'resume')],
        undo: (_values, row) => [step(row!.promotionId, 'pause')],
        done: (_values, row) => say('{name} is on sale.', { name: row!.promotionName }),
      },
    ],
  },
};
