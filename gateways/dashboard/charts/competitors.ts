import type { CompetitorRatesView } from './api.ts';
import type { ChartModel, ChartSeries, ChartTone, ChartValue } from './chart-model.ts';
import { charts, competitorsChart as words, wholeMoney } from './messages.ts';
import { nightPoints, spanOf } from './nights.ts';

const TONES: readonly ChartTone[] = ['other1', 'other2', 'other3', 'other4', 'other5', 'other6'];

type Facts = {
  property: string;
  roomTypeName: string;
  dates: readonly string[];
  rates: CompetitorRatesView;
  /** Our price by date. */
  own: ReadonlyMap<string, number>;
};

/** Our price of a room type and that of each competitor, a line each. */
export function competitorsModel({ property, roomTypeName, dates, rates, own }: Facts): ChartModel {
  const { competitors, currency, roomType } = rates;
  const byCompetitor = competitors.map(({ competitorId, nights }) => {
    const byDate = new Map(nights.map(({ date, rate }) => [date, rate]));
    return { competitorId, values: dates.map((date): ChartValue => byDate.get(date)) };
  });
  const ours = dates.map((date): ChartValue => own.get(date));
  const medians = dates.map((_, index) => medianOf(byCompetitor.flatMap(({ values }) => values[index] ?? [])));
  const others = byCompetitor.map(({ competitorId, values }, index): ChartSeries => {
    const tone = TONES[index];
    return { id: competitorId, label: competitorId, tone: tone ?? 'capacity', kind: tone ? 'line' : 'text', values };
  });
  const hidden = byCompetitor.length - TONES.length;
  const money = wholeMoney(currency);
  return {
    title: `${charts.names.competitors}: ${roomTypeName}`,
    caption: words.caption(roomTypeName, spanOf(dates)),
    axis: charts.night,
    points: nightPoints(dates),
    series: [
      { id: 'own', label: words.own, tone: 'now', kind: 'line', values: ours },
      ...others,
      { id: 'median', label: words.median, tone: 'capacity', kind: 'text', values: medians },
    ],
    format: money,
    startsAtZero: false,
    summary: summaryOf(ours, medians, money),
    notes: hidden > 0 ? [words.more(hidden)] : [],
    ...(byCompetitor.length === 0 && { missing: words.nothing }),
    file: `competitors-${property}-${roomType}-${dates[0] ?? ''}`,
  };
}

/** Averages over the nights on which both have a price. */
function summaryOf(
  ours: readonly ChartValue[],
  medians: readonly ChartValue[],
  money: (value: number) => string,
): string {
  const both = ours.flatMap((own, index) => {
    const median = medians[index];
    return own === undefined || median === undefined ? [] : [{ own, median }];
  });
  if (both.length === 0) return '';
  const average = (of: 'own' | 'median'): number => both.reduce((sum, one) => sum + one[of], 0) / both.length;
  const [own, median] = [average('own'), average('median')];
  return words.summary(money(own), money(median), ((own / median) * 100).toFixed(0));
}

function medianOf(values: readonly number[]): ChartValue {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
