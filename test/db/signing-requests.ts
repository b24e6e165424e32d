import { createHmac, randomUUID } from 'node:crypto'
import { createDrafts } from '../bench/fresh-records'
import { createRequest } from '../bench/load'
import type { World } from '../bench/world'

export async function createSignings(world: World, count: number) {
  const drafts = await createDrafts(world, count)
  return drafts.map(({ id, writer }) => {
    const { token } = world.writers.find(each => each.id === writer)!
    return createRequest('POST', `/agreements/${id}/sign`, { token, body: { signer_id: writer } })
  })
}

export async function createWebhooks(world: World, count: number) {
  const requests = await createLastSignatures(world, count)
  return requests.map(request => createWebhook(request, world.secrets.ESIGN_WEBHOOK_SECRET))
}

function createWebhook({ id, document, phone }: SigningRequest, secret: string) {
  const signer = {
    id: randomUUID(),
    identifier: phone,
    displayName: phone,
    status: 'signed',
    url: 'https://example.com',
    errCode: null,
  }
  const esign = { id, documentId: document, status: 'sign_complete', signers: [signer] }
  const timeStamp = new Date().toISOString()
  const body = JSON.stringify({ event: 'ESIGN_COMPLETE', timeStamp, data: { esign } })
  const signature = createHmac('sha256', secret).update(body).digest('base64')
  return createRequest('POST', '/webhooks/esign', { body, headers: { 'x-setu-signature': signature } })
}

type SigningRequest = { id: string; document: string; phone: string }

/** Creates agreements that lack the tenant's signature alone, which the sandbox's provider already has. */
async function createLastSignatures(world: World, count: number): Promise<SigningRequest[]> {
  const { sql } = world
  const drafts = await createDrafts(world, count)
  const first = drafts[0]!.id
  const last = drafts.at(-1)!.id
  await sql`update agreements set status = 'PENDING' where id between ${first} and ${last}`
  return sql`
    with asked as (
      insert into agreement_signatures (
        agreement_id, signer_id, signer_role, status, provider, provider_request_id,
        signing_url, signed_at, expires_at
      )
      select
        a.id, party.id, party.role, party.status, 'sandbox', gen_random_uuid()::text,
        'https://example.com', party.signed_at, now() + interval '3 days'
      from agreements a
      join agreement_tenants t on t.agreement_id = a.id
      cross join lateral (
        values (a.landlord_id, 'LANDLORD', 'SIGNED', now()), (t.tenant_id, 'TENANT', 'PENDING', null)
      ) party (id, role, status, signed_at)
      where a.id between ${first} and ${last}
      returning provider_request_id as id, signature_id, signer_id, signer_role
    ),
    tenants as (
      select s.id, s.signature_id, u.phone, u.first_name
      from asked s
      join users u on u.id = s.signer_id
      where s.signer_role = 'TENANT'
    ),
    records as (
      insert into sandbox_records (id, kind, data)
      select
        t.id, 'esign',
        jsonb_build_object(
          'id', t.id,
          'documentId', t.signature_id,
          'documentUrl', 'https://example.com/lease.pdf',
          'document', null,
          'cancelled', false,
          'validUpto', now() + interval '3 days',
          'signers', jsonb_build_array(jsonb_build_object(
            'id', gen_random_uuid(),
            'identifier', t.phone,
            'displayName', t.first_name,
            'status', 'signed',
            'errCode', null,
            'signedAt', now()
          ))
        )
      from tenants t
    )
    select id, signature_id as document, phone from tenants`
}
