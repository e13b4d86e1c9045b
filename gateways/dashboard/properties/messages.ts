/** The view over all properties; see words.ts. */
export const fleet = {
  open: 'All properties',
  title: 'All properties',
  caption: 'Each property tonight and in the nights to come, as it is this second',
  columns: {
    name: 'Property',
    tonight: 'Tonight',
    week: 'Next 7 nights',
    month: 'Next 30 nights',
    pickup: 'Pickup, 30 nights',
    cancelled: 'Cancelled today',
    over: 'Needs a look',
  },
  units: (nights: string): string =>
    `Occupancy in percent; pickup (sold less cancelled) and cancellations in room nights, ${nights}.`,
  percent: (share: number): string => `${share.toFixed(1)}\u00a0%`,
  over: (nights: number): string => (nights === 1 ? '1 night overbooked' : `${nights} nights overbooked`),
  full: (nights: number): string => (nights === 1 ? '1 night full' : `${nights} nights full`),
  nothing: 'Nothing',
  back: 'Back to the property',
  pageOf: (page: number, pages: number): string => `${page} of ${pages}, sorted within`,
  before: 'Earlier properties',
  after: 'Further properties',
};
