import { type FunctionComponent, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { network, returns } from '../../live/network.ts';
import { OFFLINE, UNREACHABLE } from '../../messages.ts';

/** A component whose script is loaded when it is first shown. */
export function later<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  let loaded: FunctionComponent<P> | undefined;
  return function Later(props: P) {
    const [view, setView] = useState<FunctionComponent<P> | 'failed' | undefined>(() => loaded);
    useEffect(() => {
      if (loaded) return;
      const show = async (): Promise<void> => {
        try {
          const found = (loaded = await load());
          setView(() => found);
        } catch {
          setView('failed');
        }
      };
      void show();
    }, [returns.value]);
    if (view === undefined) return null;
    return view === 'failed' ? (
      <p class="form-error">{network.value.kind === 'offline' ? OFFLINE : UNREACHABLE}</p>
    ) : (
      h(view, props)
    );
  };
}
