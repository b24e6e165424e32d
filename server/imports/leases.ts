import type { ImportedLease, LeaseImport } from '@kiraya/sdk/contract'
import type { Tx } from '../deps'
import { recordActivities } from '../domain/activities'
import { toIndianDate } from '../domain/dates'
import { getNextAgreementNumbers } from '../leases/agreements/number'
import { extendIfOver } from '../leases/agreements/tenures'
import { insertTenants, replaceTenants } from '../leases/agreements/terms'
import { listTermWarnings } from '../leases/agreements/warnings'
import type { LockedAgreement } from '../leases/access'
import { activateRecorded, recordAgreement } from '../leases/paper/record'
import { takeLeaseSnapshots } from '../leases/snapshots'
import { chainEntry, storeEntries } from '../leases/timeline'
import { namePeople } from '../listing/tenants/service'
import { addProperty, toPropertyActivity } from '../listing/properties/service'
import { addUnit, toUnitActivity } from '../listing/units/service'
import { results } from '../messages/results'
import { beginImport, consumePeople, endImport } from './import'
import { loadKnown } from './known-leases'
import { hasOtherNotes, isLet, planLeases, type LeasePlan, type UnitPlan } from './plan-leases'
import { createRowChecks } from './row-checks'

/**
 * Imports leases with their properties, units and tenants, all of them or none. Every row is checked before any is
 * written.
 */
export async function importLeases(tx: Tx, { rows, dry_run, notify }: LeaseImport) {
  await beginImport(tx)
  const checks = createRowChecks()
  const known = await loadKnown(tx, rows)
  const plans = planLeases(tx, rows, known, checks)
  checks.requireNone()
  const changing = plans.filter(({ outcome }) => outcome !== 'kept')
  const units = await writeProperties(tx, changing)
  const ids = await writePeople(tx, changing)
  await writeUnits(tx, units, ids)
  const drafts = await writeLeases(tx, changing, ids)
  await recordLeases(tx, drafts, notify !== false)
  const isDry = Boolean(dry_run)
  const imported = plans.map(plan => toImported(plan, isDry))
  return endImport(results.leases_imported, imported, isDry)
}

/** Writes new properties, and returns the units of the rows. */
async function writeProperties(tx: Tx, plans: LeasePlan[]) {
  const units = new Set(plans.map(({ unit }) => unit))
  const planned = new Set([...units].map(({ property }) => property))
  const added = [...planned].filter(({ id }) => !id)
  const properties = added.map(({ given }) => addProperty(tx, given))
  await tx.em.flush()
  for (const [index, property] of properties.entries()) added[index]!.id = property.id
  const activities = properties.map(property => toPropertyActivity(tx, 'created', property))
  await recordActivities(tx.em, tx.now(), ...activities)
  return [...units].filter(({ isNew }) => isNew)
}

/** Names tenants and managers, and returns their ids by phone number. */
async function writePeople(tx: Tx, plans: LeasePlan[]) {
  const tenants = plans
    .flatMap(({ given }) => given.tenants)
    .map(tenant => ({ ...tenant, role: 'TENANT' as const }))
  const managers = plans.flatMap(({ unit: { isNew, managerPhone } }) =>
    isNew && managerPhone ? [{ phone_number: managerPhone, role: 'MANAGER' as const }] : [],
  )
  await consumePeople(tx, new Set([...tenants, ...managers].map(({ phone_number }) => phone_number)).size)
  return namePeople(tx, [...tenants, ...managers])
}

async function writeUnits(tx: Tx, plans: UnitPlan[], ids: Map<string, number>) {
  const units = plans.map(({ given, property, managerPhone }) =>
    addUnit(tx, property.id!, { ...given, managed_by_id: managerPhone ? ids.get(managerPhone) : null }),
  )
  await tx.em.flush()
  for (const [index, unit] of units.entries()) plans[index]!.known = unit
  const activities = units.map(unit => toUnitActivity(tx, 'created', unit))
  await recordActivities(tx.em, tx.now(), ...activities)
}

type Draft = { plan: LeasePlan; locked: LockedAgreement }

/** Writes new and changed leases with their tenants and entries; returns those that are or were drafts. */
async function writeLeases(tx: Tx, plans: LeasePlan[], ids: Map<string, number>) {
  const { em, actor } = tx
  const unnumbered = plans.filter(
    ({ outcome, given }) => outcome === 'created' && !given.terms.agreement_number,
  )
  const numbers = await getNextAgreementNumbers(tx, actor.id, unnumbered.length)
  const drafts: Draft[] = []
  for (const plan of plans) {
    const { agreement, unit, given } = plan
    if (hasOtherNotes(plan)) agreement.internal_notes = given.internal_notes!
    if (agreement.status !== 'DRAFT') continue
    agreement.property_unit_id = unit.known!.id
    const tenantIds = given.tenants.map(({ phone_number }) => ids.get(phone_number)!)
    drafts.push({ plan, locked: { agreement, unit: unit.known!, tenantIds } })
    if (plan.known) continue
    agreement.agreement_number = given.terms.agreement_number ?? numbers.shift()!
    em.persist(agreement)
  }
  const entries = drafts.flatMap(({ plan, locked }) => {
    const { known, changed } = plan
    if (known && changed.length === 0) return []
    if (known) locked.agreement.revision++
    const entry = known
      ? chainEntry(locked.agreement, tx.now(), 'changed', actor.id, { fields: changed })
      : chainEntry(locked.agreement, tx.now(), 'created', actor.id)
    return [{ locked, entry }]
  })
  await em.flush()
  for (const { plan, locked } of drafts)
    if (plan.changed.includes('tenant_ids')) await replaceTenants(em, locked.agreement, locked.tenantIds)
  const added = drafts.filter(({ plan }) => !plan.known)
  await insertTenants(
    em,
    added.map(({ locked }) => locked),
  )
  await storeEntries(em, entries)
  return drafts
}

/** Records the drafts whose rows say that they were signed on paper: those that are new all at once. */
async function recordLeases(tx: Tx, drafts: Draft[], notify: boolean) {
  const recorded = drafts.filter(({ plan }) => plan.isRecorded)
  for (const { plan } of recorded.filter(({ plan }) => plan.known))
    await recordAgreement(tx, { id: plan.agreement.id }, plan.given.paper!, { notify })
  const added = recorded.filter(({ plan }) => !plan.known)
  if (added.length === 0) return
  const today = toIndianDate(tx.now())
  const agreements = added.map(({ locked }) => locked.agreement)
  const snapshots = await takeLeaseSnapshots(tx.em, agreements)
  const leases = []
  for (const [index, { plan, locked }] of added.entries()) {
    const tenure = await extendIfOver(locked.agreement, today, term => isLet(plan.unit, term))
    leases.push({ locked, paper: plan.given.paper!, tenure, snapshot: snapshots[index]! })
  }
  await activateRecorded(tx, leases, notify)
}

function toImported({ row, given, outcome, unit, agreement }: LeasePlan, isDry: boolean): ImportedLease {
  const isHidden = isDry && outcome === 'created'
  const { property } = unit
  const warnings = outcome === 'kept' ? [] : listTermWarnings(agreement, property.given.property_type)
  return {
    row,
    external_ref: given.external_ref,
    outcome,
    property_id: isDry && property.isNew ? null : property.id!,
    property_unit_id: isDry && unit.isNew ? null : unit.known!.id,
    agreement_id: isHidden ? null : agreement.id,
    agreement_number: isHidden ? null : agreement.agreement_number,
    ...(warnings.length > 0 && { warnings }),
  }
}
