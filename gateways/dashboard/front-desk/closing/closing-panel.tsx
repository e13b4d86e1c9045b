import { useSignal } from '@preact/signals';

import { ServiceButton } from '../../service-button.tsx';
import { Fact } from '../fact.tsx';
import type { FrontDesk } from '../front-desk.ts';
import { desk as deskWords, drawer as drawerWords } from '../messages.ts';
import { errorText } from '../problem-messages.ts';
import { ClosingForm } from './closing-form.tsx';
import { closing as words } from './messages.ts';
import type { ClosedNights } from './what-follows.ts';

/** Takes a room out of order, for nights that were marked in the chart. */
export function NewClosing({
  desk,
  roomNumber,
  nights,
}: {
  desk: FrontDesk;
  roomNumber: string;
  nights?: ClosedNights;
}) {
  const leave = (): void => desk.drawer.close();
  return <ClosingForm desk={desk} roomNumber={roomNumber} {...(nights && { nights })} leave={leave} />;
}

/** A maintenance of the chart: its nights and reason can be changed, and it can be ended. */
export function Closing({ desk, maintenanceId }: { desk: FrontDesk; maintenanceId: string }) {
  const error = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  const found = desk.screen.value.maintenances.find((one) => one.maintenanceId === maintenanceId);
  // Changes of others are shown in the facts; what somebody types stays.
  const opened = useSignal(found);
  if (!found) return <p class="muted">{words.gone}</p>;
  const end = async (): Promise<void> => {
    busy.value = true;
    error.value = undefined;
    try {
      await desk.endMaintenance(found);
      desk.drawer.close();
    } catch (caught) {
      error.value = errorText(caught);
    } finally {
      busy.value = false;
    }
  };
  return (
    <>
      <dl class="facts">
        <Fact name={drawerWords.room} value={found.roomNumber} />
        <Fact name={words.kind} value={deskWords.maintenance(found)} strong />
      </dl>
      {desk.mayAct && (
        <>
          <div class="end-closing">
            <p>{words.endEffect(found.roomNumber, found.from <= desk.today.value)}</p>
            <ServiceButton desk={desk} disabled={busy.value} onClick={() => void end()}>
              {words.end(found.kind)}
            </ServiceButton>
          </div>
          {error.value !== undefined && <p class="form-error">{error.value}</p>}
          <ClosingForm
            desk={desk}
            roomNumber={found.roomNumber}
            maintenance={opened.value ?? found}
            leave={() => desk.drawer.close()}
          />
        </>
      )}
    </>
  );
}
