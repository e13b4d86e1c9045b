import type { ClientKey } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Done } from '../../kernel/rules/administration.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { type Language, LANGUAGES } from '../../kernel/rules/languages.ts';
import type { Property } from '../../properties/rules/property.ts';
import { LETTER_CATALOGUES, letterTextsIn } from '../contracts/letter-texts.ts';
import type { LetterBody, LetterPreviewBody } from '../contracts/letters.ts';
import { faultsOf, typedTexts } from '../contracts/own-texts.ts';
import type { LetterTemplate } from '../ports.ts';
import { exampleLetter } from '../rules/example-letter.ts';
import {
  LETTER_KINDS,
  LETTER_VALUES,
  type LetterKind,
  type LetterPart,
  type OwnTexts,
} from '../rules/letter-kinds.ts';
import { mailOfLetter, type MailText } from '../rules/message.ts';

/** A letter of a property in a language: its own texts, and those that stand where it has none. */
export type PropertyLetter = {
  kind: LetterKind;
  language: Language;
  standard: Record<LetterPart, string>;
  template?: LetterTemplate;
};

/** All letters of a property (docs/reference/letters.md#letters). @throws DomainError PROPERTY_NOT_FOUND */
export async function listLetters(
  services: Services,
  to: Address,
): Promise<{
  property: Property;
  kinds: { kind: LetterKind; values: readonly string[]; letters: PropertyLetter[] }[];
}> {
  const { setup } = await services.properties.view(to);
  const templates = await services.letterTemplates.list(to);
  const kinds = LETTER_KINDS.map((kind) => ({
    kind,
    values: LETTER_VALUES[kind],
    letters: LANGUAGES.map((language) => {
      const template = templates.find((one) => one.kind === kind && one.language === language);
      return letterWith(kind, language, template);
    }),
  }));
  return { property: setup.property, kinds };
}

/** What names a letter in a path, as typed. */
type LetterName = { kind: string; language: string };

/**
 * Replaces the own texts of a letter; parts that are left out are the standard ones.
 * @throws DomainError PROPERTY_NOT_FOUND, LETTER_NOT_FOUND, STALE_VERSION; VALIDATION_FAILED for texts that cannot be
 * used
 */
export async function changeLetter(
  services: Services,
  caller: Caller,
  { to, ...name }: LetterName & { to: Address },
  body: LetterBody,
  options: { key?: ClientKey; ifVersion?: number },
): Promise<Done<PropertyLetter>> {
  const { kind, language } = known(name);
  const { setup } = await services.properties.view(to);
  const texts = checked(services, setup.property, { kind, language }, body);
  return put(services, caller, { to, kind, language, texts }, options);
}

/** Takes the own texts of a letter back. @throws DomainError as {@link changeLetter} */
export async function resetLetter(
  services: Services,
  caller: Caller,
  { to, ...name }: LetterName & { to: Address },
  options: { key?: ClientKey; ifVersion?: number },
): Promise<Done<PropertyLetter>> {
  const { kind, language } = known(name);
  await services.properties.view(to);
  return put(services, caller, { to, kind, language, texts: {} }, options);
}

/**
 * A letter about the stay of an invented guest, with texts that are not stored; parts that are left out are the
 * standard ones.
 * @throws DomainError as {@link changeLetter}
 */
export async function previewLetter(
  services: Services,
  { to, kind: typed }: { to: Address; kind: string },
  { language, ...own }: LetterPreviewBody,
): Promise<MailText> {
  const { kind } = known({ kind: typed, language });
  const { property } = (await services.properties.view(to)).setup;
  const texts = checked(services, property, { kind, language }, own);
  const inLanguage = letterTextsIn(language);
  const letter = exampleLetter(kind, property, inLanguage, services.clock.now());
  return mailOfLetter(letter, property, inLanguage, texts);
}

async function put(
  { letterTemplates, log }: Services,
  caller: Caller,
  { to, ...letter }: { to: Address; kind: LetterKind; language: Language; texts: OwnTexts },
  options: { key?: ClientKey; ifVersion?: number },
): Promise<Done<PropertyLetter>> {
  const { kind, language } = letter;
  const { propertyId } = to;
  const done = await letterTemplates.put(caller, { propertyId, ...letter }, options);
  if (!done.replayed)
    log.info({ propertyId, kind, language, subject: caller.subject }, 'own texts of a letter changed');
  return { ...done, result: letterWith(kind, language, done.result) };
}

function letterWith(kind: LetterKind, language: Language, template: LetterTemplate | undefined): PropertyLetter {
  const texts = LETTER_CATALOGUES[language];
  const standard = {
    subject: texts[`${kind}.subject`],
    opening: texts[`${kind}.opening`],
    closing: texts[`${kind}.closing`],
  };
  return { kind, language, standard, ...(template && { template }) };
}

/** @throws DomainError LETTER_NOT_FOUND */
function known({ kind, language }: LetterName): { kind: LetterKind; language: Language } {
  const found = {
    kind: LETTER_KINDS.find((one) => one === kind),
    language: LANGUAGES.find((one) => one === language),
  };
  if (found.kind && found.language) return { kind: found.kind, language: found.language };
  const detail = found.kind
    ? `Letters are in ${LANGUAGES.join(', ')}.`
    : `Kinds of letters are ${LETTER_KINDS.join(', ')}.`;
  throw new DomainError('LETTER_NOT_FOUND', detail);
}

/** @throws DomainError VALIDATION_FAILED */
function checked(
  { clock }: Services,
  property: Property,
  { kind, language }: { kind: LetterKind; language: Language },
  body: OwnTexts,
): OwnTexts {
  const texts = letterTextsIn(language);
  const own = typedTexts(body);
  const errors = faultsOf(own, exampleLetter(kind, property, texts, clock.now()), texts);
  if (errors.length === 0) return own;
  const detail = errors.length === 1 ? 'One text cannot be used.' : `${errors.length} texts cannot be used.`;
  throw new DomainError('VALIDATION_FAILED', detail, { errors });
}
