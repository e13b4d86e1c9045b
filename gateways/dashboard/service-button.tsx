import type { ComponentProps } from 'preact';

import { noAnswerReason, noServiceReason } from './access/messages.ts';
import type { ConnectionState } from './live/connection.ts';

type Connected = { connection: { value: { kind: ConnectionState['kind'] } } };
type Able = { disabled?: boolean | undefined; title?: string | undefined };
type Shown = { disabled: boolean; title: string | undefined };
type Props = ComponentProps<'button'> & {
  desk: Connected;
  /** It only reads, such as other days. */
  reads?: boolean;
};

/** Properties of a control that reads from the service: disabled without a connection, with the reason. */
export function needsAnswer({ connection }: Connected, { disabled, title }: Able = {}): Shown {
  return able(noAnswerReason(connection.value), { disabled, title });
}

/** The same of a control that changes something. */
export function needsService({ connection }: Connected, { disabled, title }: Able = {}): Shown {
  return able(noServiceReason(connection.value), { disabled, title });
}

function able(reason: string | undefined, { disabled, title }: Able): Shown {
  return { disabled: disabled === true || reason !== undefined, title: reason ?? title };
}

/** A button for an action of the service: without a connection it is disabled, with the reason. */
export function ServiceButton({ desk, reads, disabled, title, children, ...rest }: Props) {
  const given = { disabled: disabled === true, title: typeof title === 'string' ? title : undefined };
  return (
    <button type="button" {...rest} {...(reads ? needsAnswer(desk, given) : needsService(desk, given))}>
      {children}
    </button>
  );
}

/** The reason in plain sight, once for the buttons of a panel. */
export function WhyDisabled({ desk }: { desk: Connected }) {
  const reason = noServiceReason(desk.connection.value);
  return reason === undefined ? null : <small class="why-disabled">{reason}</small>;
}
