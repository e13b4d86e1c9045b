import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { noServiceReason } from '../../access/messages.ts';
import { ApiError } from '../../api.ts';
import { isStale } from '../drawer.ts';
import type { FrontDesk } from '../front-desk.ts';
import { errorText } from '../problem-messages.ts';
import type { ReservationRead } from '../shapes.ts';
import type { VerbAnswers, VerbName, WholeStay } from './shapes.ts';
import { upgradedAndIn } from './upgrade-and-check-in.ts';
import { betterTypes, type PricedType } from './upgrade-types.ts';
import { type StayVerb, STAY_VERBS, type VerbValues } from './verbs.ts';

/** Pause after a keystroke before what is typed is tried. */
const TYPING_MS = 350;

type Answer = VerbAnswers[VerbName];
type VerbInUse = {
  verb: StayVerb;
  stay: WholeStay;
  values: Signal<VerbValues>;
  /** What the verb would do; absent until it was tried. */
  answer: Signal<Answer | undefined>;
  error: Signal<string | undefined>;
  isTrying: Signal<boolean>;
  confirm: () => Promise<void>;
};

/** The state of a verb that somebody has chosen: what is typed, its dry run, and the confirmed change. */
export function useVerb(desk: FrontDesk, read: ReservationRead, name: VerbName): VerbInUse {
  const verb = STAY_VERBS[name] as unknown as StayVerb;
  const stay = read.reservation as WholeStay;
  const values = useSignal<VerbValues>(verb.start(stay));
  const answer = useSignal<Answer | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const isTrying = useSignal(false);
  const fields = verb.fields(stay, desk);
  const asked = JSON.stringify(fields.map(({ name: of, isAside }) => (isAside ? null : values.value[of])));
  const isTyped = fields.some(({ kind }) => kind === 'text' || kind === 'amount');

  // Tried again whenever the answer may be another one: after typing, and after a change by somebody else.
  useEffect(() => {
    answer.value = undefined;
    error.value = undefined;
    if (!verb.isReady(values.peek())) return;
    let isCurrent = true;
    const attempt = async (): Promise<void> => {
      isTrying.value = true;
      try {
        const found = await carryOut(desk, read, verb, values.peek(), true);
        if (isCurrent) answer.value = found;
      } catch (failure) {
        // Another version is tried by itself.
        if (isStale(failure) && (await desk.drawer.catchUp(read))) return;
        if (isCurrent) error.value = failureText(failure);
      } finally {
        if (isCurrent) isTrying.value = false;
      }
    };
    const pause = setTimeout(() => void attempt(), isTyped ? TYPING_MS : 0);
    return () => {
      isCurrent = false;
      clearTimeout(pause);
    };
  }, [asked, read.etag]);

  const confirm = async (): Promise<void> => {
    if (!answer.peek() || desk.drawer.busy.peek() || noServiceReason(desk.connection.value) !== undefined) return;
    error.value = undefined;
    await desk.drawer.perform(read, async () => {
      if (checksIn(name, values.peek())) return upgradedAndIn(desk, read, verb.send(values.peek()));
      return verb.done(await carryOut(desk, read, verb, values.peek(), false), stay);
    });
  };
  return { verb, stay, values, answer, error, isTrying, confirm };
}

/** Whether an upgrade is followed by the check-in. */
export const checksIn = (name: VerbName, values: VerbValues): boolean =>
  name === 'upgrade' && values['checkIn'] === 'yes';

/** Room types of an upgrade, absent until they are read; the next better one is chosen until somebody chooses another. */
export function useBetterTypes(
  desk: FrontDesk,
  name: VerbName,
  { stay, values }: Pick<VerbInUse, 'stay' | 'values'>,
): readonly PricedType[] | undefined {
  const types = useSignal<readonly PricedType[] | undefined>(undefined);
  useEffect(() => {
    const load = async (): Promise<void> => {
      const { all, next } = await betterTypes(desk, stay);
      types.value = all;
      if (next && values.peek()['roomType'] === '') values.value = { ...values.peek(), roomType: next };
    };
    if (name === 'upgrade') void load();
  }, [name]);
  return types.value;
}

/** The service's own words where they say until when to wait. */
function failureText(failure: unknown): string {
  return failure instanceof ApiError && failure.code === 'TOO_EARLY' ? failure.message : errorText(failure);
}

async function carryOut(
  desk: FrontDesk,
  { reservation, etag }: ReservationRead,
  verb: StayVerb,
  values: VerbValues,
  dryRun: boolean,
): Promise<Answer> {
  const { method, path, body } = verb.send(values);
  const url = `/api/v1/reservations/${reservation.reservationId}${path}${dryRun ? '?dryRun=true' : ''}`;
  return (await desk.api.call(url, { method, body, ifMatch: etag })).body as Answer;
}
