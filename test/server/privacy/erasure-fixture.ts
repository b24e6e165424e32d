import { storeDueEvidence } from '../../../server/leases/evidence/job'
import {
  createDraft,
  createProperty,
  createUnit,
  freshPhone,
  requireSuccess,
  sendRequest,
  agreementTerms,
  toTestUser,
  type TestUser,
} from '../../support/users'
import { testServer } from '../../support/server'
import { startWhatsAppStub } from '../accounts/auth/whatsapp'
import { signingProvider, signs } from '../leases/signing/provider'
import { createKycProvider } from '../accounts/profile/kyc-provider'
import { toTinyPdf } from '../../support/pdf'

/** Unusual texts, so that a search of the database finds only this user's. */
export const FIRST_NAME = 'Zebulonqx'
export const LAST_NAME = 'Quandaryvz'
export const EMAIL = 'zq.canary@example.com'
export const PASSWORD = 'passcanary-kx93jd-long'

const identity = { name: `${FIRST_NAME} ${LAST_NAME}`, aadhaarNumber: 'XXXXXXXX4711' }

/** A server whose providers are stubs, and the requests that the tests of erasures share. */
export function erasureServer() {
  const chat = startWhatsAppStub()
  const esign = signingProvider()
  const kyc = createKycProvider()
  const server = testServer({
    env: { ...chat.env, ...esign.env, ...kyc.env },
    constants: { SIGN_IN_LIMIT: 100, SIGN_IN_LIMIT_PER_NETWORK: 1000 },
  })

  async function requestOtp(phone: string) {
    const sent = await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
    requireSuccess(sent, 'Sending an OTP')
    return chat.otpOf(phone)!
  }

  /** Signs in a user whose creating requests have idempotency keys. */
  async function signIn(phone = freshPhone()): Promise<TestUser> {
    const verified = await sendRequest(server, 'POST', '/auth/verify', {
      body: { phone_number: phone, otp: await requestOtp(phone) },
    })
    const { data } = requireSuccess(verified, 'The sign-in')
    const token: string = data.access_token
    const call: TestUser['call'] = (method, path, body) => {
      const isCreate = method === 'POST' && /^\/(tenants|properties|agreements)$/.test(path)
      const headers = isCreate ? { 'idempotency-key': crypto.randomUUID() } : undefined
      return sendRequest(server, method, path, { token, body, headers })
    }
    return toTestUser({ id: data.user.id, user_id: data.user.user_id, phone, token, call })
  }

  /** Certificates are stored before, as the job does within a minute. */
  const erase = async (user: TestUser) => {
    await storeDueEvidence(server.deps)
    return user.call('DELETE', '/auth/me', { otp: await requestOtp(user.phone) })
  }

  return { server, esign, kyc, requestOtp, signIn, erase }
}
export type ErasureServer = ReturnType<typeof erasureServer>

async function completeProfiles({ server, kyc }: ErasureServer, user: TestUser, other: TestUser) {
  await other.put('/profile/complete', {
    first_name: 'Tara',
    last_name: 'Iyer',
    email: 'tara@example.com',
  })
  await user.put('/profile/complete', {
    first_name: FIRST_NAME,
    last_name: LAST_NAME,
    email: EMAIL,
    password: PASSWORD,
  })
  const { data } = await user.post('/profile/ekyc')
  kyc.setStatus('SUCCESS', { aadhaar: identity })
  await user.post('/profile/ekyc/complete', { verification_id: data.verification_id })
  await sendRequest(server, 'POST', '/auth/login', { body: { phone_number: user.phone, password: 'wrong' } })
}

const toPersonalProperty = (user: TestUser, manager: TestUser) => ({
  alias_name: `House of ${LAST_NAME}`,
  society_building: `${LAST_NAME} Villa`,
  landmark: `Ask for ${FIRST_NAME}`,
  property_units: [
    {
      unit_name: `${FIRST_NAME}'s`,
      unit_notes: `Call ${user.phone}`,
      furniture_included: EMAIL,
      unit_amenities: [LAST_NAME],
      managed_by_id: manager.id,
    },
  ],
})

/** Both parties sign; afterwards a webhook repeats the user's personal data. */
async function signByBoth(
  { server, esign }: ErasureServer,
  agreement: { id: number },
  user: TestUser,
  other: TestUser,
) {
  const signatureId = await signs(esign, server.url, user, agreement, user)
  await signs(esign, server.url, other, agreement, other)
  await user.get(`/agreements/${agreement.id}/document`)
  const webhook = esign.news('ESIGN_COMPLETE', esign.of(signatureId), { nonce: 'again' })
  Object.assign(webhook.data.esign.signers[0]!, {
    identifier: user.phone,
    displayName: `${FIRST_NAME} ${LAST_NAME}`,
    email: EMAIL,
  })
  await esign.webhook(server.url, webhook)
}

/** The user raises requests as landlord, tenant and manager. */
async function raiseRequests(user: TestUser, unitIds: number[]) {
  for (const property_unit_id of unitIds) {
    const raised = await user.post('/maintenance-requests', {
      property_unit_id,
      category: 'other',
      title: `${FIRST_NAME}'s tap`,
      description: `Call ${user.phone}`,
    })
    const path = `/maintenance-requests/${requireSuccess(raised, 'Raising a request').data.id}`
    const file = Buffer.from(toTinyPdf(EMAIL))
    requireSuccess(await user.post(`${path}/attachments`, file), 'Attaching a file')
    requireSuccess(await user.post(`${path}/comments`, { text: `By ${LAST_NAME}` }), 'Commenting')
    const cancelled = { status: 'cancelled', comment: `Sorry, ${FIRST_NAME}` }
    requireSuccess(await user.post(`${path}/status`, cancelled), 'Cancelling')
  }
}

/** A user with everything that can be stored about one, as landlord, tenant and manager. */
export async function createPersonalData(context: ErasureServer) {
  const [user, other] = [await context.signIn(), await context.signIn()]
  await completeProfiles(context, user, other)
  await user.post('/tenants', { phone_number: other.phone, first_name: 'Tara', last_name: 'Iyer' })
  await other.post('/tenants', { phone_number: user.phone, first_name: FIRST_NAME, last_name: LAST_NAME })

  const personal = toPersonalProperty(user, await context.signIn())
  const home = await createProperty(user, personal)
  const deleted = await createProperty(user, personal)
  await user.delete(deleted.path)
  const managed = await createUnit(other, { unit_name: 'B', managed_by_id: user.id })
  const { property: shared } = await createProperty(user, {
    society_building: 'White House',
    alias_name: `${FIRST_NAME}'s tower`,
  })
  await other.post(`/properties/${shared.property_id}/units`, { unit_name: 'C' })

  const [unit] = home.property.property_units
  const draw = async (changes: Record<string, unknown>) =>
    (await user.post('/agreements', agreementTerms(unit.id, [other.id], changes))).data
  await draw({ document_url: `https://example.com/${LAST_NAME}.pdf`, improvements: `by ${FIRST_NAME}` })
  const { agreement: otherDraft } = await createDraft(other, [user])
  const rented = await createDraft(other, [user])
  const signed: { id: number }[] = [
    await draw({ payment_terms: `To ${FIRST_NAME} ${LAST_NAME}` }),
    rented.agreement,
  ]
  for (const agreement of signed) await signByBoth(context, agreement, user, other)
  await raiseRequests(user, [unit.id, rented.unit.id, managed.unit.id])
  return { user, other, signed, shared, managed, otherDraft }
}
