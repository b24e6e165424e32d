import type { Deposit } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import { toIsoTimestamp, type Db } from '../../../db/database'
import { sql } from 'kysely'
import type { Deps } from '../../deps'
import { parseRecordId } from '../../domain/record-id'
import { refuse } from '../../faults'
import type { Reader } from '../../http/reads/reader'
import { loadParties, type LeaseParties } from '../statements/parties'
import { selectDeposit } from './queries'
import type { SettlementEvent } from './settlement-pdf'

const STEPS = ['deposit_proposed', 'deposit_accepted', 'deposit_disputed', 'deposit_settled'] as const
export type SettlementStep = (typeof STEPS)[number]

/**
 * Creates the settlement of a deposit; one that is proposed is marked as that.
 * @throws NOT_FOUND The agreement is not visible to the reader, or nothing was proposed.
 */
export async function createSettlementPdf(deps: Deps, reader: Reader, agreementId: string) {
  const id = parseRecordId(agreementId, 'agreement_not_found')
  const deposit = (await reader.row(selectDeposit, id, 'agreement_not_found')) as Deposit
  const { agreement_id, settlement } = deposit
  if (!settlement) throw refuse('settlement_not_found')
  const parties = await loadParties(deps, agreement_id)
  const steps = await executeCompiled(deps.db, selectSteps, { agreement_id })
  const events = steps.map(({ actor_id, ...step }) => ({ ...step, by: nameActor(parties, actor_id) }))
  const { renderSettlement } = await import('./settlement-pdf')
  const content = await renderSettlement({ settlement, parties, events: events as SettlementEvent[] })
  return { name: `${parties.agreement_number} deposit settlement`, content }
}

/** Documents name the landlord and the tenants; who else acts is a manager. */
function nameActor({ landlord, landlord_id, tenants }: LeaseParties, id: number | null) {
  if (id === landlord_id) return landlord
  return tenants.find(tenant => tenant.id === id)?.name ?? 'The manager'
}

function selectSteps(db: Db, { agreement_id }: { agreement_id: number }) {
  return db
    .selectFrom('agreement_events')
    .where('agreement_id', '=', agreement_id)
    .where('type', 'in', STEPS)
    .orderBy('position')
    .select(['type', 'actor_id', sql<string | null>`details ->> 'reason'`.as('reason')])
    .select(toIsoTimestamp(sql.ref('occurred_at')).as('occurred_at'))
}
