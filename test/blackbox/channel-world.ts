import type { Test } from 'tap';

import { FakeChannel, type FakeChannelOptions, type LoggedMessage } from '../services/fake-channel.ts';
import { BlackboxProperty, type BlackboxPropertyOptions, must } from './property.ts';
import type { CallOptions, Role, Service } from './service.ts';
import { signedToken } from './signed-token.ts';
import { pause, until } from './waiting.ts';

export type ChannelProtocol = 'generic-json' | 'ota-2003b';
export const CHANNEL_PROTOCOLS: readonly ChannelProtocol[] = ['generic-json', 'ota-2003b'];

/** How a channel stands (docs/reference/channels.md#status). */
export type ChannelState = {
  channelId: string;
  status: string;
  lag: number;
  queued: number;
  rejected: number;
  atRisk: number;
  drift: number | null;
  lastError: string | null;
};

/** The room types and plans of the certification lists, and what the channel calls them. */
const LINES = [
  { roomType: 'TWN', ratePlan: 'BAR', externalRoom: 'TWIN', externalRate: 'BEST' },
  { roomType: 'TWN', ratePlan: 'BB', externalRoom: 'TWIN', externalRate: 'BB' },
  { roomType: 'DBL', ratePlan: 'BAR', externalRoom: 'DOUBLE', externalRate: 'BEST' },
  { roomType: 'DBL', ratePlan: 'BB', externalRoom: 'DOUBLE', externalRate: 'BB' },
];
/** Time without a message after which a channel has everything. */
const QUIET_MS = 1_200;
/** The pause of a pace that is used up, and of a first retry, are shorter. */
const SENT_WITHIN_MS = 60_000;

export type ChannelWorldOptions = {
  property?: BlackboxPropertyOptions;
  channel?: Partial<FakeChannelOptions>;
  settings?: Record<string, unknown>;
};

/** A token for the program of a channel, for the user of a role in `demo`. */
export const channelToken = (service: Service, role: Role = 'STAFF'): Promise<string> =>
  signedToken(service.dataDir, service.token('demo', role), { claims: { scope: 'innkeeper:channel' } });

/** A property that is sold by a fake channel. */
export class ChannelWorld {
  readonly service: Service;
  readonly property: BlackboxProperty;
  readonly channel: FakeChannel;
  readonly protocol: ChannelProtocol;
  channelId = '';

  private constructor(service: Service, property: BlackboxProperty, channel: FakeChannel, protocol: ChannelProtocol) {
    this.service = service;
    this.property = property;
    this.channel = channel;
    this.protocol = protocol;
  }

  /** A connected channel, which has not necessarily been sent everything yet. */
  static async open(
    t: Test,
    service: Service,
    protocol: ChannelProtocol,
    options: ChannelWorldOptions = {},
  ): Promise<ChannelWorld> {
    const property = await BlackboxProperty.open(service, {
      rooms: { TWN: 8, DBL: 5 },
      pricedNights: 500,
      ...options.property,
    });
    const { propertyId } = property;
    const plan = { propertyId, code: 'BB', name: 'With breakfast', parentCode: 'BAR', adjustmentAmount: 20 };
    must(await service.rates('POST', '/plans', { body: plan }), 201);
    const lines = LINES.map(({ externalRoom, externalRate }) => `${externalRoom}/${externalRate}`);
    const channel = await FakeChannel.open({ lines, ...options.channel });
    t.teardown(() => channel.kill());
    const world = new ChannelWorld(service, property, channel, protocol);
    const body = { propertyId, ...world.settings, ...options.settings };
    world.channelId = must(await world.call('POST', '', { body }), 201).json.channelId;
    channel.sales.to = {
      reservationUrl: service.dev.reservationUrl,
      channelId: world.channelId,
      tenantId: 'demo',
      token: await channelToken(service),
    };
    return world;
  }

  /** The same, once the channel has everything. */
  static async synced(...of: Parameters<typeof ChannelWorld.open>): Promise<ChannelWorld> {
    const world = await ChannelWorld.open(...of);
    await world.quiet();
    return world;
  }

  get settings(): Record<string, unknown> {
    return {
      channelCode: 'FAKE',
      name: 'A fake channel',
      adapter: this.protocol,
      url: this.channel.urlOf(this.protocol),
      mappings: LINES,
    };
  }

  /** Calls below `/api/v1/channels`, as ADMIN. */
  call<T = ChannelState>(method: string, path: string, options: CallOptions = {}) {
    return this.service.call<T>(method, `${this.service.dev.reservationUrl}/api/v1/channels${path}`, options);
  }

  async state(): Promise<ChannelState> {
    return must(await this.call('GET', `/${this.channelId}/status`), 200).json;
  }

  /** Waits until nothing is queued and no message comes any more. */
  async quiet(): Promise<void> {
    await until('the channel has everything', SENT_WITHIN_MS, async () => {
      const before = this.channel.messages.length;
      const state = await this.state();
      if (state.queued > 0 || before === 0) return undefined;
      await pause(QUIET_MS);
      return this.channel.messages.length === before && (await this.state()).queued === 0 ? true : undefined;
    });
  }

  /**
   * Does something, waits until the channel has it, and says by which messages it was sent.
   * @throws Error when no message comes
   */
  async after(what: () => Promise<unknown>): Promise<LoggedMessage[]> {
    const before = this.channel.messages.length;
    await what();
    await until('a message', SENT_WITHIN_MS, () => (this.channel.messages.length > before ? true : undefined));
    await this.quiet();
    return this.channel.messages.slice(before);
  }

  /** What the channel has of a night, counted from today. */
  has(line: string, night: number) {
    return this.channel.night(this.property.propertyId, line, this.property.day(night));
  }

  /** Nights, counted from today, at their price under BAR: all in one request. */
  async priced(...nights: [roomType: string, from: number, to: number, rate: number][]): Promise<void> {
    const all = nights.flatMap(([roomType, from, to, rate]) =>
      Array.from({ length: to - from + 1 }, (_, n) => ({ roomType, date: this.property.day(from + n), rate })),
    );
    const body = { propertyId: this.property.propertyId, nights: all };
    must(await this.service.rates('PUT', '/nights', { body }), 200);
  }

  async restricted(from: number, to: number, limits: Record<string, unknown>): Promise<void> {
    const { propertyId } = this.property;
    const body = { propertyId, startDate: this.property.day(from), endDate: this.property.day(to), ...limits };
    must(await this.service.rates('PUT', '/restrictions', { body }), 200);
  }
}
