import { useEffect, useMemo } from 'preact/hooks';

import { isSandbox } from '../../../../src/kernel/rules/sandbox-id.ts';
import { noServiceReason } from '../../access/messages.ts';
import { pageUrl } from '../../address.ts';
import type { SignedAccess } from '../../api.ts';
import { network } from '../../live/network.ts';
import type { Place } from '../section.ts';
import { sandbox as words } from './messages.ts';
import { PropertySandboxState, type SandboxView } from './sandbox-state.ts';

type Props = {
  property: { propertyId: string; name: string };
  /** How the page reads and writes. */
  of: { fresh(): Promise<SignedAccess>; place(): Place };
};

/** A year of invented guests for a property: two buttons, and what is between them. */
export function SandboxPanel({ property: { propertyId, name }, of }: Props) {
  const state = useMemo(
    () =>
      new PropertySandboxState(async () => {
        const access = await of.fresh();
        return { access, name, propertyPath: of.place().propertyPath };
      }),
    [propertyId],
  );
  const isOne = isSandbox(propertyId);
  useEffect(() => {
    if (!isOne) void state.load();
    return () => state.close();
  }, [state]);
  return (
    <section aria-labelledby="sandbox-title">
      <h2 id="sandbox-title">{words.title}</h2>
      {isOne ? <p>{words.isOne}</p> : <Sandbox state={state} />}
    </section>
  );
}

function Sandbox({ state }: { state: PropertySandboxState }) {
  const { shown, trouble, busy } = state;
  const reason = noServiceReason(network.value);
  const here = shown.value;
  const isOff = busy.value || reason !== undefined;
  const mayBegin = here?.state === 'NONE' || here?.state === 'STOPPED';
  const mayEnd = here !== undefined && here.state !== 'NONE' && here.state !== 'ENDING';
  return (
    <>
      <p class="muted">{words.lead}</p>
      <p role="status">{here && sentenceOf(here)}</p>
      {trouble.value !== undefined && <p role="alert">{trouble.value}</p>}
      <div class="verbs">
        {mayBegin && (
          <button type="button" disabled={isOff} title={reason} onClick={() => void state.begin()}>
            {words.begin}
          </button>
        )}
        {here?.state === 'READY' && (
          <>
            <a href={pageUrl('/revenue', { property: here.sandboxId })}>{words.revenue}</a>
            <a href={pageUrl('/desk', { property: here.sandboxId })}>{words.desk}</a>
          </>
        )}
        {mayEnd && (
          <button type="button" disabled={isOff} title={reason} onClick={() => void state.end()}>
            {words.end}
          </button>
        )}
      </div>
    </>
  );
}

function sentenceOf({ state, percent }: SandboxView): string | undefined {
  switch (state) {
    case 'NONE':
      return undefined;
    case 'PLAYING':
      return words.playing(percent);
    case 'READY':
      return words.ready;
    case 'ENDING':
      return words.ending;
    case 'STOPPED':
      return words.stopped;
  }
}
