import { fromSession, isoTime, jsonArray, jsonObject, sql, visibleAgreement } from './queries'

const description = `coalesce(c.description, case c.type when 'rent' then 'Rent' else 'Deposit' end) as description`

const paymentColumns = sql`
  y.id, y.payment_id, y.agreement_id, y.payer_id, y.amount, y.tds_amount, y.tds_certificate_number, y.method,
  y.reference, y.paid_on, y.cheque_date, y.cleared_on, y.status,
  coalesce(y.requested_allocations, (
    select coalesce(
      jsonb_agg(jsonb_build_object('charge_id', s.charge_id, 'amount', s.amount) order by s.charge_id), '[]'
    )
    from (
      select charge_id, sum(amount) as amount from payment_allocations where payment_id = y.id group by charge_id
    ) s
  )) as allocations,
  y.unapplied_amount, y.refunded_amount, y.moved_amount, y.waits_for_allocation, y.source, y.receipt_number, y.reversal_reason,
  ${isoTime('y.posted_at')}, ${isoTime('y.created_at')}`

const change = sql`
  select coalesce(sum(l.debit - l.credit), 0) as amount
  from journal_lines l
  where l.journal_id = j.id and l.account in ('receivable', 'advance')`

const entries = sql`
  select
    j.effective_on, j.kind, j.charge_id, j.payment_id, changed.amount, ${description}, c.period_start, c.period_end,
    y.method, y.reference, y.receipt_number
  from journals j
  cross join lateral (${change}) changed
  left join charges c on c.id = j.charge_id
  left join payments y on y.id = j.payment_id
  where j.agreement_id = a.id
    and changed.amount <> 0
    and j.effective_on between $6::date and $7::date
  order by j.effective_on, j.position`

const deposit = sql`
  select
    coalesce(a.deposit_amount, 0) as agreed,
    coalesce(sum(l.credit) - sum(l.debit) filter (where j.kind = 'reversal'), sum(l.credit), 0) as paid,
    coalesce(sum(l.credit - l.debit), 0) as held
  from journals j
  join journal_lines l on l.journal_id = j.id
  where j.agreement_id = a.id and l.account = 'deposit_held' and j.effective_on <= $7::date`

const account = sql`
  select
    a.id as agreement_id, a.agreement_number,
    (
      select coalesce(sum(changed.amount), 0)
      from journals j
      cross join lateral (${change}) changed
      where j.agreement_id = a.id and j.effective_on < $6::date
    ) as opening,
    ${jsonArray(entries)} as entries,
    ${jsonObject(deposit)} as deposit
  from ${visibleAgreement('me.id', '$5')}`

export const selectStatement = sql`select ${jsonObject(account)} as row ${fromSession}`

export const selectVisibleAgreement = sql`
  select a.id, a.property_unit_id from ${visibleAgreement('$2::int', '$1')}`

export const lockAgreement = sql`
  select *, agreement_start_date::text, agreement_end_date::text
  from agreements
  where id = $1
  for update`

export const selectTenants = sql`select * from agreement_tenants where agreement_id = $1 order by id`

export const shareUnit = sql`select * from property_units where id = $1 for share`

export const selectLedger = sql`select * from ledgers where agreement_id = $1`

export const selectOpenCharges = sql`
  select *, due_date::text
  from charges
  where agreement_id = $1 and amount > amount_paid + amount_credited
  order by id`

export const selectAdvances = sql`
  select * from payments where agreement_id = $1 and unapplied_amount > 0 order by paid_on, id`

export const selectSameReference = sql`
  select id
  from payments
  where landlord_id = $1
    and method = $2
    and lower(reference) = lower($3)
    and status in ('reported', 'pending', 'posted')
  limit 1`

export const incrementReceiptNumber = sql`
  insert into receipt_counters (landlord_id, fiscal_year, last_number)
  values ($1, $2, 1)
  on conflict (landlord_id, fiscal_year) do update set last_number = receipt_counters.last_number + 1
  returning last_number`

export const insertPayment = sql`
  insert into payments (
    agreement_id, landlord_id, payer_id, amount, method, reference, paid_on, status, unapplied_amount,
    receipt_number, posted_at, created_at, updated_at
  )
  values (
    $1, $2, $3, $4::float8, $5, $6, $7::text::date, 'posted', $8::float8,
    $9, $10::timestamptz, $10::timestamptz, $10::timestamptz
  )
  returning id`

export const updateCharges = sql`
  update charges c
  set amount_paid = c.amount_paid + settled.amount
  from json_to_recordset($1::text::json) as settled (charge_id int, amount numeric)
  where c.id = settled.charge_id`

export const insertJournals = sql`
  with given as materialized (
    select * from json_to_recordset($1::text::json) as given (
      agreement_id int, position int, kind text, effective_on date, posted_at timestamptz, actor_id int,
      charge_id int, payment_id int, hash text, debited text, credited text, amount numeric
    )
  ), inserted as (
    insert into journals (
      agreement_id, position, kind, effective_on, posted_at, actor_id, charge_id, payment_id, hash
    )
    select agreement_id, position, kind, effective_on, posted_at, actor_id, charge_id, payment_id, hash
    from given
    order by position
    returning id, position
  ), posted as materialized (
    select inserted.id, given.* from inserted join given using (position)
  ), lines as (
    insert into journal_lines (journal_id, line, account, debit, credit)
    select id, 1, debited, amount, 0 from posted
    union all
    select id, 2, credited, 0, amount from posted
  ), allocated as (
    insert into payment_allocations (journal_id, payment_id, charge_id, amount)
    select id, payment_id, charge_id, amount from posted where kind = 'allocation'
  )
  update ledgers set length = $3, hash = $4 where agreement_id = $2`

export const selectPaymentView = sql`
  select ${jsonObject(`select ${paymentColumns} from payments y where y.id = $1`)} as row`
