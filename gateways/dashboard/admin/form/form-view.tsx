import { useEffect, useRef } from 'preact/hooks';

import { noServiceReason } from '../../access/messages.ts';
import { network } from '../../live/network.ts';
import { CopyButton } from './copy-button.tsx';
import { curlOf } from './curl.ts';
import { FormFields } from './form-fields.tsx';
import { CommandBox, Differences } from './form-parts.tsx';
import { form as words } from './messages.ts';
import type { SectionForm } from './section-form.ts';

type Props = { form: SectionForm };

/** The open form beside the list: what it does in one line, its fields, and the same as a command. */
export function FormPanel({ form }: Props) {
  const { of, admin } = form;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [form]);
  const reason = form.rejection ?? noServiceReason(network.value);
  const { confirmText } = form;
  const isReady = confirmText === undefined || form.typed.value.trim() === confirmText;
  return (
    <aside class="admin-panel" aria-labelledby="admin-panel-title">
      <h2 id="admin-panel-title" ref={heading} tabIndex={-1}>
        {of.name}
      </h2>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && reason === undefined) void form.submit();
        }}
      >
        <FormFields form={form} />
        {confirmText !== undefined && (
          <label class="admin-field">
            {words.typeToConfirm(confirmText)}
            <input
              value={form.typed.value}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => (form.typed.value = event.currentTarget.value)}
            />
          </label>
        )}
        <Outcome form={form} />
        <div class="verbs">
          <button class="primary" disabled={!isReady || form.busy.value || reason !== undefined} title={reason}>
            {form.differences.value === undefined ? (of.action ?? words.save) : words.saveMine}
          </button>
          <button type="button" onClick={() => admin.openForm(undefined)}>
            {words.cancel}
          </button>
        </div>
        {reason !== undefined && <small class="why-disabled">{reason}</small>}
      </form>
      <Curl form={form} />
    </aside>
  );
}

function Outcome({ form }: Props) {
  const differences = form.differences.value;
  const preview = form.preview.value;
  const count = form.busy.value ? form.requests().length : 0;
  return (
    <>
      {form.line !== undefined && <p class="admin-line">{form.line}</p>}
      {preview !== undefined && (
        <ul class="admin-preview" aria-live="polite">
          {preview.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {differences !== undefined && (
        <Differences lines={differences.map(({ text }) => text)} onTake={() => form.takeTheirs()} />
      )}
      <p role="alert" class="admin-trouble">
        {form.trouble.value}
      </p>
      {count > 1 && <p role="status">{words.progress(form.done.value, count)}</p>}
    </>
  );
}

/** The requests of the form as commands, for those who would rather write a script. */
function Curl({ form }: Props) {
  const { access } = form.admin.place();
  const text = (): string => curlOf(access.config, access.user.tenantId, form.requests());
  return (
    <CommandBox text={text}>
      <CopyButton text={text} />
    </CommandBox>
  );
}
