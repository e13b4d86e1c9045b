import type { WireAmount } from '../../../src/kernel/contracts/wire-money.ts';
import { dayRange, mediumDay } from '../grid/days.ts';
import { locale, textsOf } from '../language/texts.ts';
import { moneyText } from '../messages.ts';
import type { ListedExperiment, ShownExperiment } from './api.ts';
import type { Treatment } from './new-experiment.ts';

const say = textsOf('experiments');

const changes = new Intl.NumberFormat(locale, {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 2,
});

/** `+2.5%`, as the language writes it. */
export const changeText = (percent: number): string => changes.format(percent / 100);

/** Texts of the page of experiments (docs/reference/price-experiments.md#price-experiments). */
export const experiments = {
  title: say('Price experiments'),
  lead: say(
    'Other rates are tried on days of sale that are drawn beforehand. All guests of a day see the same rates, so the difference between the days is what the rates bring.',
  ),
  loading: say('Loading'),
  none: say('No experiment yet.'),
  list: say('Experiments'),
  new: say('New experiment'),
  oneAtATime: say('A property has one experiment at a time. Stop the running one first.'),
  name: say('Name'),
  plan: say('Rate plan'),
  treatment: say('What is tried'),
  period: say('Days of sale'),
  state: say('State'),
  show: (name: string): string => say('Result: {name}', { name }),
  percent: say('Difference from the base rate, %'),
  percentHint: (plan: string, percent: string): string => say('{plan} has {percent} now.', { plan, percent }),
  noPercent: say('Type a percentage such as 5 or -7.5.'),
  startDate: say('First day'),
  startHint: say('Left empty, tomorrow.'),
  pairs: say('Pairs of blocks'),
  pairsHint: say('One block of each pair is drawn for the tried rates. More pairs show smaller differences.'),
  blockDays: say('Days of a block'),
  settleDays: say('First days of a block that do not count'),
  settleHint: say('Guests who saw the rates before still decide on these days.'),
  line: (days: number): string =>
    say('{days, plural, one {# day} other {# days}} of sale, half of them at the tried rates.', { days }),
  until: (last: string): string => say('The last one is {last}.', { last: mediumDay(last) }),
  begin: say('Start experiment'),
  cancel: say('Cancel'),
  checkFields: say('Please check the marked fields.'),
  failed: say('It has not begun.'),
  begun: (name: string): string => say('{name} has begun: its days are drawn.', { name }),
  stop: say('Stop experiment'),
  stopLine: (plan: string): string =>
    say('{plan} gets back at once what it had before. What the days until now have shown stays here.', { plan }),
  stopNow: say('Stop now'),
  stopped: (name: string): string => say('{name} is stopped.', { name }),
  result: say('Result'),
  rates: say('Rates'),
  usual: say('As before'),
  treatmentRates: say('Tried'),
  days: say('Days'),
  roomNights: say('Room nights'),
  perDay: say('Revenue a day'),
  notYet: (last: string): string =>
    say('It runs until {last}. Nothing is concluded before: who stops at a lucky moment finds what is not there.', {
      last: mediumDay(last),
    }),
  leftOut: (days: number): string =>
    say('{days, plural, one {# day does} other {# days do}} not count: rates settled, or were switched late.', {
      days,
    }),
  explained: (percent: string): string =>
    say('Usual differences between weekdays explain {percent} of what the days differ by.', { percent }),
};

const FINDINGS: Record<NonNullable<ShownExperiment['result']['finding']>, string> = {
  BETTER: say('The tried rates brought more.'),
  WORSE: say('The tried rates brought less.'),
  NOT_DISTINGUISHABLE: say('The difference is within what chance does.'),
  TOO_FEW: say('There are too few days to say anything.'),
};

/** The conclusion, once it is over. */
export const findingText = ({ finding }: ShownExperiment['result']): string | undefined =>
  finding === null ? undefined : FINDINGS[finding];

type Uplift = NonNullable<ShownExperiment['result']['uplift']>;

/** The uplift with its interval. */
export function upliftText(
  { perDay, low, high, percent, lowPercent, highPercent }: Uplift,
  currency: string,
): string {
  const money = (amount: WireAmount): string => moneyText(amount, currency);
  return say('{amount} a day ({percent}); with 95 % certainty between {low} and {high} ({least} to {most}).', {
    amount: money(perDay),
    percent: changeText(percent),
    low: money(low),
    high: money(high),
    least: changeText(lowPercent),
    most: changeText(highPercent),
  });
}

const STATES: Record<ListedExperiment['status'], string> = {
  RUNNING: say('Running'),
  COMPLETED: say('Over'),
  STOPPED: say('Stopped'),
};
const REASONS: Record<NonNullable<ListedExperiment['stopReason']>, string> = {
  BY_USER: say('by a person'),
  PLAN_CHANGED: say('somebody changed the plan'),
  PLAN_REMOVED: say('the plan was deleted'),
};

/** `Stopped: somebody changed the plan`. */
export function stateText({ status, stopReason }: ListedExperiment): string {
  return stopReason === null
    ? STATES[status]
    : say('{state}: {reason}', { state: STATES[status], reason: REASONS[stopReason] });
}

export const periodText = ({ startDate, endDate }: ListedExperiment): string => dayRange(startDate, endDate);

export const treatmentNames: Record<Treatment, string> = {
  PERCENT: say('Another percentage'),
  ROOMS_SOLD: say('Rates that rise with the rooms sold'),
  PROGRAM: say('Rates that follow computed bid prices'),
  LIVE: say('Live rates'),
};

/** What an experiment tries, in a few words. */
export function treatmentText({ treatment }: ListedExperiment): string {
  const chosen = treatment as { adjustmentPercent?: number; strategyRules?: { bidPriceBy?: Treatment } };
  const by = chosen.strategyRules?.bidPriceBy;
  const percent = chosen.adjustmentPercent === undefined ? [] : [changeText(chosen.adjustmentPercent)];
  const rest =
    by === undefined ? (percent.length === 0 ? [say('Other rules of the plan')] : []) : [treatmentNames[by]];
  return [...percent, ...rest].join(', ');
}

const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
export const shareText = (share: number): string => shares.format(share);
