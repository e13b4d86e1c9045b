import { z } from 'zod';

import { type Catalogue, composition, dayIn, faultOf, minorIn, type ReadBody, type ReadValue } from './wire.ts';

const id = z.string().min(1).max(100);
const restrictions = z
  .strictObject({
    closed: z.boolean(),
    closedToArrival: z.boolean(),
    closedToDeparture: z.boolean(),
    minStay: z.int().min(1),
    maxStay: z.int().min(1).nullable(),
  })
  .partial();
const value = z.strictObject({
  roomType: id,
  ratePlan: id,
  externalRoom: id,
  externalRate: id,
  from: z.string(),
  to: z.string(),
  availability: z.int().min(0).optional(),
  rate: z.number().positive().optional(),
  currency: z.string().optional(),
  restrictions: restrictions.optional(),
});
const message = z.strictObject({ messageId: id, propertyId: id, values: z.array(value).min(1) });

/** Reads a message of generic-json (docs/reference/channel-protocols.md#generic-json) as strictly as it is described. */
export function readGeneric(contentType: string | undefined, body: string, catalogue: Catalogue): ReadBody {
  const violations: string[] = [];
  if (contentType?.split(';')[0] !== 'application/json') violations.push(`CONTENT_TYPE ${contentType}`);
  const read = message.safeParse(jsonOf(body));
  if (!read.success) {
    const [first] = read.error.issues;
    return {
      fault: 'MALFORMED',
      violations: [...violations, `MALFORMED ${first?.path.join('.')}: ${first?.message}`],
    };
  }
  const { messageId, propertyId } = read.data;
  const values = read.data.values.map((one, place) => valueOf(one, place, catalogue));
  for (const { fault, room, rate, place } of values)
    if (fault !== undefined) violations.push(`${fault} ${room}/${rate} at ${place}`);
  return { message: { messageId, propertyId, values }, violations: [...violations, ...composition(values)] };
}

function valueOf(one: z.output<typeof value>, place: number, catalogue: Catalogue): ReadValue {
  const [from, to] = [dayIn(one.from), dayIn(one.to)];
  const rate = one.rate === undefined ? undefined : minorIn(String(one.rate));
  const { maxStay, ...limits } = one.restrictions ?? {};
  const read: ReadValue = {
    place,
    room: one.externalRoom,
    rate: one.externalRate,
    from: from ?? 0,
    to: to ?? 0,
    members: {
      ...(one.availability !== undefined && { availability: one.availability }),
      ...(rate !== undefined && { rate }),
      ...limits,
      ...(maxStay !== undefined && { maxStay: maxStay ?? 0 }),
    },
  };
  const fault =
    from === undefined || to === undefined
      ? 'NO_DATE'
      : one.rate !== undefined && rate === undefined
        ? 'NO_AMOUNT'
        : one.currency !== (one.rate === undefined ? undefined : catalogue.currency)
          ? 'CURRENCY'
          : Object.keys(read.members).length === 0
            ? 'EMPTY'
            : faultOf(read, catalogue);
  return { ...read, ...(fault !== undefined && { fault }) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
