/**
 * Every way of saying no, in one table (docs/reference/errors.md#errors). `kind` decides the HTTP status and the frame;
 * `retryable` tells a machine whether the same request may succeed later; cause and remedy are served at
 * `/problems/<slug>`.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'method'
  | 'conflict'
  | 'stale'
  | 'size'
  | 'media'
  | 'rule'
  | 'limit'
  | 'fault'
  | 'unavailable';

type Entry = { kind: ErrorKind; title: string; cause: string; remedy: string; retryable?: true };

export const CODES = {
  VALIDATION_FAILED: code(
    'invalid',
    'The request has wrong fields',
    'One or more fields break a rule.',
    'Correct every entry of `errors`.',
  ),
  BODY_UNREADABLE: code(
    'invalid',
    'The body is not readable JSON',
    'The body could not be parsed.',
    'Send one valid JSON document.',
  ),
  RAW_CARD_NUMBER: code(
    'invalid',
    'A raw card number was sent',
    '`cardToken` held 13 to 19 digits.',
    'Send the token of your payment provider, never a card number.',
  ),
  TENANT_MISSING: code(
    'invalid',
    'The tenant is missing or malformed',
    '`X-Tenant-ID` was absent, malformed or sent twice.',
    'Send `X-Tenant-ID` once.',
  ),
  UNAUTHENTICATED: code(
    'unauthenticated',
    'No valid access token',
    'The token is missing, expired or not for this service.',
    'Get a new access token and send it as `Authorization: Bearer`.',
  ),
  TENANT_FORBIDDEN: code(
    'forbidden',
    'This tenant is not yours',
    'Your user has no association with the tenant.',
    'Use a tenant that you belong to, or ask its owner.',
  ),
  ROLE_TOO_LOW: code(
    'forbidden',
    'Your role may not do this',
    'The operation needs a higher role in this tenant.',
    'Ask somebody with the role, or an owner to raise yours.',
  ),
  TENANT_NOT_ACTIVE: code(
    'forbidden',
    'The tenant is not active',
    'The tenant is suspended, inactive or cancelled.',
    'Ask the operator of this installation.',
  ),
  ROUTE_NOT_FOUND: code(
    'missing',
    'There is nothing here',
    'No route has this path.',
    'See `/v3/api-docs` for the paths.',
  ),
  LOGGER_NOT_FOUND: code(
    'missing',
    'No such logger',
    'The service has no logger of this name.',
    'See `/actuator/loggers` for their names.',
  ),
  TENANT_NOT_FOUND: code('missing', 'No such tenant', 'The tenant does not exist.', 'Check the id.'),
  PROPERTY_NOT_FOUND: code(
    'missing',
    'No such property',
    'The tenant has no property with this id.',
    'List the properties of the tenant.',
  ),
  ROOM_TYPE_NOT_FOUND: code(
    'missing',
    'No such room type',
    'The property has no room type with this code.',
    'List the room types of the property.',
  ),
  ROOM_NOT_FOUND: code(
    'missing',
    'No such room',
    'The property has no room with this number.',
    'List the rooms of the property.',
  ),
  RESERVATION_NOT_FOUND: code(
    'missing',
    'No such reservation',
    'The tenant has no reservation with this id.',
    'Check the id, or search by confirmation number.',
  ),
  LINK_EXPIRED: code(
    'missing',
    'The link has expired',
    'Links to receipts and surveys are valid for a limited time.',
    'Ask the property for a new link.',
  ),
  HOLD_NOT_FOUND: code('missing', 'No such hold', 'The hold does not exist or has ended.', 'Place a new hold.'),
  GUEST_NOT_FOUND: code('missing', 'No such guest', 'The tenant has no guest with this id.', 'Search the guests.'),
  PROMOTION_NOT_FOUND: code(
    'missing',
    'No such promotion',
    'The property has no promotion with this id.',
    'List the promotions of the property.',
  ),
  PAYMENT_NOT_FOUND: code(
    'missing',
    'Payment not found',
    'The reservation has no such payment.',
    'List the payments of the reservation.',
  ),
  REFUND_NOT_FOUND: code(
    'missing',
    'No such refund',
    'The reservation has no refund with this id.',
    'List the refunds that are open.',
  ),
  GROUP_NOT_FOUND: code('missing', 'No such group', 'The property has no group with this id.', 'Check the id.'),
  RATE_PLAN_NOT_FOUND: code(
    'missing',
    'No such rate plan',
    'The property has no rate plan with this id.',
    'List the rate plans of the property.',
  ),
  RATE_CHANGE_NOT_FOUND: code(
    'missing',
    'No such rate change',
    'No rate change or optimization has this id.',
    'Check the id.',
  ),
  REPORT_NOT_FOUND: code(
    'missing',
    'No such report',
    'The tenant has no report with this id.',
    'List the reports of the property.',
  ),
  SERVICE_NOT_FOUND: code(
    'missing',
    'No such service',
    'The property has no extra with this code.',
    'List the services of the property.',
  ),
  USER_NOT_FOUND: code(
    'missing',
    'No such user',
    'The tenant has no user with this id.',
    'List the users of the tenant.',
  ),
  ASSOCIATION_NOT_FOUND: code(
    'missing',
    'No such association',
    'No user of the tenant has a role under this id.',
    'List the associations of the tenant.',
  ),
  CHANNEL_MAPPING_NOT_FOUND: code(
    'missing',
    'No such channel mapping',
    'The property has no channel mapping with this id.',
    'List the channel mappings of the property.',
  ),
  JOB_NOT_FOUND: code(
    'missing',
    'No such component',
    'Nothing of this name exists here.',
    'List what there is one level up.',
  ),
  METHOD_NOT_ALLOWED: code(
    'method',
    'The method is not allowed here',
    'The path exists, the method does not.',
    'Use one of the methods in `Allow`.',
  ),
  ROOM_NOT_AVAILABLE: code(
    'conflict',
    'No room is left',
    'At least one night has no room of the type left.',
    'Take one of `alternatives`, other dates or another room type.',
  ),
  INVALID_STATE: code(
    'conflict',
    'The state does not allow this',
    'It is in a state in which this cannot be done.',
    'Read it again and act on its present state.',
  ),
  NO_ROOM_READY: code(
    'conflict',
    'No room is ready',
    'No clean room of the type or a better one is free.',
    'Wait for housekeeping, or assign a room.',
  ),
  ROOM_TAKEN: code(
    'conflict',
    'The room is taken',
    'Another reservation has the room on one of the nights.',
    'Choose another room.',
  ),
  ROOM_OUT_OF_ORDER: code('conflict', 'The room is out of order', 'The room cannot be used.', 'Choose another room.'),
  PROMO_CODE_TAKEN: code(
    'conflict',
    'The promo code is taken',
    'Another promotion of the tenant has this code.',
    'Choose another code.',
  ),
  ALREADY_EXISTS: code(
    'conflict',
    'It exists already',
    'Something with this id exists.',
    'Choose another id, or change the one that exists.',
  ),
  PROPERTY_IN_USE: code(
    'conflict',
    'The property is in use',
    'It has reservations that are not finished.',
    'Finish or cancel them first.',
  ),
  GUEST_IN_USE: code(
    'conflict',
    'The guest has stays or money that are not over',
    'A reservation of the guest is pending, confirmed or in house, or a payment or a refund is open.',
    'End or cancel the stays in `reservations` and settle their money, then repeat.',
  ),
  RATES_MOVED: code(
    'conflict',
    'The rates have moved',
    'Rates changed since the recommendation was computed.',
    'Run the optimization again.',
  ),
  PRICE_CHANGED: code(
    'conflict',
    'The price has changed',
    'The stay costs more now than `maxTotal`.',
    'Quote again and ask the buyer.',
  ),
  HOLD_EXPIRED: code(
    'conflict',
    'The hold has expired',
    'Its time ran out before it was confirmed; nothing is kept.',
    'Book again.',
  ),
  IDEMPOTENCY_IN_PROGRESS: code(
    'conflict',
    'The first request is still running',
    'A request with the same key has not ended.',
    'Repeat with the same key after `Retry-After`.',
    true,
  ),
  STALE_VERSION: code(
    'stale',
    'It has changed since you read it',
    '`If-Match` names an older version.',
    'Read it again and repeat with its new `ETag`.',
  ),
  BODY_TOO_LARGE: code('size', 'The body is too large', 'The body is over 256 KB.', 'Send less.'),
  UNSUPPORTED_MEDIA_TYPE: code(
    'media',
    'Only JSON is understood',
    'The body is not `application/json`.',
    'Send JSON and say so in `Content-Type`.',
  ),
  UNKNOWN_ROOM_TYPE: code(
    'rule',
    'The property has no such room type',
    'The room type is not known at this property.',
    'List the room types of the property.',
  ),
  UNKNOWN_USER: code(
    'rule',
    'The tenant has no such user',
    'A role is given to users of the tenant.',
    'Add the user to the tenant first.',
  ),
  UNKNOWN_RATE_CODE: code(
    'rule',
    'The property has no such rate code',
    'No active rate plan has this code.',
    'List the rate plans of the property.',
  ),
  OCCUPANCY_EXCEEDED: code(
    'rule',
    'Too many guests for the room type',
    'The room type does not sleep so many.',
    'Take a larger type or more rooms.',
  ),
  MIN_STAY: code(
    'rule',
    'The stay is too short',
    'A minimum length of stay applies.',
    'Stay longer or arrive on another day.',
  ),
  MAX_STAY: code('rule', 'The stay is too long', 'A maximum length of stay applies.', 'Split the stay.'),
  CLOSED_TO_ARRIVAL: code(
    'rule',
    'No arrivals on this day',
    'The day is closed to arrival.',
    'Arrive on another day.',
  ),
  CLOSED_TO_DEPARTURE: code(
    'rule',
    'No departures on this day',
    'The day is closed to departure.',
    'Depart on another day.',
  ),
  STOP_SELL: code('rule', 'Sales are stopped', 'A night of the stay is not on sale.', 'Choose other dates.'),
  MIN_ADVANCE: code('rule', 'Booked too late', 'The rate must be booked earlier.', 'Take another rate.'),
  MAX_ADVANCE: code(
    'rule',
    'Booked too early',
    'The rate is not yet on sale for these dates.',
    'Book later or take another rate.',
  ),
  NO_RATE: code('rule', 'No rate is set', 'A night of the stay has no rate.', 'Set a base rate for the night.'),
  PROMO_NOT_APPLICABLE: code(
    'rule',
    'The promotion does not apply',
    'The stay does not meet its conditions.',
    'Book without it or change the stay.',
  ),
  PROMO_EXHAUSTED: code('rule', 'The promotion is used up', 'All its units are taken.', 'Book without it.'),
  OUTSIDE_GROUP_BLOCK: code(
    'rule',
    'Outside of the blocks of the group',
    'A night of the stay is not blocked for the group in this room type, or its cut-off has passed.',
    'Book within the blocks of the group, or without it.',
  ),
  QUOTE_EXPIRED: code(
    'rule',
    'The quote is no longer valid',
    'The quote has expired, was used, or is for another stay.',
    'Quote again.',
  ),
  CURRENCY_MISMATCH: code(
    'rule',
    'Another currency',
    'The property sells in another currency.',
    'Use the currency of the property.',
  ),
  MODIFICATION_DEADLINE: code(
    'rule',
    'Too late to change',
    'The deadline for changes by the guest has passed.',
    'Ask the property.',
  ),
  TOO_EARLY: code('rule', 'Too early', 'The arrival day has not come.', 'Come back on the arrival day.'),
  IDENTIFICATION_REQUIRED: code(
    'rule',
    'The guest is not identified',
    'Check-in needs a verified identification.',
    'Verify the guest first.',
  ),
  PAYMENT_DECLINED: code(
    'rule',
    'The payment was declined',
    'The payment provider refused the charge; nothing is booked.',
    'Use another card.',
  ),
  PAYMENT_METHOD_REQUIRED: code(
    'rule',
    'A payment method is needed',
    'There is a balance and no card on file.',
    'Give a payment method.',
  ),
  REFUND_EXCEEDS_PAID: code('rule', 'More than was paid', 'A refund cannot exceed what was paid.', 'Refund less.'),
  WRONG_ROOM_TYPE: code(
    'rule',
    'The room is of another type',
    'The room is not of the booked type.',
    'Choose a room of the type, or move the reservation.',
  ),
  INSUFFICIENT_DATA: code(
    'rule',
    'Not enough data',
    'There is too little history for an answer.',
    'Try again when more is booked.',
  ),
  IDEMPOTENCY_MISMATCH: code(
    'rule',
    'The key was used for another request',
    'The same `Idempotency-Key` came with another request.',
    'Use a new key for a new request.',
  ),
  QUOTA_EXCEEDED: code(
    'limit',
    'Too many requests',
    'A limit of requests, of open holds or of rooms that are held unpaid was reached.',
    'Slow down, pay for what is held or release it, and repeat after `Retry-After`.',
    true,
  ),
  INTERNAL: code(
    'fault',
    'Something of ours broke',
    'A fault in the service; it is logged under the request id.',
    'Repeat; if it stays, report the request id.',
    true,
  ),
  NOT_EXECUTED: code(
    'unavailable',
    'Not executed',
    'Overload, draining or no owner at the moment; nothing happened.',
    'Repeat after `Retry-After`: it is safe.',
    true,
  ),
  OUTCOME_UNKNOWN: code(
    'unavailable',
    'The outcome is unknown',
    'The commit was interrupted before its answer came.',
    'Repeat with the same `Idempotency-Key`.',
    true,
  ),
  PARTNER_UNAVAILABLE: code(
    'unavailable',
    'A partner does not answer',
    'The payment provider or another partner timed out.',
    'Repeat with the same `Idempotency-Key`.',
    true,
  ),
  STORE_UNAVAILABLE: code(
    'unavailable',
    'The database does not answer',
    'The database does not answer at the moment.',
    'Repeat after `Retry-After`.',
    true,
  ),
  STALE: code(
    'unavailable',
    'Only stale data at hand',
    'The data could not be verified in time.',
    'Repeat after `Retry-After`.',
    true,
  ),
} as const satisfies Record<string, Entry>;

export type Code = keyof typeof CODES;

function code(kind: ErrorKind, title: string, cause: string, remedy: string, retryable?: true): Entry {
  return { kind, title, cause, remedy, retryable };
}

/** One wrong field: a JSON pointer into the body, or the name of a query parameter or header. */
export type FieldError = { pointer?: string; parameter?: string; code: string; detail: string };

/** Another stay that could be had instead (`alternatives`, docs/reference/api.md#problems). */
export type Alternative = { roomType: string; checkIn: string; checkOut: string };

export type ErrorDetails = {
  errors?: FieldError[];
  alternatives?: Alternative[];
  /** First night or day that failed the rule, `YYYY-MM-DD`. */
  date?: string;
  /** Sequence of the property state that the decision was made on. */
  seq?: number;
  retryAfterSeconds?: number;
  /** The refusal is an idempotency record, given again. */
  replayed?: true;
  /** Request that the idempotency record was first given to. */
  requestId?: string;
  /** Members that a code adds to its problem, such as the new price. */
  extra?: Record<string, unknown>;
};

/** The one error class of the product: everything refused on purpose is one of these. */
export class DomainError extends Error {
  readonly code: Code;
  readonly details: ErrorDetails;

  constructor(code: Code, detail: string, details: ErrorDetails = {}) {
    super(detail);
    this.name = 'DomainError';
    this.code = code;
    this.details = details;
  }

  get kind(): ErrorKind {
    return CODES[this.code].kind;
  }
}
