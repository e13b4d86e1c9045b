import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';

import { access } from '../access/messages.ts';
import { pageAccess } from '../access/page-access.ts';
import { Icon } from '../icons.tsx';
import { textsOf } from '../language/texts.ts';

const say = textsOf('palette');

const NAME = say('Search or run a command');
type Dialog = FunctionComponent<{ name: string; onClose: () => void }>;

const dialog = signal<Dialog | undefined>(undefined);
/** Which opening of the palette is shown; undefined while it is closed. */
const opening = signal<number | undefined>(undefined);
let openings = 0;
const trouble = signal<string | undefined>(undefined);

/** Opens the command palette; its script is loaded when it opens first. */
function open(): void {
  opening.value ??= openings += 1;
  trouble.value = undefined;
  if (dialog.peek()) return;
  import('./palette-dialog.tsx').then(
    ({ PaletteDialog }) => (dialog.value = PaletteDialog),
    () => {
      opening.value = undefined;
      trouble.value = access.noService;
    },
  );
}

/** The palette itself, which Ctrl K or ⌘ K open: once for the whole page, so that no move between pages closes it. */
export function PaletteHost() {
  const isSignedIn = pageAccess.value !== undefined;
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('keydown', onKey);
      opening.value = undefined;
    };
  }, [isSignedIn]);
  const current = opening.value;
  const Shown = isSignedIn && current !== undefined ? dialog.value : undefined;
  if (!Shown) return null;
  // A dialog of its own for each opening: one that was closed a moment ago shows nothing, and its late event closes no other.
  const close = (): void => {
    if (opening.peek() === current) opening.value = undefined;
  };
  return <Shown key={current} name={NAME} onClose={close} />;
}

/** Opens the command palette, as Ctrl K or ⌘ K do. */
export function PaletteButton() {
  if (pageAccess.value === undefined) return null;
  return (
    <>
      <button
        type="button"
        class="quiet palette-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label={NAME}
        title={trouble.value ?? `${NAME} (Ctrl K)`}
        onClick={open}
      >
        <Icon name="find" />
      </button>
      {trouble.value !== undefined && (
        <span class="visually-hidden" role="alert">
          {trouble.value}
        </span>
      )}
    </>
  );
}
