import { textsOf } from '../../language/texts.ts';
import { moneyText } from '../../messages.ts';
import { type FormField, type FormValues, formBody, isYes, valuesOf } from '../form/fields.ts';
import type { Form, LoadedList, Place, Request, Section } from '../section.ts';
import { countryName, localTax, TAX_TEMPLATES, taxesOfTemplate } from '../tax-templates.ts';
import { bodyOfProperty, type PropertySetUp, putProperty, readProperty } from './property-body.ts';
import { plainAmount, common, numberText, writtenDay } from './texts.ts';

const say = textsOf('admin-property');

type Tax = PropertySetUp['metadata']['policies']['taxes'][number];
type TaxRow = Tax & { key: string };
type LoadedTaxes = LoadedList<TaxRow> & { property: PropertySetUp };

const KINDS: Record<Tax['kind'], string> = {
  PERCENT: say('Percent of the price'),
  PER_NIGHT: say('Amount for each night'),
  PER_PERSON_NIGHT: say('Amount for each person and night'),
  PER_STAY: say('Amount for each stay'),
};

const ON = { ROOM: say('Rooms'), EXTRA: say('Extras'), ALL: say('Rooms and extras') };
const ON_IN_TABLE = { ROOM: say('rooms'), EXTRA: say('extras'), ALL: say('rooms and extras') };
const options = (of: Record<string, string>) => Object.entries(of).map(([value, text]) => ({ value, text }));

/** Said of every change: who has booked is not touched. */
const WHO = say(
  'Bookings keep the taxes that they were made with. What is booked or changed from now on has the new ones.',
);

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
    hint: say('Letters and digits, such as VAT. The same code may come again for other dates.'),
  },
  { name: 'kind', label: say('Kind'), type: 'choice', options: options(KINDS), required: true },
  { name: 'value', label: say('Percent or amount'), type: 'amount', required: true, hint: exampleOf },
  {
    name: 'included',
    label: say('In the price already'),
    type: 'flag',
    isShown: ({ kind }) => kind === 'PERCENT',
    hint: (yes) => (isYes(yes) ? say('Guests pay the price as it is shown.') : say('It comes on top of the price.')),
  },
  { name: 'on', label: say('On'), type: 'choice', options: options(ON), required: true },
  {
    name: 'minAge',
    label: say('From the age of'),
    type: 'whole',
    min: 0,
    max: 18,
    isShown: ({ kind }) => kind === 'PER_PERSON_NIGHT',
    hint: say('Younger children do not pay.'),
  },
  {
    name: 'maxNights',
    label: say('First nights of a stay'),
    type: 'whole',
    min: 1,
    isShown: ({ kind }) => kind !== 'PER_STAY',
    hint: (nights) =>
      nights === ''
        ? say('Every night pays.')
        : say('From night {night} on nothing is due.', { night: Number(nights) + 1 }),
  },
  { name: 'from', label: say('Holds from'), type: 'date', hint: say('Left empty, it holds already.') },
  { name: 'to', label: say('Holds until'), type: 'date', hint: say('Left empty, it has no end.') },
];

function exampleOf(value: string, { kind }: FormValues): string {
  const number = Number(value.replace(',', '.'));
  if (value === '' || Number.isNaN(number)) return '';
  if (kind === 'PERCENT')
    return say('{percent} % of {base} are {tax}.', {
      percent: numberText(number),
      base: plainAmount(100),
      tax: plainAmount(number),
    });
  const nights = kind === 'PER_STAY' ? 1 : 2;
  const persons = kind === 'PER_PERSON_NIGHT' ? 2 : 1;
  return say('Two guests pay {amount} for two nights.', { amount: plainAmount(number * nights * persons) });
}

const keyOf = ({ code, from = '' }: Tax): string => `${code} ${from}`.trim();
const taxesOf = (loaded: LoadedList<TaxRow>): Tax[] => (loaded as LoadedTaxes).property.metadata.policies.taxes;

/** The request that gives a property these taxes. @param at index of the tax that the form is about */
function putTaxes(place: Place, loaded: LoadedList<TaxRow>, taxes: readonly object[], at?: number): Request {
  const { property } = loaded as LoadedTaxes;
  const body = bodyOfProperty(property) as { metadata: { policies: object } };
  const metadata = { ...body.metadata, policies: { ...body.metadata.policies, taxes } };
  const pointer = at === undefined ? undefined : `/metadata/policies/taxes/${at}`;
  return putProperty(place, property, { ...body, metadata }, pointer);
}

const back = (
  _values: FormValues,
  _row: TaxRow | undefined,
  place: Place,
  _answer: unknown,
  loaded: LoadedList<TaxRow>,
) => [putTaxes(place, loaded, taxesOf(loaded))];

const template: Form<TaxRow> = {
  id: 'template',
  name: say('Start from a country'),
  of: 'list',
  action: say('Add these taxes'),
  fields: () => [
    {
      name: 'country',
      label: say('Country'),
      type: 'choice',
      required: true,
      isOutside: true,
      options: TAX_TEMPLATES.map(({ country }) => ({ value: country, text: countryName(country) })),
      hint: say('Check it with your tax adviser before you sell: rates change, and municipalities decide their own.'),
    },
    {
      name: 'local',
      label: say('Tax of the municipality'),
      type: 'amount',
      isOutside: true,
      isShown: ({ country }) => country !== '' && country !== undefined,
      hint: (_value, { country }) => localHint(country),
    },
  ],
  line: ({ country, local = '' }) => templateLine(country, local),
  requests: ({ country, local = '' }, _row, place, loaded) => {
    const found = TAX_TEMPLATES.find((one) => one.country === country);
    const added = found ? taxesOfTemplate(found, local === '' ? undefined : Number(local.replace(',', '.'))) : [];
    return [putTaxes(place, loaded, [...taxesOf(loaded), ...added])];
  },
  undo: back,
  done: ({ country }) => say('{country}: taxes are added. Check them.', { country: countryName(country ?? '') }),
};

function localHint(country: string | undefined): string {
  const found = TAX_TEMPLATES.find((one) => one.country === country);
  const tax = found && localTax(found);
  if (!tax) return '';
  const { name, source } = tax;
  return tax.kind === 'PERCENT'
    ? say('{name}. In percent of the price; left empty, there is none. {source}.', { name, source })
    : say('{name}. For each person and night; left empty, there is none. {source}.', { name, source });
}

function templateLine(country: string | undefined, local: string): string {
  const found = TAX_TEMPLATES.find((one) => one.country === country);
  if (!found) return '';
  const taxes = found.taxes
    .filter(({ value }) => value !== undefined || local !== '')
    .map(({ name, kind, value, included, source }) => {
      const number = value === undefined ? local : numberText(value);
      const amount = kind === 'PERCENT' ? `${number} %` : say('{number} for each person and night', { number });
      return included
        ? say('{name} {amount}, in the price ({source})', { name, amount, source })
        : say('{name} {amount}, on top ({source})', { name, amount, source });
    });
  return say('{taxes}. As of {day}. {note}', {
    taxes: taxes.join('; '),
    day: writtenDay(found.asOf),
    note: found.note,
  });
}

/** What a tax takes, in words. */
function amountOf({ kind, value }: Tax, currency: string): string {
  if (kind === 'PERCENT') return `${numberText(value)} %`;
  const amount = moneyText(value, currency);
  if (kind === 'PER_NIGHT') return say('{amount} a night', { amount });
  return kind === 'PER_STAY' ? say('{amount} a stay', { amount }) : say('{amount} a person and night', { amount });
}

async function readTaxes(place: Place): Promise<LoadedTaxes> {
  const property = await readProperty(place);
  const { taxes, taxPercent } = property.metadata.policies;
  const currency = property.metadata.currency;
  const rows = taxes.map((tax) => ({ ...tax, key: keyOf(tax), amount: amountOf(tax, currency) }));
  const fromPolicies = property.effectiveTaxes.length - taxes.length;
  const note =
    fromPolicies > 0 || Number(taxPercent) > 0
      ? say('The policies taxPercent, feePerNight and feePerPersonNight are taxes beside these.')
      : undefined;
  return { rows, property, ...(note !== undefined && { note }) };
}

/** Taxes of the property. */
export const taxesSection: Section<TaxRow> = {
  lead: `${say('Taxes and fees of rooms and extras.')} ${WHO}`,
  list: {
    none: say('There is no tax. Prices are charged as they are.'),
    read: readTaxes,
    key: ({ key }) => key,
    columns: [
      { label: say('Name'), text: ({ name }) => name },
      { label: say('Code'), text: ({ code }) => code },
      { label: say('Takes'), text: (row) => (row as TaxRow & { amount: string }).amount },
      { label: say('In the price'), text: ({ included }) => (included ? say('yes') : say('on top')) },
      { label: say('On'), text: ({ on }) => ON_IN_TABLE[on] },
      {
        label: say('Holds'),
        text: ({ from, to }) =>
          [from && say('from {day}', { day: writtenDay(from) }), to && say('until {day}', { day: writtenDay(to) })]
            .filter(Boolean)
            .join(' '),
      },
    ],
    forms: [
      {
        id: 'new',
        name: say('New tax'),
        of: 'list',
        action: say('Add tax'),
        fields: () => [...FIELDS],
        values: () => ({ kind: 'PERCENT', on: 'ROOM', included: 'yes' }),
        line: () => WHO,
        requests: (values, _row, place, loaded) => {
          const taxes = taxesOf(loaded);
          return [putTaxes(place, loaded, [...taxes, formBody(FIELDS, values)], taxes.length)];
        },
        undo: back,
        done: ({ name = '' }) => common.created(name),
      },
      template,
      {
        id: 'edit',
        name: common.edit,
        of: 'row',
        fields: () => [...FIELDS],
        values: (row) => valuesOf(FIELDS, row),
        line: () => WHO,
        requests: (values, row, place, loaded) => {
          const taxes = taxesOf(loaded);
          const at = taxes.findIndex((tax) => keyOf(tax) === row?.key);
          return [putTaxes(place, loaded, taxes.with(at, formBody(FIELDS, values) as Tax), at)];
        },
        undo: back,
        done: ({ name = '' }) => common.saved(name),
      },
      {
        id: 'delete',
        name: common.delete,
        of: 'row',
        action: common.delete,
        fields: () => [],
        values: () => ({}),
        line: () => WHO,
        requests: (_values, row, place, loaded) => [
          putTaxes(
            place,
            loaded,
            taxesOf(loaded).filter((tax) => keyOf(tax) !== row?.key),
          ),
        ],
        undo: back,
        done: (_values, row) => common.deleted(row!.name),
      },
    ],
  },
};
