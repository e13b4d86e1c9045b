import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { demoAnswer } from '../../src/demo/contracts/demo-answers.ts';
import type { DemoPace } from '../../src/demo/rules/pace.ts';
import type { WireOf } from '../../src/kernel/contracts/answers.ts';
import { freshAccess, pageAccess } from './access/page-access.ts';
import { mayManage, signedInRole } from './access/roles.ts';
import { ask, type LoadResult, type Sent } from './api.ts';
import { textsOf } from './language/texts.ts';
import { onNetwork } from './live/network.ts';
import { needsService } from './service-button.tsx';

const say = textsOf('pages');

const PATH = '/dev/demo';

/** Labels of the paces, in the order of the list. */
const PACES: Record<DemoPace, string> = { OFF: say('Off'), REAL: say('Real pace'), FAST: say('60 times') };

/** Pace of the guests of the demo, where hotels live, for those who may set it; on every page with a user. */
export function DemoPaceSwitch() {
  const pace = useSignal<DemoPace | undefined>(undefined);
  const isShown = pageAccess.value?.config.demo === true && mayManage(signedInRole.value);
  const show = ({ body }: { body: unknown }): void => {
    const answer = body as WireOf<typeof demoAnswer>;
    if (answer.properties.length > 0) pace.value = answer.pace;
  };
  useEffect(() => {
    // Without an answer there is nothing to switch.
    if (isShown) call().then(show, () => undefined);
  }, [isShown]);
  if (!isShown || pace.value === undefined) return null;
  const choose = (wanted: DemoPace): void => {
    const before = pace.value;
    pace.value = wanted;
    const sent = { method: 'PUT' as const, body: { pace: wanted } };
    call(sent).then(show, () => (pace.value = before));
  };
  return (
    <select
      class="demo-pace"
      aria-label={say('Demo pace')}
      value={pace.value}
      {...needsService(onNetwork)}
      onChange={({ currentTarget }) => choose(currentTarget.value as DemoPace)}
    >
      {(Object.keys(PACES) as DemoPace[]).map((one) => (
        <option key={one} value={one}>
          {PACES[one]}
        </option>
      ))}
    </select>
  );
}

async function call(sent?: Sent): Promise<LoadResult> {
  const access = await freshAccess();
  if (!access) throw new Error('nobody is signed in');
  return ask(access, 'reservation', PATH, sent);
}
