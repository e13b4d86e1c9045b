-- What a business day earned by penalties is a figure of the day like the others (night audit, `penalties`).
alter type metric_type add value if not exists 'PENALTIES';

-- Lines of an invoice are written anew when something is credited or waived after it was issued.
grant delete on invoice_items to innkeeper_writer;
