import type { TargetedKeyboardEvent } from 'preact';

import { instantOfLocal, localText } from '../grid/days.ts';
import { Icon } from '../icons.tsx';
import type { RevenueStore } from '../revenue/store.ts';
import { needsAnswer, ServiceButton } from '../service-button.tsx';
import { momentOf, SPEEDS, STEPS, travel as words } from './messages.ts';

const MINUTE_MS = 60_000;
/** Steps of the slider's keys: arrows by minutes, with Shift by hours, page keys by days. */
const KEYS: Record<string, number> = {
  ArrowLeft: -MINUTE_MS,
  ArrowDown: -MINUTE_MS,
  ArrowRight: MINUTE_MS,
  ArrowUp: MINUTE_MS,
  PageDown: -1_440 * MINUTE_MS,
  PageUp: 1_440 * MINUTE_MS,
};

/** The shown instant, and the controls of time travel. */
export function TimeTravelBar({ desk }: { desk: RevenueStore }) {
  const { travel } = desk;
  if (!travel.open.value && !travel.isPast.value) return null;
  return (
    <section class="travel" aria-label={words.title} data-past={travel.isPast.value || undefined}>
      <Viewing desk={desk} />
      <Way desk={desk} />
      <div class="controls">
        <div class="steps-by" role="group" aria-label={words.slider}>
          {STEPS.map(({ ms, text, label }) => (
            <ServiceButton
              key={ms}
              desk={desk}
              reads
              aria-label={`${text}, ${label}`}
              title={label}
              onClick={() => travel.step(ms)}
            >
              {text}
            </ServiceButton>
          ))}
        </div>
        <Instant desk={desk} />
        <ServiceButton desk={desk} reads aria-pressed={travel.playing.value} onClick={() => toggle(desk)}>
          <Icon name={travel.playing.value ? 'pause' : 'play'} /> {travel.playing.value ? words.stop : words.play}
        </ServiceButton>
        <select
          aria-label={words.speed}
          value={String(travel.speed.value)}
          onChange={(event) => (travel.speed.value = Number(event.currentTarget.value))}
        >
          {SPEEDS.map(({ ms, text }) => (
            <option key={ms} value={String(ms)}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </section>
  );
}

function Viewing({ desk }: { desk: RevenueStore }) {
  const { travel } = desk;
  const shown = travel.shown.value;
  const wanted = travel.wanted.value;
  const now = desk.tick.value;
  return (
    <p class="viewing">
      {wanted === undefined ? (
        <span class="muted">{words.hint}</span>
      ) : (
        <strong>
          {shown === undefined ? words.going(momentOf(wanted, now)) : words.viewing(momentOf(shown, now))}
        </strong>
      )}
      {shown !== undefined && wanted !== shown && wanted !== undefined && !travel.playing.value && (
        <span class="muted">{words.going(momentOf(wanted, now))}</span>
      )}
      {travel.waits.value && <span role="alert">{travel.waits.value}</span>}
      {wanted !== undefined && (
        <ServiceButton desk={desk} reads class="primary" onClick={() => travel.back()}>
          {words.back}
        </ServiceButton>
      )}
      {wanted === undefined && (
        <button type="button" class="quiet" onClick={() => (travel.open.value = false)}>
          {words.close}
        </button>
      )}
    </p>
  );
}

function Way({ desk }: { desk: RevenueStore }) {
  const { travel } = desk;
  const now = desk.tick.value;
  const at = travel.wanted.value ?? now;
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const step = KEYS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    travel.stop();
    travel.step(event.shiftKey && Math.abs(step) === MINUTE_MS ? step * 60 : step);
  };
  return (
    <div class="way">
      <span>{momentOf(travel.began, now)}</span>
      <input
        type="range"
        {...needsAnswer(desk)}
        aria-label={words.slider}
        aria-valuetext={momentOf(at, now)}
        min={travel.began}
        max={now}
        step="any"
        value={at}
        onKeyDown={onKeyDown}
        onInput={(event) => {
          travel.stop();
          travel.seek(Math.round(event.currentTarget.valueAsNumber));
        }}
      />
      <span>{words.now}</span>
    </div>
  );
}

function Instant({ desk }: { desk: RevenueStore }) {
  const { travel } = desk;
  const at = travel.wanted.value ?? desk.tick.value;
  return (
    <input
      type="datetime-local"
      {...needsAnswer(desk)}
      aria-label={words.input}
      min={localText(travel.began + MINUTE_MS - 1)}
      max={localText(desk.tick.value)}
      value={localText(at)}
      onChange={({ currentTarget: { value } }) => {
        travel.stop();
        if (value !== '') travel.seek(instantOfLocal(value));
      }}
    />
  );
}

function toggle({ travel }: RevenueStore): void {
  if (travel.playing.value) travel.stop();
  else travel.play();
}
