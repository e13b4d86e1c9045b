import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';

import { network, returns } from '../live/network.ts';
import { OFFLINE, PART_FAILED } from '../messages.ts';

/** Makes a component whose code is loaded when it is first shown; until then there is nothing in its place. */
export function lazily<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  const part = signal<FunctionComponent<P> | undefined>(undefined);
  const failed = signal(false);
  return function Lazy(props: P) {
    useEffect(() => {
      if (part.peek()) return;
      failed.value = false;
      load().then(
        (component) => (part.value = component),
        () => (failed.value = true),
      );
    }, [returns.value]);
    const Part = part.value;
    if (Part) return <Part {...props} />;
    return failed.value ? <NotLoaded /> : null;
  };
}

/** Says that the code of a part is not there: it comes with the network, or with a new document. */
export function NotLoaded() {
  return <p role="alert">{network.value.kind === 'offline' ? OFFLINE : PART_FAILED}</p>;
}
