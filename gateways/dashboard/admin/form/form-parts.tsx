import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { form as words } from './messages.ts';

/** What a colleague has saved meanwhile, before it is overwritten. */
export function Differences({ lines, onTake }: { lines: readonly string[]; onTake: () => void }) {
  return (
    <div class="admin-differences" role="alert">
      <p>{words.changedMeanwhile}</p>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <button type="button" onClick={onTake}>
        {words.takeTheirs}
      </button>
    </div>
  );
}

/** What a form does as a command, when it is opened. */
export function CommandBox({
  text,
  of,
  children,
}: {
  text: () => string;
  /** What it is about, where a page has several. */
  of?: string;
  children?: ComponentChildren;
}) {
  const name = of === undefined ? words.showCurl : `${words.showCurl}: ${of}`;
  const isOpen = useSignal(false);
  return (
    <div class="admin-curl">
      <button
        type="button"
        class="quiet"
        aria-expanded={isOpen.value}
        aria-label={name}
        onClick={() => (isOpen.value = !isOpen.peek())}
      >
        {words.showCurl}
      </button>
      {isOpen.value && (
        <>
          <p>{words.curlLine}</p>
          <pre tabIndex={0} role="region" aria-label={name}>
            {text()}
          </pre>
          {children}
        </>
      )}
    </div>
  );
}
