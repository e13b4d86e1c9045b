/** What frames are about: the property that healthy dashboards follow, and a token that is valid. */
export type FrameWorld = { token: string; tenantId: string; propertyId: string; today: string };

/** Picks of a run, the same for the same seed. */
export class Picks {
  readonly #random: () => number;

  /** @param random from 0 to 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** A whole number from 0 to below `n`. */
  below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }
}

const TOPICS = ['grid', 'feed', 'kpi', 'rooms', 'competitors'];
const DEEP = 2_000;
const LONG = 200_000;

/** Values of every type and of no sense, in the places of good ones. */
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  [],
  {},
  [null],
  ['grid', 'grid', 'grid'],
  { start: '0000-00-00', days: -1 },
  { start: '9999-12-31', days: 366 },
  { generation: -1, seq: 1e21 },
  { toString: 1 },
];

/** The frames of a client that are right, in an order that is right. */
export function goodFrames({ token, tenantId, propertyId, today }: FrameWorld): Record<string, unknown>[] {
  return [
    { t: 'auth', token, tenantId },
    { t: 'subscribe', propertyId, topics: TOPICS, window: { start: today, days: 60 } },
    { t: 'ping' },
    { t: 'resync', propertyId, generation: 1, seq: 0 },
    { t: 'seek', propertyId, asOf: Date.now() - 60_000 },
    { t: 'live' },
    { t: 'unsubscribe', propertyId },
  ];
}

/** A text where a frame should be: right, nearly right, or nothing of the kind. */
export function anyText(picks: Picks, world: FrameWorld): string {
  const frame = picks.of(goodFrames(world));
  const kinds: (() => string)[] = [
    () => JSON.stringify(frame),
    () => JSON.stringify(changed(picks, frame)),
    () => truncated(picks, JSON.stringify(frame)),
    () => flipped(picks, JSON.stringify(frame)),
    () => JSON.stringify(frame) + JSON.stringify(frame),
    () => `[${JSON.stringify(frame)}]`,
    () => '['.repeat(DEEP),
    () => '{"t":'.repeat(DEEP),
    () => JSON.stringify({ ...frame, more: 'x'.repeat(picks.below(LONG)) }),
    () => `{"__proto__":{"t":"ping"},${JSON.stringify(frame).slice(1)}`,
    () => JSON.stringify(picks.of(ODD)),
    () => noise(picks, picks.below(64)),
  ];
  return picks.of(kinds)();
}

/** One member replaced, removed, renamed or added. */
function changed(picks: Picks, frame: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(frame);
  const name = picks.of(names);
  const { [name]: value, ...others } = frame;
  return picks.of<() => Record<string, unknown>>([
    () => ({ ...others, [name]: picks.of(ODD) }),
    () => others,
    () => ({ ...others, [name.toUpperCase()]: value }),
    () => ({ ...frame, [picks.of(['from', 'seq', 'role', 'constructor'])]: picks.of(ODD) }),
  ])();
}

function truncated(picks: Picks, text: string): string {
  return text.slice(0, picks.below(text.length));
}

function flipped(picks: Picks, text: string): string {
  const at = picks.below(text.length);
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << picks.below(7))) + text.slice(at + 1);
}

function noise(picks: Picks, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(picks.below(0x2_00))).join('');
}

/** Bytes of any value. */
export function anyBytes(picks: Picks, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => picks.below(256)));
}

/** Opcodes of RFC 6455, the reserved ones as well. */
const OPCODES = [0, 1, 2, 3, 7, 8, 9, 10, 11, 15];
const MASK = Buffer.from([1, 2, 3, 4]);
const HUGE = 0x7f_ff_ff_ff;

/** A frame of a WebSocket as bytes: any opcode and flags, masked or not, with a length that may be a lie. */
export function anyWebSocketFrame(picks: Picks, payload: Buffer): Buffer {
  const isFinal = picks.chance(0.7) ? 0x80 : 0;
  const reserved = picks.chance(0.2) ? picks.below(8) << 4 : 0;
  const opcode = picks.chance(0.6) ? 1 : picks.of(OPCODES);
  const isMasked = picks.chance(0.9);
  const said = picks.chance(0.1) ? HUGE : payload.length;
  const length = Buffer.alloc(said < 126 ? 1 : said < 65_536 ? 3 : 9);
  if (said < 126) length[0] = said;
  else if (said < 65_536) {
    length[0] = 126;
    length.writeUInt16BE(said, 1);
  } else {
    length[0] = 127;
    length.writeBigUInt64BE(BigInt(said), 1);
  }
  if (isMasked) length[0] |= 0x80;
  const body = isMasked ? payload.map((byte, n) => byte ^ MASK[n % MASK.length]!) : payload;
  return Buffer.concat([
    Buffer.from([isFinal | reserved | opcode]),
    length,
    isMasked ? MASK : Buffer.alloc(0),
    Buffer.from(body),
  ]);
}

/** A packet of socket.io over Engine.IO: right, nearly right, or nothing of the kind. */
export function anyPacket(picks: Picks, world: FrameWorld): string {
  const kinds: (() => string)[] = [
    () => '40/live,',
    () => `42/live,["m",${anyText(picks, world)}]`,
    () => `42/live,${anyText(picks, world)}`,
    () => `42["m",${anyText(picks, world)}]`,
    () => `42/live,7["m",{"t":"ping"}]`,
    () => `42/live,["${picks.of(['connect', 'disconnect', 'error', '__proto__', 'n'])}",{}]`,
    () => `45${picks.below(1_000_000)}-/live,["m",{"_placeholder":true,"num":${picks.below(9)}}]`,
    () => `43/live,${picks.below(1e9)}[]`,
    () => '44/live,{"message":"x"}',
    () => `40/${noise(picks, 8)},`,
    () => '41/live,',
    () => String(picks.below(10)),
    () => noise(picks, picks.below(40)),
  ];
  return picks.of(kinds)();
}
