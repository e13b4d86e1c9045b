import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import { Icon } from '../icons.tsx';
import { palette as words } from './messages.ts';
import { Palette, type PaletteEntry } from './palette.ts';

const LIST = 'palette-list';
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The command palette: a field with a list of what it finds, by keyboard alone or with the mouse. */
export function PaletteDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const palette = useMemo(() => new Palette(), []);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => () => palette.stop(), [palette]);
  const active = palette.active.value;
  useEffect(
    () => document.getElementById(optionId(palette.entries.peek(), active))?.scrollIntoView({ block: 'nearest' }),
    [active?.id],
  );
  const close = (): void => {
    dialog.current?.close();
    // Its event comes later: a Ctrl K in between would open nothing.
    onClose();
  };
  const run = (entry: PaletteEntry | undefined): void => {
    if (!entry || entry.blocked !== undefined) return;
    // First: closing gives the focus back, and what runs may take it.
    close();
    entry.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    // The page below is not meant: Escape closes no panel of it.
    event.stopPropagation();
    if (event.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined) palette.move(step);
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) run(palette.active.peek());
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={name}
      onClose={(event) => event.currentTarget === dialog.current && onClose()}
      onKeyDown={onKey}
      onClick={({ target }) => target === dialog.current && close()}
    >
      <div class="palette-field">
        <Icon name="find" />
        <Field palette={palette} />
        <button type="button" class="quiet" aria-label={words.close} onClick={close}>
          <Icon name="bad" />
        </button>
      </div>
      <Results palette={palette} run={run} />
    </dialog>
  );
}

function Field({ palette }: { palette: Palette }) {
  const entries = palette.entries.value;
  const active = optionId(entries, palette.active.value);
  return (
    <input
      type="text"
      role="combobox"
      autofocus
      autocomplete="off"
      spellcheck={false}
      maxLength={100}
      aria-label={words.field}
      placeholder={words.hint}
      aria-autocomplete="list"
      aria-expanded={entries.length > 0}
      aria-controls={LIST}
      aria-activedescendant={active === '' ? undefined : active}
      value={palette.query.value}
      onInput={(event) => palette.type(event.currentTarget.value)}
    />
  );
}

function Results({ palette, run }: { palette: Palette; run: (entry: PaletteEntry) => void }) {
  const entries = palette.entries.value;
  const active = palette.active.value;
  const isLooking = palette.isLooking.value;
  const groups = [...Map.groupBy(entries, ({ group }) => group)];
  return (
    <>
      <div id={LIST} class="palette-list" role={entries.length > 0 ? 'listbox' : undefined} aria-label={words.list}>
        {groups.map(([group, some]) => (
          <div key={group} role="group" aria-labelledby={`palette-${group}`}>
            <p id={`palette-${group}`} class="muted">
              {words.groups[group]}
            </p>
            {some.map((entry) => (
              <div
                key={entry.id}
                id={optionId(entries, entry)}
                role="option"
                aria-selected={entry === active}
                aria-disabled={entry.blocked !== undefined || undefined}
                onPointerMove={() => palette.choose(entry.id)}
                onClick={() => run(entry)}
              >
                <span>{entry.name}</span>
                <small>{entry.blocked ?? entry.detail}</small>
              </div>
            ))}
          </div>
        ))}
      </div>
      <p class="palette-foot muted">
        <span role="status">
          {isLooking ? words.looking : entries.length === 0 ? words.nothing : words.count(entries.length)}
        </span>{' '}
        <span>{words.keys}</span>
      </p>
    </>
  );
}

/** Ids of elements have no spaces; that of a line is its place. Empty without a line. */
function optionId(entries: readonly PaletteEntry[], entry: PaletteEntry | undefined): string {
  return entry ? `palette-option-${entries.findIndex(({ id }) => id === entry.id)}` : '';
}
