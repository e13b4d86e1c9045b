import { WEEKDAYS } from '../../../../src/kernel/rules/dates.ts';
import { amountIn } from '../../amounts.ts';
import { addDays } from '../../grid/days.ts';
import { type FormField, type FormValues, formBody, isYes, valuesOf } from '../form/fields.ts';
import type { Place, Request } from '../section.ts';
import { planGuaranteeText, planPriceText, planTermsText } from '../sections/plan-texts.ts';
import { propertyFields, suggestedId } from '../sections/properties.ts';
import { bodyOfProperty, putProperty } from '../sections/property-body.ts';
import { sellPlan } from '../sections/rate-plans.ts';
import { floorOf, readRanges } from '../sections/room-ranges.ts';
import { numberText } from '../sections/texts.ts';
import { countryName, localTax, TAX_TEMPLATES, taxesOfTemplate } from '../tax-templates.ts';
import { firstHotel as words } from './messages.ts';
import { photosStep } from './photos-step.ts';
import type { SetUp } from './set-up.ts';

/** A step: its fields, what stands in them at first, and what is sent when it is left. */
export type Step = {
  id: string;
  title: string;
  lead: string;
  fields(values: FormValues, setUp: SetUp): FormField[];
  values(setUp: SetUp): FormValues;
  requests(values: FormValues, setUp: SetUp, place: Place): Request[];
};

/** Nights that get a price, and stay closed until the property is opened for sale. */
const PRICED_NIGHTS = 365;
/** Room types that one visit of the step adds at most. */
const MAX_TYPES = 20;

const WEEKEND: ReadonlySet<string> = new Set(['FRIDAY', 'SATURDAY']);

/** Zone and currency of the countries that have a template. */
const COUNTRIES: Readonly<Record<string, { zone: string; currency: string }>> = {
  DE: { zone: 'Europe/Berlin', currency: 'EUR' },
  FR: { zone: 'Europe/Paris', currency: 'EUR' },
  ES: { zone: 'Europe/Madrid', currency: 'EUR' },
  PT: { zone: 'Europe/Lisbon', currency: 'EUR' },
  IT: { zone: 'Europe/Rome', currency: 'EUR' },
  NL: { zone: 'Europe/Amsterdam', currency: 'EUR' },
  AT: { zone: 'Europe/Vienna', currency: 'EUR' },
  GB: { zone: 'Europe/London', currency: 'GBP' },
};

/** What a choice brings with it: the country its zone and currency. */
export function broughtBy(name: string, value: string): FormValues {
  const country = name === 'address/country' ? COUNTRIES[value] : undefined;
  return country ? { 'metadata/timezone': country.zone, 'metadata/currency': country.currency } : {};
}

const PROPERTY_FIELDS = ['name', 'address/country', 'metadata/timezone', 'metadata/currency'];
const ADDRESS_FIELDS = ['address/addressLine1', 'address/zipCode', 'address/city'];

function firstFields(): FormField[] {
  const all = propertyFields();
  const found = [...PROPERTY_FIELDS, ...ADDRESS_FIELDS].flatMap((name) => all.filter((field) => field.name === name));
  return found.map(({ group: _none, ...field }) => ({
    ...field,
    required: true,
    ...(field.name === 'address/country' && countryField),
  }));
}

const countryField: Partial<FormField> = {
  type: 'choice',
  options: [
    ...TAX_TEMPLATES.map(({ country }) => ({ value: country, text: countryName(country) })),
    { value: 'other', text: words.other },
  ],
  hint: words.countryHint,
};

const propertyStep: Step = {
  id: 'property',
  title: words.property,
  lead: words.propertyLead,
  fields: firstFields,
  values: ({ property }) => valuesOf(firstFields(), property),
  requests: (values, { property }, place) => {
    const typed = formBody(firstFields(), values) as { address: { city: string } };
    const address = { state: typed.address.city, ...typed.address };
    if (property)
      return [
        putProperty(place, property, { ...formBody(firstFields(), values, bodyOfProperty(property)), address }),
      ];
    const body = { propertyId: suggestedId(values['name'] ?? ''), ...typed, address };
    return [{ service: 'reservation', method: 'POST', path: `${place.tenantPath}/properties`, body }];
  },
};

/** Indexes of the room types that are being typed. */
const typed = ({ more = '1' }: FormValues): number[] =>
  Array.from({ length: Math.min(Number(more), MAX_TYPES) }, (_, index) => index);

/** A short code from a name: `Double room` is `DOU`, and the number makes it unique. */
function codeFrom(name: string, taken: readonly string[]): string {
  const letters = suggestedId(name).replaceAll('-', '').toUpperCase();
  const short = letters.slice(0, 3) || 'ROOM';
  for (let length = 3; length <= letters.length; length++)
    if (!taken.includes(letters.slice(0, length))) return letters.slice(0, length);
  return taken.includes(short) ? `${short}${taken.length + 1}` : short;
}

const roomsStep: Step = {
  id: 'rooms',
  title: words.rooms,
  lead: words.roomsLead,
  values: ({ types }) => ({ more: types.length === 0 ? '1' : '0' }),
  fields: (values) =>
    typed(values).flatMap((index): FormField[] => [
      {
        name: `${index}/name`,
        label: words.typeName,
        type: 'text',
        required: true,
        maxLength: 100,
        group: words.type(index + 1),
        hint: words.typeHint,
      },
      {
        name: `${index}/numbers`,
        label: words.numbers,
        type: 'text',
        required: true,
        group: words.type(index + 1),
        hint: numbersHint,
      },
      {
        name: `${index}/maxAdults`,
        label: words.guests,
        type: 'whole',
        required: true,
        min: 1,
        max: 20,
        group: words.type(index + 1),
      },
    ]),
  requests: (values, { types }, place) => {
    const codes = types.map(({ roomType }) => roomType);
    return typed(values).flatMap((index) => {
      const name = values[`${index}/name`] ?? '';
      const read = readRanges(values[`${index}/numbers`] ?? '');
      const roomType = codeFrom(name, codes);
      codes.push(roomType);
      return 'problem' in read
        ? []
        : typeRequests(place, { roomType, name, maxAdults: Number(values[`${index}/maxAdults`]) }, read.rooms);
    });
  },
};

function numbersHint(text: string): string {
  if (text.trim() === '') return words.numbersHint;
  const read = readRanges(text);
  return 'problem' in read ? read.problem : words.roomsRead(read.rooms);
}

function typeRequests(
  place: Place,
  type: { roomType: string; name: string; maxAdults: number },
  rooms: readonly string[],
): Request[] {
  const send = (path: string, body: object): Request => {
    return { service: 'reservation', method: 'POST', path: `${place.propertyPath}/${path}`, body };
  };
  return [
    send('room-types', { ...type, totalRooms: rooms.length }),
    ...rooms.map((roomNumber) => send('rooms', { roomNumber, roomType: type.roomType, floor: floorOf(roomNumber) })),
  ];
}

const plansStep: Step = {
  id: 'plans',
  title: words.plans,
  lead: words.plansLead,
  values: ({ plans }) =>
    Object.fromEntries(plans.map(({ code, status }) => [code, status === 'ACTIVE' ? 'yes' : ''])),
  fields: (_values, { plans }) =>
    plans.map((plan): FormField => ({
      name: plan.code,
      label: plan.name,
      type: 'flag',
      hint: `${words.priceFrom(planPriceText(plan))} ${planGuaranteeText(plan)} ${planTermsText(plan)}`,
    })),
  requests: (values, { plans }) =>
    plans
      .filter(({ code, status }) => isYes(values[code]) !== (status === 'ACTIVE'))
      .map((plan) => sellPlan(plan, isYes(values[plan.code]))),
};

const templateOf = (setUp: SetUp) =>
  TAX_TEMPLATES.find(({ country }) => country === setUp.property?.address?.country);

const taxesStep: Step = {
  id: 'taxes',
  title: words.taxes,
  lead: words.taxesLead,
  values: (setUp) => ({ take: templateOf(setUp) && hasNoTaxes(setUp) ? 'yes' : '' }),
  fields: (_values, setUp) => {
    const template = templateOf(setUp);
    if (!template || !hasNoTaxes(setUp)) return [];
    const local = localTax(template);
    const sure = template.taxes.filter(({ value }) => value !== undefined);
    const says = sure.map(({ name, value, source }) => `${name}: ${numberText(value!)} % (${source})`).join('; ');
    return [
      {
        name: 'take',
        label: words.takeTaxes(countryName(template.country)),
        type: 'flag',
        hint: `${says}. ${words.asOf(template.asOf)} ${template.note}`,
      },
      {
        name: 'local',
        label: local?.name ?? '',
        type: 'amount',
        isShown: ({ take }) => isYes(take),
        hint: words.localTax(local?.kind === 'PERCENT', local?.source ?? ''),
      },
    ];
  },
  requests: ({ take, local = '' }, setUp, place) => {
    const template = templateOf(setUp);
    if (!setUp.property || !template || !isYes(take) || !hasNoTaxes(setUp)) return [];
    const taxes = taxesOfTemplate(template, amountIn(local));
    const body = bodyOfProperty(setUp.property) as { metadata: { policies: object } };
    const metadata = { ...body.metadata, policies: { ...body.metadata.policies, taxes } };
    return [putProperty(place, setUp.property, { ...body, metadata })];
  },
};

const hasNoTaxes = ({ property }: SetUp): boolean => property?.metadata.policies.taxes.length === 0;

const pricesStep: Step = {
  id: 'prices',
  title: words.prices,
  lead: words.pricesLead,
  values: () => ({}),
  fields: (_values, { types }) =>
    types.flatMap(({ roomType, name }): FormField[] => [
      { name: `${roomType}/weekday`, label: words.weekday, type: 'amount', required: true, group: name },
      { name: `${roomType}/weekend`, label: words.weekend, type: 'amount', group: name, hint: words.weekendHint },
    ]),
  requests: (values, { types, property }, { today }) => {
    const propertyId = property?.propertyId;
    const period = { startDate: today, endDate: addDays(today, PRICED_NIGHTS - 1) };
    return [
      // Nothing is sold between the first price and the day on which somebody opens the property.
      restriction({ propertyId, ...period, stopSell: true }),
      ...types.map(({ roomType }): Request => {
        const weekday = amountIn(values[`${roomType}/weekday`] ?? '') ?? 0;
        const weekend = amountIn(values[`${roomType}/weekend`] ?? '') ?? weekday;
        const rates = WEEKDAYS.map((dayOfWeek) => ({ dayOfWeek, rate: WEEKEND.has(dayOfWeek) ? weekend : weekday }));
        const body = { propertyId, roomType, effectiveDate: period.startDate, endDate: period.endDate, rates };
        return { service: 'rate', method: 'PUT', path: '/api/v1/rates/base', body };
      }),
    ];
  },
};

const restriction = (body: object): Request => {
  return { service: 'rate', method: 'PUT', path: '/api/v1/rates/restrictions', body };
};

const openStep: Step = {
  id: 'open',
  title: words.summary,
  lead: words.summaryLead,
  values: () => ({}),
  fields: () => [],
  requests: (_values, { property }, { today }) => [
    restriction({
      propertyId: property?.propertyId,
      startDate: today,
      endDate: addDays(today, PRICED_NIGHTS - 1),
      stopSell: null,
    }),
  ],
};

export const HOTEL_STEPS: readonly Step[] = [
  propertyStep,
  roomsStep,
  photosStep,
  plansStep,
  taxesStep,
  pricesStep,
  openStep,
];

/** The summary before the property is opened, line by line. */
export function hotelSummary({ property, types, plans }: SetUp): string[] {
  if (!property) return [];
  const { name, address, metadata, effectiveTaxes } = property;
  const rooms = types.reduce((sum, { totalRooms }) => sum + totalRooms, 0);
  const onSale = plans.filter(({ status }) => status === 'ACTIVE').map((plan) => plan.name);
  return [
    `${name}, ${[address?.addressLine1, address?.city].filter(Boolean).join(', ')}. ${metadata.timezone}, ${metadata.currency}.`,
    words.roomsOf(rooms, types.map((type) => `${type.totalRooms} ${type.name}`).join(', ')),
    `${words.sold}: ${onSale.join(', ')}.`,
    effectiveTaxes.length === 0
      ? words.noTaxes
      : `${words.taxes}: ${effectiveTaxes.map((tax) => tax.name).join(', ')}.`,
  ];
}
