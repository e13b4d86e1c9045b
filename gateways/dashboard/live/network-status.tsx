import { announceConnection } from '../messages.ts';
import { network } from './network.ts';

/** Whether the device has a network, in the place of the connection on pages that follow nothing live. */
export function NetworkStatus() {
  const state = network.value;
  const isCut = state.kind === 'offline';
  return (
    <div class={isCut ? 'connection' : 'connection-space'} data-state={state.kind} aria-live="polite">
      {isCut && (
        <>
          <span class="dot" aria-hidden="true" />
          <span>{announceConnection(state, 0, undefined)}</span>
        </>
      )}
    </div>
  );
}
