import { useSignal } from '@preact/signals';

import { cellKey } from '../../../packages/client/src/live/replica.ts';
import { percentFrom } from '../grid/cell-face.ts';
import { dayRange, shortDay } from '../grid/days.ts';
import { advice as words, nightsWord, signedPercent, wholeAmount } from '../messages.ts';
import { ServiceButton } from '../service-button.tsx';
import { advising, gainText, limitText, reasonText, settingsText } from './advice-messages.ts';
import { accept, byValue, gainOf, grouped, movesUpTo, standingOf, worthTaking } from './advice.ts';
import { ChangeOutcome } from './change-outcome.tsx';
import { percentIn } from './chosen-nights.ts';
import type { Advice, OptimizationView } from './shapes.ts';
import type { RevenueStore } from './store.ts';

type Props = {
  desk: RevenueStore;
  newest: OptimizationView;
  busy: boolean;
  attempt: (work: () => Promise<void>) => Promise<void>;
};

type SettingsProps = { settings: NonNullable<OptimizationView['settings']>; currency: string };

/** With which settings rates were recommended, also where none is. */
export function AdviceSettings({ settings, currency }: SettingsProps) {
  return <p class="muted">{settingsText(settings, currency)}</p>;
}

/** Recommended rates by their value, to accept one, some or all of them. */
export function AdviceList({ desk, newest, busy, attempt }: Props) {
  const roomType = useSignal('');
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const types = [...new Set(newest.recommendations.map((one) => one.roomType))];
  const ofType = newest.recommendations.filter((one) => roomType.value === '' || one.roomType === roomType.value);
  const stands = ofType.map((one) => ({ one, stands: standingOf(desk, one) }));
  const open = stands.filter(({ stands }) => stands === 'open').map(({ one }) => one);
  const shown = stands.filter(({ stands }) => stands !== 'rejected').map(({ one }) => one);
  const pick = (group: readonly Advice[], on: boolean): void => {
    const keys = new Set(group.map(cellKey));
    const others = [...chosen.value].filter((key) => !keys.has(key));
    chosen.value = new Set(on ? [...others, ...keys] : others);
  };
  return (
    <>
      {newest.results && <p class="gain">{words.more(newest.results.revenueIncrease)}</p>}
      {types.length > 1 && (
        <label class="filter">
          {advising.roomType}{' '}
          <select value={roomType.value} onChange={(event) => (roomType.value = event.currentTarget.value)}>
            <option value="">{advising.allTypes}</option>
            {types.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        </label>
      )}
      <ol tabIndex={0} aria-label={words.title}>
        {byValue(grouped(shown, (one) => standingOf(desk, one))).map((group) => (
          <Group
            key={cellKey(group[0]!)}
            desk={desk}
            group={group}
            busy={busy}
            attempt={attempt}
            isChosen={group.every((one) => chosen.value.has(cellKey(one)))}
            onChoose={(on) => pick(group, on)}
          />
        ))}
      </ol>
      {shown.length < stands.length && (
        <p class="actions">
          <span class="muted">{words.rejected(stands.length - shown.length)}</span>
          <button type="button" onClick={() => desk.revenue.reconsider()}>
            {words.undo}
          </button>
        </p>
      )}
      <ChangeOutcome desk={desk} place="advice" />
      {open.length > 0 && (
        <>
          <Some desk={desk} open={open} picked={open.filter((one) => chosen.value.has(cellKey(one)))} busy={busy} />
          <All desk={desk} open={open} busy={busy} />
        </>
      )}
    </>
  );
}

const LIMIT_KEY = 'innkeeper.accepted-percent';
const USUAL_LIMIT = '5';

type SomeProps = { desk: RevenueStore; open: Advice[]; picked: Advice[]; busy: boolean };

/** Accepts the chosen ones, or all that move a rate by little. */
function Some({ desk, open, picked, busy }: SomeProps) {
  const limit = useSignal(localStorage.getItem(LIMIT_KEY) ?? USUAL_LIMIT);
  const percent = percentIn(limit.value) ?? 0;
  const isLimit = percent > 0 && percent <= 100;
  const small = isLimit ? movesUpTo(open, percent) : [];
  const type = (text: string): void => {
    limit.value = text;
    localStorage.setItem(LIMIT_KEY, text);
  };
  return (
    <>
      {picked.length > 0 && (
        <p class="actions">
          <ServiceButton desk={desk} disabled={busy} onClick={() => void accept(desk, picked)}>
            {advising.acceptChosen(picked.length)}
          </ServiceButton>
        </p>
      )}
      <p class="actions up-to">
        <label>
          {advising.upTo}{' '}
          <input
            type="text"
            inputMode="decimal"
            maxLength={5}
            autocomplete="off"
            value={limit.value}
            onInput={(event) => type(event.currentTarget.value)}
          />
        </label>
        {small.length > 0 && (
          <ServiceButton desk={desk} disabled={busy} onClick={() => void accept(desk, small)}>
            {advising.acceptUpTo(percent)}
          </ServiceButton>
        )}
        <small>{isLimit ? advising.upToCount(small.length) : advising.noPercent}</small>
      </p>
    </>
  );
}

type AllProps = Pick<SomeProps, 'desk' | 'open' | 'busy'>;

/**
 * All open recommendations at once: accepting needs a confirmation, since it changes many prices, and the strongest
 * colour is that of leaving them.
 */
function All({ desk, open, busy }: AllProps) {
  const asking = useSignal(false);
  const good = worthTaking(open);
  const gain = gainOf(good);
  const left = open.length - good.length;
  const take = (): void => {
    asking.value = false;
    void accept(desk, good);
  };
  return asking.value ? (
    <p class="actions" role="group" aria-label={words.question(good.length)}>
      <span>
        {words.question(good.length)} {gain && `${gainText(gain, desk.currency.value)}.`}
        {left > 0 && ` ${advising.leftOut(left)}`}
      </span>
      <ServiceButton desk={desk} disabled={busy} onClick={take}>
        {words.confirm}
      </ServiceButton>
      <button type="button" class="primary" onClick={() => (asking.value = false)}>
        {words.keep}
      </button>
    </p>
  ) : (
    <p class="actions">
      <ServiceButton desk={desk} disabled={busy || good.length === 0} onClick={() => (asking.value = true)}>
        {words.accept(good.length)}
      </ServiceButton>
      <button type="button" onClick={() => desk.revenue.reject(open)}>
        {words.rejectAll}
      </button>
    </p>
  );
}

type GroupProps = Pick<Props, 'desk' | 'busy' | 'attempt'> & {
  group: Advice[];
  isChosen: boolean;
  onChoose: (on: boolean) => void;
};

function Group({ desk, group, busy, attempt, isChosen, onChoose }: GroupProps) {
  const first = group[0]!;
  const last = group.at(-1)!;
  const percent = Math.round(percentFrom(first.optimizedRate, first.currentRate));
  const standing = standingOf(desk, first);
  const mark = standing === 'open' || standing === 'rejected' ? undefined : standing;
  const gain = gainOf(group);
  const days = group.length === 1 ? shortDay(first.date) : dayRange(first.date, last.date);
  const what = `${first.roomType}, ${days}`;
  const limits = [...new Set(group.flatMap(({ limitedBy }) => limitedBy ?? []))];
  return (
    <li data-mark={mark}>
      <p class="who-when">
        {standing === 'open' ? (
          <label>
            <input
              type="checkbox"
              aria-label={advising.choose(what)}
              checked={isChosen}
              onChange={(event) => onChoose(event.currentTarget.checked)}
            />{' '}
            <strong>{what}</strong>
          </label>
        ) : (
          <strong>{what}</strong>
        )}
        <span class="change">
          {wholeAmount(first.currentRate)} → {wholeAmount(first.optimizedRate)}
        </span>
      </p>
      <p class="number">
        <span>
          {nightsWord(group.length)}
          {mark && `, ${words[mark]}`}
        </span>
        <span>{signedPercent(percent)}</span>
      </p>
      {gain && <p class="number">{gainText(gain, desk.currency.value)}</p>}
      <p class="number">
        {first.reasons?.map(
          (reason) => `${reasonText(reason, first.optimizedRate > first.currentRate, desk.currency.value)}. `,
        )}
        {advising.sure(Math.min(...group.map(({ confidence }) => confidence)))}. {limits.map(limitText).join(' ')}
      </p>
      <Verbs desk={desk} group={group} busy={busy} attempt={attempt} what={what} />
    </li>
  );
}

type VerbsProps = Pick<Props, 'desk' | 'busy' | 'attempt'> & { group: Advice[]; what: string };

/** What can be done with a recommendation. */
function Verbs({ desk, group, busy, attempt, what }: VerbsProps) {
  const standing = standingOf(desk, group[0]!);
  const lock = (locked: boolean): Promise<void> => attempt(() => desk.revenue.lock(group, locked));
  return (
    <>
      {standing === 'locked' && (
        <p class="one">
          <ServiceButton
            desk={desk}
            disabled={busy}
            aria-label={words.unlockOne(what)}
            onClick={() => void lock(false)}
          >
            {words.unlock}
          </ServiceButton>
        </p>
      )}
      {standing === 'open' && (
        <p class="one">
          <ServiceButton
            desk={desk}
            disabled={busy}
            aria-label={words.acceptOne(what)}
            onClick={() => void accept(desk, group)}
          >
            {words.take}
          </ServiceButton>
          <ServiceButton desk={desk} disabled={busy} aria-label={words.lockOne(what)} onClick={() => void lock(true)}>
            {words.lock}
          </ServiceButton>
          <button type="button" aria-label={words.rejectOne(what)} onClick={() => desk.revenue.reject(group)}>
            {words.reject}
          </button>
        </p>
      )}
    </>
  );
}
