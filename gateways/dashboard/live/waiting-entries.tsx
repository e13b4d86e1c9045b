import { textsOf } from '../language/texts.ts';

const say = textsOf('pages');

/** Shows entries that wait; they are announced once, whatever their number becomes. */
export function WaitingEntries({ waiting, onShow }: { waiting: number; onShow: () => unknown }) {
  return (
    <>
      <span class="visually-hidden" aria-live="polite">
        {waiting > 0 && say('There are new entries.')}
      </span>
      {waiting > 0 && (
        <button type="button" class="waiting-entries" onClick={onShow}>
          {say('{waiting} new', { waiting })}
        </button>
      )}
    </>
  );
}
