import { ServiceButton } from '../service-button.tsx';
import { editor as words } from './editor-messages.ts';
import type { ChangePlace } from './last-change.ts';
import type { RevenueStore } from './store.ts';

/** What was done in a panel, or what went wrong: one place, so that nothing moves. */
export function ChangeOutcome({ desk, place }: { desk: RevenueStore; place: ChangePlace }) {
  const { busy, done, error } = desk.changes;
  const isDone = done.value?.place === place ? done.value : undefined;
  const isWrong = error.value?.place === place ? error.value : undefined;
  return (
    <div class="outcome">
      {isWrong && <p role="alert">{isWrong.text}</p>}
      {isDone && (
        <p role="status">
          <span>{isDone.text}</span>{' '}
          {isDone.undo && (
            <ServiceButton
              desk={desk}
              disabled={busy.value}
              aria-keyshortcuts={words.undoHint}
              onClick={() => void desk.undoLast()}
            >
              {words.undo}
            </ServiceButton>
          )}
        </p>
      )}
    </div>
  );
}
