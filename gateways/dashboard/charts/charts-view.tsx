import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';

import { cellKey } from '../../../packages/client/src/live/replica.ts';
import { followAddress, parameter } from '../address.ts';
import { addDays, longDay } from '../grid/days.ts';
import { shownPickup } from '../grid/pickup.ts';
import { locale } from '../language/texts.ts';
import type { RevenueStore } from '../revenue/store.ts';
import { fetchCompetitors, fetchCurve, fetchMix } from './api.ts';
import { curveModel, expectedOf, YEAR_DAYS } from './booking-curve.ts';
import type { ChartModel } from './chart-model.ts';
import { choiceOf, chooseInChart, type ChartName } from './chart-names.ts';
import { ChartFrame } from './chart.tsx';
import { competitorsModel } from './competitors.ts';
import { charts, curveChart, competitorsChart, mixChart, nightsChart } from './messages.ts';
import { MIXES, type MixBy, mixModel } from './mix.ts';
import { COUNTED_MEASURES, type Measure, MEASURES, type NightFigures, nightsModel } from './nights.ts';
import { pickupModel } from './pickup.ts';
import { type LoadedFigures, useLoaded } from './use-loaded.ts';

export type ChartsViewProps = { desk: RevenueStore; chart: ChartName };

/** The chosen chart with its figures. */
export function ChartsView({ desk, chart }: ChartsViewProps) {
  // Choices within a chart are in the address too.
  const moves = useSignal(0);
  useEffect(() => followAddress(() => (moves.value += 1)), []);
  const key = `${chart} ${moves.value}`;
  switch (chart) {
    case 'nights':
      return <NightsChart key={key} desk={desk} />;
    case 'curve':
      return <CurveChart key={key} desk={desk} />;
    case 'pickup':
      return <PickupChart key={key} desk={desk} />;
    case 'mix':
      return <MixChart key={key} desk={desk} />;
    case 'competitors':
      return <CompetitorsChart key={key} desk={desk} />;
  }
}

type ChartProps = { desk: RevenueStore };

function NightsChart({ desk }: ChartProps) {
  const measures: readonly Measure[] = desk.seesAmounts ? MEASURES : COUNTED_MEASURES;
  const measure = useSignal(choiceOf('figure', measures));
  const nights = desk.days.value.map(({ date }) => figuresOf(desk, date));
  const model = nightsModel(nights, {
    measure: measure.value,
    currency: desk.currency.value,
    property: desk.property.value?.propertyId ?? '',
    seesAmounts: desk.seesAmounts,
    isPast: desk.isPast.value,
  });
  return (
    <ChartFrame model={nights.some(({ sold }) => sold !== undefined) ? model : undefined} onNight={nightOpener(desk)}>
      <Choice
        label={nightsChart.measure}
        value={measure.value}
        choices={measures.map((one) => [one, nightsChart.measures[one]])}
        onChoose={(one) => {
          measure.value = one;
          chooseInChart('figure', one);
        }}
      />
    </ChartFrame>
  );
}

function figuresOf(desk: RevenueStore, date: string): NightFigures {
  const night = desk.night(date).value;
  const { weekAgo, lastYear, forecast } = desk.revenue;
  const then = lastYear.value.get(date);
  return {
    date,
    sold: night?.roomsSold,
    capacity: night?.roomsAvailable,
    adr: night?.adr ?? undefined,
    revPar: night?.revPar,
    weekAgo: weekAgo.value?.get(date),
    lastYear: then && {
      sold: then.roomsSold,
      occupancy: then.occupancyRate,
      adr: then.adr ?? undefined,
      revPar: then.revPar,
    },
    expected: forecast.value.get(date),
  };
}

function CurveChart({ desk }: ChartProps) {
  const of = useSignal(parameter('of') ?? 'night');
  const dates = desk.days.value.map(({ date }) => date);
  const night = desk.selected.value?.split(' ')[0] ?? dates[0] ?? '';
  const months = [...new Set(dates.map((date) => date.slice(0, 7)))];
  const chosen =
    of.value === 'night' || dates.length === 0
      ? [night]
      : dates.filter((date) => of.value === 'all' || date.startsWith(of.value));
  const [from = night, to = night] = [chosen[0], chosen.at(-1)];
  const access = { ...desk.access };
  const propertyId = desk.property.value?.propertyId ?? '';
  const loaded = useLoaded(questionOf(desk, 'curve', from, to), () =>
    Promise.all([
      fetchCurve(access, { propertyId, from, to }),
      fetchCurve(access, { propertyId, from: addDays(from, -YEAR_DAYS), to: addDays(to, -YEAR_DAYS) }),
    ]),
  );
  const { forecast } = desk.revenue;
  const answer = loaded.value;
  const model = useMemo(() => {
    if (!answer?.value) return undefined;
    const [now, lastYear] = answer.value;
    const expected = expectedOf(chosen, forecast.value);
    return curveModel({ property: propertyId, from, to, now, lastYear, expected });
  }, [answer, forecast.value]);
  return (
    <LoadedChart desk={desk} loaded={answer} question={questionOf(desk, 'curve', from, to)} model={model}>
      <Choice
        label={curveChart.of}
        value={of.value}
        choices={[
          ['night', night === '' ? charts.night : curveChart.thisNight(longDay(night))],
          ['all', curveChart.all],
          ...months.map((month): [string, string] => [month, monthName(month)]),
        ]}
        onChoose={(one) => {
          of.value = one;
          chooseInChart('of', one);
        }}
      />
    </LoadedChart>
  );
}

function PickupChart({ desk }: ChartProps) {
  const [from, to] = shownNights(desk);
  const { access } = desk;
  const propertyId = desk.property.value?.propertyId ?? '';
  const question = questionOf(desk, 'pickup', from, to);
  const loaded = useLoaded(question, () =>
    Promise.all([
      fetchCurve(access, { propertyId, from, to }),
      fetchCurve(access, { propertyId, from: addDays(from, -YEAR_DAYS), to: addDays(to, -YEAR_DAYS) }),
    ]),
  );
  const today = shownPickup(desk);
  const answer = loaded.value;
  const model = useMemo(() => {
    if (!answer?.value) return undefined;
    const [now, lastYear] = answer.value;
    return pickupModel({ property: propertyId, from, to, now, lastYear, today });
  }, [answer, today]);
  return <LoadedChart desk={desk} loaded={answer} question={question} model={model} />;
}

function MixChart({ desk }: ChartProps) {
  const by = useSignal<MixBy>(choiceOf('by', MIXES));
  const [from, to] = shownNights(desk);
  const { access } = desk;
  const propertyId = desk.property.value?.propertyId ?? '';
  const question = questionOf(desk, 'mix', from, to);
  const loaded = useLoaded(question, () => fetchMix(access, { propertyId, from, to }));
  const answer = loaded.value;
  const model = useMemo(() => answer?.value && mixModel(answer.value, by.value, propertyId), [answer, by.value]);
  return (
    <LoadedChart desk={desk} loaded={answer} question={question} model={model}>
      <Choice
        label={mixChart.by}
        value={by.value}
        choices={MIXES.map((one) => [one, mixChart.bys[one]])}
        onChoose={(one) => {
          by.value = one;
          chooseInChart('by', one);
        }}
      />
    </LoadedChart>
  );
}

function CompetitorsChart({ desk }: ChartProps) {
  const types = desk.roomTypes.value;
  const chosen = useSignal(parameter('type'));
  const roomType = types.find((one) => one === chosen.value) ?? types[0] ?? '';
  const [from, to] = shownNights(desk);
  const { access } = desk;
  const propertyId = desk.property.value?.propertyId ?? '';
  const question = roomType === '' ? undefined : questionOf(desk, `competitors ${roomType}`, from, to);
  const loaded = useLoaded(question, () => fetchCompetitors(access, { propertyId, roomType, from, to }));
  const answer = loaded.value;
  const dates = desk.days.value.map(({ date }) => date);
  const own = new Map(
    dates.flatMap((date) => {
      const rate = desk.cell(cellKey({ date, roomType })).value.item?.rate;
      return rate === undefined || rate === null ? [] : [[date, rate] as const];
    }),
  );
  const roomTypeName = desk.names.value.get(roomType) ?? roomType;
  const model =
    answer?.value && competitorsModel({ property: propertyId, roomTypeName, dates, rates: answer.value, own });
  return (
    <LoadedChart desk={desk} loaded={answer} question={question} model={model}>
      <Choice
        label={competitorsChart.roomType}
        value={roomType}
        choices={types.map((one) => [one, desk.names.value.get(one) ?? one])}
        onChoose={(one) => {
          chosen.value = one;
          chooseInChart('type', one);
        }}
      />
    </LoadedChart>
  );
}

type LoadedProps<T> = {
  desk: RevenueStore;
  loaded: LoadedFigures<T> | undefined;
  question: string | undefined;
  model: ChartModel | undefined;
  children?: ComponentChildren;
};

/** A chart of what exists for the present only. */
function LoadedChart<T>({ desk, loaded, question, model, children }: LoadedProps<T>) {
  const isCurrent = loaded !== undefined && loaded.key === question;
  const missing = desk.isPast.value ? charts.presentOnly : isCurrent && loaded.failed ? charts.failed : undefined;
  if (missing !== undefined) return <p class="chart-empty chart-missing">{missing}</p>;
  return (
    <ChartFrame model={isCurrent ? model : undefined} onNight={nightOpener(desk)}>
      {children}
    </ChartFrame>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  value: T;
  choices: readonly (readonly [T, string])[];
  onChoose: (choice: T) => void;
};

function Choice<T extends string>({ label, value, choices, onChoose }: ChoiceProps<T>) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
        {choices.map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function shownNights(desk: RevenueStore): [from: string, to: string] {
  const days = desk.days.value;
  return [days[0]?.date ?? '', days.at(-1)?.date ?? ''];
}

/** Names a request; `undefined` while there is none yet. */
function questionOf(desk: RevenueStore, of: string, from: string, to: string): string | undefined {
  const propertyId = desk.property.value?.propertyId;
  if (propertyId === undefined || from === '' || desk.role.value === '' || desk.isPast.value) return undefined;
  return [of, propertyId, from, to].join(' ');
}

/** Opens a night in the panel beside the calendar, with the room type that was chosen before. */
function nightOpener(desk: RevenueStore): (night: string) => void {
  return (night) => {
    const roomType = desk.selected.peek()?.split(' ').slice(1).join(' ') || desk.roomTypes.peek()[0];
    if (roomType === undefined) return;
    desk.editor.pick(cellKey({ date: night, roomType }));
    document.querySelector('.sheet.night')?.scrollIntoView({ block: 'nearest' });
  };
}

const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const monthName = (month: string): string => months.format(Date.parse(`${month}-01T00:00:00Z`));
