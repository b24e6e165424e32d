import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { startTestServer } from '../../../support/server'
import { createDraft, signInUser, type TestUser } from '../../../support/users'
import {
  addFaultRule,
  applyOutcome,
  getEventTypes,
  getRequestId,
  requestSignature,
  type TestServer,
} from '../provider'

async function createLease(server: TestServer) {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement } = await createDraft(owner, [tenant], {
    document_url: `${server.url}/sandbox/files/sample-lease.pdf`,
  })
  const path = `/agreements/${agreement.id}`
  const requestFrom = async (signer: TestUser): Promise<string> => {
    const { signing_url } = await requestSignature(owner, agreement, signer)
    return signing_url
  }
  const getStatus = async (): Promise<string> => {
    const { body } = await owner.call('GET', path)
    return body.data.status
  }
  return { owner, tenant, agreement, path, requestFrom, getStatus }
}

describe.each(['flexi', 'native'])('the %s adapter with the sandbox', protocol => {
  let server: TestServer
  beforeAll(async () => {
    // The first document takes long on a busy machine.
    const patient = { PROVIDER_TIMEOUT_MS: '20000', PROVIDER_TOTAL_TIMEOUT_MS: '40000' }
    server = await startTestServer({ env: { ...patient, ESIGN_PROTOCOL: protocol } })
  })
  afterAll(() => server.end())

  test('the agreement is active when all signed on their pages, with the sandbox’s signed PDF', async () => {
    const { owner, tenant, agreement, path, requestFrom, getStatus } = await createLease(server)
    for (const signer of [owner, tenant]) {
      const signingUrl = await requestFrom(signer)
      expect(await (await fetch(signingUrl)).text()).toContain('>Sign</button>')
      expect((await fetch(`${signingUrl}/sign`, { method: 'POST' })).status).toBe(200)
    }
    expect(await getStatus()).toBe('ACTIVE')

    const document = await fetch(`${server.url}${path}/document`, {
      headers: { authorization: `Bearer ${owner.token}` },
    })
    const content = Buffer.from(await document.arrayBuffer())
    expect([document.status, content.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    expect(document.headers.get('etag')).toBe(`"${createHash('sha256').update(content).digest('hex')}"`)

    const events = await getEventTypes(owner, agreement)
    const signingEvents = events.filter(type => ['viewed', 'signed', 'activated'].includes(type))
    expect(signingEvents.toSorted()).toEqual(['activated', 'signed', 'signed', 'viewed', 'viewed'])
  })

  test('503: a failing provider leaves the draft, which can be signed later', async () => {
    const { owner, tenant, requestFrom, getStatus, path } = await createLease(server)
    const on = protocol === 'native' ? 'upload' : 'create'
    await addFaultRule(server, { provider: 'esign', on, behaviour: 'garbage' })
    expect((await owner.call('POST', `${path}/sign`, { signer_id: owner.id })).status).toBe(503)
    expect(await getStatus()).toBe('DRAFT')

    for (const signer of [owner, tenant]) await applyOutcome(server, getRequestId(await requestFrom(signer)))
    expect(await getStatus()).toBe('ACTIVE')
  })
})
