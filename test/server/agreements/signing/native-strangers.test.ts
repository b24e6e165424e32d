import { describe, expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import type { TestUser } from '../../../support/users'
import { nativeFixtures } from './native-fixtures'
import { nativeProvider } from './native-provider'
import { start } from './provider'

const provider = nativeProvider()
const server = testServer({ env: { ...provider.env, STRANGER_REQUEST_LIMIT: '1' } })
const { createNativeDraft, findRequests, getSignatures, signs, getAgreement } = nativeFixtures(
  server,
  provider,
)
/** Limits are twenty times as high with the sandbox channel. */
const MAX = 20

type Draft = Awaited<ReturnType<typeof createNativeDraft>>
type Signature = { id: number; status: string; signer_id: number }

async function cancelPending({ owner, agreement }: Draft, signerIds?: number[]) {
  const { signatures } = await getSignatures({ owner, agreement })
  const pending = signatures.filter(
    ({ status, signer_id }: Signature) => status === 'pending' && (signerIds?.includes(signer_id) ?? true),
  )
  for (const { id } of pending)
    await owner.call('POST', `/agreements/${agreement.id}/signatures/${id}/cancel`)
}

/** The landlord asks for the signature of one party as often as the others may be asked with it. */
async function useUp(draft: Draft, signer: TestUser = draft.owner, starter = draft.owner) {
  for (let times = 0; times < MAX; times++) {
    expect((await start(starter, draft.agreement, signer)).status).toBe(200)
    await cancelPending(draft)
  }
}

const getLastPhones = ({ owner }: Draft) =>
  findRequests(owner)
    .at(-1)!
    .signers.map(({ identifier }) => identifier)

describe('when a landlord used up the requests of a day to a stranger by signing themself', () => {
  test('200: the request of the landlord leaves the stranger out', async () => {
    const draft = await createNativeDraft()
    const { owner, tenant, agreement } = draft
    await useUp(draft)

    expect((await start(owner, agreement, owner)).status).toBe(200)
    expect([findRequests(tenant).length, getLastPhones(draft)]).toEqual([MAX, [owner.phone]])
  })

  test('429: the landlord asks the stranger; 200: the stranger signs of their own accord', async () => {
    const draft = await createNativeDraft()
    const { owner, tenant, agreement } = draft
    await useUp(draft)
    await start(owner, agreement, owner)
    await signs(owner, findRequests(owner).at(-1)!.id)

    expect((await start(owner, agreement, tenant)).status).toBe(429)
    expect((await start(tenant, agreement, tenant)).status).toBe(200)
    await signs(tenant, findRequests(tenant).at(-1)!.id)
    expect((await getAgreement(draft)).status).toBe('ACTIVE')
  })

  test('200: another tenant who asks for their own signature leaves the stranger out as well', async () => {
    const draft = await createNativeDraft({ tenants: 2 })
    const [stranger, accomplice] = draft.tenants as [TestUser, TestUser]
    await useUp(draft, accomplice, accomplice)

    expect((await start(accomplice, draft.agreement, accomplice)).status).toBe(200)
    expect(findRequests(stranger)).toHaveLength(MAX)
  })
})

test('429: a stranger over the limit whose signature is open cannot be left out of a new request', async () => {
  const draft = await createNativeDraft()
  const { owner, agreement } = draft
  for (let times = 0; times < MAX; times++) {
    expect((await start(owner, agreement, owner)).status).toBe(200)
    await cancelPending(draft, [owner.id])
  }

  expect((await start(owner, agreement, owner)).status).toBe(429)
  await cancelPending(draft)
  expect((await start(owner, agreement, owner)).status).toBe(200)
})

test('a request that the provider did not take does not count for those it would have asked', async () => {
  const { owner, tenant, agreement } = await createNativeDraft()
  provider.replies.create = () => new Response(null, { status: 400 })
  for (let times = 0; times <= MAX; times++) expect((await start(owner, agreement, owner)).status).toBe(503)
  delete provider.replies.create

  expect((await start(owner, agreement, owner)).status).toBe(200)
  expect(findRequests(tenant)).toHaveLength(1)
})
