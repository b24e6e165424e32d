import { sql, type RawBuilder } from 'kysely'
import { getKysely, type Db, type EntityManager } from '../../../db/database'
import { areJournalsIntact } from '../../../server/books/ledger/verification'
import type { Account } from '../../../server/books/ledger/accounts'

type Counted = { id: number }

const balance = (account: Account) => sql`coalesce((
  select sum(l.debit - l.credit) from journals j join journal_lines l on l.journal_id = j.id
  where j.agreement_id = g.agreement_id and l.account = ${account}), 0)`

/** Each selects the records that break it. */
const invariants: Record<string, RawBuilder<Counted>> = {
  'the lines of a journal sum to zero': sql<Counted>`
    select j.id from journals j left join journal_lines l on l.journal_id = j.id
    group by j.id having sum(l.debit) is distinct from sum(l.credit)`,
  'positions have no gaps': sql<Counted>`
    select agreement_id as id from journals group by agreement_id
    having max(position) <> count(*) or min(position) <> 1`,
  'the ledger knows its last journal': sql<Counted>`
    select l.agreement_id as id from ledgers l left join journals j on j.agreement_id = l.agreement_id
    and j.position = l.length where l.length > 0 and j.hash is distinct from l.hash`,
  'no amount of a charge is below zero': sql<Counted>`
    select id from charges where amount_paid < 0 or amount_credited < 0 or amount < amount_paid + amount_credited`,
  'a charge is income of its type, a deposit is agreed, and older dues are equity': sql<Counted>`
    select c.id from charges c where c.amount <> coalesce((
      select sum(l.credit) from journals j join journal_lines l on l.journal_id = j.id
      where j.charge_id = c.id and j.kind = 'charge' and l.account =
        case c.type when 'deposit' then 'deposit_agreed' when 'opening_balance' then 'opening'
          else 'income:' || c.type end), 0)`,
  'what is paid of a charge is what settles it': sql<Counted>`
    select c.id from charges c where c.amount_paid <> coalesce((
      select sum(a.amount) from payment_allocations a where a.charge_id = c.id), 0) + coalesce((
      select sum(l.credit) from journals j join journal_lines l on l.journal_id = j.id
      where j.charge_id = c.id and j.kind = 'settlement' and l.account = 'receivable'), 0)`,
  'what is credited of a charge are its credit notes': sql<Counted>`
    select c.id from charges c where c.amount_credited <> coalesce((
      select sum(l.credit) from journals j join journal_lines l on l.journal_id = j.id
      where j.charge_id = c.id and j.kind = 'credit' and l.account = 'receivable'
        and not exists (select from journals undone where undone.reverses_id = j.id)), 0)`,
  'a posted payment is allocated, unapplied, refunded or moved': sql<Counted>`
    select p.id from payments p where p.status = 'posted' and p.amount + p.tds_amount <> p.unapplied_amount
      + p.refunded_amount + p.moved_amount + coalesce((
      select sum(a.amount) from payment_allocations a where a.payment_id = p.id), 0)`,
  'what was refunded of a lease is what its refunds that stand say': sql<Counted>`
    select g.agreement_id as id from ledgers g where coalesce((
      select sum(p.refunded_amount) from payments p where p.agreement_id = g.agreement_id), 0) <> coalesce((
      select sum(r.amount) from refunds r where r.agreement_id = g.agreement_id and r.status = 'posted'), 0)`,
  'a payment that is not posted settles nothing': sql<Counted>`
    select p.id from payments p where p.status <> 'posted' and (p.unapplied_amount <> 0 or exists (
      select from payment_allocations a where a.payment_id = p.id))`,
  'the receivable is what is outstanding': sql<Counted>`
    select g.agreement_id as id from ledgers g where ${balance('receivable')} <> coalesce((
      select sum(c.amount - c.amount_paid - c.amount_credited) from charges c
      where c.agreement_id = g.agreement_id), 0)`,
  'the advance is what is unapplied': sql<Counted>`
    select g.agreement_id as id from ledgers g where -${balance('advance')} <> coalesce((
      select sum(p.unapplied_amount) from payments p where p.agreement_id = g.agreement_id), 0)`,
  'a closed lease holds no advance': sql<Counted>`
    select a.id from agreements a join payments p on p.agreement_id = a.id
    where a.status = 'COMPLETED' and p.unapplied_amount > 0`,
  'the deposit held is what was paid of it and taken over, less what was settled and moved out': sql<Counted>`
    select g.agreement_id as id from ledgers g where -${balance('deposit_held')} <> coalesce((
      select sum(c.amount_paid) from charges c where c.agreement_id = g.agreement_id and c.type = 'deposit'), 0)
      + coalesce((
      select sum(l.credit - l.debit) from journals j join journal_lines l on l.journal_id = j.id
      where j.agreement_id = g.agreement_id and j.kind in ('settlement', 'transfer', 'opening')
        and l.account = 'deposit_held'), 0)`,
  'the ledger knows the deposit that is held': sql<Counted>`
    select g.agreement_id as id from ledgers g where g.deposit_held <> -${balance('deposit_held')}`,
  'what was posted of a settlement is what it says': sql<Counted>`
    select s.id from deposit_settlements s where s.status = 'posted' and (s.refund_amount, s.held_amount) <> ((
      select coalesce(sum(l.debit), 0) from journals j join journal_lines l on l.journal_id = j.id
      where j.agreement_id = s.agreement_id and j.kind = 'settlement' and j.charge_id is null
        and l.account = 'deposit_held'), (
      select coalesce(sum(l.debit), 0) from journals j join journal_lines l on l.journal_id = j.id
      where j.agreement_id = s.agreement_id and j.kind = 'settlement' and l.account = 'deposit_held'))`,
  'what left a lease for the next one arrived there': sql<Counted>`
    select min(j.agreement_id) as id from journals j join journal_lines l on l.journal_id = j.id
    where l.account in ('deposit_transfer', 'advance_transfer')
    group by l.account having sum(l.debit) <> sum(l.credit)`,
  'what moved of the payments of a lease and what came to it are its transfers': sql<Counted>`
    select g.agreement_id as id from ledgers g where ${balance('advance_transfer')} <> coalesce((
      select sum(case p.source when 'renewal' then p.amount else 0 end - p.moved_amount) from payments p
      where p.agreement_id = g.agreement_id), 0)`,
  'what an opening says is posted, the advance as a payment': sql<Counted>`
    select a.id from agreements a join ledgers g on g.agreement_id = a.id
    where coalesce((a.opening ->> 'advance')::numeric, 0) <> coalesce((
        select sum(amount) from payments where agreement_id = a.id and source = 'opening'), 0)
      or coalesce((a.opening ->> 'owed')::numeric, 0) > coalesce((
        select sum(amount) from charges where agreement_id = a.id and source = 'opening'), 0)
      or (case when a.opening is not null
        then coalesce((a.opening ->> 'deposit_held')::numeric, a.deposit_amount, 0) else 0 end) <> coalesce((
        select sum(l.credit) from journals j join journal_lines l on l.journal_id = j.id
        where j.agreement_id = a.id and j.kind = 'opening' and l.account = 'deposit_held'), 0)`,
  'one late fee of a charge and month stands, and all are for instalments': sql<Counted>`
    select c.base_charge_id as id from charges c where c.source = 'late_fee' and c.amount_credited < c.amount
    group by c.base_charge_id, date_trunc('month', c.due_date) having count(*) > 1
    union select f.id from charges f join charges c on c.id = f.base_charge_id
    where f.source = 'late_fee' and (c.source <> 'schedule' or c.type = 'deposit')`,
  'no late fee of a settled charge is looked for': sql<Counted>`
    select id from charges where late_fee_on is not null and amount = amount_paid + amount_credited`,
  'receipt numbers have no gaps': sql<Counted>`
    select landlord_id as id from payments where receipt_number is not null
    group by landlord_id, left(receipt_number, 11)
    having count(*) <> max(right(receipt_number, 6)::int)`,
}

/** Names the invariants of the books that do not hold, with the records that break them. */
export async function findBrokenInvariants(em: EntityManager) {
  const db = getKysely(em)
  const broken: string[] = []
  for (const [name, select] of Object.entries(invariants)) {
    const { rows } = await select.execute(db)
    if (rows.length > 0) broken.push(`${name}: ${rows.map(({ id }) => id).join()}`)
  }
  return [...broken, ...(await findBrokenChains(em, db))]
}

async function findBrokenChains(of: EntityManager, db: Db) {
  const ledgers = await db.selectFrom('ledgers').select('agreement_id').execute()
  const broken: string[] = []
  for (const { agreement_id } of ledgers)
    if (!(await areJournalsIntact(of, agreement_id))) broken.push(`the chain of ${agreement_id} breaks`)
  return broken
}
