import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { demoAnswer } from '../../src/demo/contracts/demo-answers.ts';
import type { DemoPace } from '../../src/demo/rules/pace.ts';
import type { WireOf } from '../../src/kernel/contracts/answers.ts';
import { mayManage } from './access/roles.ts';
import { ask, type SignedAccess } from './api.ts';

const PATH = '/dev/demo';

/** Labels of the paces, in the order of the list. */
const PACES: Record<DemoPace, string> = { OFF: 'Off', REAL: 'Real pace', FAST: '60 times' };

/** Pace of the guests of the demo, where hotels live, for those who may set it. */
export function DemoPaceSwitch({ desk, role }: { desk: { readonly access: SignedAccess }; role: string }) {
  const pace = useSignal<DemoPace | undefined>(undefined);
  const isShown = desk.access.config.demo === true && mayManage(role);
  const show = ({ body }: { body: unknown }): void => {
    const answer = body as WireOf<typeof demoAnswer>;
    if (answer.properties.length > 0) pace.value = answer.pace;
  };
  useEffect(() => {
    // Without an answer there is nothing to switch.
    if (isShown) ask(desk.access, 'reservation', PATH).then(show, () => undefined);
  }, [isShown]);
  if (!isShown || pace.value === undefined) return null;
  const choose = (wanted: DemoPace): void => {
    const before = pace.value;
    pace.value = wanted;
    const sent = { method: 'PUT' as const, body: { pace: wanted } };
    ask(desk.access, 'reservation', PATH, sent).then(show, () => (pace.value = before));
  };
  return (
    <select
      class="demo-pace"
      aria-label="Demo pace"
      value={pace.value}
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
