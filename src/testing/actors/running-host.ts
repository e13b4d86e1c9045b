import { Host } from '../../../actors/host.ts';
import type { Command, CommandResults, KeyClaim, Reply } from '../../kernel/rules/commands.ts';
import { FakeClock } from '../fake-clock.ts';
import { FakeStore } from '../fake-store.ts';
import { envelope, PROPERTY_ID, type PropertyOptions, settingUp } from '../property-world.ts';

/** Clean-up hook of a tap test. */
export type HostTeardown = { teardown(handler: () => Promise<void>): unknown };

export const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A host over a fake store and clock, with the property of `property-world.ts` set up. */
export class RunningHost {
  readonly clock = new FakeClock();
  readonly store = new FakeStore(this.clock);
  /** Monotonic time, by which rates become stale; only the test moves it. */
  monotonic = 0;
  /** Logged errors. */
  readonly errors: Record<string, unknown>[] = [];
  /** Number of money faults. */
  violations = 0;
  host = this.fresh();
  mayOwn = true;

  /** Another host on the same store, as after a restart. */
  fresh(): Host {
    const { store, clock } = this;
    const log = { ...quiet, error: (facts: Record<string, unknown>) => void this.errors.push(facts) };
    const trust = { gatherMs: 5, waitMs: 50, now: () => this.monotonic };
    const violated = () => void (this.violations += 1);
    return new Host({ store, clock, log, lanes: 2, mayOwn: () => this.mayOwn, violated, rateFreshness: trust });
  }

  static async property(t: HostTeardown, options: PropertyOptions = {}): Promise<RunningHost> {
    const running = new RunningHost();
    t.teardown(() => running.host[Symbol.asyncDispose]());
    await running.setUp(options);
    return running;
  }

  async setUp(options: PropertyOptions = {}): Promise<void> {
    for (const command of settingUp(options)) await this.send(command, { propertyId: options.propertyId });
  }

  /** The memory of the process is gone; work in progress ends unseen. */
  crash(): void {
    this.host = this.fresh();
  }

  send<C extends Command>(
    command: C,
    options: { key?: KeyClaim; deadline?: number; propertyId?: string } = {},
  ): Promise<Reply<CommandResults[C['type']]>> {
    const { key, deadline, propertyId = PROPERTY_ID.propertyId } = options;
    return this.host.execute({ ...PROPERTY_ID, propertyId }, envelope(command, key, deadline));
  }
}

/** Error code of a rejected promise; `accepted` when it resolves. */
export async function errorOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'accepted';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
