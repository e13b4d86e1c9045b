declare const unit: unique symbol;

/**
 * A value with its unit. A plain number or text is accepted, a value of another unit is not: arithmetic gives plain
 * numbers, and passing a day for an amount is a compile error
 * (docs/decisions/0020-units-are-flavours.md#0020-units-are-flavours-not-brands).
 */
export type Unit<Base, Name extends string> = Base & { readonly [unit]?: Name };

/**
 * Whatever has the unit: a bare number or text does not fit, unlike where a {@link Unit} is wanted. It has no base type,
 * because TypeScript compares a bare value with optional members only where nothing else is wanted of it.
 */
export type InUnit<Name extends string> = { readonly [unit]?: Name };

/** Members of an object that have a unit. */
export type MembersIn<T, Name extends string> = {
  [K in keyof T]-?: NonNullable<T[K]> extends { readonly [unit]?: infer U }
    ? [Exclude<U, undefined>] extends [Name]
      ? [Name] extends [Exclude<U, undefined>]
        ? K
        : never
      : never
    : never;
}[keyof T];

/** A value without a unit: one with a unit is not accepted. */
export type Plain<Base> = Base & { readonly [unit]?: undefined };
