/** The books are those of this fiscal year, whatever the day of the benchmark. */
export const FISCAL_YEAR = '2026-27'
/** Rents of June to November 2026. The newest is open, and of every third lease the one before it too. */
const MONTHS = 6
const FIRST_DUE_DATE = `date '2026-06-05'`
const RENT = 25_000
const DEPOSIT = 100_000

/** The leases that have books: of a landlord's 40 agreements 32. Ids leave room for what one lease may have. */
const LEASES = `(select a.* from agreements a where a.status in ('ACTIVE', 'TERMINATED'))`
const IDS_OF_LEASE = 20

/** The accounts of each kind of journal, debits and credits in turn. */
const ACCOUNTS = `(values
  ('charge rent', array['receivable', 'income:rent']),
  ('charge deposit', array['receivable', 'deposit_agreed']),
  ('payment', array['bank', 'advance']),
  ('allocation rent', array['advance', 'receivable']),
  ('allocation deposit', array['advance', 'receivable', 'deposit_agreed', 'deposit_held']))`

/** Fills the books of each lease, in the order in which their tables refer to each other. */
export const BOOKS = `
  insert into charges (
    id, agreement_id, property_unit_id, type, period_start, period_end, due_date, amount,
    amount_paid, source, posted_at
  )
  select
    ${IDS_OF_LEASE} * a.id + n, a.id, a.property_unit_id,
    case n when 0 then 'deposit' else 'rent' end,
    case when n > 0 then due.month end, case when n > 0 then (due.month + interval '1 month - 1 day')::date end,
    due.day, owed.amount, case when n < ${MONTHS} - (a.id % 3 = 0)::int then owed.amount else 0 end,
    'schedule', due.day::timestamptz - interval '7 days'
  from ${LEASES} a, generate_series(0, ${MONTHS}) n,
    lateral (select (${FIRST_DUE_DATE} + greatest(n - 1, 0) * interval '1 month')::date as day) dated,
    lateral (select day, date_trunc('month', day)::date as month) due,
    lateral (select case n when 0 then ${DEPOSIT} else ${RENT} end as amount) owed;

  -- Each payment settles what fell due on its day; the first one the deposit too.
  insert into payments (
    id, agreement_id, landlord_id, payer_id, amount, method, reference, paid_on, status, receipt_number,
    posted_at, created_at, updated_at
  )
  select
    min(c.id), a.id, a.landlord_id, t.tenant_id, sum(c.amount), 'upi', 'U' || min(c.id), c.due_date, 'posted',
    'RCT-${FISCAL_YEAR}-' || lpad(row_number() over (partition by a.landlord_id order by min(c.id))::text, 6, '0'),
    c.due_date::timestamptz, c.due_date::timestamptz, c.due_date::timestamptz
  from charges c
  join agreements a on a.id = c.agreement_id
  join agreement_tenants t on t.agreement_id = a.id
  where c.amount_paid > 0
  group by a.id, t.tenant_id, c.due_date;

  insert into journals (
    id, agreement_id, position, kind, effective_on, posted_at, charge_id, payment_id, hash
  )
  select
    ${IDS_OF_LEASE} * agreement_id + position, agreement_id, position, kind, day, day::timestamptz,
    charge_id, payment_id, encode(sha256((agreement_id || '-' || position)::bytea), 'hex')
  from (
    select
      row_number() over (partition by agreement_id order by day, step, charge_id) as position,
      agreement_id, kind, day, charge_id, payment_id
    from (
      select agreement_id, 1 as step, 'charge' as kind, due_date as day, id as charge_id, null as payment_id
      from charges
      union all
      select agreement_id, 2, 'payment', paid_on, null, id from payments
      union all
      select c.agreement_id, 3, 'allocation', c.due_date, c.id, y.id
      from charges c
      join payments y on y.agreement_id = c.agreement_id and y.paid_on = c.due_date
    ) entry
  ) placed;

  insert into journal_lines (journal_id, line, account, debit, credit)
  select
    j.id, side.line, side.account, case side.line % 2 when 1 then entry.amount else 0 end,
    case side.line % 2 when 0 then entry.amount else 0 end
  from journals j
  left join charges c on c.id = j.charge_id
  left join payments y on y.id = j.payment_id
  cross join lateral (select coalesce(c.amount, y.amount) as amount) entry
  join ${ACCOUNTS} of_kind (kind, accounts) on of_kind.kind = concat_ws(' ', j.kind, c.type)
  cross join lateral unnest(of_kind.accounts) with ordinality side (account, line);

  insert into payment_allocations (journal_id, payment_id, charge_id, amount)
  select j.id, j.payment_id, j.charge_id, c.amount
  from journals j
  join charges c on c.id = j.charge_id
  where j.kind = 'allocation';

  insert into ledgers (agreement_id, starts_on, length, hash, next_posting_on, deposit_held)
  select distinct on (agreement_id)
    agreement_id, ${FIRST_DUE_DATE}, position, hash, date '2026-11-28', ${DEPOSIT}
  from journals
  order by agreement_id, position desc;

  insert into receipt_counters (landlord_id, fiscal_year, last_number)
  select landlord_id, '${FISCAL_YEAR}', count(*) from payments group by landlord_id;`
