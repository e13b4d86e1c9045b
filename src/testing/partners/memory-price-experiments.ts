import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { BookedOfDay, EndOfExperiment, PriceExperiments } from '../../revenue/ports.ts';
import type { PriceExperiment, SwitchedDay } from '../../revenue/rules/price-experiments/price-experiment.ts';

/** Experiments of one property in memory, with what was booked by day. */
export class MemoryPriceExperiments implements PriceExperiments {
  readonly all: PriceExperiment[] = [];
  readonly bookings: BookedOfDay[] = [];

  async create(_by: unknown, one: PriceExperiment) {
    if (this.all.some(({ status }) => status === 'RUNNING')) throw new DomainError('ALREADY_EXISTS', 'one runs');
    this.all.unshift(one);
    return { result: { id: one.id }, replayed: false };
  }

  async end(_by: unknown, id: string, { status, reason }: EndOfExperiment) {
    const one = await this.find('', id);
    if (one?.status !== 'RUNNING') throw new DomainError('INVALID_STATE', 'it has ended');
    Object.assign(one, { status, ...(reason && { stopReason: reason }) });
    return { result: { id }, replayed: false };
  }

  async switched(_to: Address, id: string, day: SwitchedDay): Promise<void> {
    (await this.find('', id))?.days.push(day);
  }

  async find(_tenantId: string, id: string): Promise<PriceExperiment | undefined> {
    return this.all.find((one) => one.id === id);
  }

  async list(): Promise<PriceExperiment[]> {
    return this.all;
  }

  async running(): Promise<PriceExperiment | undefined> {
    return this.all.find(({ status }) => status === 'RUNNING');
  }

  async booked(): Promise<BookedOfDay[]> {
    return this.bookings;
  }
}
