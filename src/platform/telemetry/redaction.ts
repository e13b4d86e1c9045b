/** Replacement of a secret. */
const BLANK = '[redacted]';
/** Deeper structures are cut: a log line is no dump. */
const MAX_DEPTH = 6;

/** Secret members, compared without case, dashes and underscores. */
const SECRET_NAMES = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'cardtoken',
  'quotetoken',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'operatortoken',
  'password',
  'secret',
  'clientsecret',
  'secretkeys',
  'databaseurl',
  'stripesecretkey',
  'email',
  'mail',
  'phone',
  'firstname',
  'lastname',
  'guestname',
  'billingaddress',
  'specialrequests',
]);
/** The only `X-...` headers that are logged. */
const OPEN_HEADERS = new Set(['xrequestid', 'xtenantid', 'xpropertyseq']);

/** A copy of a log line with secret members blanked at any depth, and errors reduced to useful parts. */
export function redacted(line: Record<string, unknown>): Record<string, unknown> {
  return copied(line, 0);
}

function copied(from: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(from)) copy[name] = shown(name, value, depth);
  return copy;
}

function shown(name: string, value: unknown, depth: number): unknown {
  if (value === undefined || value === null) return value;
  if (isSecret(name)) return BLANK;
  if (typeof value !== 'object') return value;
  if (value instanceof Error) return errorShown(value, depth);
  if (depth >= MAX_DEPTH) return '[deep]';
  if (Array.isArray(value)) return value.map((inner: unknown) => shown('', inner, depth + 1));
  return value instanceof Date ? value.toISOString() : copied(value, depth + 1);
}

/** The same few names occur in every line: results are cached by name. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 1_000;

function isSecret(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const plain = name.toLowerCase().replaceAll(/[-_]/g, '');
  const secret = SECRET_NAMES.has(plain) || (/^x-/i.test(name) && !OPEN_HEADERS.has(plain));
  if (known.size < MAX_KNOWN) known.set(name, secret);
  return secret;
}

/** A driver's message repeats the statement with its values; only the database's own text is retained. */
function errorShown(error: Error, depth: number): Record<string, unknown> {
  const code: unknown = Reflect.get(error, 'code');
  const fromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  const message = fromDatabase ? error.message.split(/ - |\n/).at(-1) : error.message;
  const { name, cause, stack = '' } = error;
  const at = stack.split('\n').filter((row) => /^\s+at /.test(row));
  return {
    name,
    message,
    ...(typeof code === 'string' && { code }),
    stack: at.slice(0, 12).map((row) => row.trim()),
    ...(cause instanceof Error && depth < MAX_DEPTH && { cause: errorShown(cause, depth + 1) }),
  };
}

/** Patterns of secrets; the first element is a part of each match that is cheap to search. */
const LOOKS_SECRET: ReadonlyArray<readonly [string, RegExp, string]> = [
  ['eyJ', /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  ['earer ', /\bBearer +[\w.~+/=-]{6,}/gi, 'Bearer [token]'],
  ['asic ', /\bBasic +[\w+/=]{6,}/gi, 'Basic [token]'],
  ['://', /\b([a-z]+):\/\/[^\s"@/]+@/g, '$1://[user]@'],
  ['@', /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]'],
  ['tok_', /\btok_\w+/g, '[card]'],
  ['pm_', /\bpm_\w+/g, '[card]'],
  // Keys of the payment provider, full or restricted.
  ['k_test_', /\b[srp]k_test_\w+/g, '[key]'],
  ['k_live_', /\b[srp]k_live_\w+/g, '[key]'],
  ['+', /(?<![\w-])\+\d[\d ()-]{6,18}\d/g, '[phone]'],
];

/** A finished log line without anything like a token, an e-mail address, a card or a phone number. */
export function scrubbed(line: string): string {
  let clean = line;
  for (const [part, pattern, blank] of LOOKS_SECRET) {
    if (clean.includes(part)) clean = clean.replaceAll(pattern, blank);
  }
  // A zero, since the digits may be a JSON number.
  return clean.replaceAll(CARD_NUMBER, (digits) => (passesLuhn(digits) ? '0' : digits));
}

const CARD_NUMBER = /(?<![\w.-])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\w-])/g;

/** Check digit of card numbers: times and sequence numbers nearly always fail it. */
function passesLuhn(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').split('').toReversed().map(Number);
  const sum = digits.reduce((total, digit, at) => total + (at % 2 === 0 ? digit : (digit * 2) % 9 || digit), 0);
  return sum % 10 === 0;
}
