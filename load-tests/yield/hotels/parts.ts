import type { HotelPart } from './fit.ts';

/** STD is the cheapest type of the file, DLX the next; all others are sold as SUP. */
const threeTypes = (roomType: string): string => (roomType === 'A' ? 'STD' : roomType === 'D' ? 'DLX' : 'SUP');

/** Hotels that are counted in the bookings of the resort: whole in spring, in winter and in summer, and two parts of it. */
export const PARTS: readonly HotelPart[] = [
  { name: 'resort', months: [3, 4, 5, 6], takes: () => true, typeOf: threeTypes, scale: 1 },
  { name: 'winter', months: [11, 12, 1, 2], takes: () => true, typeOf: threeTypes, scale: 0.6 },
  {
    name: 'summer',
    months: [6, 7, 8, 9],
    takes: ({ roomType }) => roomType === 'A' || roomType === 'D',
    typeOf: threeTypes,
    scale: 0.5,
  },
  {
    name: 'suites',
    months: [4, 5, 6, 7],
    takes: ({ roomType }) => ['F', 'G', 'H'].includes(roomType),
    typeOf: () => 'STE',
    scale: 1,
  },
  {
    name: 'short notice',
    months: [3, 4, 5, 6],
    takes: ({ marketSegment }) => marketSegment === 'Direct' || marketSegment === 'Corporate',
    typeOf: (roomType) => (roomType === 'A' ? 'STD' : 'DLX'),
    scale: 1.5,
  },
];
