import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { createDraft, signInUser } from '../../../../support/users'
import { start } from '../provider'
import { signingServer } from '../signing-fixtures'

const { provider, server, tell } = signingServer({ constants: { PROVIDER_RETRIES: 0 } })

const selectWebhook = (requestId: string, word: string) =>
  server.db
    .selectFrom('received_webhooks')
    .where('request_id', '=', requestId)
    .where('payload', 'like', `%${word}%`)

/** Starts a signing whose webhooks arrive before the response that names its request. */
async function startAfterWebhooks(send: (request: { id: string; documentId: string }) => Promise<unknown>) {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant])
  const id = crypto.randomUUID()
  provider.replies.create = async () => {
    await send({ id, documentId: provider.creates().at(-1)!.body.documentId })
    const signers = [{ id: `signer-${id}`, url: 'https://sign.example.com/x', status: 'pending' }]
    return Response.json({ id, status: 'sign_initiated', signers })
  }
  const { status, data } = await start(owner, agreement, tenant)
  expect(status).toBe(200)
  return { requestId: id, signatureId: data.signature_id as string }
}

test('webhooks that come before the response count in the order in which they came', async () => {
  const { signatureId } = await startAfterWebhooks(async request => {
    for (const errCode of ['otp_expired', 'invaild_otp']) await tell('ESIGN_OTP_FAILED', request, { errCode })
    // To write a row anew moves it to the end of the table.
    const { id } = await selectWebhook(request.id, 'otp_expired').select('id').executeTakeFirstOrThrow()
    await sql`
      with moved as (delete from received_webhooks where id = ${id} returning *)
      insert into received_webhooks overriding system value select * from moved`.execute(server.db)
  })

  const signature = await server.db
    .selectFrom('agreement_signatures')
    .where('signature_id', '=', signatureId)
    .select('last_error')
    .executeTakeFirst()
  expect(signature).toEqual({ last_error: 'invaild_otp' })
})

test('a signing starts though a webhook that came before it cannot be processed', async () => {
  provider.replies.read = () => new Response('x', { status: 500 })
  const { requestId } = await startAfterWebhooks(request => tell('ESIGN_COMPLETE', request))
  delete provider.replies.read

  const webhook = selectWebhook(requestId, 'ESIGN_COMPLETE').select(['processed_at', 'attempts'])
  expect(await webhook.execute()).toEqual([{ processed_at: null, attempts: 2 }])
})

test('a response leaves the webhooks of other requests and of other providers alone', async () => {
  const other = { id: crypto.randomUUID(), documentId: crypto.randomUUID() }
  const { requestId } = await startAfterWebhooks(async request => {
    for (const about of [request, other]) await tell('ESIGN_OTP_FAILED', about)
    await server.db
      .insertInto('received_webhooks')
      .values({
        provider: 'courier',
        request_id: request.id,
        digest: request.id,
        payload: 'foreign',
        created_at: new Date(),
      })
      .execute()
  })

  const attempts = await Promise.all([
    selectWebhook(requestId, 'ESIGN_OTP_FAILED').select('attempts').executeTakeFirst(),
    selectWebhook(other.id, 'ESIGN_OTP_FAILED').select('attempts').executeTakeFirst(),
    selectWebhook(requestId, 'foreign').select('attempts').executeTakeFirst(),
  ])
  expect(attempts).toEqual([{ attempts: 2 }, { attempts: 1 }, { attempts: 0 }])
})
