import { type Address, addressKey } from '../../kernel/rules/caller.ts';
import type { AcceptedRates } from '../../revenue/ports.ts';
import type { AcceptedRate } from '../../revenue/rules/accepted-rate.ts';

/** Accepted recommendations in memory. */
export class MemoryAcceptedRates implements AcceptedRates {
  readonly #of = new Map<string, AcceptedRate[]>();

  async record(to: Address, accepted: readonly AcceptedRate[]): Promise<void> {
    this.#of.set(addressKey(to), [...this.#all(to), ...accepted]);
  }

  async ofNights(to: Address, start: number, end: number): Promise<AcceptedRate[]> {
    return this.#all(to).filter(({ day }) => day >= start && day <= end);
  }

  async since(to: Address, instant: number): Promise<AcceptedRate[]> {
    return this.#all(to).filter(({ acceptedAt }) => acceptedAt >= instant);
  }

  #all(to: Address): AcceptedRate[] {
    return this.#of.get(addressKey(to)) ?? [];
  }
}
