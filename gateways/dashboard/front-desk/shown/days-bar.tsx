import { useEffect } from 'preact/hooks';

import { addDays, dayRange, longDay } from '../../grid/days.ts';
import { Icon } from '../../icons.tsx';
import { onSingleKeys } from '../../keys.ts';
import { needsAnswer, ServiceButton } from '../../service-button.tsx';
import type { FrontDesk } from '../front-desk.ts';
import { desk as deskWords } from '../messages.ts';
import { dayOfStart, homeOf, isDate, SPANS, STEP_DAYS } from './chart-filter.ts';
import { shown as words } from './messages.ts';

/** The days of the tape chart: earlier, later, today, a date, and how many at once. */
export function DaysBar({ desk }: { desk: FrontDesk }) {
  useEffect(() => onSingleKeys(keysOf(desk)), [desk]);
  const start = desk.start.value;
  const span = desk.chart.span.value;
  const last = start === '' ? '' : addDays(start, span - 1);
  return (
    <div class="title">
      <div class="range">
        <ServiceButton
          desk={desk}
          reads
          class="quiet"
          aria-label={words.earlier(span)}
          onClick={() => desk.chart.page(-STEP_DAYS[span])}
        >
          <Icon name="back" />
        </ServiceButton>
        <h1>
          <span class="visually-hidden">{desk.property.value?.name}, </span>
          {start === '' ? '\u00a0' : span === 1 ? longDay(start) : dayRange(start, last)}
        </h1>
        <ServiceButton
          desk={desk}
          reads
          class="quiet"
          aria-label={words.later(span)}
          onClick={() => desk.chart.page(STEP_DAYS[span])}
        >
          <Icon name="forward" />
        </ServiceButton>
        <ServiceButton
          desk={desk}
          reads
          class="quiet"
          disabled={start === '' || desk.chart.isHome}
          onClick={() => desk.chart.page(0)}
        >
          {deskWords.today}
        </ServiceButton>
        {/* The browser's own field: it follows the user's language, can be typed, and is a wheel under a thumb. */}
        <label class="go-to">
          <span class="visually-hidden">{words.goTo}</span>
          <input
            type="date"
            {...needsAnswer(desk)}
            required
            value={start === '' ? '' : dayOfStart(start, span)}
            onChange={({ currentTarget: { value } }) => isDate(value) && desk.chart.show(homeOf(value, span))}
          />
        </label>
        <fieldset class="modes" {...needsAnswer(desk)}>
          <legend class="visually-hidden">{words.zoom}</legend>
          {SPANS.map((days) => (
            <label key={days}>
              <input
                type="radio"
                name="span"
                checked={days === span}
                onChange={() => desk.chart.zoom(days)}
                aria-label={words.span(days)}
              />
              <span aria-hidden="true">{days}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <p class="data-age keys-short">{deskWords.keysShort}</p>
    </div>
  );
}

function keysOf(desk: FrontDesk): Record<string, () => void> {
  // Days that were not read would be shown as empty.
  const ifLive = (move: () => void) => (): void => {
    if (!needsAnswer(desk).disabled) move();
  };
  const step = (by: 1 | -1) => ifLive(() => desk.chart.page(by * STEP_DAYS[desk.chart.span.peek()]));
  const zooms = SPANS.map((span, index) => [String(index + 1), ifLive(() => desk.chart.zoom(span))] as const);
  return {
    ...Object.fromEntries(zooms),
    '[': step(-1),
    ']': step(1),
    t: ifLive(() => desk.chart.page(0)),
    '/': () => document.querySelector<HTMLElement>('.day-lists input[type=search]')?.focus(),
  };
}
