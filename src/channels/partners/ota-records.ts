import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { decimalText } from '../../kernel/rules/money.ts';
import type { ChannelMessage, ChannelRestrictions, ChannelRun } from '../rules/channel.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = 'http://www.opentravel.org/OTA/2003/05';
const VERSION = '1.0';

/** What a record says of its nights: attributes and what follows its control. */
type Statement = { attributes?: string; content?: string };

/** A message of OTA 2003B, and what of a run it carries. */
export type OtaMessage = {
  name: string;
  list: string;
  record: string;
  carriedOf(run: ChannelRun): ChannelRun | undefined;
  /** Statements of a run, each of another kind. */
  statementsOf(run: ChannelRun, currency: string): Record<string, Statement>;
};

/** Nights in a row of which the same is said, and the indexes of the runs that they are of. */
type OtaRecord = { run: ChannelRun; from: Day; to: Day; statement: Statement; indexes: number[] };

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
  statementsOf: ({ availability, restrictions }) => ({
    ...(availability !== undefined && { limit: { attributes: ` BookingLimit="${availability}"` } }),
    ...(restrictions && restrictionsIn(restrictions)),
  }),
};

const RATES: OtaMessage = {
  name: 'OTA_HotelRateAmountNotif',
  list: 'RateAmountMessages',
  record: 'RateAmountMessage',
  carriedOf: ({ rate, currency, ...run }) =>
    rate === undefined ? undefined : { ...lineOf(run), rate, ...(currency !== undefined && { currency }) },
  statementsOf: ({ rate }, currency): Record<string, Statement> =>
    rate === undefined ? {} : { amount: { content: amountOf(decimalText(rate), currency) } },
};

/** In the order in which they are sent. */
export const OTA_MESSAGES: readonly OtaMessage[] = [AVAILABILITY, RATES];

/** A record has one `RestrictionStatus`, so each restriction has records of its own. */
function restrictionsIn(changed: Partial<ChannelRestrictions>): Record<string, Statement> {
  const { closed, closedToArrival, closedToDeparture, minStay, maxStay } = changed;
  return {
    ...((minStay !== undefined || maxStay !== undefined) && { lengths: { content: lengthsOf(changed) } }),
    ...(closed !== undefined && { master: { content: statusOf('Master', closed) } }),
    ...(closedToArrival !== undefined && { arrival: { content: statusOf('Arrival', closedToArrival) } }),
    ...(closedToDeparture !== undefined && { departure: { content: statusOf('Departure', closedToDeparture) } }),
  };
}

const statusOf = (restriction: string, isClosed: boolean): string =>
  `<RestrictionStatus Restriction="${restriction}" Status="${isClosed ? 'Close' : 'Open'}"/>`;

/** A longest stay that ends is removed by a name of its own: 0 would be a limit. */
function lengthsOf({ minStay, maxStay }: Partial<ChannelRestrictions>): string {
  const least = `<LengthOfStay MinMaxMessageType="SetMinLOS" Time="${minStay}" TimeUnit="Day"/>`;
  const most = maxStay
    ? `<LengthOfStay MinMaxMessageType="SetMaxLOS" Time="${maxStay}" TimeUnit="Day"/>`
    : '<LengthOfStay MinMaxMessageType="RemoveMaxLOS"/>';
  const lengths = [...(minStay === undefined ? [] : [least]), ...(maxStay === undefined ? [] : [most])];
  return `<LengthsOfStay ArrivalDateBased="true">${lengths.join('')}</LengthsOfStay>`;
}

const amountOf = (amount: string, currency: string): string =>
  '<Rates><Rate><BaseByGuestAmts><BaseByGuestAmt AgeQualifyingCode="10" NumberOfGuests="2"' +
  ` AmountAfterTax="${amount}" CurrencyCode="${escaped(currency)}"/></BaseByGuestAmts></Rate></Rates>`;

/**
 * Records of runs, in the order of their `LocatorID`. Runs that differ in something else become one record here:
 * channels want nights in a row of which the same is said as one range.
 */
export function otaRecordsOf(of: OtaMessage, runs: readonly ChannelRun[], currency: string): OtaRecord[] {
  const records: OtaRecord[] = [];
  const last = new Map<string, OtaRecord>();
  for (const [index, run] of runs.entries())
    for (const [kind, statement] of Object.entries(of.statementsOf(run, currency))) {
      const key = JSON.stringify([run.externalRoom, run.externalRate, kind]);
      const before = last.get(key);
      if (before && before.to + 1 === run.from && isSame(before.statement, statement)) {
        before.to = run.to;
        before.indexes.push(index);
        continue;
      }
      const record = { run, from: run.from, to: run.to, statement, indexes: [index] };
      last.set(key, record);
      records.push(record);
    }
  return records;
}

const isSame = (a: Statement, b: Statement): boolean => a.attributes === b.attributes && a.content === b.content;

/** How a request of a message begins. */
export const beginningOf = ({ name }: OtaMessage): string => `${DECLARATION}<${name}RQ `;

/** A message as XML, on one line: some channels count white space as content. */
export function otaXml(of: OtaMessage, message: ChannelMessage, runs: readonly ChannelRun[]): string {
  const { messageId, at, propertyId, currency } = message;
  const list = otaRecordsOf(of, runs, currency).map(({ run, from, to, statement }, index) => {
    const dates = `Start="${formatDay(from)}" End="${formatDay(to)}"`;
    const codes = `InvTypeCode="${escaped(run.externalRoom)}" RatePlanCode="${escaped(run.externalRate)}"`;
    const { attributes = '', content = '' } = statement;
    const control = `<StatusApplicationControl ${dates} ${codes}/>`;
    return `<${of.record} LocatorID="${index + 1}"${attributes}>${control}${content}</${of.record}>`;
  });
  // Without milliseconds, which some channels do not read.
  const timeStamp = `${new Date(at).toISOString().slice(0, 19)}+00:00`;
  const head = `xmlns="${NAMESPACE}" EchoToken="${escaped(messageId)}" TimeStamp="${timeStamp}" Version="${VERSION}"`;
  return (
    `${beginningOf(of)}${head}><${of.list} HotelCode="${escaped(propertyId)}">` +
    `${list.join('')}</${of.list}></${of.name}RQ>`
  );
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as an attribute's value. XML 1.0 has no way to write control characters. */
const escaped = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, '').replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);
