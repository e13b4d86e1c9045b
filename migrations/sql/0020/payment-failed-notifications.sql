-- An instalment that could not be collected is a notification of its own kind, not a change of the booking.
alter type notification_kind add value if not exists 'PAYMENT_FAILED';
