import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { reconcileSignatures } from '../../../server/jobs/reconcile'
import type { SigningReference } from '../../../server/providers/signing/port'
import {
  completeSigning,
  createDraft,
  createLandlord,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'
import { HOUR_MS, MINUTE_MS, withServer, type MovableServer } from './with-server'

const getAgreement = async (person: TestUser, id: number) =>
  (await person.call('GET', `/agreements/${id}`)).body.data
const getSignatures = async (person: TestUser, id: number) =>
  (await person.call('GET', `/agreements/${id}/signatures`)).body.data

async function createSentAgreement(server: MovableServer) {
  const owner = await createLandlord(server.url)
  const tenant = await signInUser(server.url)
  const { agreement, unit, property } = await createDraft(owner, [tenant])
  await completeSigning(owner, agreement.id, owner.id)
  await tenant.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: tenant.id })
  return { owner, tenant, agreement, unit, property }
}

/** The signer signs at the sandbox, but its webhook is lost. */
async function signWithLostWebhook(server: MovableServer, phone: string) {
  const {
    body: { data },
  } = await sendRequest(server.url, 'GET', '/sandbox/control')
  await sendRequest(server.url, 'POST', '/sandbox/control/faults', {
    body: { provider: 'esign', behaviour: 'never', match: phone },
  })
  await sendRequest(
    server.url,
    'POST',
    `/sandbox/control/signatures/${data.signatures.find((one: { phone: string }) => one.phone === phone).id}`,
    { body: { outcome: 'sign' } },
  )
}
test(
  'an agreement becomes ACTIVE though its last webhook was lost',
  withServer(async server => {
    const { owner, tenant, agreement } = await createSentAgreement(server)
    await signWithLostWebhook(server, tenant.phone)
    server.advance(4 * MINUTE_MS)
    await reconcileSignatures(server.deps)
    expect((await getAgreement(owner, agreement.id)).status).toBe('PENDING')
    server.advance(2 * MINUTE_MS)
    await reconcileSignatures(server.deps)
    expect((await getAgreement(owner, agreement.id)).status).toBe('ACTIVE')
  }),
)

test(
  'the provider is asked after 5, 10, 20 … minutes for as long as the signature is open',
  withServer(async server => {
    await createSentAgreement(server)
    const asked: number[] = []
    const deps = {
      ...server.deps,
      signing: {
        ...server.deps.signing,
        status: (id: SigningReference) => (
          asked.push(Math.round((server.deps.now().getTime() - began) / MINUTE_MS)),
          server.deps.signing.status(id)
        ),
      },
    }
    const began = server.deps.now().getTime()
    for (let minute = 0; minute < 120; minute++) {
      server.advance(MINUTE_MS)
      await reconcileSignatures(deps)
    }
    expect(asked).toEqual([5, 10, 20, 40, 80])
  }),
)

test(
  'a signature that expires becomes EXPIRED and is cancelled at the provider',
  withServer(async server => {
    const { owner, agreement, tenant } = await createSentAgreement(server)
    server.advance(73 * HOUR_MS)
    await reconcileSignatures(server.deps)
    expect((await getSignatures(owner, agreement.id)).signatures).toMatchObject([
      { status: 'signed' },
      { status: 'expired' },
    ])
    const { rows } = await sql<{
      cancelled: boolean
    }>`select (data->>'cancelled')::boolean as cancelled from sandbox_records where data->'signers'->0->>'identifier' = ${tenant.phone}`.execute(
      getKysely(server.em()),
    )
    expect(rows).toEqual([{ cancelled: true }])
    expect((await completeSigning(owner, agreement.id, tenant.id)).pressed).toBe(200)
    expect((await getAgreement(owner, agreement.id)).status).toBe('ACTIVE')
  }),
)

test(
  'a signature made in time counts though its webhook was lost',
  withServer(async server => {
    const { owner, agreement, tenant } = await createSentAgreement(server)
    await signWithLostWebhook(server, tenant.phone)
    server.advance(73 * HOUR_MS)
    await reconcileSignatures(server.deps)
    expect((await getAgreement(owner, agreement.id)).status).toBe('ACTIVE')
  }),
)
