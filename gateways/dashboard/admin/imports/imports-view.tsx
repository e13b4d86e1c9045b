import { useEffect, useMemo, useRef } from 'preact/hooks';

import { network } from '../../live/network.ts';
import { WhyDisabled } from '../../service-button.tsx';
import type { AdminStore } from '../admin.ts';
import { admin as adminWords } from '../messages.ts';
import { ChooseFile, EarlierImports } from './choose-file.tsx';
import { IMPORT_STEPS, ImportDesk } from './import-desk.ts';
import { MappingStep } from './mapping-view.tsx';
import { imports as words } from './messages.ts';
import { OutcomeStep } from './outcome-view.tsx';

type Props = { desk: ImportDesk };
const DESK = { connection: network };

/** Imports of the chosen property: file, columns, dry run and import, one after the other. */
export function ImportsView({ admin }: { admin: AdminStore }) {
  const property = admin.property.value?.propertyId;
  return property === undefined ? null : <OfProperty key={property} admin={admin} propertyId={property} />;
}

function OfProperty({ admin, propertyId }: { admin: AdminStore; propertyId: string }) {
  const desk = useMemo(() => new ImportDesk(admin, propertyId), [admin, propertyId]);
  useEffect(() => {
    void desk.load();
    return () => desk.close();
  }, [desk]);
  return (
    <div class="imports">
      <Steps desk={desk} />
      <p role="alert" class="admin-trouble">
        {desk.trouble.value}
      </p>
      {desk.importId.value === undefined ? <Start desk={desk} /> : <Opened desk={desk} />}
      <WhyDisabled desk={DESK} />
    </div>
  );
}

function Steps({ desk }: Props) {
  const here = desk.step.value;
  return (
    <ol class="imports-steps" aria-label={words.steps}>
      {IMPORT_STEPS.map((step) => (
        <li key={step} aria-current={step === here ? 'step' : undefined}>
          {words.step[step]}
        </li>
      ))}
    </ol>
  );
}

function Start({ desk }: Props) {
  return (
    <>
      <ChooseFile desk={desk} />
      <EarlierImports desk={desk} />
    </>
  );
}

function Opened({ desk }: Props) {
  const shown = desk.shown.value;
  const step = desk.step.value;
  const place = useRef<HTMLDivElement>(null);
  const isHere = shown !== undefined;
  // Where the page goes on, the keyboard goes on.
  useEffect(() => {
    if (isHere) place.current?.focus({ preventScroll: true });
  }, [step, isHere]);
  return (
    <div ref={place} tabIndex={-1} role="group" aria-label={words.step[step]} class="imports-step">
      <div class="verbs">
        <button type="button" class="quiet" onClick={() => void desk.open(undefined)}>
          {words.toList}
        </button>
        {shown && <b>{shown.files.join(', ')}</b>}
      </div>
      {!shown ? (
        desk.trouble.value === undefined && <p role="status">{adminWords.loading}</p>
      ) : step === 'mapping' ? (
        <MappingStep desk={desk} shown={shown} />
      ) : (
        <OutcomeStep key={`${shown.importId} ${shown.dryRun}`} desk={desk} shown={shown} />
      )}
    </div>
  );
}
