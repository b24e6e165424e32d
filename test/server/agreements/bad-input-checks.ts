import { expect } from 'bun:test'
import type { TestServer } from '../../support/server'
import { createDraft, signInUser, type TestResponse, type TestUser } from '../../support/users'
import type { RecordIds } from './bad-input-targets'

/** A draft with its unit and property. */
export async function createRecords(server: TestServer, owner: TestUser): Promise<RecordIds> {
  const tenant = await signInUser(server.url)
  const { property, unit, agreement } = await createDraft(owner, [tenant])
  return { property: property.id, unit: unit.id, agreement: agreement.id, signer: tenant.id }
}

/** A response is in the envelope and never a 5xx. */
export function expectEnvelope({ status, body }: TestResponse, sent: string) {
  expect(status, `${sent} ${JSON.stringify(body).slice(0, 300)}`).toBeWithin(200, 500)
  if (status === 413) return
  if (status < 400) expect(body.success, sent).toBe(true)
  else
    expect(body, sent).toEqual({
      success: false,
      data: null,
      error: {
        code: expect.any(String),
        reason: expect.stringMatching(/^[a-z_]+$/),
        message: expect.stringMatching(/./),
        ...(body.error.details && { details: expect.any(Array) }),
      },
    })
}

/** Runs eight at a time, so that no connection is refused. */
export async function forEachItem<T>(items: T[], work: (item: T) => Promise<void>) {
  const queue = [...items]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item)
    }),
  )
}
