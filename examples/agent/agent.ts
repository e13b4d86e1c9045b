import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

type Offer = { roomType: string; rateCode: string; total: number; currency: string };
type Quote = Offer & { quoteToken: string; cancellation: { freeUntil: string | null } };
type Stay = {
  reservationId: string;
  confirmationNumber: string;
  status: string;
  balanceDue: number;
  currency: string;
};
type Booked = Stay & { payment: { detail: string } };
type Cancelled = { status: string; penalty: number; currency: string };
type Refused = { code: string; detail: string; retryable: boolean; retryAfterSeconds?: number };

const DAY_MS = 86_400_000;
const MAX_TRIES = 3;

const { TOKEN = '', MCP_URL = 'http://127.0.0.1:8084/mcp', TENANT = 'demo', PROPERTY = 'harbor-hotel' } = process.env;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const { CHECK_IN = inDays(30), CHECK_OUT = inDays(32), MAX_TOTAL = '1000' } = process.env;

const client = new Client({ name: 'example-agent', version: '1.0.0' });
const headers = { authorization: `Bearer ${TOKEN}`, 'x-tenant-id': TENANT };

/** Calls a tool, and again after the time that its error names. @throws Error with code and detail of another error */
async function call<T>(name: string, args: Record<string, unknown>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const { isError, structuredContent } = await client.callTool({ name, arguments: args });
    if (!isError) return structuredContent as T;
    const { code, detail, retryable, retryAfterSeconds } = structuredContent as Refused;
    if (!retryable || tries === MAX_TRIES) throw new Error(`${name}: ${code}, ${detail}`);
    await new Promise((resolve) => setTimeout(resolve, (retryAfterSeconds ?? 1) * 1000));
  }
}

const say = (tool: string, text: string): void => void process.stdout.write(`${tool.padEnd(20)} ${text}\n`);
const money = (amount: number, currency: string): string => `${amount.toFixed(2)} ${currency}`;

/** The conversation of a booking; at each price the person has a say. */
async function book(): Promise<void> {
  const stay = { propertyId: PROPERTY, checkIn: CHECK_IN, checkOut: CHECK_OUT, adults: 2 };
  const { offers } = await call<{ offers: Offer[] }>('search_availability', stay);
  const texts = offers.map(({ rateCode, total, currency }) => `${rateCode} ${money(total, currency)}`);
  say('search_availability', `offers: ${texts.join(', ')}`);
  // The person takes the last one within the budget, whose terms are the mildest.
  const chosen = offers.findLast(({ total }) => total <= Number(MAX_TOTAL));
  if (!chosen) throw new Error('there is no offer within the budget');
  const { roomType, rateCode } = chosen;
  const quote = await call<Quote>('quote_stay', { ...stay, roomType, rateCode });
  const { freeUntil } = quote.cancellation;
  const price = money(quote.total, quote.currency);
  say(
    'quote_stay',
    `${rateCode} costs ${price}, ${freeUntil ? `free to cancel until ${freeUntil}` : 'never free to cancel'}`,
  );
  const booked = await call<Booked>('book_stay', {
    ...stay,
    roomType,
    rateCode,
    quoteToken: quote.quoteToken,
    maxTotal: quote.total,
    guest: { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
  });
  const { reservationId, confirmationNumber: number } = booked;
  say('book_stay', `${number} is ${booked.status}: ${booked.payment.detail}`);
  const read = await call<Stay>('get_reservation', { reservationId });
  say('get_reservation', `${number} is ${read.status}, ${money(read.balanceDue, read.currency)} are open`);
  const { penalty, currency } = await call<Cancelled>('cancel_reservation', { reservationId });
  say('cancel_reservation', `would cost ${money(penalty, currency)}`);
  const done = await call<Cancelled>('cancel_reservation', { reservationId, dryRun: false, maxPenalty: penalty });
  say('cancel_reservation', `${number} is ${done.status}`);
}

try {
  await client.connect(new StreamableHTTPClientTransport(new URL(MCP_URL), { requestInit: { headers } }));
  await book();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await client.close();
}
