import type { Deposit, Language } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import { toIsoTimestamp, type Db } from '../../../db/database'
import { sql } from 'kysely'
import type { Deps } from '../../deps'
import type { SettlementStep } from '../../documents/data'
import { splitRows } from '../../documents/rows'
import { toAmountInWords } from '../../domain/amount-in-words'
import { toPaise } from '../../domain/money'
import type { RecordId } from '../../http/record-id'
import { refuse } from '../../errors'
import type { Reader } from '../../http/reads/reader'
import { getWords } from '../../messages'
import { chargeLabels } from '../../messages/charges'
import { methodLabels } from '../../messages/payments'
import { loadParties, type LeaseParties } from './parties'
import { selectDeposit } from '../deposits/queries'

const STEPS: SettlementStep[] = [
  'deposit_proposed',
  'deposit_accepted',
  'deposit_disputed',
  'deposit_accepted_on_paper',
  'deposit_unanswered',
  'deposit_settled',
]
const MANAGER = ['The manager', 'मैनेजर'] as const

/**
 * Loads the settlement of a deposit; one that is proposed is marked as that.
 * @throws NOT_FOUND The agreement is not visible to the reader, or nothing was proposed.
 */
export async function loadSettlement(deps: Deps, reader: Reader, id: RecordId, language: Language) {
  const deposit = (await reader.row(selectDeposit, id, 'agreement_not_found')) as Deposit
  const { agreement_id, settlement } = deposit
  if (!settlement) throw refuse('settlement_not_found')
  const { refund_amount, owed_amount, refund_method, created_at } = settlement
  const parties = await loadParties(deps, agreement_id, language)
  const stored = await executeCompiled(deps.db, selectSteps, { agreement_id })
  const [latest, earlier] = splitRows(stored.toReversed())
  const steps = latest.toReversed().map(({ actor_id, type, ...step }) => ({
    ...step,
    type: type as SettlementStep,
    by: findName(parties, actor_id) ?? getWords(MANAGER, language),
  }))
  const data = {
    settlement,
    deductions: settlement.deductions.map(({ type, ...deduction }) => ({
      ...deduction,
      item: getWords(chargeLabels[type], language),
    })),
    parties,
    refund_method: refund_method && getWords(methodLabels[refund_method], language),
    amount_in_words: toAmountInWords(toPaise(owed_amount > 0 ? owed_amount : refund_amount), language),
    changed_at: steps.at(-1)?.occurred_at ?? created_at,
    steps,
    earlier_count: earlier.length,
  }
  return { fileName: `${parties.agreement_number} deposit settlement`, name: 'settlement', data } as const
}

/** Documents name the landlord and the tenants; who else acts is a manager. */
function findName({ landlord, landlord_id, tenants }: LeaseParties, id: number | null) {
  return id === landlord_id ? landlord : tenants.find(tenant => tenant.id === id)?.name
}

function selectSteps(db: Db, { agreement_id }: { agreement_id: number }) {
  return db
    .selectFrom('timeline_entries')
    .where('agreement_id', '=', agreement_id)
    .where('type', 'in', STEPS)
    .orderBy('position')
    .select(['type', 'actor_id', sql<string | null>`details ->> 'reason'`.as('reason')])
    .select(toIsoTimestamp(sql.ref('occurred_at')).as('occurred_at'))
}
