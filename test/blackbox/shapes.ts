/** The answers of the contract, as far as the suite looks into them. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  requestId: string;
  retryable: boolean;
  errors?: { pointer?: string; parameter?: string; code: string; detail: string }[];
  seq?: number;
};

export type QuotedRate = {
  roomType: string;
  rateType: string;
  currency: string;
  dailyRates: { date: string; rate: number; availability: number }[];
  totalRate: number;
  averageRate: number;
  taxes: number;
  fees: number;
  bookable?: boolean;
  quoteToken?: string;
};

export type Quote = {
  propertyId: string;
  rates: QuotedRate[];
  unavailable?: { roomType: string; code: string }[];
  restrictions: { minimumStay: number; maximumStay: number; advanceBooking: number };
};

export type Reservation = {
  createdAt: string;
  reservationId: string;
  confirmationNumber: string;
  status: string;
  guestInfo: { guestId: string; firstName: string; lastName: string; email: string; phone?: string };
  stayDetails: {
    checkIn: string;
    checkOut: string;
    nights: number;
    adults: number;
    children: number;
    roomType: string;
    roomNumber: string;
  };
  financial: {
    totalAmount: number;
    baseAmount: number;
    taxes: number;
    fees: number;
    currency: string;
    paymentStatus: string;
    paymentDetails?: { paymentId: string; type?: string; amount: number; method: string | null; status?: string }[];
  };
  specialRequests: string[];
  timeline: { event: string; status: string }[];
  holdExpiresAt?: string;
};

export type Hold = {
  holdId: string;
  status: string;
  rooms: number;
  remainingRooms: number;
  expiresAt: string;
  createdAt: string;
  price: { totalRate: number; taxes: number; fees: number; totalAmount: number; currency: string };
};

export type Cell = {
  propertyId: string;
  roomType: string;
  date: string;
  totalRooms: number;
  availableRooms: number;
  bookedRooms: number;
  heldRooms: number;
  blockedRooms: number;
  status: string;
};

export type Cells = { items: Cell[]; seq: number };
export type Change = { from: number | null; to: number | null };
export type CellHistory = {
  seq: number;
  at: string;
  type: string;
  entity: string;
  by: string;
  bookedRooms: number;
  rate: number | null;
  changes: Record<string, Change>;
};
type Pickup = { roomsNow: number; roomsThen: number; pickup: number };
export type PickupReport = {
  propertyId: string;
  asOf: string;
  days: number;
  items: (Pickup & { date: string; roomType: string })[];
  dates: (Pickup & { date: string })[];
  total: Pickup;
  seq: number;
};

export type Page<T> = { items: T[]; nextCursor?: string | null };

export type Modified = {
  modificationId: string;
  reservationId: string;
  status: string;
  changes: Record<string, { from: unknown; to: unknown }>;
  breakdown: { date: string; roomRate: number; previousRate: number | null }[];
  additionalPayment: { amount: number; paymentRequired: boolean; dueDate: string | null } | null;
};

export type Cancelled = {
  cancellationId: string;
  status: string;
  cancellationPolicy: { policyName: string; penaltyAmount: number; refundEligible: boolean };
  refund: { refundAmount: number; refundId: string | null };
};

export type Audit = {
  violations: unknown[];
  oversold: unknown[];
  cellsChecked: number;
  seq: number;
  money: { reservationsChecked: number; invoicesChecked: number; violationCount: number; violations: unknown[] };
};
