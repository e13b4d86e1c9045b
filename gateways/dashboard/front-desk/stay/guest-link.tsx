import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { guestAnswer } from '../../../../src/guests/contracts/guest-answers.ts';
import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import { returns } from '../../live/network.ts';
import type { FrontDesk } from '../front-desk.ts';
import { sectionWords as words } from './messages.ts';

/** The profile of the guest, with the number of stays that are over. */
export function GuestLink({ desk, guestId }: { desk: FrontDesk; guestId: string }) {
  const stays = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const load = async (): Promise<void> => {
      // The link is there without the number, too.
      const answer = await desk.api.call(`/api/v1/guests/${guestId}`).catch(() => undefined);
      if (answer) stays.value = (answer.body as WireOf<typeof guestAnswer>).history.stays;
    };
    void load();
  }, [guestId, returns.value]);
  return (
    <p class="guest-link">
      <a href={`/guests/${guestId}`}>{words.guest}</a>
      {stays.value !== undefined && <span class="muted">{words.pastStays(stays.value)}</span>}
    </p>
  );
}
