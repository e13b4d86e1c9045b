import { dayRange } from '../grid/days.ts';
import type { SalesMixView } from './api.ts';
import type { ChartModel, ChartSeries } from './chart-model.ts';
import { charts, mixChart as words, percentText, roomsText, wholeMoney, wholePercent } from './messages.ts';

export const MIXES = ['channel', 'plan', 'group', 'company', 'stayLength', 'leadTime'] as const;
export type MixBy = (typeof MIXES)[number];

type MixPart = { name: string; roomNights: number; revenue: number };

/** More of them have no room; the rest is one. */
const MOST_PARTS = 12;

function partsOf(mix: SalesMixView, by: MixBy): MixPart[] {
  const named = (parts: SalesMixView['groups'], nobody: string): MixPart[] =>
    withinSpace(parts.map(({ name, ...sold }) => ({ name: name ?? nobody, ...sold })));
  switch (by) {
    case 'channel':
      return withinSpace(mix.channels.map(({ channel, ...sold }) => ({ name: channel ?? words.unknown, ...sold })));
    case 'plan':
      return withinSpace(
        mix.ratePlans.map(({ rateCode, ...sold }) => ({ name: rateCode ?? words.unknown, ...sold })),
      );
    case 'group':
      return named(mix.groups, words.noGroup);
    case 'company':
      return named(mix.companies, words.noCompany);
    case 'stayLength':
      return named(mix.stayLengths, words.unknown);
    case 'leadTime':
      return named(mix.leadTimes, words.unknown);
  }
}

function withinSpace(parts: MixPart[]): MixPart[] {
  if (parts.length <= MOST_PARTS) return parts;
  const rest = parts.slice(MOST_PARTS - 1);
  const sumOf = (of: (part: MixPart) => number): number => rest.reduce((sum, part) => sum + of(part), 0);
  const others = {
    name: words.others(rest.length),
    roomNights: sumOf(({ roomNights }) => roomNights),
    revenue: sumOf(({ revenue }) => revenue),
  };
  return [...parts.slice(0, MOST_PARTS - 1), others];
}

/** Sales of the shown nights by a segment: shares as bars, and what they are of. */
export function mixModel(mix: SalesMixView, by: MixBy, property: string): ChartModel {
  const parts = partsOf(mix, by);
  const { total, currency, from, to } = mix;
  const share = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : (part / whole) * 100);
  const money = wholeMoney(currency);
  const series: ChartSeries[] = [
    {
      id: 'roomNightShare',
      label: words.roomNightShare,
      tone: 'now',
      kind: 'bars',
      values: parts.map(({ roomNights }) => share(roomNights, total.roomNights)),
    },
    {
      id: 'revenueShare',
      label: words.revenueShare,
      tone: 'lastYear',
      kind: 'bars',
      values: parts.map(({ revenue }) => share(revenue, total.revenue)),
    },
    {
      id: 'roomNights',
      label: words.roomNights,
      tone: 'capacity',
      kind: 'text',
      values: parts.map(({ roomNights }) => roomNights),
      format: roomsText,
    },
    {
      id: 'revenue',
      label: words.revenue,
      tone: 'capacity',
      kind: 'text',
      values: parts.map(({ revenue }) => revenue),
      format: money,
    },
    {
      id: 'adr',
      label: words.adr,
      tone: 'capacity',
      kind: 'text',
      values: parts.map(({ roomNights, revenue }) => (roomNights === 0 ? undefined : revenue / roomNights)),
      format: money,
    },
  ];
  return {
    title: `${charts.names.mix}: ${words.bys[by]}`,
    caption: words.caption(dayRange(from, to)),
    axis: words.bys[by],
    points: parts.map(({ name }) => ({ label: name, tick: name })),
    series,
    format: percentText,
    formatTick: wholePercent,
    startsAtZero: true,
    summary: words.summary(total.roomNights, money(total.revenue)),
    notes: [],
    ...(parts.length === 0 && { missing: words.nothing }),
    file: `mix-by-${by}-${property}-${from}`,
  };
}
