import { XMLParser, XMLValidator } from 'fast-xml-parser';

import { formatDay } from '../../kernel/rules/dates.ts';
import { decimalText } from '../../kernel/rules/money.ts';
import type { ChannelMessage, ChannelRestrictions, ChannelRun } from '../rules/channel.ts';
import type { ChannelAdapter, ChannelAnswer, ChannelRequest, ChannelVerdict, RejectedRun } from './adapter.ts';
import { codeText, reasonIn, statusFault, withCodes } from './answer-texts.ts';

const CONTENT_TYPE = 'text/xml; charset=utf-8';
const NAMESPACE = 'http://www.opentravel.org/OTA/2003/05';
const VERSION = '1.0';
/** Longest answer that is read: a warning for each of some hundred records. */
const MAX_ANSWER_CHARACTERS = 128 * 1024;
/** Codes of errors that are repeated. */
const MAX_CODES = 3;

/** What one record says of the nights of a run. */
type OtaRecord = { attributes?: string; content?: string };

/** A message of the protocol, and what of a run it carries. */
type OtaMessage = {
  name: string;
  list: string;
  record: string;
  carriedOf(run: ChannelRun): ChannelRun | undefined;
  recordsOf(run: ChannelRun, currency: string): OtaRecord[];
};

const lineOf = ({ roomType, ratePlan, externalRoom, externalRate, from, to }: ChannelRun): ChannelRun => ({
  roomType,
  ratePlan,
  externalRoom,
  externalRate,
  from,
  to,
});

const AVAILABILITY: OtaMessage = {
  name: 'OTA_HotelAvailNotif',
  list: 'AvailStatusMessages',
  record: 'AvailStatusMessage',
  carriedOf: ({ availability, restrictions, ...run }) =>
    availability === undefined && restrictions === undefined
      ? undefined
      : {
          ...lineOf(run),
          ...(availability !== undefined && { availability }),
          ...(restrictions && { restrictions }),
        },
  recordsOf({ availability, restrictions }) {
    const attributes = availability === undefined ? undefined : `BookingLimit="${availability}"`;
    if (!restrictions) return [{ attributes }];
    // A record has one `RestrictionStatus`, so that three restrictions are three records.
    const [master = '', ...others] = statusesOf(restrictions);
    return [{ attributes, content: lengthsOf(restrictions) + master }, ...others.map((content) => ({ content }))];
  },
};

const RATES: OtaMessage = {
  name: 'OTA_HotelRateAmountNotif',
  list: 'RateAmountMessages',
  record: 'RateAmountMessage',
  carriedOf: ({ rate, ...run }) => (rate === undefined ? undefined : { ...lineOf(run), rate }),
  recordsOf: ({ rate }, currency) =>
    rate === undefined
      ? []
      : [
          {
            content:
              '<Rates><Rate><BaseByGuestAmts><BaseByGuestAmt AgeQualifyingCode="10" NumberOfGuests="2"' +
              ` AmountAfterTax="${decimalText(rate)}" CurrencyCode="${escaped(currency)}"/>` +
              '</BaseByGuestAmts></Rate></Rates>',
          },
        ],
};

const MESSAGES = [AVAILABILITY, RATES];

/**
 * OTA 2003B (docs/reference/channel-protocols.md#ota-2003b): availability and restrictions are one message, rates another. Both
 * have the id of ours as `EchoToken`.
 */
export const ota2003b: ChannelAdapter = {
  requestsOf: (message) =>
    MESSAGES.flatMap((of): ChannelRequest[] => {
      const runs = message.runs.flatMap((run) => of.carriedOf(run) ?? []);
      if (runs.length === 0) return [];
      return [{ method: 'POST', contentType: CONTENT_TYPE, body: xmlOf(of, message, runs), runs }];
    }),
  verdictOf,
};

const statusesOf = ({ closed, closedToArrival, closedToDeparture }: ChannelRestrictions): string[] =>
  [['Master', closed] as const, ['Arrival', closedToArrival] as const, ['Departure', closedToDeparture] as const].map(
    ([restriction, isClosed]) =>
      `<RestrictionStatus Restriction="${restriction}" Status="${isClosed ? 'Close' : 'Open'}"/>`,
  );

/** A longest stay that ends is removed by a name of its own: 0 would be a limit. */
const lengthsOf = ({ minStay, maxStay }: ChannelRestrictions): string =>
  '<LengthsOfStay ArrivalDateBased="true">' +
  `<LengthOfStay MinMaxMessageType="SetMinLOS" Time="${minStay}" TimeUnit="Day"/>` +
  (maxStay > 0
    ? `<LengthOfStay MinMaxMessageType="SetMaxLOS" Time="${maxStay}" TimeUnit="Day"/>`
    : '<LengthOfStay MinMaxMessageType="RemoveMaxLOS"/>') +
  '</LengthsOfStay>';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** On one line: some channels count white space as content. */
function xmlOf(of: OtaMessage, { messageId, at, propertyId, currency }: ChannelMessage, runs: ChannelRun[]): string {
  const records = runs.flatMap((run) => of.recordsOf(run, currency).map((record) => ({ run, ...record })));
  const list = records.map(({ run, attributes, content = '' }, index) => {
    const dates = `Start="${formatDay(run.from)}" End="${formatDay(run.to)}"`;
    const codes = `InvTypeCode="${escaped(run.externalRoom)}" RatePlanCode="${escaped(run.externalRate)}"`;
    const more = attributes === undefined ? '' : ` ${attributes}`;
    const control = `<StatusApplicationControl ${dates} ${codes}/>`;
    return `<${of.record} LocatorID="${index + 1}"${more}>${control}${content}</${of.record}>`;
  });
  // Without milliseconds, which some channels do not read.
  const timeStamp = `${new Date(at).toISOString().slice(0, 19)}+00:00`;
  const head = `xmlns="${NAMESPACE}" EchoToken="${escaped(messageId)}" TimeStamp="${timeStamp}" Version="${VERSION}"`;
  return (
    `${DECLARATION}<${of.name}RQ ${head}><${of.list} HotelCode="${escaped(propertyId)}">` +
    `${list.join('')}</${of.list}></${of.name}RQ>`
  );
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as an attribute's value. XML 1.0 has no way to write control characters. */
const escaped = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, '').replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);

/** Names without their prefix, all values as text. Entities stay as they are written: nothing is expanded. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  isArray: (name, _, __, isAttribute) => !isAttribute && (name === 'Error' || name === 'Warning'),
});

function verdictOf({ status, body }: ChannelAnswer, request: ChannelRequest): ChannelVerdict {
  const fault = statusFault(status) ?? faultOfText(body);
  if (fault !== undefined) return { isTaken: false, why: fault };
  const of = MESSAGES.find(({ name }) => request.body.startsWith(`${DECLARATION}<${name}RQ `));
  if (of === undefined) throw new Error('the request is none of this protocol');
  const answer = answerIn(body, of.name);
  if (typeof answer === 'string') return { isTaken: false, why: answer };
  const echo = /EchoToken="([^"]*)"/.exec(request.body)?.[1];
  if (answer['@EchoToken'] !== undefined && answer['@EchoToken'] !== echo)
    return { isTaken: false, why: 'its answer has the EchoToken of another message' };
  if (Object.hasOwn(answer, 'Errors')) {
    const codes = elementsOf(answer.Errors, 'Error').map((one) => codeText(one['@Code']) ?? codeText(one['@Type']));
    return { isTaken: false, why: withCodes('it answers errors', codes.slice(0, MAX_CODES)) };
  }
  if (!Object.hasOwn(answer, 'Success')) return { isTaken: false, why: 'it answers neither success nor errors' };
  return warned(elementsOf(answer.Warnings, 'Warning'), of, request);
}

/** Why a text is not read as XML; `undefined` for one that is. */
function faultOfText(body: string): string | undefined {
  if (body.length > MAX_ANSWER_CHARACTERS) return 'its answer is too long';
  if (/^\s*<(?:!DOCTYPE\s+html|html)\b/i.test(body)) return 'it answers a page, no OTA message';
  if (/<!(?:DOCTYPE|ENTITY)/i.test(body)) return 'its answer declares a document type';
  return isWellFormed(body) ? undefined : 'its answer is no well-formed XML';
}

function isWellFormed(body: string): boolean {
  try {
    return body.trim() !== '' && XMLValidator.validate(body) === true;
  } catch {
    return false;
  }
}

type Attributes = Record<string, unknown>;
const isElement = (value: unknown): value is Attributes => typeof value === 'object' && value !== null;

/** The root of an answer, also one in a SOAP envelope; a text says why there is none. */
function answerIn(body: string, name: string): Attributes | string {
  let root: Attributes;
  try {
    root = parser.parse(body) as Attributes;
  } catch {
    return 'its answer is no well-formed XML';
  }
  const envelope = isElement(root.Envelope) ? root.Envelope.Body : root;
  if (!isElement(envelope)) return 'its answer has no OTA message';
  if (Object.hasOwn(envelope, 'Fault')) return 'it answers a SOAP fault';
  const answer = envelope[`${name}RS`] ?? envelope.OTA_ErrorRS;
  return isElement(answer) ? answer : 'its answer is not one to this message';
}

/** Elements of a list by their attributes; one without attributes has none that could be read. */
const elementsOf = (lists: unknown, name: string): Attributes[] =>
  [lists].flat().flatMap((list) => {
    const found = isElement(list) ? list[name] : [];
    return Array.isArray(found) ? found.map((one: unknown) => (isElement(one) ? one : {})) : [];
  });

/**
 * Runs that warnings reject: `RecordID` is the `LocatorID` of a record. A warning that names no record is only a hint,
 * unless it says that nothing was processed.
 */
function warned(warnings: Attributes[], of: OtaMessage, { runs }: ChannelRequest): ChannelVerdict {
  const indexes = runs.flatMap((run, index) => of.recordsOf(run, '').map(() => index));
  const rejected = new Map<number, RejectedRun>();
  for (const { '@RecordID': id, '@Status': status, '@Code': code, '@Type': type } of warnings) {
    if (id === undefined && status !== 'NotProcessed') continue;
    const index = typeof id === 'string' && /^\d{1,7}$/.test(id) ? indexes[Number(id) - 1] : undefined;
    if (index === undefined) {
      const why = id === undefined ? 'it has not processed the message' : 'it warns of a record it was not sent';
      return { isTaken: false, why: withCodes(why, [codeText(code) ?? codeText(type)]) };
    }
    rejected.set(index, { index, why: reasonIn(code, type) });
  }
  return { isTaken: true, rejected: [...rejected.values()].sort((a, b) => a.index - b.index) };
}
