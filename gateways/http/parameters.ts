import * as nest from '@nestjs/common';
import type { z } from 'zod';

import type {
  BookingId,
  GroupId,
  GuestId,
  HoldId,
  HousekeepingTaskId,
  MaintenanceId,
  NoteId,
  InquiryId,
  WaitlistId,
  PropertyId,
  ReservationId,
  TenantId,
} from '../../src/kernel/rules/ids.ts';

/**
 * Parameters of handlers. Nest's own decorators fit on a parameter of any type; these fit only on one whose type is
 * what they give, and a mismatch does not compile
 * (docs/decisions/0021-answers-are-encoded-by-their-schema.md#parameters).
 */

/** Identical types: neither `any` nor a wider or narrower type is the same. */
type Same<A, B> = (<T>(of: T) => T extends A ? 1 : 2) extends <T>(of: T) => T extends B ? 1 : 2 ? true : false;

type ParameterAt<Method, Index> = Method extends (...args: infer A) => unknown
  ? Index extends keyof A
    ? A[Index]
    : never
  : never;

/** The compiler shows the second branch in its message: what the type of the parameter should be. */
type Fitting<Given, Method, Index> =
  Same<ParameterAt<Method, Index>, Given> extends true ? unknown : { typeOfTheParameterShouldBe: Given };

/** A decorator of a parameter of exactly this type. */
export type ParameterOf<Given> = <C extends object, K extends keyof C & string, I extends number>(
  target: C,
  key: K & Fitting<Given, C[K], I>,
  index: I,
) => void;

/** Names in paths that have a unit; all others are plain text. */
type PathNames = {
  tenantId: TenantId;
  propertyId: PropertyId;
  reservationId: ReservationId;
  guestId: GuestId;
  holdId: HoldId;
  groupId: GroupId;
  bookingId: BookingId;
  maintenanceId: MaintenanceId;
  noteId: NoteId;
  taskId: HousekeepingTaskId;
  waitlistId: WaitlistId;
  inquiryId: InquiryId;
};
type PathValue<Name> = Name extends keyof PathNames ? PathNames[Name] : string;

/** Gives a decorator of Nest the type of what it hands to the handler. */
export function parameterOf<Given>(decorator: ParameterDecorator): ParameterOf<Given> {
  return (target, key, index) => decorator(target, key, index);
}

/** A decorator of what is read from the exchange itself. */
export const parameterFrom = <Given>(read: (context: nest.ExecutionContext) => Given): (() => ParameterOf<Given>) => {
  const decorate = nest.createParamDecorator((_: unknown, context: nest.ExecutionContext) => read(context));
  return () => parameterOf(decorate());
};

/** The body, as its schema reads it. */
export const Body = <S extends z.ZodType>({ schema }: { schema: S }): ParameterOf<z.output<S>> =>
  parameterOf(nest.Body({ schema }));

/** The body as it was read, which the handler checks. */
export const UncheckedBody = (): ParameterOf<unknown> => parameterOf(nest.Body());

/** The whole query, as its schema reads it. */
export const Query = <S extends z.ZodType>({ schema }: { schema: S }): ParameterOf<z.output<S>> =>
  parameterOf(nest.Query({ schema }));

/** One name of the query, unchecked: text, a list of texts, or none. */
export const QueryValue = (name: string): ParameterOf<unknown> => parameterOf(nest.Query(name));

/** One part of the path. */
export const Param = <const Name extends string>(name: Name): ParameterOf<PathValue<Name>> =>
  parameterOf(nest.Param(name));

/** All named parts of the path. */
export const PathParams = (): ParameterOf<Record<string, string>> => parameterOf(nest.Param());

/** A header; the last one where it was sent twice. */
export const Header = (name: string): ParameterOf<string | undefined> => parameterOf(nest.Headers(name));
