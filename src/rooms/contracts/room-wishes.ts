import { z } from 'zod';

import { count } from '../../kernel/contracts/answers.ts';
import { roomNumber, text } from '../../kernel/contracts/fields.ts';
import { BED_TYPES, DEFAULT_WEIGHT, FLOOR_WORDS, ROOM_WISH_KINDS, type RoomWish } from '../rules/room-wishes.ts';
import { UNMET_REASONS } from '../rules/unmet-wishes.ts';

/** Wishes of a reservation for its room (docs/reference/bookings.md#room-wishes). */
const MAX_WISHES = 10;

/** Values of the kinds that have one. */
const VALUES = {
  FLOOR: z.union([z.enum(FLOOR_WORDS), z.string().regex(/^-?\d{1,3}$/)]),
  BED_TYPE: z.enum(BED_TYPES),
  SMOKING: z.enum(['NON_SMOKING', 'SMOKING']),
  FEATURE: text(100),
  ROOM: roomNumber,
} as const;
const valueOf = (kind: string): z.ZodType | undefined => VALUES[kind as keyof typeof VALUES];

const roomWish = z
  .strictObject({
    kind: z.enum(ROOM_WISH_KINDS),
    value: text(100)
      .optional()
      .describe('LOW, MIDDLE, HIGH or a floor; a bed type; NON_SMOKING or SMOKING; a feature; a room number.'),
    weight: z.int().min(1).max(100).default(DEFAULT_WEIGHT),
    required: z.boolean().default(false).describe('The stay gets no room that does not meet it; not of CONNECTING.'),
  })
  .superRefine(({ kind, value, required }, context) => {
    const blame = (path: string, message: string, field: string): void =>
      context.addIssue({ code: 'custom', path: [path], message, params: { field } });
    const known = valueOf(kind);
    if (!known && value !== undefined) blame('value', `is none of ${kind}`, 'EXCLUDED');
    if (known && value === undefined) blame('value', `is required of ${kind}`, 'MISSING');
    if (known && value !== undefined && !known.safeParse(value).success)
      blame('value', `is no value of ${kind}`, 'UNKNOWN');
    if (kind === 'CONNECTING' && required) blame('required', 'depends on the room of another stay', 'EXCLUDED');
  })
  .transform(({ kind, value, weight, required }): RoomWish => ({
    kind,
    ...(value !== undefined && { value }),
    weight,
    ...(required && { required }),
  }));

export const roomWishes = z
  .array(roomWish)
  .max(MAX_WISHES)
  .superRefine((all, context) => {
    const known = new Set<string>();
    for (const [index, { kind, value = '' }] of all.entries()) {
      const issue = { message: 'is an earlier wish again', params: { field: 'DUPLICATE' } };
      if (known.has(`${kind} ${value}`)) context.addIssue({ code: 'custom', path: [index, 'kind'], ...issue });
      known.add(`${kind} ${value}`);
    }
  })
  .describe('What the stay wishes of its room.');

const named = { kind: z.enum(ROOM_WISH_KINDS), value: z.string().optional() };

export const roomWishesField = z.array(z.object({ ...named, weight: count, required: z.boolean() }));

export const unmetWishesField = z
  .array(z.object({ ...named, reason: z.enum(UNMET_REASONS), text: z.string() }))
  .describe('Wishes that the room did not meet when it was assigned, also those of the profile, and why.');
