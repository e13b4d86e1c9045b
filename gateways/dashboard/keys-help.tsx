import { useEffect, useRef } from 'preact/hooks';

import { LANGUAGE_NAMES, LANGUAGES } from '../../src/kernel/rules/languages.ts';
import { DENSITIES, THEMES } from '../../src/tenants/rules/preferences.ts';
import { noAnswerReason } from './access/messages.ts';
import { EVERYWHERE, type KeyLine, keysDialog as words } from './keys-messages.ts';
import { onSingleKeys, singleKeys, useSingleKeys } from './keys.ts';
import { network } from './live/network.ts';
import { offerCommands } from './palette/commands.ts';
import { Choices } from './shell/choices.tsx';
import { choose, chooseDensity, chooseLanguage, density, shownLanguage, theme } from './theme.ts';

type Props = {
  /** Keys of this workspace, beside those that work everywhere. */
  groups: readonly { title: string; lines: readonly KeyLine[] }[];
};

/** A button and the key `?` for the list of keys. The dialog is the browser's own, which restores the focus. */
export function KeysHelp({ groups }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = (): void => {
    if (!dialog.current?.open) dialog.current?.showModal();
  };
  useEffect(() => onSingleKeys({ '?': open }), []);
  useEffect(() => offerCommands(() => [{ name: words.button, words: 'help', run: open }], true), []);
  return (
    <>
      <button type="button" class="quiet keys-button" aria-haspopup="dialog" aria-label={words.button} onClick={open}>
        ?
      </button>
      <dialog ref={dialog} class="keys-help" aria-labelledby="keys-title" onClick={closeOutside}>
        <div class="top">
          <h2 id="keys-title">{words.title}</h2>
          <button type="button" autofocus onClick={() => dialog.current?.close()}>
            {words.close}
          </button>
        </div>
        <div class="lists">
          {[{ title: words.everywhere, lines: EVERYWHERE }, ...groups].map(({ title, lines }) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {lines.map((line) => (
                  <Line key={line.does} line={line} />
                ))}
              </dl>
            </section>
          ))}
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={singleKeys.value}
            onChange={(event) => useSingleKeys(event.currentTarget.checked)}
          />
          {words.single}
        </label>
        <Choices name="theme" of={THEMES} shown={theme} words={words.themes} title={words.theme} onChoose={choose} />
        <Choices
          name="density"
          of={DENSITIES}
          shown={density}
          words={words.densities}
          title={words.density}
          onChoose={chooseDensity}
        />
        <Choices
          name="language"
          of={LANGUAGES}
          shown={shownLanguage}
          words={LANGUAGE_NAMES}
          title={words.language}
          onChoose={chooseLanguage}
          blocked={noAnswerReason(network.value)}
        />
      </dialog>
    </>
  );
}

function Line({ line: { keys, does } }: { line: KeyLine }) {
  return (
    <div>
      <dt>
        {keys.map((key, index) => (
          <>
            {index > 0 && <span class="muted"> {words.or} </span>}
            <kbd>{key}</kbd>
          </>
        ))}
      </dt>
      <dd>{does}</dd>
    </div>
  );
}

/** Closes on a click on the backdrop. */
function closeOutside({ target, currentTarget }: Event): void {
  if (target === currentTarget && currentTarget instanceof HTMLDialogElement) currentTarget.close();
}
