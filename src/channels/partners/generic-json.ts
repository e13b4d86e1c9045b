import { z } from 'zod';

import { type Day, formatDay, parseDay } from '../../kernel/rules/dates.ts';
import { toMinor } from '../../kernel/rules/money.ts';
import type {
  ChannelAdapter,
  ChannelAnswer,
  ChannelNight,
  ChannelRequest,
  RequestOutcome,
  RejectedRun,
} from '../ports.ts';
import { rateIn } from '../rules/channel-values.ts';
import type { ChannelRestrictions, ChannelRun, ChannelValue } from '../rules/channel.ts';
import { codeText, reasonIn, statusFault, withCodes } from './answer-texts.ts';

const CONTENT_TYPE = 'application/json';
/** Nights of one value, and of all values, that are read back. */
const MAX_NIGHTS_OF_VALUE = 1_000;
const MAX_NIGHTS = 200_000;

/**
 * JSON over HTTP (docs/reference/channel-protocols.md#generic-json): one POST a message. 2xx is taken, but for the values that
 * the answer lists as rejected.
 */
export const genericJson: ChannelAdapter = {
  requestsOf({ messageId, propertyId, currency, runs }) {
    if (runs.length === 0) return [];
    const body = JSON.stringify({ messageId, propertyId, values: runs.map((run) => valueOf(run, currency)) });
    return [{ method: 'POST', contentType: CONTENT_TYPE, body, runs }];
  },
  requestOutcome,
  readBack: {
    request: ({ propertyId, from, to }) => ({
      method: 'GET',
      query: { propertyId, from: formatDay(from), to: formatDay(to) },
      contentType: CONTENT_TYPE,
      body: '',
      runs: [],
    }),
    // 404, 405 and 501 of a channel without it are no error, and a fault that passes says nothing either.
    nightsOf: ({ status, body }) => (status === 200 ? nightsIn(body) : undefined),
  },
};

function valueOf(run: ChannelRun, currency: string): object {
  const { roomType, ratePlan, externalRoom, externalRate, availability, rate, restrictions } = run;
  return {
    roomType,
    ratePlan,
    externalRoom,
    externalRate,
    from: formatDay(run.from),
    to: formatDay(run.to),
    ...(availability !== undefined && { availability }),
    ...(rate !== undefined && { rate: rate / 100, currency }),
    ...(restrictions && {
      restrictions: { ...restrictions, ...(restrictions.maxStay === 0 && { maxStay: null }) },
    }),
  };
}

function requestOutcome({ status, body }: ChannelAnswer, { runs }: ChannelRequest): RequestOutcome {
  const fault = statusFault(status);
  if (fault !== undefined) return { isTaken: false, why: withCodes(fault, [codeIn(body)]) };
  const text = body.trimStart();
  // A login page or a proxy's answers 200 as well, and has taken nothing.
  if (text.startsWith('<')) return { isTaken: false, why: 'it answers a page, no JSON' };
  if (!/^[{[]/.test(text)) return { isTaken: true, rejected: [] };
  const rejected = rejectedIn(text, runs.length);
  return rejected ? { isTaken: true, rejected } : { isTaken: false, why: 'its answer cannot be read' };
}

/** The code of a problem; channels that know RFC 9457 or have one of their own. */
function codeIn(body: string): string | undefined {
  const read = z.object({ code: z.unknown() }).safeParse(jsonOf(body));
  return read.success ? codeText(read.data.code) : undefined;
}

const answerSchema = z.object({
  rejected: z.array(z.object({ index: z.int().min(0), reason: z.unknown() })).nullish(),
});

/**
 * Rejected values, each once; `undefined` when it cannot be said which they are: the message is then not taken, and
 * comes again.
 */
function rejectedIn(body: string, count: number): RejectedRun[] | undefined {
  const json = jsonOf(body);
  if (Array.isArray(json)) return [];
  const read = answerSchema.safeParse(json);
  if (!read.success) return undefined;
  const found = new Map<number, RejectedRun>();
  for (const { index, reason } of read.data.rejected ?? []) {
    if (index >= count) return undefined;
    found.set(index, { index, why: reasonIn(reason) });
  }
  return [...found.values()].sort((a, b) => a.index - b.index);
}

const code = z.string().min(1).max(100);
const daySchema = z.string().transform((text, context): Day => parseDay(text) ?? fail(context, 'no date'));
const restrictionsSchema = z
  .object({
    closed: z.boolean(),
    closedToArrival: z.boolean(),
    closedToDeparture: z.boolean(),
    minStay: z.int().min(0).max(MAX_NIGHTS_OF_VALUE),
    maxStay: z.int().min(0).max(MAX_NIGHTS_OF_VALUE).nullish(),
  })
  .transform(
    // No limit has several spellings; here each has one.
    ({ minStay, maxStay, ...closed }): ChannelRestrictions => ({
      ...closed,
      minStay: Math.max(1, minStay),
      maxStay: maxStay ?? 0,
    }),
  );
const valueSchema = z.object({
  externalRoom: code,
  externalRate: code,
  from: daySchema,
  to: daySchema,
  availability: z.int().min(0).nullish(),
  rate: z
    .number()
    .transform((rate, context) => toMinor(rate) ?? fail(context, 'no amount'))
    .nullish(),
  currency: z.string().nullish(),
  restrictions: restrictionsSchema.nullish(),
});
const readBackSchema = z.object({ values: z.array(valueSchema) });

function fail(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** Nights of a body; `undefined` when it is not of this form, or holds more than a property can have. */
function nightsIn(body: string): ChannelNight[] | undefined {
  const read = readBackSchema.safeParse(jsonOf(body));
  if (!read.success) return undefined;
  const nights: ChannelNight[] = [];
  for (const { externalRoom, externalRate, from, to, ...members } of read.data.values) {
    const count = to - from + 1;
    if (count < 1 || count > MAX_NIGHTS_OF_VALUE || nights.length + count > MAX_NIGHTS) return undefined;
    const value = presentIn(members);
    for (let day = from; day <= to; day += 1) nights.push({ externalRoom, externalRate, day, ...value });
  }
  return nights;
}

type ReadMembers = Pick<z.output<typeof valueSchema>, keyof ChannelValue>;

function presentIn({ availability, rate, currency, restrictions }: ReadMembers): ChannelValue {
  return {
    ...(typeof availability === 'number' && { availability }),
    ...(typeof rate === 'number' && rateIn(rate, currency ?? undefined)),
    ...(restrictions && { restrictions }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
