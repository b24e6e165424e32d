import { sql } from 'kysely'
import type {
  Agreement as AgreementView,
  AgreementChange,
  NewAgreement,
  TerminateInput,
} from '@kiraya/sdk/contract'
import { Agreement, AgreementSignature, AgreementTenant, PropertyUnit } from '../../db/entities'
import type { Db } from '../../db/orm'
import { transact, type Transaction } from '../../db/records'
import { lockActiveUsers } from '../auth/queries'
import { toIndianDate, getTenureEndDate } from '../domain/dates'
import { copyFields } from '../domain/patch'
import type { Deps } from '../deps'
import { findUrlViolation } from '../providers/download'
import { forbidden, validationError, notFound } from '../faults'
import type { Actor } from '../http/authentication'
import { saveIdempotentResponse } from '../http/idempotency'
import {
  lockAgreement,
  getManagerId,
  getParties,
  requireLandlordOrManager,
  type LockedAgreement,
} from './access'
import { selectAgreement } from './queries'
import { tryCancelNow, expireSignatures } from './signature-status'
import { isEditable, canTransition } from './states'
import { appendEvent } from './timeline'

export const createAgreement = (deps: Deps, actor: Actor, body: NewAgreement) =>
  transact(deps.orm, async tx => {
    const now = deps.now()
    const unit = await unitOf(tx, actor, body.property_unit_id)
    await requireTenants(tx, unit, body.tenant_ids)
    const agreement = await tx.insert(Agreement, {
      property_unit_id: unit.id,
      landlord_id: unit.landlord_id,
      agreement_number:
        body.agreement_number ?? (await nextNumber(tx, unit.landlord_id, toIndianDate(now).slice(0, 4))),
      document_url: body.document_url,
      agreement_start_date: body.agreement_start_date,
      agreement_end_date: getTenureEndDate(body.agreement_start_date, body.tenure_in_months),
      tenure_in_months: body.tenure_in_months,
      auto_renew: body.auto_renew ?? false,
      rent_amount: body.rent_amount,
      deposit_amount: body.deposit_amount,
      rent_due_day: body.rent_due_day,
      notice_period_days: body.notice_period_days,
      amenities: body.amenities,
      pets_allowed: body.pets_allowed ?? false,
      non_veg_allowed: body.non_veg_allowed ?? false,
      smoking_allowed: body.smoking_allowed ?? false,
      bachelor_allowed: body.bachelor_allowed ?? false,
      additional_policies: body.additional_policies,
      improvements: body.improvements,
      payment_terms: body.payment_terms,
      late_fee: body.late_fee,
      signing_order: body.signing_order,
      status: 'DRAFT',
    })
    await setTenants(tx, agreement, body.tenant_ids)
    const held = { agreement, unit, tenantIds: body.tenant_ids }
    requireTerms(deps, held)
    await appendEvent(tx, now, held, 'created', actor.id)
    return saveIdempotentResponse(tx.em, {
      message: 'The agreement was created',
      data: await shown(tx, actor, agreement),
    })
  })

/** The check that it is a draft and the change are one step under the row's lock. */
export const updateAgreement = (deps: Deps, actor: Actor, id: string, change: AgreementChange) =>
  transact(deps.orm, async tx => {
    const held = await lockAgreement(tx, actor, id)
    const { agreement } = held
    requireLandlordOrManager(actor, held)
    if (!isEditable(agreement.status))
      throw forbidden(`An agreement that is ${agreement.status} cannot be changed`)
    const before = snapshot(held)
    const changed = await changeTerms(deps, tx, actor, held, change)
    await appendEvent(tx, deps.now(), changed, 'changed', actor.id, {
      fields: differences(before, snapshot(changed)),
    })
    return { message: 'The agreement was changed', data: await shown(tx, actor, agreement) }
  })

/** Withdraws an agreement that is being signed and draws up its next version, with the same terms but for those given. */
export async function reviseAgreement(deps: Deps, actor: Actor, id: string, change: AgreementChange) {
  const { answer, agreement_id } = await transact(deps.orm, async tx => {
    const now = deps.now()
    const held = await lockAgreement(tx, actor, id)
    const { agreement, unit } = held
    requireLandlordOrManager(actor, held)
    if (agreement.status !== 'PENDING')
      throw forbidden(`An agreement that is ${agreement.status} cannot be revised`)
    await withdraw(deps, tx, agreement, toIndianDate(now), 'Withdrawn for a new version')
    const next = await tx.insert(Agreement, {
      ...pick(agreement, ['property_unit_id', 'landlord_id', 'agreement_end_date', ...TERMS, ...FLAGS]),
      agreement_number:
        change.agreement_number ?? (await nextNumber(tx, unit.landlord_id, toIndianDate(now).slice(0, 4))),
      revises_id: agreement.id,
      status: 'DRAFT',
    })
    await setTenants(tx, next, held.tenantIds)
    const changed = await changeTerms(
      deps,
      tx,
      actor,
      { agreement: next, unit, tenantIds: held.tenantIds },
      { ...change, agreement_number: undefined },
    )
    await appendEvent(tx, now, held, 'revised', actor.id, { agreement_id: next.agreement_id })
    await appendEvent(tx, now, changed, 'created', actor.id, {
      revises_agreement_id: agreement.agreement_id,
      fields: differences(snapshot(held), snapshot(changed)),
    })
    return {
      answer: await saveIdempotentResponse(tx.em, {
        message: 'A new version was drawn up',
        data: await shown(tx, actor, next),
      }),
      agreement_id: agreement.id,
    }
  })
  deps.log.audit('agreement_withdrawn', { agreement: agreement_id, user: actor.id })
  await tryCancelNow(deps, agreement_id)
  return answer
}

export const deleteAgreement = (deps: Deps, actor: Actor, id: string) =>
  transact(deps.orm, async tx => {
    const held = await lockAgreement(tx, actor, id)
    const { agreement } = held
    requireLandlordOrManager(actor, held)
    if (!isEditable(agreement.status))
      throw forbidden(`An agreement that is ${agreement.status} cannot be deleted`)
    agreement.is_active = false
    await tx.flush()
    await appendEvent(tx, deps.now(), held, 'deleted', actor.id)
    const message = 'The agreement was deleted'
    return { message, data: { message } }
  })

/** Ends a lease, or the signing of one, at once; what is still open at the provider is cancelled there. */
export async function terminateAgreement(
  deps: Deps,
  actor: Actor,
  id: string,
  { termination_date, reason }: TerminateInput,
) {
  const today = toIndianDate(deps.now())
  const answer = await transact(deps.orm, async tx => {
    const held = await lockAgreement(tx, actor, id)
    const { agreement } = held
    requireLandlordOrManager(actor, held)
    if (!canTransition(agreement.status, 'TERMINATED'))
      throw forbidden(`An agreement that is ${agreement.status} cannot be terminated`)
    if (termination_date && termination_date > today)
      throw validationError({ termination_date: `must be today (${today}) or before` })
    await withdraw(deps, tx, agreement, termination_date ?? today, reason ?? null)
    await appendEvent(tx, deps.now(), held, 'terminated', actor.id, {
      termination_date: agreement.termination_date,
      reason: reason ?? undefined,
    })
    return { message: 'The agreement was terminated', data: await shown(tx, actor, agreement) }
  })
  deps.log.audit('agreement_terminated', { agreement: answer.data.id, user: actor.id })
  await tryCancelNow(deps, answer.data.id)
  return answer
}

/** Ends an agreement; what is still open at the provider will be cancelled there. */
async function withdraw(
  deps: Deps,
  tx: Transaction,
  agreement: Agreement,
  termination_date: string,
  termination_reason: string | null,
) {
  Object.assign(agreement, { status: 'TERMINATED', termination_date, termination_reason })
  const open = await tx.find(
    AgreementSignature,
    { agreement_id: agreement.id, status: 'PENDING' },
    { lock: 'update' },
  )
  await expireSignatures(deps, tx, open)
  await tx.flush()
}

/** The close-out: all is settled between the parties. */
export const completeAgreement = (deps: Deps, actor: Actor, id: string) =>
  transact(deps.orm, async tx => {
    const held = await lockAgreement(tx, actor, id)
    const { agreement } = held
    requireLandlordOrManager(actor, held)
    if (!canTransition(agreement.status, 'COMPLETED'))
      throw forbidden(`An agreement that is ${agreement.status} cannot be completed`)
    agreement.status = 'COMPLETED'
    await tx.flush()
    await appendEvent(tx, deps.now(), held, 'completed', actor.id)
    return { message: 'The agreement was completed', data: await shown(tx, actor, agreement) }
  })

const TERMS = [
  'document_url',
  'agreement_start_date',
  'tenure_in_months',
  'rent_amount',
  'deposit_amount',
  'rent_due_day',
  'notice_period_days',
  'amenities',
  'additional_policies',
  'improvements',
  'payment_terms',
  'late_fee',
  'signing_order',
] as const
const FLAGS = [
  'auto_renew',
  'pets_allowed',
  'non_veg_allowed',
  'smoking_allowed',
  'bachelor_allowed',
] as const

async function changeTerms(
  deps: Deps,
  tx: Transaction,
  actor: Actor,
  held: LockedAgreement,
  change: AgreementChange,
): Promise<LockedAgreement> {
  const { agreement } = held
  const tenantIds = change.tenant_ids ?? held.tenantIds
  const unit =
    change.property_unit_id === undefined || change.property_unit_id === held.unit.id
      ? held.unit
      : await unitOf(tx, actor, change.property_unit_id)
  await requireTenants(tx, unit, tenantIds)
  agreement.property_unit_id = unit.id
  agreement.landlord_id = unit.landlord_id
  copyFields(agreement, change, TERMS)
  for (const flag of FLAGS) if (change[flag] !== undefined) agreement[flag] = change[flag] ?? false
  if (change.agreement_number !== undefined)
    agreement.agreement_number =
      change.agreement_number ??
      (await nextNumber(tx, unit.landlord_id, toIndianDate(deps.now()).slice(0, 4)))
  agreement.agreement_end_date = getTenureEndDate(agreement.agreement_start_date, agreement.tenure_in_months)
  agreement.revision++
  requireTerms(deps, { agreement, unit, tenantIds })
  await tx.flush()
  if (change.tenant_ids) await tx.delete(AgreementTenant, { agreement_id: agreement.id })
  if (change.tenant_ids) await setTenants(tx, agreement, change.tenant_ids)
  return { agreement, unit, tenantIds }
}

const pick = <T extends object, const K extends keyof T>(from: T, names: readonly K[]) =>
  Object.fromEntries(names.map(name => [name, from[name]])) as Pick<T, K>
const snapshot = ({ agreement, tenantIds }: LockedAgreement): Record<string, unknown> => ({
  ...pick(agreement, ['agreement_number', 'property_unit_id', ...TERMS, ...FLAGS]),
  tenant_ids: tenantIds,
})
const differences = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  Object.keys(after).filter(name => !Bun.deepEquals(before[name] ?? null, after[name] ?? null))

/** What no schema can tell of a draft. */
function requireTerms({ config }: Deps, held: LockedAgreement) {
  const wrong = findUrlViolation(held.agreement.document_url, config)
  if (wrong) throw validationError({ document_url: wrong })
  const { landlord_id, manager_id, tenant_ids } = getParties(held)
  const strangers =
    held.agreement.signing_order?.filter(
      id => id !== landlord_id && id !== manager_id && !tenant_ids.includes(id),
    ) ?? []
  if (strangers.length)
    throw validationError({
      signing_order: `must name parties of the agreement, which ${strangers.join(', ')} is not`,
    })
}

async function unitOf(tx: Transaction, actor: Actor, id: number) {
  const unit = await tx.findOne(
    PropertyUnit,
    { id, $or: [{ landlord_id: actor.id }, { managed_by_id: actor.id }] },
    { lock: 'share' },
  )
  if (!unit) throw notFound('Property unit')
  return unit
}

async function requireTenants(tx: Transaction, unit: PropertyUnit, ids: number[]) {
  const known = await lockActiveUsers(tx.em, ids)
  const unknown = ids.filter(id => !known.has(id))
  if (unknown.length)
    throw validationError({
      tenant_ids: `must be the ids of active users, which ${unknown.join(', ')} is not`,
    })
  if (ids.includes(unit.landlord_id))
    throw validationError({ tenant_ids: `must not name the landlord, ${unit.landlord_id}` })
  const manager = getManagerId(unit)
  if (manager !== null && ids.includes(manager))
    throw validationError({ tenant_ids: `must not name the manager, ${manager}` })
}

async function setTenants(tx: Transaction, { id: agreement_id }: Agreement, ids: number[]) {
  await tx.insertMany(
    AgreementTenant,
    ids.map(tenant_id => ({ agreement_id, tenant_id })),
  )
}

/** The next `AGR-YYYY-NNNNNN` of a landlord that nobody has given out by hand. */
async function nextNumber(tx: Transaction, landlord_id: number, year: string): Promise<string> {
  const [counted] = await tx.run(counting, { landlord_id, year: Number(year) })
  const number = `AGR-${year}-${String(counted!.last_number).padStart(6, '0')}`
  return (await tx.count(Agreement, { landlord_id, agreement_number: number }))
    ? nextNumber(tx, landlord_id, year)
    : number
}

const counting = (db: Db, { landlord_id, year }: { landlord_id: number; year: number }) =>
  db
    .insertInto('agreement_counters')
    .values({ landlord_id, year, last_number: 1 })
    .onConflict(conflict =>
      conflict
        .columns(['landlord_id', 'year'])
        .doUpdateSet(e => ({ last_number: e('agreement_counters.last_number', '+', 1) })),
    )
    .returning('last_number')

const shown = async (tx: Transaction, { id: me }: Actor, { id }: Agreement): Promise<AgreementView> =>
  (await tx.run(whole, { me, id }))[0]!
const whole = (db: Db, { me, id }: { me: number; id: number }) => selectAgreement(db, sql.val(me), { id })
