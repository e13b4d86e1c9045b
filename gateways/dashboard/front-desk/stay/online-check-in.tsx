import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { momentText } from '../../grid/days.ts';
import { returns } from '../../live/network.ts';
import { ServiceButton } from '../../service-button.tsx';
import { Fact } from '../fact.tsx';
import type { FrontDesk } from '../front-desk.ts';
import { errorText } from '../problem-messages.ts';
import { pageWords as words } from './messages.ts';
import type { StayPageView } from './shapes.ts';

/** What the guest has done on the page "My stay", and the end of its links. */
export function OnlineCheckInSection({ desk, reservationId }: { desk: FrontDesk; reservationId: string }) {
  const page = useSignal<StayPageView | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const path = `/api/v1/reservations/${reservationId}/stay-page`;
  const load = async (): Promise<void> => {
    try {
      page.value = (await desk.api.call(path)).body as StayPageView;
      error.value = undefined;
    } catch (failure) {
      error.value = errorText(failure);
    }
  };
  useEffect(() => void load(), [desk.noteChanges.value, returns.value]);
  const revoke = async (): Promise<void> => {
    try {
      page.value = (await desk.api.call(`${path}/links`, { method: 'DELETE', body: {} })).body as StayPageView;
      desk.say(words.revoked);
    } catch (failure) {
      error.value = errorText(failure);
    }
  };
  const signed = page.value?.onlineCheckIn;
  return (
    <section class="stay-section" aria-labelledby="stay-page">
      <h3 id="stay-page">{words.title}</h3>
      {page.value && !signed && <p class="muted">{words.notYet}</p>}
      {signed && (
        <dl class="facts">
          <Fact name={words.arrival} value={signed.arrivalTime} strong />
          <Fact name={words.signature} value={words.signed(signed.signedName, momentText(signed.signedAt))} />
        </dl>
      )}
      {error.value && <p class="form-error">{error.value}</p>}
      <ServiceButton desk={desk} onClick={() => void revoke()}>
        {words.revoke}
      </ServiceButton>
    </section>
  );
}
