import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { createDraft, signInUser, type TestUser } from '../../../support/users'
import { startTestServer } from '../../../support/server'
import { control, fault, getRequestId, applyOutcome } from '../provider'

const HOUR = 3_600_000

for (const protocol of ['flexi', 'native']) {
  describe(`the ${protocol} adapter with the sandbox`, () => {
    let it: Awaited<ReturnType<typeof startTestServer>>
    beforeAll(async () => void (it = await startTestServer({ env: { ESIGN_PROTOCOL: protocol } })))
    afterAll(() => it.end())

    async function lease() {
      const owner = await signInUser(it.url)
      const tenant = await signInUser(it.url)
      const { agreement } = await createDraft(owner, [tenant], {
        document_url: `${it.url}/sandbox/files/sample-lease.pdf`,
      })
      const path = `/agreements/${agreement.id}`
      const ask = async (signer: TestUser) =>
        (await owner.call('POST', `${path}/sign`, { signer_id: signer.id })).body.data as {
          signing_url: string
        }
      const status = async () => (await owner.call('GET', path)).body.data.status as string
      return { owner, tenant, path, ask, status }
    }

    test('all sign on their pages: the agreement is active, and its signed PDF is the sandbox’s', async () => {
      const { owner, tenant, path, ask, status } = await lease()
      for (const person of [owner, tenant]) {
        const { signing_url } = await ask(person)
        expect(await (await fetch(signing_url)).text()).toContain('>Sign</button>')
        expect((await fetch(`${signing_url}/sign`, { method: 'POST' })).status).toBe(200)
      }
      expect(await status()).toBe('ACTIVE')
      const document = await fetch(`${it.url}${path}/document`, {
        headers: { authorization: `Bearer ${owner.token}` },
      })
      const content = Buffer.from(await document.arrayBuffer())
      expect([document.status, content.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
      expect(document.headers.get('etag')).toBe(`"${createHash('sha256').update(content).digest('hex')}"`)
      const { events } = (await owner.call('GET', `${path}/timeline`)).body.data
      const types = events.map(({ type }: { type: string }) => type)
      expect(
        types
          .filter((type: string) => type === 'viewed' || type === 'signed' || type === 'activated')
          .toSorted(),
      ).toEqual(['activated', 'signed', 'signed', 'viewed', 'viewed'])
    })

    test('who declined is asked again, and signs then; the other’s signature stays', async () => {
      const { owner, tenant, ask, status } = await lease()
      await applyOutcome(it, getRequestId((await ask(owner)).signing_url))
      const declined = getRequestId((await ask(tenant)).signing_url)
      await applyOutcome(it, declined, 'decline')
      const again = getRequestId((await ask(tenant)).signing_url)
      expect(again).not.toBe(declined)
      await applyOutcome(it, again)
      expect(await status()).toBe('ACTIVE')
    })

    test('all sign by themselves, their webhooks in disorder', async () => {
      const { owner, tenant, ask, status } = await lease()
      for (const { phone } of [owner, tenant])
        await fault(it, { provider: 'esign', behaviour: 'succeed', match: phone, delay_ms: HOUR })
      for (const person of [owner, tenant]) await ask(person)
      await fault(it, { provider: 'esign', behaviour: 'shuffled' })
      await fault(it, { provider: 'esign', behaviour: 'twice' })
      await control(it, 'POST', '/clock', { advance_ms: HOUR + 60_000 })
      expect(await status()).toBe('ACTIVE')
    })

    test('a provider that fails is survived: the agreement is as it was, and can be signed', async () => {
      const { owner, tenant, ask, status, path } = await lease()
      await fault(it, {
        provider: 'esign',
        on: protocol === 'native' ? 'upload' : 'create',
        behaviour: 'garbage',
      })
      expect((await owner.call('POST', `${path}/sign`, { signer_id: owner.id })).status).toBe(503)
      expect(await status()).toBe('DRAFT')
      for (const person of [owner, tenant])
        await applyOutcome(it, getRequestId((await ask(person)).signing_url))
      expect(await status()).toBe('ACTIVE')
    })
  })
}
