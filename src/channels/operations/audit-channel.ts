import type { Day } from '../../kernel/rules/dates.ts';
import type { ChannelAdapter, ChannelLinkAnswer, ChannelNight, ChannelRequest } from '../ports.ts';
import { allDoubtful, CHANNEL_NIGHTS, type KnownLine, placeOfLine, withoutDrift } from '../rules/channel-values.ts';
import type { ChannelValue } from '../rules/channel.ts';

type Audited = { propertyId: string; first: Day; known: readonly KnownLine[] };

/** Lines as the channel really has them, and on how many nights that differs from what it has said. */
export type AuditedLines = { lines: KnownLine[]; drift?: number; isDelayed?: true };

/**
 * Reads what a channel has (docs/reference/channels.md#audit). Where it cannot say, all that it has taken is
 * doubtful: everything is sent again, and until then it may still have it.
 * @param ask `undefined` when nothing may be sent yet
 */
export async function auditOf(
  { readBack }: ChannelAdapter,
  { propertyId, first, known }: Audited,
  ask: (request: ChannelRequest) => Promise<ChannelLinkAnswer | undefined>,
): Promise<AuditedLines> {
  const taken = known.filter((line) => line.taken.size > 0);
  if (taken.length === 0) return { lines: [], ...(readBack && { drift: 0 }) };
  const last = first + CHANNEL_NIGHTS - 1;
  const answer = readBack && (await ask(readBack.request({ propertyId, from: first, to: last })));
  if (readBack && !answer) return { lines: [], isDelayed: true };
  const nights = answer && 'body' in answer ? readBack.nightsOf(answer) : undefined;
  if (!nights) return { lines: taken.map(allDoubtful) };
  const has = nightsByPlace(nights);
  const compared = taken.map((line) => withoutDrift(line, has.get(placeOfLine(line)) ?? new Map(), { first, last }));
  const changed = compared.filter((one) => one.nights > 0);
  return {
    lines: changed.map(({ line }) => line),
    drift: changed.reduce((sum, one) => sum + one.nights, 0),
  };
}

/** Nights by what the channel knows a line by. */
function nightsByPlace(nights: readonly ChannelNight[]): Map<string, Map<Day, ChannelValue>> {
  const found = new Map<string, Map<Day, ChannelValue>>();
  for (const { day, externalRoom, externalRate, ...value } of nights) {
    const place = placeOfLine({ externalRoom, externalRate });
    const known = found.get(place) ?? new Map<Day, ChannelValue>();
    found.set(place, known.set(day, value));
  }
  return found;
}
