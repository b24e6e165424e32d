import { beforeEach, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { syncOpenSignatures } from '../../../server/agreements/refusal'
import type { SigningProvider } from '../../../server/providers/signing/port'
import { testServer } from '../../support/server'
import { createDraft, signInUser, type TestUser } from '../../support/users'

// Before a party refuses or leaves, the provider is asked whether they have just signed.

const server = testServer()
const MAX = 20
const asked: string[] = []

beforeEach(() => {
  asked.length = 0
  const status: SigningProvider['status'] = async ({ requestId }) => void asked.push(requestId)
  server.deps.signing = { ...server.deps.signing, status }
})

type Changes = { id: number; status?: 'PENDING' | 'EXPIRED'; provider_request_id?: string | null }

/** A draft with a request for the signature of a person. */
async function createRequest(owner: TestUser, signer: TestUser, { id, ...changes }: Changes) {
  const { agreement } = await createDraft(owner, [signer.id === owner.id ? await signInUser(server) : signer])
  const signature = {
    id,
    agreement_id: agreement.id,
    signer_id: signer.id,
    signer_role: 'TENANT' as const,
    provider: 'sandbox',
    provider_request_id: `request ${id}`,
    expires_at: new Date(Date.now() + 3_600_000),
    ...changes,
  }
  await getKysely(server.em()).insertInto('agreement_signatures').values(signature).execute()
  return agreement
}

test('the provider is asked about the 20 oldest open requests of a party, or about that of one agreement', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  await createRequest(owner, owner, { id: 8001 })
  await createRequest(owner, tenant, { id: 8002, status: 'EXPIRED' })
  await createRequest(owner, tenant, { id: 8003, provider_request_id: null })
  const ids = Array.from({ length: MAX + 1 }, (_, index) => 9001 + index)
  for (const id of ids.slice(1).toReversed()) await createRequest(owner, tenant, { id })
  const { id, agreement_id } = await createRequest(owner, tenant, { id: ids[0]! })

  await syncOpenSignatures(server.deps, tenant.id)
  expect(asked.splice(0)).toEqual(ids.slice(0, MAX).map(each => `request ${each}`))

  await syncOpenSignatures(server.deps, tenant.id, { id })
  await syncOpenSignatures(server.deps, tenant.id, { uuid: agreement_id })
  expect(asked).toEqual(['request 9001', 'request 9001'])
})
