import { query } from '../../db/orm'
import type { startServer } from './server'
import { listUnit, terms, type Person } from './people'

export type Parties = { owner: Person; manager: Person; tenant: Person }
export type State = 'DRAFT' | 'PENDING' | 'ACTIVE' | 'TERMINATED'

/** A managed unit with an agreement in a state of it; the tenant has been asked to sign, or has signed. */
export async function agreementIn(
  it: Pick<Awaited<ReturnType<typeof startServer>>, 'em'>,
  { owner, manager, tenant }: Parties,
  status: State = 'DRAFT',
) {
  const { property, unit } = await listUnit(owner, { managed_by_id: manager.id })
  const {
    body: { data: agreement },
  } = await owner.call('POST', '/agreements', terms(unit.id, [tenant.id]))
  const db = query(it.em())
  const request = { provider: 'sandbox', provider_request_id: crypto.randomUUID() }
  await db
    .updateTable('agreements')
    .set({ status, signed_date: status === 'ACTIVE' ? '2026-01-01' : null })
    .where('id', '=', agreement.id)
    .execute()
  const { signature_id } = await db
    .insertInto('agreement_signatures')
    .values({
      ...request,
      status: status === 'ACTIVE' ? 'SIGNED' : 'PENDING',
      agreement_id: agreement.id,
      signer_id: tenant.id,
      signer_role: 'TENANT',
      signing_url: 'https://example.com/sign',
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .returning('signature_id')
    .executeTakeFirstOrThrow()
  if (status === 'ACTIVE')
    await db
      .insertInto('signed_documents')
      .values({
        ...request,
        agreement_id: agreement.id,
        sha256: 'a'.repeat(64),
        size: 5,
        content: Buffer.from('%PDF-'),
      })
      .execute()
  return { property, unit, agreement, signature_id }
}
export type World = Awaited<ReturnType<typeof agreementIn>>

/** The path of a route with its places filled from a world, by number or by UUID. */
export function pathIn(
  path: string,
  { property, unit, agreement, signature_id }: World,
  by: 'id' | 'uuid' = 'id',
) {
  const noun = path.startsWith('/properties') ? property : agreement
  const key = path.startsWith('/properties') ? 'property_id' : 'agreement_id'
  const ids: Record<string, string> = {
    id: by === 'uuid' ? noun[key] : noun.id,
    unitId: by === 'uuid' ? unit.property_unit_id : unit.id,
    signatureId: signature_id,
  }
  return path.replace(
    /\{(\w+)\}|:(\w+)/g,
    (_, braced?: string, plain?: string) => ids[braced ?? plain ?? ''] ?? '',
  )
}
