import type { ComponentProps } from 'preact';

import { noServiceReason } from './access/messages.ts';
import type { ConnectionState } from './live/connection.ts';

type Connected = { connection: { value: ConnectionState } };
type Props = ComponentProps<'button'> & { desk: Connected };

/** A button for an action of the service: without a connection it is disabled, with the reason. */
export function ServiceButton({ desk, disabled, title, children, ...rest }: Props) {
  const reason = noServiceReason(desk.connection.value);
  return (
    <button type="button" {...rest} disabled={disabled === true || reason !== undefined} title={reason ?? title}>
      {children}
    </button>
  );
}

/** The reason in plain sight, once for the buttons of a panel. */
export function WhyDisabled({ desk }: { desk: Connected }) {
  const reason = noServiceReason(desk.connection.value);
  return reason === undefined ? null : <small class="why-disabled">{reason}</small>;
}
