import { signal } from '@preact/signals';

const KEYS_OFF = 'innkeeper.keys-off';

/** Whether single-key shortcuts are on; users of speech input or with tremor turn them off (WCAG 2.1.4). */
export const singleKeys = signal(localStorage.getItem(KEYS_OFF) === null);

export function useSingleKeys(on: boolean): void {
  singleKeys.value = on;
  if (on) localStorage.removeItem(KEYS_OFF);
  else localStorage.setItem(KEYS_OFF, 'yes');
}

/** Listens to single keys outside of input fields. @returns a function that stops it */
export function onSingleKeys(deeds: Readonly<Record<string, () => void>>): () => void {
  const hear = (event: KeyboardEvent): void => {
    if (!singleKeys.value || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (
      event.target instanceof Element &&
      event.target.closest('input:not([type=radio], [type=range]), select, textarea, dialog')
    )
      return;
    const deed = deeds[event.key];
    if (!deed) return;
    event.preventDefault();
    deed();
  };
  addEventListener('keydown', hear);
  return () => removeEventListener('keydown', hear);
}
