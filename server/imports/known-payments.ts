import { sql } from 'kysely'
import type { PaymentMethod, PaymentRow } from '@kiraya/sdk/contract'
import { executeCompiled, findEntities } from '../../db/compiled-queries'
import { SQL_TRUE, type Db } from '../../db/database'
import { Agreement, Payment } from '../../db/entities'
import { loadBooks, type Books } from '../books/ledger/books'
import type { Tx } from '../deps'
import { isUuid } from '../domain/record-id'
import type { AgreementUnit, LockedAgreement } from '../leases/access'
import { selectTenantsOf, type Tenant } from './known-leases'

// The leases and payments of a landlord that the rows of an import name, locked against other changes.

/** `planned` is what the rows pay, in paise. */
export type PayableLease = {
  locked: LockedAgreement
  books: Books | undefined
  tenants: Tenant[]
  planned: number
}
export type KnownPayments = Awaited<ReturnType<typeof loadKnownPayments>>

type Referenced = { method: PaymentMethod; reference?: string | null }
export const toReferenceKey = ({ method, reference }: Referenced) =>
  reference ? `${method} ${reference.toLowerCase()}` : undefined

export async function loadKnownPayments({ em, actor }: Tx, rows: PaymentRow[]) {
  const names = [...new Set(rows.map(({ lease }) => lease))]
  const leases = await loadLeases(em, actor.id, names)
  const payments = await findEntities(em, Payment, selectPayments, {
    landlordId: actor.id,
    ids: leases.map(({ locked }) => locked.agreement.id),
    refs: rows.flatMap(({ external_ref }) => external_ref ?? []),
  })
  const used = await executeCompiled(em, selectUsedReferences, {
    landlordId: actor.id,
    references: rows.flatMap(({ reference }) => reference?.toLowerCase() ?? []),
  })
  const byRef = payments.flatMap(payment =>
    [payment.external_ref, payment.payment_id].flatMap(ref => (ref ? [[ref, payment] as const] : [])),
  )
  return {
    leases: (name: string) => findByName(leases, name),
    payments: new Map(byRef),
    references: used.flatMap(each => toReferenceKey(each) ?? []),
  }
}

/** The `external_ref` first, then the number that people read, the UUID, and the number. */
function findByName(leases: PayableLease[], name: string) {
  const found = (['external_ref', 'agreement_number', 'agreement_id', 'id'] as const).map(field =>
    leases.filter(({ locked }) => String(locked.agreement[field]).toLowerCase() === name.toLowerCase()),
  )
  return found.find(({ length }) => length > 0) ?? []
}

async function loadLeases(em: Tx['em'], landlordId: number, names: string[]): Promise<PayableLease[]> {
  const uuids = names.filter(isUuid)
  const numbers = names.filter(name => /^\d{1,9}$/.test(name)).map(Number)
  const lower = names.map(name => name.toLowerCase())
  const agreements = await findEntities(em, Agreement, selectNamedLeases, {
    landlordId,
    lower,
    uuids,
    numbers,
  })
  const books = await loadBooks(em, agreements)
  const ids = agreements.map(({ id }) => id)
  const tenants = await executeCompiled(em, selectTenantsOf, { ids })
  const units = await executeCompiled(em, selectUnitsOf, { ids })
  return agreements.map(agreement => {
    const own = tenants.filter(({ agreement_id }) => agreement_id === agreement.id)
    const unit = units.find(({ id }) => id === agreement.property_unit_id)!
    return {
      locked: { agreement, unit, tenantIds: own.map(({ id }) => id) },
      books: books.find(each => each.agreement === agreement),
      tenants: own,
      planned: 0,
    }
  })
}

type Named = { landlordId: number; lower: string[]; uuids: string[]; numbers: number[] }

function selectNamedLeases(db: Db, { landlordId, lower, uuids, numbers }: Named) {
  return db
    .selectFrom('agreements')
    .where('landlord_id', '=', landlordId)
    .where('is_active', '=', SQL_TRUE)
    .where(
      sql<boolean>`(lower(external_ref) = any(${lower}::text[]) or lower(agreement_number) = any(${lower}::text[])
        or agreement_id = any(${uuids}::uuid[]) or id = any(${numbers}::int[]))`,
    )
    .orderBy('id')
    .forUpdate()
}

const selectUnitsOf = (_: Db, { ids }: { ids: number[] }) => sql<AgreementUnit>`
  select id, landlord_id, managed_by_id, is_active from property_units
  where id in (select property_unit_id from agreements where id = any(${ids}::int[]))`

type GivenPayments = { landlordId: number; ids: number[]; refs: string[] }

/** Those that are named, and those of the leases that have a name. */
function selectPayments(db: Db, { landlordId, ids, refs }: GivenPayments) {
  const uuid = sql`payment_id::text = any(${refs}::text[])`
  return db
    .selectFrom('payments')
    .where('landlord_id', '=', landlordId)
    .where(
      sql<boolean>`(external_ref = any(${refs}::text[]) or agreement_id = any(${ids}::int[])
        and (external_ref is not null or ${uuid}))`,
    )
    .orderBy('id')
}

const selectUsedReferences = (
  _: Db,
  { landlordId, references }: { landlordId: number; references: string[] },
) => sql<{ method: PaymentMethod; reference: string }>`
  select method, reference from payments
  where landlord_id = ${landlordId} and lower(reference) = any(${references}::text[])
    and status in ('reported', 'pending', 'posted')`
