import { beforeAll, expect, test } from 'bun:test'
import { getKysely, type Db } from '../../../db/database'
import { testServer } from '../../support/server'
import { createDraft, freshPhone, signInUser, type TestUser } from '../../support/users'

const server = testServer()
/** In the order in which the rows are in their tables. */
const IDS = [90_003, 90_001, 90_002]
const toDay = (id: number) => new Date(Date.UTC(2026, 0, id - 90_000))
const place = { city: 'Bengaluru', district: 'Bengaluru Urban', state: 'Karnataka', pin_code: 560048 }

type Lists = Record<string, Record<string, unknown>[]>
let exported: Lists
let agreement: Lists

/** Stores what a user has alone, in another order than that of the ids. */
async function insertOwnRows(db: Db, { id: user_id, phone }: TestUser) {
  for (const id of IDS) {
    const [at, name] = [toDay(id), String(id)]
    const own = { id, landlord_id: user_id }
    const about = { entity_type: 'property_unit', entity_id: id, occurred_at: at }
    const rows = {
      users: { id, phone: freshPhone() },
      tenant_contacts: { landlord_id: user_id, tenant_id: id, first_name: name },
      kyc_requests: { id, user_id, provider: 'sandbox', status: 'ERROR', name, expires_at: at },
      properties: { ...own, ...place, alias_name: name, property_type: 'pg' },
      property_units: { ...own, managed_by_id: user_id, property_id: id, unit_name: name },
      activities: { ...about, id, user_id, type: 'unit_created', message: name },
      webhook_deliveries: { id, provider: 'x', digest: name, request_id: name, payload: phone },
    }
    for (const [table, row] of Object.entries(rows))
      await db
        .insertInto(table as 'users')
        .values(row as never)
        .execute()
  }
}

async function insertAgreementRows(db: Db, signer_id: number, agreement_id: number) {
  for (const id of IDS) {
    const of = { id, agreement_id, provider: 'sandbox' }
    const signer = { signer_id, signer_role: 'LANDLORD', status: 'EXPIRED', expires_at: toDay(id) } as const
    const request = { provider_request_id: String(id), sha256: '0'.repeat(64), content: Buffer.from('x') }
    await db
      .insertInto('agreement_signatures')
      .values({ ...of, ...signer })
      .execute()
    await db
      .insertInto('signed_documents')
      .values({ ...of, ...request, size: id, created_at: toDay(id) })
      .execute()
  }
}

beforeAll(async () => {
  const [user, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement: drawn } = await createDraft(user, [tenant])
  const db = getKysely(server.em())
  await insertOwnRows(db, user)
  await insertAgreementRows(db, user.id, drawn.id)
  const { data } = await user.get('/auth/me/export')
  exported = data
  agreement = data.agreements[0]
})

/** The places of the inserted rows among those of a list, by a field that tells them apart. */
const toOrder = (rows: Record<string, unknown>[], field: string, toValue: (id: number) => unknown) => {
  const values = rows.map(row => row[field])
  return IDS.toSorted().map(id => values.indexOf(toValue(id)))
}
const inOrder = (order: number[]) => [order[0]!, order[0]! + 1, order[0]! + 2]

test.each<[list: string, field: string, toValue: (id: number) => unknown]>([
  ['named_people', 'first_name', String],
  ['identity_checks', 'name', String],
  ['properties', 'id', id => id],
  ['property_units', 'id', id => id],
  ['activities', 'message', String],
  ['webhooks', 'request_id', String],
])('%s are exported in the order of their ids', (list, field, toValue) => {
  const order = toOrder(exported[list]!, field, toValue)
  expect(order[0]).toBeGreaterThanOrEqual(0)
  expect(order).toEqual(inOrder(order))
})

test.each<[list: string, field: string, toValue: (id: number) => unknown]>([
  ['signatures', 'expires_at', id => toDay(id).toISOString()],
  ['documents', 'size', id => id],
])('%s of an agreement are exported in the order of their ids', (list, field, toValue) => {
  const order = toOrder(agreement[list]!, field, toValue)
  expect(order[0]).toBeGreaterThanOrEqual(0)
  expect(order).toEqual(inOrder(order))
})
