import type { Mutant } from './mutants.ts';

const MODIFY = 'actors/property/stay/modify.ts';
const CHARGE_DUE = 'actors/property/money/charge-due.ts';
const FOLIO = 'actors/property/money/folio.ts';
const COLLECTING = 'src/stay/rules/collecting.ts';
const TAXES = 'src/money/rules/taxes.ts';
const WAITLIST = 'actors/property/holds/waitlist.ts';
const DOCUMENTS = 'actors/property/money/issue-documents.ts';

/** Faults of terms, folios, taxes and payments, each of which lost money or took it twice, and of the waitlist. */
export const MONEY_MUTANTS: readonly Mutant[] = [
  {
    name: 'non-refundable nights can be given up for others',
    file: MODIFY,
    text: "throw new DomainError('TERMS_FORBID_CHANGE', 'The nights of this booking cannot be given up for others.');",
    becomes: '',
  },
  {
    name: 'a change keeps nothing of what its cancellation would have cost',
    file: MODIFY,
    text: 'return retained > 0 ? { retained } : {};',
    becomes: 'return {};',
  },
  {
    name: 'leaving early costs nothing',
    file: 'src/stay/rules/early-departure.ts',
    text: 'return [...others, ...lines.filter(({ amount }) => amount > 0)];',
    becomes: 'return others;',
  },
  {
    name: 'posting lost',
    file: FOLIO,
    text: '{ charges: [...(before.charges ?? []), charge] }',
    becomes: '{ charges: [...(before.charges ?? [])] }',
  },
  {
    name: 'voided posting counts twice',
    file: FOLIO,
    text: 'amount: negated(amount),\n    quantity',
    becomes: 'amount,\n    quantity',
  },
  {
    name: 'nights of an extra that are given back in house are paid all the same',
    file: 'src/stay/rules/extra-nights.ts',
    text: 'if (to === end) return [];',
    becomes: 'if (to <= end) return [];',
  },
  {
    name: 'tax on top dropped',
    file: TAXES,
    text: 'mergedLines([...lines, ...onTop])',
    becomes: 'mergedLines(lines)',
  },
  {
    name: 'tax of a person dropped',
    file: TAXES,
    text: 'return stay.adults + childrenFrom(minAge, stay);',
    becomes: 'return 1;',
  },
  {
    name: 'a child of the age at which a tax begins does not pay it',
    file: TAXES,
    text: 'childAges.filter((age) => age >= minAge).length',
    becomes: 'childAges.filter((age) => age > minAge).length',
  },
  {
    name: 'a child of the last age of a band pays as an adult',
    file: 'src/properties/rules/age-band.ts',
    text: 'age <= toAge',
    becomes: 'age < toAge',
  },
  {
    name: 'one guest fewer makes a booked night dearer',
    file: 'actors/property/stay/changed-price.ts',
    text: 'const fewer = personsOf(stay) < personsOf(old) || sameParty(stay, old);',
    becomes: 'const fewer = sameParty(stay, old);',
  },
  {
    name: 'a night in place of day use costs what the day did',
    file: 'actors/property/stay/changed-price.ts',
    text: 'const isSame = sameProduct(old, stay) &&',
    becomes: 'const isSame = old.roomType === stay.roomType &&',
  },
  {
    name: 'a booking has the policies of the moment, unless its property has taxes',
    file: 'src/rates/rules/night-charges.ts',
    text: 'const run: BookedTaxes = { from: day, ...(charges && { charges }) };',
    becomes: 'const run: BookedTaxes = { from: day, ...(charges?.taxes && { charges }) };',
  },
  {
    name: 'a booking knows nothing of what its promised price follows from',
    file: 'actors/property/stay/changed-price.ts',
    text: 'const { lists, basis } = promised;',
    becomes: 'const { lists, basis } = { ...promised, basis: undefined } as typeof promised;',
    first: 100,
  },
  {
    name: 'deposit charged twice: while a charge is under way',
    file: CHARGE_DUE,
    text: 'if (underWay(before.payments) > 0) return nothing;',
    becomes: '',
  },
  {
    name: 'deposit charged twice: what is paid does not count',
    file: COLLECTING,
    text: 'const unpaid = due - reservation.paid - claimOf(reservation);',
    becomes: 'const unpaid = due;',
  },
  {
    name: 'what was charged back is charged to the disputed card',
    file: 'src/money/rules/chargeback.ts',
    text: 'else if (!payment.isInstalment) claim',
    becomes: 'else claim',
  },
  {
    name: 'a reinstatement gives the penalty back',
    file: 'actors/property/stay/reinstate.ts',
    text: '...retainedByEnd(before),',
    becomes: '',
  },
  {
    name: 'what a change adds is charged before its announced date',
    file: COLLECTING,
    text: 'dueBy(guarantee.schedule, total - deferred, reservation, today);',
    becomes: 'dueBy(guarantee.schedule, total, reservation, Infinity);',
  },
  {
    name: 'a divided posting loses a cent',
    file: 'src/money/rules/postings.ts',
    text: 'partOf(whole, amount - own)',
    becomes: 'partOf(whole, Math.floor((amount * (100 - percent)) / 100))',
  },
  {
    name: 'a credit note goes to the other guest',
    file: DOCUMENTS,
    text: 'const own = documentsOfParty(issued, party);',
    becomes: "const own = documentsOfParty(issued, 'REST');",
  },
  {
    name: 'what a sharer has paid too much goes to the other guest',
    file: 'actors/property/money/refunds.ts',
    text: 'const ofSharer = Math.max(overpaid, amount - mostOfOthers);',
    becomes: 'const ofSharer = Math.max(Math.min(0, overpaid), amount - mostOfOthers);',
  },
  {
    name: 'what a sharer has paid pays the penalty',
    file: 'actors/property/money/collect.ts',
    text: 'const ofSharer = paidBySharer(before);',
    becomes: 'const ofSharer = 0;',
  },
  {
    name: 'a penalty is divided',
    file: 'src/money/rules/folio-window.ts',
    text: "kind !== 'PENALTY' || window !== 'SHARER'",
    becomes: "kind !== 'PENALTY' || window !== 'COMPANY'",
  },
  {
    name: 'credit note not issued',
    file: DOCUMENTS,
    text: 'documentsDue(next, issued).map((due) => {',
    becomes: "documentsDue(next, issued).filter(({ kind }) => kind === 'INVOICE').map((due) => {",
  },
  {
    name: 'a room goes to who has waited least',
    file: WAITLIST,
    text: '.sort((a, b) => a.number - b.number)',
    becomes: '.sort((a, b) => b.number - a.number)',
  },
  {
    name: 'who cannot have a room yet keeps those behind from theirs',
    file: WAITLIST,
    text: 'if (!hasRooms(draft, entry)) continue;',
    becomes: 'if (!hasRooms(draft, entry)) break;',
  },
];
