import { expect, test } from 'bun:test'
import type { TimelineEntryType } from '@kiraya/sdk/contract'
import { loadLockedAgreement, lockAgreementById } from '../../../server/leases/access'
import { appendEntry } from '../../../server/leases/timeline'
import { createAgreementIn } from '../../support/agreement-fixture'
import { testServer } from '../../support/server'
import { createLandlord, createManager, createTenant } from '../../support/users'

const server = testServer()

type Readers = 'everyone' | 'landlord side' | 'none'
type Row = [entry: TimelineEntryType, readers: Readers, type?: string, predicate?: string]

/** Who reads of an entry on the dashboard, and what. */
const rows: Row[] = [
  ['created', 'landlord side', 'agreement_created', 'was created'],
  ['changed', 'landlord side', 'agreement_updated', 'was changed'],
  ['deleted', 'landlord side', 'agreement_deleted', 'was deleted'],
  ['sent', 'everyone', 'agreement_sent', 'was sent for signature'],
  ['reissued', 'everyone', 'agreement_sent', 'was sent for signature'],
  ['viewed', 'landlord side', 'agreement_viewed', 'was opened by a signer'],
  ['signed', 'everyone', 'agreement_signed', 'was signed by a party'],
  ['declined', 'everyone', 'agreement_declined', 'was declined by a party'],
  ['expired', 'everyone', 'signature_expired', 'was not signed in time by a party'],
  ['cancelled', 'everyone', 'signature_cancelled', 'had a signature request cancelled'],
  ['reminded', 'landlord side', 'agreement_reminded', 'still awaits a signature; the signer was reminded'],
  ['activated', 'everyone', 'agreement_activated', 'is active'],
  ['document_stored', 'none'],
  ['renewed', 'everyone', 'agreement_renewed', 'was renewed'],
  ['ended', 'everyone', 'agreement_terminated', 'has ended'],
  ['terminated', 'everyone', 'agreement_terminated', 'was terminated'],
  ['revised', 'everyone', 'agreement_revised', 'was withdrawn for a new version'],
  ['completed', 'everyone', 'agreement_completed', 'was closed'],
  ['deposit_proposed', 'everyone', 'deposit_proposed', 'has a proposed settlement of its deposit'],
  ['deposit_accepted', 'everyone', 'deposit_accepted', 'had the settlement of its deposit accepted'],
  ['deposit_disputed', 'everyone', 'deposit_disputed', 'had the settlement of its deposit disputed'],
  ['deposit_settled', 'everyone', 'deposit_settled', 'had its deposit settled'],
  ['rent_proposed', 'everyone', 'rent_proposed', 'has a new rent proposed'],
  ['rent_accepted', 'everyone', 'rent_accepted', 'has a new rent that was accepted'],
  ['rent_declined', 'everyone', 'rent_declined', 'had a new rent declined'],
  ['renewal_drafted', 'landlord side', 'renewal_drafted', 'has a draft of its next term'],
]

test('each entry tells its readers in one sentence', async () => {
  const [owner, manager, tenant] = [
    await createLandlord(server),
    await createManager(server),
    await createTenant(server),
  ]
  const { agreement } = await createAgreementIn(server, { owner, manager, tenant }, 'ACTIVE')
  const db = server.db
  const audiences = { everyone: [owner, manager, tenant], 'landlord side': [owner, manager], none: [] }

  for (const [entry, readers, type, predicate] of rows) {
    await db.deleteFrom('activities').execute()
    await server.em().transactional(async em => {
      const locked = await loadLockedAgreement(em, await lockAgreementById(em, agreement.id))
      await appendEntry(em, new Date(), locked, entry, null)
    })
    const activities = await db
      .selectFrom('activities')
      .select(['user_id', 'type', 'message', 'entity_type', 'entity_id', 'actor_id'])
      .orderBy('user_id')
      .execute()
    const message = `The agreement ${agreement.agreement_number} ${predicate}`
    const about = { type, message, entity_type: 'agreement', entity_id: agreement.id, actor_id: null }
    expect([entry, activities]).toEqual([
      entry,
      audiences[readers].map(({ id }) => ({ user_id: id, ...about }) as (typeof activities)[number]),
    ])
  }
})
