import { appendEvent, saveAgreement } from './activities'
import { DAY_MS, getNow, getTimeIn, pool, refuse, selectAll, selectOne, type Db, type Row } from './http'
import { callProvider } from './sandbox'
import * as agreements from './sql/agreements'
import * as statements from './sql/signing'

type SigningInput = { agreementId: number; actorId: number; signerId: number }
type SigningLease = { agreement: Row; signer: Row; signature: Row }

/** Leases the signature, asks the provider outside a transaction, and stores its request. */
export async function startSigning(agreementId: number, actorId: number, signerId: number) {
  const input = { agreementId, actorId, signerId }
  const lease = await pool.begin(tx => leaseSignature(tx, input))
  const request = await createProviderRequest(lease)
  await pool.begin(tx => storeRequest(tx, input, lease, request))
  await selectAll(pool, statements.selectDeliveries, request.id)
  return {
    message: 'Open the address to sign the agreement',
    data: {
      signature_id: lease.signature.signature_id,
      signing_url: request.signers[0].url,
      expires_at: request.validUpto,
      status: 'pending',
    },
  }
}

/** Locks the agreement's rows in the order of the locks. */
async function lockAgreement(tx: Db, { agreementId, actorId }: SigningInput, lockUnit: string) {
  const visible = await selectOne(tx, agreements.selectVisibleAgreement, agreementId, actorId)
  const unit = await selectOne(tx, lockUnit, visible.property_unit_id)
  const agreement = await selectOne(tx, agreements.lockAgreement, agreementId)
  return { unit, agreement, tenantIds: await getTenantIds(tx, agreementId) }
}

export async function getTenantIds(tx: Db, agreementId: number) {
  const tenants = await selectAll(tx, agreements.selectTenants, agreementId)
  return tenants.map(({ tenant_id }): number => tenant_id)
}

async function leaseSignature(tx: Db, input: SigningInput): Promise<SigningLease> {
  const { agreementId, actorId, signerId } = input
  const { agreement, unit, tenantIds } = await lockAgreement(tx, input, agreements.shareUnit)
  const signer = await selectOne(tx, statements.selectActiveUser, signerId)
  const isLandlordSide = [agreement.landlord_id, unit.managed_by_id].includes(actorId)
  if (!['DRAFT', 'PENDING'].includes(agreement.status) || !isLandlordSide) refuse(403)
  const open = await selectAll(tx, statements.lockOpenSignature, agreementId, signerId)
  if (open.length || (await countOverlaps(tx, agreement, unit))) refuse(400)
  const role = agreement.landlord_id === signerId ? 'LANDLORD' : 'TENANT'
  const values = [agreementId, signerId, role, getTimeIn(60_000), getNow()]
  const signature = await selectOne(tx, statements.insertSignature, ...values)
  await selectAll(tx, statements.selectEarlierSignatures, agreementId)
  await selectAll(tx, statements.selectTwoUsers, agreement.landlord_id, tenantIds[0])
  return { agreement, signer, signature }
}

async function countOverlaps(tx: Db, agreement: Row, unit: Row): Promise<number> {
  const { id, agreement_start_date, agreement_end_date } = agreement
  const period = [agreement_start_date, agreement_end_date]
  const { n } = await selectOne(tx, agreements.countOverlappingAgreements, id, unit.id, ...period)
  return n
}

const createProviderRequest = ({ agreement, signer, signature }: SigningLease) =>
  callProvider('/sandbox/esign', {
    documentId: signature.signature_id,
    documentUrl: agreement.document_url,
    document: null,
    signers: [{ identifier: signer.phone, displayName: `${signer.first_name} ${signer.last_name}` }],
  })

async function storeRequest(tx: Db, input: SigningInput, lease: SigningLease, request: Row) {
  const { agreementId, actorId, signerId } = input
  const { id, signature_id } = lease.signature
  const { agreement, tenantIds } = await lockAgreement(tx, input, agreements.lockUnit)
  const { status } = await selectOne(tx, statements.lockSignature, id)
  if (agreement.revision !== lease.agreement.revision || status !== 'PENDING') refuse(503)
  const { n } = await selectOne(tx, statements.countRequest, request.id)
  if (n) refuse(503)
  await selectAll(tx, statements.selectEarlierSignature, agreementId, signerId, id)
  const recordSending = await appendEvent(tx, agreement, {
    type: 'sent',
    activity: 'agreement_sent',
    message: 'was sent to be signed',
    users: [agreement.landlord_id, ...tenantIds],
    actorId,
    details: { signer_id: signerId, signature_id },
  })
  await saveAgreement(tx, agreement, 'PENDING', null)
  await updateSentSignature(tx, id, request)
  await recordSending()
  await selectAll(tx, statements.selectOpenSignatures, agreementId)
}

function updateSentSignature(tx: Db, id: number, { id: requestId, signers: [signer], validUpto }: Row) {
  const values = [requestId, signer.id, signer.url, validUpto, getTimeIn(DAY_MS), getNow()]
  return selectAll(tx, statements.updateSentSignature, id, ...values)
}
