import { useEffect, useRef } from 'preact/hooks';

import { ServiceButton, WhyDisabled } from '../../service-button.tsx';
import type { FrontDesk } from '../front-desk.ts';
import type { ReservationRead } from '../shapes.ts';
import { FieldInput } from './field-input.tsx';
import { verbWords as words } from './messages.ts';
import type { VerbName } from './shapes.ts';
import { checksIn, useBetterTypes, useVerb } from './use-verb.ts';

type Props = { desk: FrontDesk; read: ReservationRead; name: VerbName };

/**
 * A verb that somebody has chosen: its fields, what it would do by a dry run, and the button that does it. What is typed
 * stays when it fails, and when somebody else changes the stay.
 */
export function VerbForm({ desk, read, name }: Props) {
  const inUse = useVerb(desk, read, name);
  const { verb, stay, values, answer, confirm } = inUse;
  const types = useBetterTypes(desk, name, inUse);
  const form = useRef<HTMLFormElement>(null);
  const fields = verb.fields(stay, desk);
  const isOnlyChecks = fields.every(({ kind }) => kind === 'check');
  useEffect(() => {
    const isTyping = form.current?.contains(document.activeElement) === true;
    if (isTyping && document.activeElement?.tagName !== 'BUTTON') return;
    const first = isOnlyChecks ? '.primary' : 'select, input:not([type=checkbox])';
    form.current?.querySelector<HTMLElement>(first)?.focus();
  }, [name, answer.value !== undefined && isOnlyChecks]);
  return (
    <form
      ref={form}
      class="confirm-form verb-form"
      aria-label={verb.label}
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          stay={stay}
          types={types}
          value={values.value[field.name] ?? ''}
          put={(value) => (values.value = { ...values.peek(), [field.name]: value })}
        />
      ))}
      <Outcome desk={desk} inUse={inUse} />
      <div class="actions">
        <ServiceButton
          desk={desk}
          type="submit"
          class={verb.grave ? 'primary grave' : 'primary'}
          disabled={answer.value === undefined || desk.drawer.busy.value}
        >
          {checksIn(name, values.value) ? words.upgradeAndCheckIn : verb.label}
        </ServiceButton>
        <button type="button" onClick={() => desk.drawer.giveUp()}>
          {words.notNow}
        </button>
        <WhyDisabled desk={desk} />
      </div>
    </form>
  );
}

/** What the verb would do, or why it cannot. */
function Outcome({ desk, inUse }: { desk: FrontDesk; inUse: ReturnType<typeof useVerb> }) {
  const { verb, stay, answer, error, isTrying } = inUse;
  const problem = error.value ?? desk.drawer.error.value?.text;
  return (
    <div aria-live="polite">
      {answer.value && (
        <dl class="facts outcome">
          {verb.lines(answer.value, stay).map(([term, text], index) => (
            <div key={term} data-first={index === 0 || undefined}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {isTrying.value && !answer.value && <p class="muted">{words.trying}</p>}
      {problem !== undefined && <p class="form-error">{problem}</p>}
    </div>
  );
}
