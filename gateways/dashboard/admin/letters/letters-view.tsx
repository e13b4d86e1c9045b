import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { LANGUAGE_NAMES, LANGUAGES } from '../../../../src/kernel/rules/languages.ts';
import { LETTER_KINDS, LETTER_PARTS, type LetterPart } from '../../../../src/notifications/rules/letter-kinds.ts';
import { noServiceReason } from '../../access/messages.ts';
import { network } from '../../live/network.ts';
import type { AdminStore } from '../admin.ts';
import { curlOf } from '../form/curl.ts';
import { CommandBox, Differences } from '../form/form-parts.tsx';
import { form as formWords } from '../form/messages.ts';
import { admin as adminWords } from '../messages.ts';
import { LetterEditor } from './letter-editor.ts';
import { LETTER_NAMES } from './letter-names.ts';
import { letters as words } from './messages.ts';

type Props = { editor: LetterEditor };

/** Letters to guests: their texts in each language, beside what a guest would read. */
export function LettersView({ admin }: { admin: AdminStore }) {
  const property = admin.property.value?.propertyId;
  const editor = useMemo(() => new LetterEditor(admin), [admin, property]);
  useEffect(() => {
    if (property !== undefined) void editor.open();
    return () => editor.close();
  }, [editor]);
  return (
    <>
      <label class="admin-field letters-choice">
        {words.letter}
        <select
          value={editor.kind.value}
          onChange={(event) =>
            editor.choose(
              LETTER_KINDS.find((one) => one === event.currentTarget.value)!,
              editor.language.value,
            )
          }
        >
          {LETTER_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {LETTER_NAMES[kind]}
            </option>
          ))}
        </select>
      </label>
      <Languages editor={editor} />
      {editor.letter.value === undefined ? (
        <p role="status" class="muted">
          {editor.trouble.value ?? adminWords.loading}
        </p>
      ) : (
        <div class="letters" role="tabpanel" aria-labelledby={`letter-${editor.language.value}`}>
          <Editor editor={editor} admin={admin} />
          <Preview editor={editor} />
        </div>
      )}
    </>
  );
}

/** One tab for each language; arrow keys move between them. */
function Languages({ editor }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const here = LANGUAGES.indexOf(editor.language.value);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = LANGUAGES[(here + step + LANGUAGES.length) % LANGUAGES.length]!;
    editor.choose(editor.kind.value, next);
    list.current?.querySelector<HTMLElement>(`#letter-${next}`)?.focus();
  };
  return (
    <div class="letters-languages" role="tablist" aria-label={words.languages} ref={list} onKeyDown={onKeyDown}>
      {LANGUAGES.map((language) => {
        const isOwn = editor.ofKind.value?.letters.some((letter) => letter.language === language && letter.isOwn);
        const isHere = language === editor.language.value;
        return (
          <button
            key={language}
            id={`letter-${language}`}
            type="button"
            role="tab"
            aria-selected={isHere}
            tabIndex={isHere ? 0 : -1}
            onClick={() => editor.choose(editor.kind.value, language)}
          >
            <span lang={language}>{LANGUAGE_NAMES[language]}</span>
            {isOwn === true && <small> ({words.ownMark})</small>}
          </button>
        );
      })}
    </div>
  );
}

function Editor({ editor, admin }: Props & { admin: AdminStore }) {
  const fields = useRef<Partial<Record<LetterPart, HTMLInputElement | HTMLTextAreaElement | null>>>({});
  const last = useSignal<LetterPart>('opening');
  const reason = noServiceReason(network.value);
  const letter = editor.letter.value!;
  const insert = (name: string): void => {
    const part = last.value;
    const field = fields.current[part];
    if (!field) return;
    const { selectionStart, selectionEnd, value } = field;
    const start = selectionStart ?? value.length;
    const text = `{${name}}`;
    editor.type(part, value.slice(0, start) + text + value.slice(selectionEnd ?? start));
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(start + text.length, start + text.length);
    });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined && editor.isChanged.value) void editor.save();
      }}
    >
      <p class="admin-line">
        {editor.isChanged.value
          ? words.changedLine(editor.languageName)
          : letter.isOwn
            ? words.ownLine
            : words.standardLine}
      </p>
      {LETTER_PARTS.map((part) => (
        <Text
          key={part}
          editor={editor}
          part={part}
          hold={(field) => (fields.current[part] = field)}
          onFocus={() => (last.value = part)}
        />
      ))}
      <Values editor={editor} insert={insert} />
      <Outcome editor={editor} />
      <Actions editor={editor} reason={reason} />
      <Curl editor={editor} admin={admin} />
    </form>
  );
}

/** What the texts of the letter can name, to be inserted at the cursor. */
function Values({ editor, insert }: Props & { insert: (name: string) => void }) {
  return (
    <fieldset>
      <legend>{words.values}</legend>
      <p class="muted">{words.valuesLine}</p>
      <div class="verbs">
        {editor.ofKind.value?.values.map((name) => (
          <button key={name} type="button" aria-label={words.insert(name)} onClick={() => insert(name)}>
            {`{${name}}`}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** @param reason why nothing can be saved now */
function Actions({ editor, reason }: Props & { reason: string | undefined }) {
  const isIdle = !editor.busy.value && reason === undefined;
  return (
    <>
      <div class="verbs">
        <button class="primary" disabled={!editor.isChanged.value || !isIdle} title={reason}>
          {editor.differences.value === undefined ? words.save : formWords.saveMine}
        </button>
        <button
          type="button"
          disabled={editor.letter.value?.isOwn !== true || !isIdle}
          title={reason}
          onClick={() => void editor.reset()}
        >
          {words.reset}
        </button>
      </div>
      {reason !== undefined && <small class="why-disabled">{reason}</small>}
    </>
  );
}

type TextProps = Props & {
  part: LetterPart;
  hold: (field: HTMLInputElement | HTMLTextAreaElement | null) => void;
  onFocus: () => void;
};

function Text({ editor, part, hold, onFocus }: TextProps) {
  const problem = editor.problems.value.get(part);
  const id = `letter-problem-${part}`;
  const shared = {
    value: editor.typed.value[part],
    lang: editor.language.value,
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-describedby': problem === undefined ? undefined : id,
    onFocus,
  };
  return (
    <label class="admin-field">
      {words[part]}
      {part === 'subject' ? (
        <input
          {...shared}
          ref={hold}
          maxLength={200}
          onInput={(event) => editor.type(part, event.currentTarget.value)}
        />
      ) : (
        <textarea
          {...shared}
          ref={hold}
          rows={5}
          maxLength={2_000}
          onInput={(event) => editor.type(part, event.currentTarget.value)}
        />
      )}
      {problem !== undefined && (
        <small id={id} class="admin-problem">
          {problem}
        </small>
      )}
    </label>
  );
}

/** What was saved, what is wrong, and what a colleague has saved meanwhile. */
function Outcome({ editor }: Props) {
  const differences = editor.differences.value;
  return (
    <>
      {differences !== undefined && <Differences lines={differences} onTake={() => editor.takeTheirs()} />}
      <p role="alert" class="admin-trouble">
        {editor.trouble.value}
      </p>
      <p role="status">{editor.done.value}</p>
    </>
  );
}

/** The letter as a guest would read it, as plain text: nothing of it is run. */
function Preview({ editor }: Props) {
  const preview = editor.preview.value;
  return (
    <section class="letters-preview" aria-labelledby="letters-preview-title">
      <h2 id="letters-preview-title">{words.preview}</h2>
      <p class="muted">{words.previewLine}</p>
      {preview === undefined ? (
        <p role="status" class="muted">
          {editor.problems.value.size > 0 ? words.notPreviewed : adminWords.loading}
        </p>
      ) : (
        <div lang={editor.language.value}>
          <p class="letters-subject">{words.previewSubject(preview.subject)}</p>
          <pre>{preview.text}</pre>
        </div>
      )}
    </section>
  );
}

/** Saving as a command, for those who would rather write a script. */
function Curl({ editor, admin }: Props & { admin: AdminStore }) {
  const { access } = admin.place();
  return <CommandBox text={() => curlOf(access.config, access.user.tenantId, [editor.request()])} />;
}
