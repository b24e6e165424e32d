import { beforeAll, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
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

/** Stores rows of a user in each table, in another order than that of their ids. */
async function insertRows(user: TestUser, agreementId: number) {
  const db = getKysely(server.em())
  for (const id of IDS) {
    const at = toDay(id)
    const own = { id, landlord_id: user.id }
    await db.insertInto('users').values({ id, phone: freshPhone() }).execute()
    await db
      .insertInto('tenant_contacts')
      .values({ landlord_id: user.id, tenant_id: id, first_name: String(id) })
      .execute()
    await db
      .insertInto('kyc_requests')
      .values({
        id,
        user_id: user.id,
        provider: 'sandbox',
        status: 'ERROR',
        name: String(id),
        expires_at: at,
      })
      .execute()
    await db
      .insertInto('properties')
      .values({ ...own, ...place, alias_name: String(id), property_type: 'pg' })
      .execute()
    await db
      .insertInto('property_units')
      .values({ ...own, managed_by_id: user.id, property_id: id, unit_name: String(id) })
      .execute()
    await db
      .insertInto('agreement_signatures')
      .values({
        id,
        agreement_id: agreementId,
        signer_id: user.id,
        signer_role: 'LANDLORD',
        status: 'EXPIRED',
        provider: 'sandbox',
        expires_at: at,
      })
      .execute()
    await db
      .insertInto('signed_documents')
      .values({
        id,
        agreement_id: agreementId,
        provider: 'sandbox',
        provider_request_id: String(id),
        sha256: String(id).padStart(64, '0'),
        size: id,
        content: Buffer.from('x'),
        created_at: at,
      })
      .execute()
    await db
      .insertInto('activities')
      .values({
        id,
        user_id: user.id,
        type: 'unit_created',
        message: String(id),
        entity_type: 'property_unit',
        entity_id: id,
        occurred_at: at,
      })
      .execute()
    await db
      .insertInto('webhook_deliveries')
      .values({
        id,
        provider: 'sandbox',
        digest: String(id),
        payload: JSON.stringify({ phone: user.phone, id }),
      })
      .execute()
  }
}

beforeAll(async () => {
  const [user, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement: drawn } = await createDraft(user, [tenant])
  await insertRows(user, drawn.id)
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
