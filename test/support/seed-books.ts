const RENT = 25000.5
const hash = (what: string) => `md5(id::text) || md5('${what}' || id)`

/** A journal of each row, with its two lines: one statement, since a journal balances when its transaction ends. */
const postJournals = (
  position: number,
  kind: string,
  accounts: [debit: string, credit: string],
  from: string,
) => `
  with posted as (
    insert into journals (agreement_id, position, kind, effective_on, posted_at, charge_id, payment_id, hash)
    select agreement_id, ${position}, '${kind}', '2026-12-05', now(), charge_id, payment_id, ${hash(kind)}
    from ${from} source
    returning id
  )
  insert into journal_lines (journal_id, line, account, debit, credit)
  select id, line, account, debit, credit
  from posted, (
    values (1, '${accounts[0]}', ${RENT}, 0), (2, '${accounts[1]}', 0, ${RENT})
  ) side (line, account, debit, credit)`

/** Statements that fill the tables of the books: a rent and a payment of every lease that is or was ACTIVE. */
export const bookRows = [
  `insert into ledgers (agreement_id, starts_on, length, hash, next_posting_on)
    select id, agreement_start_date, 2, ${hash('ledger')}, case when id % 2 = 0 then agreement_end_date end
    from agreements where status in ('ACTIVE', 'TERMINATED')`,
  `insert into charges (agreement_id, property_unit_id, type, description, period_start, period_end, due_date, amount, amount_paid, source, late_fee_on, posted_at)
    select a.id, a.property_unit_id, 'rent', 'Rent', '2026-12-01', '2026-12-31', '2026-12-05', ${RENT}, case when a.id % 2 = 0 then ${RENT} else 0 end, 'schedule', case when a.id % 3 = 0 then date '2026-12-10' end, now()
    from agreements a join ledgers l on l.agreement_id = a.id`,
  `insert into payments (agreement_id, landlord_id, payer_id, amount, method, reference, paid_on, status, unapplied_amount, receipt_number, posted_at)
    select a.id, a.landlord_id, t.tenant_id, ${RENT}, 'upi', 'U' || a.id, '2026-12-05', 'posted', case when a.id % 2 = 0 then 0 else ${RENT} end, 'RCT-2026-27-' || lpad(a.id::text, 6, '0'), now()
    from agreements a join ledgers l on l.agreement_id = a.id
    join lateral (select tenant_id from agreement_tenants where agreement_id = a.id order by id limit 1) t on true`,
  postJournals(
    1,
    'charge',
    ['receivable', 'income:rent'],
    '(select id, agreement_id, id as charge_id, null::int as payment_id from charges)',
  ),
  postJournals(
    2,
    'allocation',
    ['advance', 'receivable'],
    `(select y.id, y.agreement_id, c.id as charge_id, y.id as payment_id from payments y join charges c on c.agreement_id = y.agreement_id)`,
  ),
  `insert into payment_allocations (journal_id, payment_id, charge_id, amount)
    select id, payment_id, charge_id, ${RENT} from journals where kind = 'allocation' and agreement_id % 2 = 0`,
  `insert into receipt_counters (landlord_id, fiscal_year, last_number)
    select landlord_id, '2026-27', max(agreement_id) from payments group by landlord_id`,
  `insert into rent_revisions (agreement_id, rent_amount, effective_on, source, status)
    select agreement_id, ${RENT}, starts_on, 'escalation', 'accepted' from ledgers where agreement_id % 3 > 0`,
  `insert into deposit_settlements (agreement_id, deductions, held_amount, open_rent, refund_amount, status)
    select id, '[{"type": "damage", "description": "ü \\\\n", "amount": 1}]', 2, 0, 1, 'proposed'
    from agreements where status = 'TERMINATED'`,
]
