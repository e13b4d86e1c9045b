import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { randomKey } from '../../../packages/client/src/retrying.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import { removeGroup, putGroup } from './api.ts';
import type { GroupsStore } from './groups.ts';
import { groupError, release as words } from './messages.ts';
import { releasedBody, returnedBy } from './pickup.ts';

/** Returns what is not picked up to general sale; what it does is said first. */
export function ReleasePanel({ groups }: { groups: GroupsStore }) {
  const busy = useSignal(false);
  const error = useSignal<string | undefined>(undefined);
  const key = useRef(randomKey());
  const button = useRef<HTMLDivElement>(null);
  useEffect(() => button.current?.querySelector('button')?.focus(), []);
  const group = groups.group.value;
  if (!group) return null;
  const today = groups.today.value;
  const nights = returnedBy(group, today);
  const isWhole = releasedBody(group, today) === undefined;
  const run = async (): Promise<void> => {
    if (busy.peek()) return;
    busy.value = true;
    error.value = undefined;
    try {
      if (await groups.changedSince(group)) {
        error.value = words.moved;
        return;
      }
      const body = releasedBody(group, today);
      if (body) groups.put(await putGroup(groups.access, body, key.current, group.groupId));
      else await removeGroup(groups.access, group.groupId, key.current);
      groups.openPanel(undefined);
      if (!body) groups.show(undefined);
      groups.say(words.done(nights));
      void groups.load();
    } catch (failed) {
      error.value = groupError(failed);
    } finally {
      busy.value = false;
    }
  };
  return (
    <div class="groups-form">
      <p role="status">{nights === 0 ? words.nothing : isWhole ? words.planAll(nights) : words.plan(nights)}</p>
      <div role="alert">{error.value !== undefined && <p class="form-error">{error.value}</p>}</div>
      <div class="actions" ref={button}>
        <ServiceButton desk={groups} class="primary" disabled={busy.value || nights === 0} onClick={() => void run()}>
          {words.now}
        </ServiceButton>
        <button type="button" onClick={() => groups.openPanel(undefined)}>
          {words.giveUp}
        </button>
        <WhyDisabled desk={groups} />
      </div>
    </div>
  );
}
