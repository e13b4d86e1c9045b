import { computed, signal } from '@preact/signals';

import { randomKey } from '../../../packages/client/src/retrying.ts';
import { ApiError, type Problem } from '../api.ts';
import { addDays } from '../grid/days.ts';
import { sendExperiment } from './api.ts';
import type { ExperimentDesk } from './experiment-desk.ts';
import { experiments as words } from './messages.ts';

/** What may be tried: another percentage, or prices that follow demand in some way. */
export const TREATMENTS = ['PERCENT', 'ROOMS_SOLD', 'PROGRAM', 'LIVE'] as const;
export type Treatment = (typeof TREATMENTS)[number];

/** As it is typed. */
type TypedExperiment = {
  name: string;
  rateCode: string;
  treatment: Treatment;
  percent: string;
  /** Empty for tomorrow. */
  startDate: string;
  pairs: string;
  blockDays: string;
  settleDays: string;
};

/** Fields of the form by the member of the body that they stand for. */
const FIELDS: Readonly<Record<string, keyof TypedExperiment>> = {
  name: 'name',
  rateCode: 'rateCode',
  treatment: 'percent',
  startDate: 'startDate',
  pairs: 'pairs',
  blockDays: 'blockDays',
  settleDays: 'settleDays',
};

/** The form of a new experiment. What is typed stays until it has begun. */
export class NewExperiment {
  readonly typed = signal<TypedExperiment>({
    name: '',
    rateCode: 'BAR',
    treatment: 'PERCENT',
    percent: '',
    startDate: '',
    pairs: '28',
    blockDays: '1',
    settleDays: '0',
  });
  readonly problems = signal<ReadonlyMap<keyof TypedExperiment, string>>(new Map());
  readonly error = signal<string | undefined>(undefined);
  readonly busy = signal(false);
  readonly desk: ExperimentDesk;
  /** Days of sale, where both numbers are some. */
  readonly days = computed(() => {
    const days = 2 * Number(this.typed.value.pairs) * Number(this.typed.value.blockDays);
    return Number.isInteger(days) && days > 0 ? days : undefined;
  });
  /** After a lost answer the same one is sent again. */
  #sent: { body: string; key: string } | undefined;

  constructor(desk: ExperimentDesk) {
    this.desk = desk;
  }

  /** Last day of sale, where the first is chosen. */
  get lastDay(): string | undefined {
    const { startDate } = this.typed.value;
    const days = this.days.value;
    return startDate === '' || days === undefined ? undefined : addDays(startDate, days - 1);
  }

  change(changes: Partial<TypedExperiment>): void {
    this.typed.value = { ...this.typed.peek(), ...changes };
    this.error.value = undefined;
    this.problems.value = new Map();
  }

  async send(): Promise<void> {
    const typed = this.typed.peek();
    const percent = Number(typed.percent.replace(',', '.'));
    if (typed.treatment === 'PERCENT' && (typed.percent.trim() === '' || Number.isNaN(percent))) {
      this.problems.value = new Map([['percent', words.noPercent]]);
      return;
    }
    if (this.busy.peek()) return;
    this.busy.value = true;
    const body = bodyOf(typed, percent, this.desk.property.peek()?.propertyId ?? '');
    const text = JSON.stringify(body);
    if (this.#sent?.body !== text) this.#sent = { body: text, key: randomKey() };
    try {
      await this.desk.begun(await sendExperiment(await this.desk.access(), body, this.#sent.key));
    } catch (error) {
      this.#refused(error);
    } finally {
      this.busy.value = false;
    }
  }

  #refused(error: unknown): void {
    const problem = error instanceof ApiError ? error.problem : undefined;
    this.problems.value = problemsOf(problem);
    if (problem?.code === 'ALREADY_EXISTS') this.error.value = words.oneAtATime;
    else if (this.problems.value.size === 0) this.error.value = error instanceof Error ? error.message : words.failed;
    else this.error.value = words.checkFields;
  }
}

function bodyOf(typed: TypedExperiment, percent: number, propertyId: string): object {
  const { name, rateCode, treatment, startDate, pairs, blockDays, settleDays } = typed;
  return {
    propertyId,
    name: name.trim(),
    rateCode,
    treatment:
      treatment === 'PERCENT'
        ? { adjustmentPercent: percent }
        : { strategy: 'DYNAMIC', strategyRules: { bidPriceBy: treatment } },
    ...(startDate !== '' && { startDate }),
    pairs: Number(pairs),
    blockDays: Number(blockDays),
    settleDays: Number(settleDays),
  };
}

/** What the service says of the members, by the field that stands for each. */
function problemsOf(problem: Problem | undefined): ReadonlyMap<keyof TypedExperiment, string> {
  const found = new Map<keyof TypedExperiment, string>();
  for (const { pointer = '', detail } of problem?.errors ?? []) {
    const field = FIELDS[pointer.split('/')[1] ?? ''];
    if (field && !found.has(field)) found.set(field, `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`);
  }
  return found;
}
