/** Messages of docs/concepts/events.md#schemas, each with its remedy. */
export const EVENT_FAILURES = {
  SCHEMA_NOT_FOUND: {
    message: 'Schema not found',
    remedy: 'ensure the registry is running and its URL is configured',
  },
  SCHEMA_INCOMPATIBLE: {
    message: 'Schema being registered is incompatible',
    remedy: 'follow the rules in 6.4: new fields have a default, any other change is a new topic or version',
  },
  NOT_SERIALIZED: {
    message: 'Failed to serialize event',
    remedy: 'set all required fields with correct types',
  },
} as const;
type EventFailureCode = keyof typeof EVENT_FAILURES;

/** An event could not be written, or its schema was not available. */
export class EventFailure extends Error {
  override readonly name = 'EventFailure';
  readonly code: EventFailureCode;
  readonly remedy: string;
  /** Detail: subject, field, or the answer of the registry. */
  readonly detail: string;

  constructor(code: EventFailureCode, detail: string, options?: ErrorOptions) {
    super(EVENT_FAILURES[code].message, options);
    this.code = code;
    this.remedy = EVENT_FAILURES[code].remedy;
    this.detail = detail;
  }

  /** Whether a retry may succeed once the registry is available: the event itself is not at fault. */
  get passes(): boolean {
    return this.code === 'SCHEMA_NOT_FOUND' || this.cause instanceof EventFailure;
  }

  /** One line for a log or an operator. */
  get line(): string {
    return `${this.message}: ${this.detail}; ${this.remedy}`;
  }
}
