import { must, type BlackboxProperty } from '../../test/blackbox/property.ts';
import type { Service } from '../../test/blackbox/service.ts';
import { until } from '../../test/blackbox/waiting.ts';
import { FakeChannel } from '../../test/services/fake-channel.ts';

const LINE = 'D1/B1';
const MAPPINGS = [{ roomType: 'DLX', ratePlan: 'BAR', externalRoom: 'D1', externalRate: 'B1' }];
const CAUGHT_UP_WITHIN_MS = 300_000;
const AWAY_SECONDS = 2;
const NIGHTS = 100;

type Status = { queued: number; drift: number | null; rejected: number };

/** A channel of each property at one fake channel, which is killed, too. */
export class DoorsChannels implements AsyncDisposable {
  readonly #service: Service;
  readonly #fake: FakeChannel;
  readonly #ids = new Map<BlackboxProperty, string>();

  private constructor(service: Service, fake: FakeChannel) {
    this.#service = service;
    this.#fake = fake;
  }

  static async open(service: Service): Promise<DoorsChannels> {
    return new DoorsChannels(service, await FakeChannel.open({ lines: [LINE] }));
  }

  async connect(property: BlackboxProperty): Promise<void> {
    const { propertyId } = property;
    const url = this.#fake.urlOf('generic-json');
    const settings = { channelCode: 'FAKE', name: 'Fake', adapter: 'generic-json', mappings: MAPPINGS };
    const answer = await this.#call<{ channelId: string }>('POST', '', { propertyId, url, ...settings });
    this.#ids.set(property, must(answer, 201).json.channelId);
  }

  /** Nobody listens for two seconds. */
  away(): Promise<void> {
    return this.#fake.behave({ kind: 'refuse', seconds: AWAY_SECONDS });
  }

  /** Whether each channel has what its property has, as soon as nothing waits. */
  async isWhole(): Promise<boolean> {
    const began = performance.now();
    let [nights, drift] = [0, 0];
    for (const [property, id] of this.#ids) {
      await until('nothing waits for the channel', CAUGHT_UP_WITHIN_MS, async () => {
        const { queued } = must(await this.#call<Status>('GET', `/${id}/status`), 200).json;
        return queued === 0 || undefined;
      });
      for (const { date, availableRooms } of await property.cells(0, NIGHTS, 'DLX')) {
        nights += 1;
        if (this.#fake.night(property.propertyId, LINE, date).availability !== availableRooms) drift += 1;
      }
    }
    const { messages, violations } = this.#fake;
    const limited = messages.filter(({ outcome }) => outcome === 'limited').length;
    console.log(
      `${this.#ids.size} channels, ${messages.length} messages, ${limited} beyond 20 a minute, ` +
        `caught up in ${((performance.now() - began) / 1_000).toFixed(1)} s`,
    );
    console.log(`  ${nights} nights compared, drift ${drift}, violations of the protocol ${violations.length}`);
    for (const { text } of violations.slice(0, 5)) console.log(`  ${text}`);
    return nights > 0 && drift === 0 && violations.length === 0 && limited === 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fake.kill();
  }

  #call<T>(method: string, path: string, body?: object) {
    return this.#service.call<T>(method, `${this.#service.dev.reservationUrl}/api/v1/channels${path}`, {
      ...(body && { body }),
    });
  }
}
