import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { extraAnswer, extraListAnswer } from '../../../../src/money/contracts/extras.ts';
import { read, readPages } from '../../api.ts';
import { textsOf } from '../../language/texts.ts';
import { moneyText } from '../../messages.ts';
import { type FormField, formBody, valuesOf } from '../form/fields.ts';
import type { Place, Request, Section } from '../section.ts';
import { MAX_PAGES } from './property-body.ts';
import { common, yesOrNo } from './texts.ts';

const say = textsOf('admin-selling');

export type ExtraSetUp = WireOf<typeof extraAnswer>;

const pathOf = ({ propertyPath }: Place, code: string): string =>
  `${propertyPath}/services/${encodeURIComponent(code)}`;

const FIELDS: readonly FormField[] = [
  {
    name: 'name',
    label: say('Name'),
    type: 'text',
    required: true,
    maxLength: 100,
    hint: say('As the bill says it.'),
  },
  {
    name: 'code',
    label: say('Code'),
    type: 'text',
    required: true,
    maxLength: 50,
    isFixed: true,
    hint: say('Short and for the desk, such as BREAKFAST. It stays.'),
  },
  {
    name: 'price',
    label: say('Price'),
    type: 'amount',
    required: true,
    hint: say('Of one piece, without the taxes on top.'),
  },
  {
    name: 'taxPercent',
    label: say('Its own tax, %'),
    type: 'decimal',
    min: 0,
    max: 100,
    hint: (percent) =>
      Number(percent) > 0
        ? say('{percent} % come on top of the price.', { percent })
        : say('It has the taxes of the property that are on extras.'),
  },
  {
    name: 'stockPerNight',
    label: say('Pieces for each night'),
    type: 'whole',
    min: 1,
    max: 999,
    hint: (count) =>
      count === ''
        ? say('It is not counted: as many are sold as guests want.')
        : say(
            'It is sold by the night, and {count} are there on each night. Fewer takes nothing from stays that have it.',
            { count },
          ),
  },
  { name: 'category', label: say('Category'), type: 'text', maxLength: 50 },
  { name: 'description', label: say('Description'), type: 'lines', maxLength: 500 },
  {
    name: 'active',
    label: say('On sale'),
    type: 'flag',
    hint: say('Off, it stays on bills that have it and is offered no more.'),
  },
];

const put = (place: Place, code: string, of: object): Request => {
  const fields = FIELDS.filter(({ name }) => name !== 'code');
  return {
    service: 'reservation',
    method: 'PUT',
    path: pathOf(place, code),
    body: formBody(fields, valuesOf(fields, of)),
  };
};

/** Extras: what guests buy beside the room. */
export const extrasSection: Section<ExtraSetUp> = {
  lead: say('Breakfast, parking, an extra bed: what guests buy beside the room. A new price is that of new charges.'),
  list: {
    none: say('There is no extra yet.'),
    read: async ({ access, propertyPath }) => ({
      rows: await readPages(MAX_PAGES, (query) =>
        read<WireOf<typeof extraListAnswer>>(access, 'reservation', `${propertyPath}/services`, query),
      ),
    }),
    key: ({ code }) => code,
    columns: [
      { label: say('Name'), text: ({ name }) => name },
      { label: say('Code'), text: ({ code }) => code },
      {
        label: say('With taxes'),
        text: ({ grossPrice, currency }) => moneyText(grossPrice, currency),
        isAmount: true,
      },
      { label: say('For each night'), text: ({ stockPerNight }) => stockPerNight?.toString() ?? say('not counted') },
      { label: say('On sale'), text: ({ active }) => yesOrNo(active) },
    ],
    forms: [
      {
        id: 'new',
        name: say('New extra'),
        of: 'list',
        action: say('Add extra'),
        fields: () => [...FIELDS],
        values: () => ({ active: 'yes' }),
        requests: (values, _row, place) => [
          {
            service: 'reservation',
            method: 'PUT',
            path: pathOf(place, values['code']?.trim() || 'CODE'),
            body: formBody(
              FIELDS.filter(({ name }) => name !== 'code'),
              values,
            ),
          },
        ],
        undo: ({ code = '' }, _row, place) => [
          { service: 'reservation', method: 'DELETE', path: pathOf(place, code.trim()) },
        ],
        done: ({ name = '' }) => common.created(name),
      },
      {
        id: 'edit',
        name: common.edit,
        of: 'row',
        fields: () => [...FIELDS],
        requests: (values, row, place) => {
          const fields = FIELDS.filter(({ name }) => name !== 'code');
          return [{ ...put(place, row!.code, row!), body: formBody(fields, values) }];
        },
        undo: (_values, row, place) => [put(place, row!.code, row!)],
        done: (_values, row) => common.saved(row!.name),
      },
      {
        id: 'delete',
        name: common.delete,
        of: 'row',
        action: common.delete,
        fields: () => [],
        values: () => ({}),
        line: () => say('It is offered no more. Bills that have it keep it.'),
        requests: (_values, row, place) => [
          { service: 'reservation', method: 'DELETE', path: pathOf(place, row!.code) },
        ],
        undo: (_values, row, place) => [
          { service: 'reservation', method: 'POST', path: `${pathOf(place, row!.code)}/restore` },
        ],
        done: (_values, row) => common.deleted(row!.name),
      },
    ],
  },
};
