-- What a business day earned by penalties is a figure of the day like the others (night audit, `penalties`).
alter type metric_type add value if not exists 'PENALTIES';
