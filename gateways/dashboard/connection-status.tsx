import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { timeOfDay } from './days.ts';
import type { Desk } from './desk.ts';
import { announceConnection, describeConnection, modeHint } from './words.ts';

/** The connection in words. Seen, it counts every second; heard, it speaks only when something has changed. */
export function ConnectionStatus({ desk }: { desk: Desk }) {
  const now = useSignal(Date.now());
  const state = desk.connection.value;
  const counting = state.kind === 'reconnecting';
  useEffect(() => {
    if (!counting) return undefined;
    const tick = setInterval(() => (now.value = Date.now()), 250);
    return () => clearInterval(tick);
  }, [counting]);
  const dataFrom = desk.dataFrom.peek();
  return (
    <div class="connection" data-state={state.kind}>
      <span class="dot" aria-hidden="true" />
      <span aria-hidden="true">{describeConnection(state, counting ? now.value : Date.now(), dataFrom)}</span>
      <span class="visually-hidden" role="status">
        {announceConnection(state, 0, dataFrom)}
        {desk.announcement.value && `. ${desk.announcement.value}`}
      </span>
    </div>
  );
}

/** What the numbers are, or, whenever the connection is not live, how old they are. */
export function DataAge({ desk }: { desk: Desk }) {
  const { kind } = desk.connection.value;
  const from = desk.dataFrom.peek();
  const isOld = from !== undefined && kind !== 'live' && kind !== 'catching-up';
  return (
    <p class="data-age" data-old={isOld || undefined}>
      {isOld ? `Data from ${timeOfDay(from)}, not live` : modeHint(desk.mode.value)}
    </p>
  );
}
