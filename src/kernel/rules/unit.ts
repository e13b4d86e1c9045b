declare const unit: unique symbol;

/**
 * A value with the unit that it is in. A bare number or text fits where one is wanted, a value of another unit does not:
 * arithmetic gives bare numbers, and a day passed for an amount is what a compiler has to find
 * (docs/decisions/0020-units-are-flavours.md#0020-units-are-flavours-not-brands).
 */
export type Unit<Base, Name extends string> = Base & { readonly [unit]?: Name };

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

/** A value without a unit: one that has a unit does not fit. */
export type Plain<Base> = Base & { readonly [unit]?: undefined };
