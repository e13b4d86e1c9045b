/** Letters by what they say (docs/reference/letters.md#kinds): one notification has several, by what has happened. */
export const LETTER_KINDS = [
  'CONFIRMATION',
  'CONFIRMED_AGAIN',
  'MODIFICATION',
  'OPEN_AGAIN',
  'CANCELLATION',
  'EXPIRY',
  'NO_SHOW',
  'WALK',
  'REMINDER',
  'PAYMENT_FAILED',
  'LAST_PAYMENT_FAILED',
  'WAITLIST_OFFER',
  'INVOICE',
  'PRO_FORMA_INVOICE',
  'PAYMENT_LINK',
  'STAY_LINK',
] as const;
export type LetterKind = (typeof LETTER_KINDS)[number];

/** Texts of a letter that a property may replace by its own. */
export const LETTER_PARTS = ['subject', 'opening', 'closing'] as const;
export type LetterPart = (typeof LETTER_PARTS)[number];

/** Own texts of a property for a kind of letter in a language; absent ones are ours. */
export type OwnTexts = Partial<Record<LetterPart, string>>;

const OF_STAY = [
  ...(['guest', 'property', 'confirmationNumber', 'arrival', 'departure', 'nights', 'roomType', 'guests'] as const),
  ...(['amount', 'paid', 'due'] as const),
] as const;
const OF_END = [...OF_STAY, 'fee', 'refund'] as const;
const OF_INVOICE = [
  ...([
    'guest',
    'property',
    'confirmationNumber',
    'arrival',
    'departure',
    'number',
    'amount',
    'paid',
    'due',
  ] as const),
] as const;

/** Values that texts of each kind can name. `guests` and `nights` are numbers. */
export const LETTER_VALUES = {
  CONFIRMATION: OF_STAY,
  CONFIRMED_AGAIN: OF_STAY,
  MODIFICATION: OF_STAY,
  OPEN_AGAIN: [...OF_STAY, 'hasDeadline', 'deadline'],
  CANCELLATION: OF_END,
  EXPIRY: OF_END,
  NO_SHOW: OF_END,
  WALK: [...OF_STAY, 'refund', 'compensation', 'hasHotel', 'hotel'],
  REMINDER: OF_STAY,
  PAYMENT_FAILED: [...OF_STAY, 'dueNow'],
  LAST_PAYMENT_FAILED: OF_STAY,
  WAITLIST_OFFER: [
    ...(['guest', 'property', 'arrival', 'departure', 'nights', 'roomType', 'guests', 'amount', 'until'] as const),
  ],
  INVOICE: OF_INVOICE,
  PRO_FORMA_INVOICE: OF_INVOICE,
  PAYMENT_LINK: [
    ...([
      'guest',
      'property',
      'confirmationNumber',
      'arrival',
      'departure',
      'amount',
      'paid',
      'due',
      'until',
    ] as const),
  ],
  STAY_LINK: [...(['guest', 'property', 'confirmationNumber', 'arrival', 'departure'] as const)],
} as const satisfies Record<LetterKind, readonly string[]>;

/** Name of a value that texts of a kind can have. */
export type LetterValue<K extends LetterKind = LetterKind> = (typeof LETTER_VALUES)[K][number];
