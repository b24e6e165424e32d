import { describe, expect, test } from 'bun:test'
import { readCertificate } from '../../support/certificate-text'
import { testServer } from '../../support/server'
import {
  agreementTerms,
  completeSigning,
  createActiveAgreement,
  createPendingAgreement,
  createProperty,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'
import {
  createParties,
  findIn,
  isIntact,
  REWRITTEN,
  rewriteLease,
  selectEvents,
  SIGNED,
} from '../agreements/rewriting'

const server = testServer()

describe('an erasure', () => {
  async function erase(user: TestUser) {
    await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
    return user.call('DELETE', '/auth/me', { otp: '123456' })
  }

  test('removes the snapshots of an ended lease; its certificate and its timeline stay', async () => {
    const { landlord, tenant } = await createParties(server)
    const lease = await createActiveAgreement(landlord, [tenant])
    await rewriteLease(landlord, lease)
    await landlord.post(`${lease.path}/terminate`)

    expect((await erase(tenant)).status).toBe(200)

    const snapshots = (await selectEvents(server, lease.agreement.id)).map(({ snapshot }) => snapshot)
    expect(snapshots.filter(Boolean)).toEqual([])
    const { text } = await readCertificate(server, landlord, lease.agreement.id)
    expect([findIn(text, SIGNED), findIn(text, REWRITTEN)]).toEqual([SIGNED, []])
    expect(await isIntact(landlord, lease.path)).toBe(true)
  })

  test('removes those of a lease that was withdrawn before all had signed', async () => {
    const { landlord, tenant } = await createParties(server)
    const { agreement, path } = await createPendingAgreement(landlord, [tenant])
    await landlord.post(`${path}/terminate`)

    expect((await erase(landlord)).status).toBe(200)

    const snapshots = (await selectEvents(server, agreement.id)).map(({ snapshot }) => snapshot)
    expect(snapshots.filter(Boolean)).toEqual([])
  })

  test('of a manager who has not signed leaves the others what they sign', async () => {
    const [{ landlord, tenant }, manager] = [await createParties(server), await signInUser(server)]
    const { property } = await createProperty(landlord, {
      property_units: [{ unit_name: 'A-101', managed_by_id: manager.id }],
    })
    const [unit] = property.property_units
    const { data: agreement } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
    await completeSigning(landlord, agreement.id, landlord.id)
    expect((await erase(manager)).status).toBe(200)

    await rewriteLease(landlord, { property, unit })
    await completeSigning(tenant, agreement.id, tenant.id)

    const { text } = await readCertificate(server, tenant, agreement.id)
    expect([findIn(text, SIGNED), findIn(text, REWRITTEN)]).toEqual([SIGNED, []])
  })
})
