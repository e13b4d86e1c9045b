import { XMLParser, XMLValidator } from 'fast-xml-parser';

import type { ChannelAdapter, ChannelAnswer, ChannelRequest, RequestOutcome, RejectedRun } from '../ports.ts';
import { codeText, reasonIn, statusFault, withCodes } from './answer-texts.ts';
import { beginningOf, OTA_MESSAGES, type OtaMessage, otaXml, otaRecordsOf } from './ota-records.ts';

const CONTENT_TYPE = 'text/xml; charset=utf-8';
/** Longest answer that is read: a warning for each of some hundred records. */
const MAX_ANSWER_CHARACTERS = 128 * 1024;
/** Codes of errors that are repeated. */
const MAX_CODES = 3;

/**
 * OTA 2003B (docs/reference/channel-protocols.md#ota-2003b): availability and restrictions are one message, rates
 * another. Both have the id of ours as `EchoToken`.
 */
export const ota2003b: ChannelAdapter = {
  requestsOf: (message) =>
    OTA_MESSAGES.flatMap((of): ChannelRequest[] => {
      const runs = message.runs.flatMap((run) => of.carriedOf(run) ?? []);
      if (runs.length === 0) return [];
      return [{ method: 'POST', contentType: CONTENT_TYPE, body: otaXml(of, message, runs), runs }];
    }),
  requestOutcome,
};

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

function requestOutcome({ status, body }: ChannelAnswer, request: ChannelRequest): RequestOutcome {
  const fault = statusFault(status) ?? faultOfText(body);
  if (fault !== undefined) return { isTaken: false, why: fault };
  const of = OTA_MESSAGES.find((one) => request.body.startsWith(beginningOf(one)));
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
 * Runs that warnings reject: `RecordID` is the `LocatorID` of a record, which may be of several runs. A warning that names no record is only a hint,
 * unless it says that nothing was processed.
 */
function warned(warnings: Attributes[], of: OtaMessage, { runs }: ChannelRequest): RequestOutcome {
  const records = otaRecordsOf(of, runs, '');
  const rejected = new Map<number, RejectedRun>();
  for (const { '@RecordID': id, '@Status': status, '@Code': code, '@Type': type } of warnings) {
    if (id === undefined && status !== 'NotProcessed') continue;
    const record = typeof id === 'string' && /^\d{1,7}$/.test(id) ? records[Number(id) - 1] : undefined;
    if (record === undefined) {
      const why = id === undefined ? 'it has not processed the message' : 'it warns of a record it was not sent';
      return { isTaken: false, why: withCodes(why, [codeText(code) ?? codeText(type)]) };
    }
    for (const index of record.indexes) rejected.set(index, { index, why: reasonIn(code, type) });
  }
  return { isTaken: true, rejected: [...rejected.values()].sort((a, b) => a.index - b.index) };
}
