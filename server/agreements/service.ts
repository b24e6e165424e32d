import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { Agreement as AgreementView, AgreementChange, NewAgreement, Terminate } from '@kiraya/sdk/contract'
import { Agreement, AgreementSignature, AgreementTenant, PropertyUnit, User } from '../../db/entities'
import { query, type Em } from '../../db/orm'
import { tell } from '../activity'
import { dayInIndia, lastDayOf } from '../calendar'
import { applyChange } from '../changes'
import type { Deps } from '../deps'
import { forbidden, invalid, notFound } from '../faults'
import type { Actor } from '../http/actor'
import { audience, hold, managerOf, requireLandlordSide } from './access'
import { agreementById } from './queries'
import { cancelAtProvider } from './signatures'
import { isEditable, mayBecome } from './states'

export const createAgreement = (deps: Deps, actor: Actor, body: NewAgreement) => deps.orm.em.fork().transactional(async tx => {
  const now = deps.now(), unit = await unitOf(tx, actor, body.property_unit_id)
  await requireTenants(tx, unit, body.tenant_ids)
  const agreement = tx.create(Agreement, {
    property_unit_id: unit.id,
    landlord_id: unit.landlord_id,
    agreement_number: body.agreement_number ?? await nextNumber(tx, unit.landlord_id, dayInIndia(now).slice(0, 4)),
    document_url: body.document_url,
    agreement_start_date: body.agreement_start_date,
    agreement_end_date: lastDayOf(body.agreement_start_date, body.tenure_in_months),
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
    status: 'DRAFT',
  })
  await tx.flush()
  await setTenants(tx, agreement, body.tenant_ids)
  await tell(tx, now, [unit.landlord_id, unit.managed_by_id], { type: 'agreement_created', message: `The agreement ${agreement.agreement_number} was drawn up`, entity_type: 'agreement', entity_id: agreement.id, actor_id: actor.id })
  return { message: 'The agreement was created', data: await shown(tx, actor, agreement) }
})

/** The check that it is a draft and the change are one step under the row's lock. */
export const updateAgreement = (deps: Deps, actor: Actor, id: string, change: AgreementChange) => deps.orm.em.fork().transactional(async tx => {
  const held = await hold(tx, actor, id), { agreement } = held
  requireLandlordSide(actor, held)
  if (!isEditable(agreement.status)) throw forbidden(`An agreement that is ${agreement.status} cannot be changed`)
  const unit = change.property_unit_id === undefined || change.property_unit_id === held.unit.id ? held.unit : await unitOf(tx, actor, change.property_unit_id)
  const tenantIds = change.tenant_ids ?? held.tenantIds
  await requireTenants(tx, unit, tenantIds)
  agreement.property_unit_id = unit.id
  agreement.landlord_id = unit.landlord_id
  applyChange(agreement, change, ['document_url', 'agreement_start_date', 'tenure_in_months', 'rent_amount', 'deposit_amount', 'rent_due_day', 'notice_period_days', 'amenities', 'additional_policies', 'improvements', 'payment_terms', 'late_fee'])
  for (const flag of ['auto_renew', 'pets_allowed', 'non_veg_allowed', 'smoking_allowed', 'bachelor_allowed'] as const) if (change[flag] !== undefined) agreement[flag] = change[flag] ?? false
  if (change.agreement_number !== undefined) agreement.agreement_number = change.agreement_number ?? await nextNumber(tx, unit.landlord_id, dayInIndia(deps.now()).slice(0, 4))
  agreement.agreement_end_date = lastDayOf(agreement.agreement_start_date, agreement.tenure_in_months)
  agreement.revision++
  await tx.flush()
  if (change.tenant_ids) await setTenants(tx, agreement, change.tenant_ids)
  await tell(tx, deps.now(), [unit.landlord_id, unit.managed_by_id], { type: 'agreement_updated', message: `The agreement ${agreement.agreement_number} was changed`, entity_type: 'agreement', entity_id: agreement.id, actor_id: actor.id })
  return { message: 'The agreement was changed', data: await shown(tx, actor, agreement) }
})

export const deleteAgreement = (deps: Deps, actor: Actor, id: string) => deps.orm.em.fork().transactional(async tx => {
  const held = await hold(tx, actor, id), { agreement, unit } = held
  requireLandlordSide(actor, held)
  if (!isEditable(agreement.status)) throw forbidden(`An agreement that is ${agreement.status} cannot be deleted`)
  agreement.is_active = false
  await tx.flush()
  await tell(tx, deps.now(), [unit.landlord_id, unit.managed_by_id], { type: 'agreement_deleted', message: `The agreement ${agreement.agreement_number} was deleted`, entity_type: 'agreement', entity_id: agreement.id, actor_id: actor.id })
  const message = 'The agreement was deleted'
  return { message, data: { message } }
})

/** Ends a lease, or the signing of one, at once; what is still open at the provider is cancelled there. */
export async function terminateAgreement(deps: Deps, actor: Actor, id: string, { termination_date, reason }: Terminate) {
  const today = dayInIndia(deps.now())
  const { answer, open } = await deps.orm.em.fork().transactional(async tx => {
    const held = await hold(tx, actor, id), { agreement } = held
    requireLandlordSide(actor, held)
    if (!mayBecome(agreement.status, 'TERMINATED')) throw forbidden(`An agreement that is ${agreement.status} cannot be terminated`)
    if (termination_date && termination_date > today) throw invalid({ termination_date: `must be today (${today}) or before` })
    agreement.status = 'TERMINATED'
    agreement.termination_date = termination_date ?? today
    agreement.termination_reason = reason ?? null
    const open = await tx.find(AgreementSignature, { agreement_id: agreement.id, status: 'PENDING' }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    for (const signature of open) signature.status = 'EXPIRED'
    await tx.flush()
    await tell(tx, deps.now(), audience(held), { type: 'agreement_terminated', message: `The agreement ${agreement.agreement_number} was terminated`, entity_type: 'agreement', entity_id: agreement.id, actor_id: actor.id })
    return { answer: { message: 'The agreement was terminated', data: await shown(tx, actor, agreement) }, open }
  })
  await cancelAtProvider(deps, open)
  return answer
}

/** The close-out: all is settled between the parties. */
export const completeAgreement = (deps: Deps, actor: Actor, id: string) => deps.orm.em.fork().transactional(async tx => {
  const held = await hold(tx, actor, id), { agreement } = held
  requireLandlordSide(actor, held)
  if (!mayBecome(agreement.status, 'COMPLETED')) throw forbidden(`An agreement that is ${agreement.status} cannot be completed`)
  agreement.status = 'COMPLETED'
  await tx.flush()
  await tell(tx, deps.now(), audience(held), { type: 'agreement_completed', message: `The agreement ${agreement.agreement_number} was closed`, entity_type: 'agreement', entity_id: agreement.id, actor_id: actor.id })
  return { message: 'The agreement was completed', data: await shown(tx, actor, agreement) }
})

async function unitOf(tx: Em, actor: Actor, id: number) {
  const unit = await tx.findOne(PropertyUnit, { id, $or: [{ landlord_id: actor.id }, { managed_by_id: actor.id }] }, { lockMode: LockMode.PESSIMISTIC_READ })
  if (!unit) throw notFound('Property unit')
  return unit
}

async function requireTenants(tx: Em, unit: PropertyUnit, ids: number[]) {
  const known = new Set((await tx.find(User, { id: { $in: ids }, is_active: true }, { fields: ['id'] })).map(({ id }) => id))
  const unknown = ids.filter(id => !known.has(id))
  if (unknown.length) throw invalid({ tenant_ids: `must be the ids of active users, which ${unknown.join(', ')} is not` })
  if (ids.includes(unit.landlord_id)) throw invalid({ tenant_ids: `must not name the landlord, ${unit.landlord_id}` })
  const manager = managerOf(unit)
  if (manager !== null && ids.includes(manager)) throw invalid({ tenant_ids: `must not name the manager, ${manager}` })
}

async function setTenants(tx: Em, { id: agreement_id }: Agreement, ids: number[]) {
  await tx.nativeDelete(AgreementTenant, { agreement_id })
  await tx.insertMany(AgreementTenant, ids.map(tenant_id => ({ agreement_id, tenant_id })))
}

/** The next `AGR-YYYY-NNNNNN` of a landlord that nobody has given out by hand. */
async function nextNumber(tx: Em, landlord_id: number, year: string): Promise<string> {
  const { last_number } = await query(tx).insertInto('agreement_counters').values({ landlord_id, year: Number(year), last_number: 1 })
    .onConflict(conflict => conflict.columns(['landlord_id', 'year']).doUpdateSet(e => ({ last_number: e('agreement_counters.last_number', '+', 1) })))
    .returning('last_number').executeTakeFirstOrThrow()
  const number = `AGR-${year}-${String(last_number).padStart(6, '0')}`
  return await tx.count(Agreement, { landlord_id, agreement_number: number }) ? nextNumber(tx, landlord_id, year) : number
}

const shown = (tx: Em, actor: Actor, { id }: Agreement): Promise<AgreementView> => agreementById(query(tx), sql.val(actor.id), { id }).executeTakeFirstOrThrow()
