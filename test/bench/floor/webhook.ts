import { appendEvent, saveAgreement } from './activities'
import {
  ESIGN_WEBHOOK_SECRET,
  getNow,
  getTimeIn,
  isSignatureRight,
  pool,
  refuse,
  selectAll,
  selectOne,
  sha256,
  type Db,
  type Row,
} from './http'
import { callProvider } from './sandbox'
import { getTenantIds } from './signing'
import * as agreements from './sql/agreements'
import * as statements from './sql/signing'

/** Stores the delivery, reads the request back from the provider, and applies what it says. */
export async function receiveWebhook(payload: string, signature: string) {
  const { esign } = JSON.parse(payload).data
  if (!isSignatureRight(ESIGN_WEBHOOK_SECRET, payload, signature, 'base64')) refuse(401)
  const delivery = await storeDelivery(payload, esign)
  if (delivery.processed_at) return { message: 'Already processed' }
  await selectOne(pool, statements.leaseDelivery, delivery.id, getNow())
  const known = await selectOne(pool, statements.selectSignatureByRequest, esign.id)
  const request = await callProvider(`/sandbox/esign/${esign.id}`)
  if (request.signers[0].status !== 'signed') refuse(503)
  await pool.begin(tx => applySignature(tx, known))
  await selectAll(pool, statements.updateProcessedDelivery, delivery.id, getNow())
  return { message: 'Received' }
}

function storeDelivery(payload: string, { id, documentId }: Row) {
  const digest = sha256(payload)
  const times = [getTimeIn(60_000), getNow()]
  return selectOne(pool, statements.insertDelivery, digest, payload, id, documentId, ...times)
}

async function applySignature(tx: Db, known: Row) {
  const agreement = await selectOne(tx, agreements.lockAgreement, known.agreement_id)
  const signatures = await selectAll(tx, statements.lockSignatures, agreement.id)
  const unit = await selectOne(tx, agreements.selectUnit, agreement.property_unit_id)
  const tenantIds = await getTenantIds(tx, agreement.id)
  const users = [agreement.landlord_id, unit.managed_by_id, ...tenantIds]
  const now = getNow()
  const { signer_id, signature_id } = known
  const recordSigning = await appendEvent(tx, agreement, {
    type: 'signed',
    activity: 'agreement_signed',
    message: 'was signed by one of its parties',
    users,
    actorId: signer_id,
    details: { signer_id, signature_id },
  })
  await saveAgreement(tx, agreement, agreement.status, null, now)
  await selectAll(tx, statements.updateSignedSignature, known.id, now)
  await recordSigning()
  const isComplete = signatures.every(each => each.id === known.id || each.status === 'SIGNED')
  if (isComplete) await activate(tx, agreement, users, now)
}

async function activate(tx: Db, agreement: Row, users: number[], now: string) {
  const recordActivation = await appendEvent(tx, agreement, {
    type: 'activated',
    activity: 'agreement_activated',
    message: 'is active',
    users,
    actorId: null,
  })
  await saveAgreement(tx, agreement, 'ACTIVE', now.slice(0, 10), now)
  await recordActivation()
}
