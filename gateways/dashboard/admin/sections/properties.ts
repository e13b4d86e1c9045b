import { locale, textsOf } from '../../language/texts.ts';
import { formBody, type FormField, type FormValues, valuesOf } from '../form/fields.ts';
import type { Place, Request, Section } from '../section.ts';
import { bodyOfProperty, type PropertySetUp, putProperty, readProperties } from './property-body.ts';
import { common } from './texts.ts';

const say = textsOf('admin-property');

/** Time zones that the browser knows; the service decides. */
const zones = (): { value: string; text: string }[] =>
  Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }));

const currencies = (): { value: string; text: string }[] => {
  const names = new Intl.DisplayNames(locale, { type: 'currency' });
  return Intl.supportedValuesOf('currency').map((code) => ({ value: code, text: `${code} · ${names.of(code)}` }));
};

const ADDRESS = say('Address');

/** The fields of a property; in the wizard too. */
export function propertyFields(): FormField[] {
  return [
    {
      name: 'name',
      label: say('Name'),
      type: 'text',
      required: true,
      maxLength: 200,
      hint: say('As guests read it.'),
    },
    {
      name: 'propertyId',
      label: say('Id'),
      type: 'text',
      required: true,
      maxLength: 50,
      isFixed: true,
      hint: say('In addresses and messages, such as bay-inn: small letters, digits and hyphens.'),
    },
    {
      name: 'metadata/timezone',
      label: say('Time zone'),
      type: 'choice',
      options: zones(),
      required: true,
      hint: (zone) =>
        zone === ''
          ? say('Days and hours of the property are counted there.')
          : say('It is {time} there now.', { time: timeIn(zone) }),
    },
    {
      name: 'metadata/currency',
      label: say('Currency'),
      type: 'choice',
      options: currencies(),
      required: true,
      hint: say('Prices, bills and payments are in it.'),
    },
    {
      name: 'metadata/checkInTime',
      label: say('Check-in from'),
      type: 'time',
      hint: (time) => say('Rooms are ready for guests from {time}.', { time: time === '' ? '15:00' : time }),
    },
    {
      name: 'metadata/checkOutTime',
      label: say('Check-out until'),
      type: 'time',
      hint: (time) => say('Guests leave their rooms by {time}.', { time: time === '' ? '11:00' : time }),
    },
    { name: 'address/addressLine1', label: say('Street'), type: 'text', maxLength: 200, group: ADDRESS },
    { name: 'address/zipCode', label: say('Postal code'), type: 'text', maxLength: 20, group: ADDRESS },
    { name: 'address/city', label: say('City'), type: 'text', maxLength: 100, group: ADDRESS },
    { name: 'address/state', label: say('Region'), type: 'text', maxLength: 100, group: ADDRESS },
    {
      name: 'address/country',
      label: say('Country'),
      type: 'text',
      maxLength: 100,
      group: ADDRESS,
      hint: say('An address is complete or left out.'),
    },
    { name: 'contact/phone', label: say('Phone'), type: 'text', maxLength: 30, group: say('Contact') },
    { name: 'contact/email', label: say('E-mail'), type: 'email', maxLength: 254, group: say('Contact') },
  ];
}

function timeIn(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(new Date());
  } catch {
    return timeZone;
  }
}

/** The id that a name suggests: `Bay Inn` is `bay-inn`. */
export function suggestedId(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 50);
}

/** Body of a create from what is typed. */
function newPropertyBody(values: FormValues): object {
  return formBody(propertyFields(), {
    ...values,
    propertyId: values['propertyId'] || suggestedId(values['name'] ?? ''),
  });
}

/** Policies of the tenant are in `policies`; those of the property stay with it. */
export const propertiesSection: Section<PropertySetUp> = {
  setsProperties: true,
  lead: say('Hotels of this tenant. Each has its own rooms, prices, taxes and business date.'),
  list: {
    none: say('There is no property yet. Add the first one.'),
    read: async (place) => ({ rows: await readProperties(place) }),
    key: ({ propertyId }) => propertyId,
    columns: [
      { label: say('Name'), text: ({ name }) => name },
      { label: say('Id'), text: ({ propertyId }) => propertyId },
      { label: say('Time zone'), text: ({ metadata }) => metadata.timezone },
      { label: say('Currency'), text: ({ metadata }) => metadata.currency },
      { label: say('Rooms'), text: ({ metadata }) => String(metadata.totalRooms), isAmount: true },
    ],
    forms: [
      {
        id: 'new',
        name: say('New property'),
        of: 'list',
        action: say('Add property'),
        fields: () => propertyFields().map((field) => (field.name === 'propertyId' ? suggested(field) : field)),
        line: (values) =>
          say('{name} can be sold once it has rooms and prices.', { name: values['name'] || say('The property') }),
        requests: (values, _row, place) => [
          {
            service: 'reservation',
            method: 'POST',
            path: `${place.tenantPath}/properties`,
            body: newPropertyBody(values),
          },
        ],
        undo: (_values, _row, place, answer) => [removal(place, answer as PropertySetUp)],
        done: ({ name = '' }) => common.created(name),
      },
      {
        id: 'edit',
        name: common.edit,
        of: 'row',
        fields: propertyFields,
        values: (row) => valuesOf(propertyFields(), row),
        line: (_values, row) =>
          row?.metadata.totalRooms === 0
            ? ''
            : say('Bookings keep their prices and their currency; a new time zone moves the business date.'),
        requests: (values, row, place) => {
          const fields = propertyFields().filter(({ isFixed }) => isFixed !== true);
          return [putProperty(place, row!, withoutEmpty(formBody(fields, values, bodyOfProperty(row!))))];
        },
        undo: (_values, row, place) => [putProperty(place, row!, bodyOfProperty(row!))],
        done: ({ name = '' }) => common.saved(name),
      },
      {
        id: 'delete',
        name: common.delete,
        of: 'row',
        action: say('Delete property'),
        fields: () => [],
        values: () => ({}),
        line: (_values, row) =>
          say('{name} is not sold any more, and no longer listed. Its books stay.', { name: row?.name ?? '' }),
        confirm: (row) => row?.propertyId ?? '',
        requests: (_values, row, place) => [removal(place, row!)],
        undo: (_values, row, place) => [
          { ...removal(place, row!), method: 'POST', path: `${removal(place, row!).path}/restore` },
        ],
        done: (_values, row) => common.deleted(row?.name ?? ''),
        explained: {
          PROPERTY_IN_USE: say('It has reservations that are not finished. Check them out or cancel them first.'),
        },
      },
    ],
  },
};

/** The id may be left to the name. */
function suggested(field: FormField): FormField {
  return {
    ...field,
    required: false,
    hint: (id, { name = '' }) =>
      say('In addresses and messages: {id}. Small letters, digits and hyphens; it stays.', {
        id: id || suggestedId(name) || 'bay-inn',
      }),
  };
}

function removal({ tenantPath }: Place, { propertyId }: { propertyId: string }): Request {
  const path = `${tenantPath}/properties/${encodeURIComponent(propertyId)}`;
  return { service: 'reservation', method: 'DELETE', path };
}

/** An address or contact of which nothing is typed is none. */
function withoutEmpty(body: object): object {
  const entries = Object.entries(body);
  return Object.fromEntries(
    entries.filter(([, value]) => !(typeof value === 'object' && value !== null && Object.keys(value).length === 0)),
  );
}
