import { computed, effect, signal, untracked } from '@preact/signals';

import type { ConnectionState } from './connection.ts';

const isOnline = signal(navigator.onLine);
addEventListener('online', () => (isOnline.value = true));
addEventListener('offline', () => (isOnline.value = false));

/** The connection of pages that follow nothing live: whether the device has a network. */
export const network = computed((): ConnectionState =>
  isOnline.value ? { kind: 'live', lagMs: undefined } : { kind: 'offline' },
);

/** What needs the network without a connection of its own, for components that take one. */
export const onNetwork = { connection: network };

/** How often the live connection of the page came back: what was read beside it is read again then. */
export const returns = signal(0);

/** A link was clicked that leads nowhere without a network; over once there is one. */
export const linkRefused = signal(false);

/** Runs `work` whenever the device has a network again. @returns stops it */
export function onNetworkBack(work: () => void): () => void {
  let wasAway = false;
  return effect(() => {
    if (!isOnline.value) wasAway = true;
    else if (wasAway) {
      wasAway = false;
      untracked(work);
    }
  });
}

onNetworkBack(() => (linkRefused.value = false));
