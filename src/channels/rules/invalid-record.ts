/** Reasons for making a readable record a dead letter (docs/reference/events.md#what-innkeeper-reads). */
const INVALID = [
  'NO_TENANT',
  'MALFORMED',
  'UNKNOWN_PROPERTY',
  'UNKNOWN_ROOM_TYPE',
  'UNKNOWN_PAYMENT',
  'DATE_OUTSIDE_HORIZON',
  'TIMESTAMP_AHEAD',
  'CURRENCY_MISMATCH',
  'ROOM_NOT_AVAILABLE',
  'TENANT_NOT_ACTIVE',
  'REFUSED',
] as const;
export type InvalidRecordReason = (typeof INVALID)[number];

/** A record that cannot be applied, now or later. `message` contains no personal data. */
export class InvalidRecord extends Error {
  override readonly name = 'InvalidRecord';
  readonly reason: InvalidRecordReason;

  constructor(reason: InvalidRecordReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
