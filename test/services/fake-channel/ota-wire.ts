import { XMLParser, XMLValidator } from 'fast-xml-parser';

import {
  type Catalogue,
  composition,
  dayIn,
  faultOf,
  minorIn,
  type ReadBody,
  type ReadValue,
  type StoredNight,
} from './wire.ts';

const NAMESPACE = 'http://www.opentravel.org/OTA/2003/05';

/** Messages of OTA that the channel reads, by the name of their root. */
export const OTA_MESSAGES = {
  OTA_HotelAvailNotifRQ: { list: 'AvailStatusMessages', record: 'AvailStatusMessage' },
  OTA_HotelRateAmountNotifRQ: { list: 'RateAmountMessages', record: 'RateAmountMessage' },
} as const;
export type OtaRoot = keyof typeof OTA_MESSAGES;

/** Attributes and children that an element may have; others are a violation. */
const ALLOWED: Record<string, readonly string[]> = {
  OTA_HotelAvailNotifRQ: ['@xmlns', '@EchoToken', '@TimeStamp', '@Version', 'POS', 'AvailStatusMessages'],
  OTA_HotelRateAmountNotifRQ: ['@xmlns', '@EchoToken', '@TimeStamp', '@Version', 'POS', 'RateAmountMessages'],
  AvailStatusMessages: ['@HotelCode', 'AvailStatusMessage'],
  RateAmountMessages: ['@HotelCode', 'RateAmountMessage'],
  AvailStatusMessage: [
    '@LocatorID',
    '@BookingLimit',
    'StatusApplicationControl',
    'LengthsOfStay',
    'RestrictionStatus',
  ],
  RateAmountMessage: ['@LocatorID', 'StatusApplicationControl', 'Rates'],
  StatusApplicationControl: ['@Start', '@End', '@InvTypeCode', '@RatePlanCode'],
  LengthsOfStay: ['@ArrivalDateBased', 'LengthOfStay'],
  LengthOfStay: ['@MinMaxMessageType', '@Time', '@TimeUnit'],
  RestrictionStatus: ['@Restriction', '@Status'],
  Rates: ['Rate'],
  Rate: ['BaseByGuestAmts'],
  BaseByGuestAmts: ['BaseByGuestAmt'],
  BaseByGuestAmt: ['@AgeQualifyingCode', '@NumberOfGuests', '@AmountAfterTax', '@CurrencyCode'],
};

type Element = Record<string, unknown>;
const isElement = (value: unknown): value is Element => typeof value === 'object' && value !== null;
const textOf = (element: unknown, name: string): string =>
  isElement(element) && typeof element[name] === 'string' ? element[name] : '';
const childrenOf = (element: unknown, name: string): Element[] => {
  const found = isElement(element) ? element[name] : undefined;
  return [found ?? []].flat().map((one) => (isElement(one) ? one : {}));
};

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  // Only those that XML itself has: a document with a DOCTYPE is not read at all.
  processEntities: true,
});

/** The root of an XML body and its name; a text says why there is none. */
function rootOf(body: string): { name: OtaRoot; root: Element } | string {
  if (/<!(DOCTYPE|ENTITY)/.test(body)) return 'DOCTYPE';
  if (XMLValidator.validate(body) !== true) return 'NOT_WELL_FORMED';
  const document = parser.parse(body) as Element;
  const name = Object.keys(OTA_MESSAGES).find((one) => one in document) as OtaRoot | undefined;
  const root = name && document[name];
  return isElement(root) ? { name: name!, root } : 'UNKNOWN_MESSAGE';
}

/** Reads a message of OTA 2003B (docs/reference/channel-protocols.md#ota-2003b) as strictly as it is described. */
export function readOta(
  contentType: string | undefined,
  body: string,
  catalogue: Catalogue,
): ReadBody & { name?: OtaRoot } {
  const violations: string[] = [];
  if (!/^text\/xml; ?charset=utf-8$/i.test(contentType ?? '')) violations.push(`CONTENT_TYPE ${contentType}`);
  if (body.includes('\n')) violations.push('NOT_ON_ONE_LINE');
  const found = rootOf(body);
  if (typeof found === 'string') return { fault: found, violations: [...violations, found] };
  const { name, root } = found;
  violations.push(...headFaults(root), ...unknownIn(name, root));
  const { list, record } = OTA_MESSAGES[name];
  const [messages] = childrenOf(root, list);
  const propertyId = textOf(messages, '@HotelCode');
  const messageId = textOf(root, '@EchoToken');
  const records = childrenOf(messages, record);
  const values = records.map((one) => valueOf(name, one, catalogue));
  if (propertyId === '' || messageId === '' || values.length === 0)
    return { name, fault: 'INCOMPLETE', violations: [...violations, 'INCOMPLETE'] };
  if (new Set(values.map(({ place }) => place)).size < values.length) violations.push('LOCATORS_NOT_UNIQUE');
  for (const { fault, room, rate, place } of values)
    if (fault !== undefined) violations.push(`${fault} ${room}/${rate} at ${place}`);
  violations.push(...composition(values));
  return { name, message: { messageId, propertyId, values }, violations };
}

function headFaults(root: Element): string[] {
  const stamp = textOf(root, '@TimeStamp');
  return [
    textOf(root, '@xmlns') === NAMESPACE ? [] : ['NAMESPACE'],
    textOf(root, '@Version') === '1.0' ? [] : ['VERSION'],
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(stamp) ? [] : [`TIME_STAMP ${stamp}`],
  ].flat();
}

function unknownIn(name: string, element: Element): string[] {
  return Object.entries(element).flatMap(([member, value]) => {
    if (!ALLOWED[name]?.includes(member)) return [`UNKNOWN ${name}/${member}`];
    return member.startsWith('@')
      ? []
      : [value].flat().flatMap((one) => (isElement(one) && member !== 'POS' ? unknownIn(member, one) : []));
  });
}

function valueOf(name: OtaRoot, record: Element, catalogue: Catalogue): ReadValue {
  const controls = childrenOf(record, 'StatusApplicationControl');
  const [control] = controls;
  const [from, to] = [dayIn(textOf(control, '@Start')), dayIn(textOf(control, '@End'))];
  const members = name === 'OTA_HotelAvailNotifRQ' ? statusOf(record) : amountOf(record, catalogue);
  const read: ReadValue = {
    place: Number(textOf(record, '@LocatorID')),
    room: textOf(control, '@InvTypeCode'),
    rate: textOf(control, '@RatePlanCode'),
    from: from ?? 0,
    to: to ?? 0,
    members: typeof members === 'string' ? {} : members,
  };
  const fault =
    typeof members === 'string'
      ? members
      : controls.length !== 1 || !(read.place > 0)
        ? 'MALFORMED'
        : from === undefined || to === undefined
          ? 'NO_DATE'
          : Object.keys(members).length === 0
            ? 'EMPTY'
            : faultOf(read, catalogue);
  return { ...read, ...(fault !== undefined && { fault }) };
}

const CLOSES = { Master: 'closed', Arrival: 'closedToArrival', Departure: 'closedToDeparture' } as const;

function statusOf(record: Element): StoredNight | string {
  const members: StoredNight = {};
  const limit = textOf(record, '@BookingLimit');
  if ('@BookingLimit' in record && !/^\d+$/.test(limit)) return 'BOOKING_LIMIT';
  if (limit !== '') members.availability = Number(limit);
  const statuses = childrenOf(record, 'RestrictionStatus');
  if (statuses.length > 1) return 'RESTRICTION_STATUS_TWICE';
  for (const status of statuses) {
    const member = CLOSES[textOf(status, '@Restriction') as keyof typeof CLOSES];
    const state = textOf(status, '@Status');
    if (member === undefined || !['Open', 'Close'].includes(state)) return 'RESTRICTION_STATUS';
    members[member] = state === 'Close';
  }
  for (const length of childrenOf(childrenOf(record, 'LengthsOfStay')[0], 'LengthOfStay')) {
    const type = textOf(length, '@MinMaxMessageType');
    const time = textOf(length, '@Time');
    const isSet = /^[1-9]\d{0,2}$/.test(time) && textOf(length, '@TimeUnit') === 'Day';
    if (type === 'SetMinLOS' && isSet) members.minStay = Number(time);
    else if (type === 'SetMaxLOS' && isSet) members.maxStay = Number(time);
    else if (type === 'RemoveMaxLOS' && time === '') members.maxStay = 0;
    else return 'LENGTH_OF_STAY';
  }
  return members;
}

function amountOf(record: Element, { currency }: Catalogue): StoredNight | string {
  const amounts = childrenOf(record, 'Rates').flatMap((rates) =>
    childrenOf(rates, 'Rate').flatMap((rate) =>
      childrenOf(rate, 'BaseByGuestAmts').flatMap((base) => childrenOf(base, 'BaseByGuestAmt')),
    ),
  );
  const [amount] = amounts;
  if (amounts.length !== 1 || textOf(amount, '@AgeQualifyingCode') !== '10') return 'MALFORMED';
  if (textOf(amount, '@CurrencyCode') !== currency) return 'CURRENCY';
  const rate = minorIn(textOf(amount, '@AmountAfterTax'));
  return rate === undefined || rate === 0 ? 'NO_AMOUNT' : { rate };
}
