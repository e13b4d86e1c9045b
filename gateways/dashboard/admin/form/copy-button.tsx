import { useSignal } from '@preact/signals';

import { form as words } from './messages.ts';

/** A button that copies a text, and says whether the browser has done so. */
export function CopyButton({ name = words.copy, text }: { name?: string; text: () => string }) {
  const said = useSignal<string | undefined>(undefined);
  const copy = (): void => {
    // A page without HTTPS has no clipboard.
    const written = navigator.clipboard?.writeText(text()) ?? Promise.reject(new Error('no clipboard'));
    void written.then(
      () => (said.value = words.copied),
      () => (said.value = words.notCopied),
    );
  };
  return (
    <div class="verbs">
      <button type="button" onClick={copy}>
        {name}
      </button>
      <span role="status">{said.value}</span>
    </div>
  );
}
