import type { Inquiry } from '../../../stay/rules/inquiry.ts';
import type { InquiryId } from '../ids.ts';

/** Commands of inquiries (docs/reference/inquiries.md#inquiries). Results name no guest: they are stored with keys. */
export type InquiryCommands = {
  KEEP_INQUIRY: {
    command: {
      inquiry: Pick<Inquiry, 'inquiryId' | 'stay' | 'guest' | 'notes'>;
      promoCode?: string;
      /** When the price is no longer promised; after the usual time where absent. */
      expiresAt?: Inquiry['expiresAt'];
    };
    result: { inquiry: Omit<Inquiry, 'guest' | 'notes'> };
  };
  CLOSE_INQUIRY: {
    command: { inquiryId: InquiryId };
    result: { inquiryId: InquiryId; status: Inquiry['status'] };
  };
};
