import { fromSession, isoTime, jsonArray, jsonObject, jsonPage, sql, visibleAgreement } from './fragments'

const readableBooks = sql`
  any (array(
    select id from agreements where landlord_id = me.id and is_active
    union
    select g.id
    from property_units u
    join agreements g on g.property_unit_id = u.id
    where u.managed_by_id = me.id and u.is_active and g.is_active
    union
    select agreement_id from agreement_tenants where tenant_id = me.id
    union
    select id from agreements where manager_id = me.id and is_active
  ))`

const outstanding = `c.amount - c.amount_paid - c.amount_credited`

const description = `coalesce(c.description, case c.type when 'rent' then 'Rent' else 'Deposit' end) as description`

const chargeColumns = sql`
  c.id, c.charge_id, c.agreement_id, c.property_unit_id, c.type, ${description}, c.period_start, c.period_end,
  c.due_date, c.amount, c.amount_paid, c.amount_credited, ${outstanding} as amount_outstanding,
  case
    when ${outstanding} = 0 then case when c.amount_paid > 0 then 'paid' else 'credited' end
    when c.due_date > $6::date then 'upcoming'
    when c.due_date = $6::date then 'due'
    else 'overdue'
  end as status,
  c.source, c.base_charge_id, ${isoTime('c.posted_at')}`

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
  y.unapplied_amount, y.refunded_amount, y.receipt_number, y.reversal_reason,
  ${isoTime('y.posted_at')}, ${isoTime('y.created_at')}`

export const selectCharges = sql`
  select ${jsonPage(chargeColumns, `charges c where c.agreement_id = ${readableBooks}`, '$5')} ${fromSession}`

export const selectPayments = sql`
  select ${jsonPage(paymentColumns, `payments y where y.agreement_id = ${readableBooks}`, '$5')} ${fromSession}`

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
      charge_id int, payment_id int, hash text, lines json
    )
  ), inserted as (
    insert into journals (
      agreement_id, position, kind, effective_on, posted_at, actor_id, charge_id, payment_id, hash
    )
    select agreement_id, position, kind, effective_on, posted_at, actor_id, charge_id, payment_id, hash
    from given
    order by position
    returning id, agreement_id, position
  ), posted as materialized (
    select inserted.id, given.kind, given.charge_id, given.payment_id, given.lines
    from inserted
    join given using (agreement_id, position)
  ), posted_lines as (
    insert into journal_lines (journal_id, line, account, debit, credit)
    select posted.id, entry.line, entry.account, entry.debit, entry.credit
    from posted
    cross join lateral rows from (
      json_to_recordset(posted.lines) as (account text, debit numeric, credit numeric)
    ) with ordinality as entry (account, debit, credit, line)
    returning journal_id, line, credit
  ), allocated as (
    insert into payment_allocations (journal_id, payment_id, charge_id, amount)
    select posted.id, posted.payment_id, posted.charge_id, posted_lines.credit
    from posted
    join posted_lines on posted_lines.journal_id = posted.id and posted_lines.line = 2
    where posted.kind = 'allocation'
  )
  update ledgers set length = $3, hash = $4 where agreement_id = $2`

export const selectPaymentView = sql`
  select ${jsonObject(`select ${paymentColumns} from payments y where y.id = $1`)} as row`
