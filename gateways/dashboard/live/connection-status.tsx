import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { travel } from '../history/messages.ts';
import { announceConnection, describeConnection, modeHint, oldData } from '../messages.ts';
import type { RevenueStore } from '../revenue/store.ts';

/** State of the connection. The visible text counts seconds; the announced text changes only with the state. */
export function ConnectionStatus({ desk }: { desk: Pick<RevenueStore, 'standing' | 'dataFrom' | 'announcement'> }) {
  const now = useSignal(Date.now());
  const state = desk.standing.value;
  const counting = state.kind === 'reconnecting';
  useEffect(() => {
    if (!counting) return undefined;
    const tick = setInterval(() => (now.value = Date.now()), 250);
    return () => clearInterval(tick);
  }, [counting]);
  const dataFrom = desk.dataFrom.peek();
  const seen = describeConnection(state, counting ? now.value : Date.now(), dataFrom);
  return (
    <div class="connection" data-state={state.kind} title={seen}>
      <span class="dot" aria-hidden="true" />
      <span aria-hidden="true">{seen}</span>
      <span class="visually-hidden" role="status">
        {announceConnection(state, 0, dataFrom)}
        {desk.announcement.value && `. ${desk.announcement.value}`}
      </span>
    </div>
  );
}

/** Age of the shown numbers, unless they are current. */
export function DataAge({ desk }: { desk: RevenueStore }) {
  const from = desk.oldSince.value;
  const isOld = from !== undefined && desk.standing.value.kind !== 'catching-up' && !desk.isPast.value;
  return (
    <p class="data-age" data-old={isOld || undefined}>
      {isOld
        ? oldData(from, desk.tick.value - from)
        : desk.isPast.value
          ? travel.gridHint
          : modeHint(desk.mode.value)}
    </p>
  );
}
