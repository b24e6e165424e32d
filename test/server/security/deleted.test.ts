import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { listOperations, type Operation, type Schema } from '../../support/operations'
import {
  sendRequest,
  createLandlord,
  createUnit,
  signInUser,
  agreementTerms,
  type TestUser,
} from '../../support/users'
import { testServer } from '../../support/server'
import {
  createAgreementIn,
  toPath,
  type Parties,
  type AgreementFixture,
} from '../../support/agreement-fixture'
import { enveloped } from '../http/forms'

// What was deleted is as if it had never been, wherever the API can be asked; only `recent_activity` tells that it was.
const it = testServer()
let operations: Operation[]
let people: Parties & { stranger: TestUser }
beforeAll(async () => {
  operations = (await listOperations(it.url)).filter(
    ({ path }) => !/^\/(operations|sandbox|metrics)/.test(path),
  )
})
// Others' records would hide that one is still counted, so everybody is new.
beforeEach(async () => {
  const [owner, manager, tenant, stranger] = await Promise.all([
    createLandlord(it.url),
    createLandlord(it.url),
    signInUser(it.url),
    signInUser(it.url),
  ])
  people = { owner, manager, tenant, stranger }
})

/** What can be deleted, and which operations have it in their path. */
const deletions: Record<
  string,
  { path: (world: AgreementFixture) => string; holds: (path: string) => boolean }
> = {
  'a property': { path: ({ property }) => `/properties/${property.id}`, holds: path => path.includes('{') },
  'a unit': {
    path: ({ property, unit }) => `/properties/${property.id}/units/${unit.id}`,
    holds: path => path.includes('{unitId}') || path.startsWith('/agreements/{'),
  },
  'a draft': {
    path: ({ agreement }) => `/agreements/${agreement.id}`,
    holds: path => path.startsWith('/agreements/{'),
  },
}
/** Valid beyond doubt, so that nothing but the record is missing. */
const bodies: Record<string, (world: AgreementFixture) => unknown> = {
  'POST /properties/:id/units': () => ({ unit_name: 'B' }),
  'POST /agreements/:id/sign': () => ({ signer_id: people.tenant.id }),
}

describe('404: every operation with the id of a record in its path, for everybody, by number and by UUID', () => {
  for (const [what, { path, holds }] of Object.entries(deletions)) {
    test(`after ${what} was deleted`, async () => {
      const made = await createAgreementIn(it, people)
      expect((await people.owner.call('DELETE', path(made))).status).toBe(200)
      const asked = operations.filter(operation => operation.params.length && holds(operation.path))
      expect(asked.length).toBeGreaterThan(10)
      for (const operation of asked) {
        for (const [who, person] of Object.entries(people)) {
          for (const by of ['id', 'uuid'] as const) {
            const answer = await person.call(
              operation.method,
              toPath(operation.path, made, by),
              operation.bodies.length ? (bodies[operation.route]?.(made) ?? {}) : undefined,
            )
            expect([operation.route, who, by, answer.status, answer.body]).toEqual([
              operation.route,
              who,
              by,
              404,
              enveloped(404),
            ])
          }
        }
      }
    })
  }
})

describe('every list, total, search and figure is as before', () => {
  /** Queries that find the record while it is there; each list needs some. */
  const queries: Record<string, string[]> = {
    'GET /properties': [
      '',
      '?limit=1',
      '?q=White%20House',
      '?pin_code=560048',
      '?property_type=apartment',
      '?sort=alias_name',
    ],
    'GET /properties/search': [
      '?name=White%20House&pin_code=560048',
      '?name=White%20House&pin_code=560048&locality=x',
    ],
    'GET /properties/:id/units': ['', '?limit=1', '?q=A-101', '?is_available=true', '?sort=unit_name'],
    'GET /properties/:id': [''],
    'GET /tenants': ['', '?limit=1', '?q=9', '?sort=first_name'],
    'GET /agreements': ['', '?limit=1', '?q=AGR', '?status=DRAFT', '?sort=-rent_amount'],
    'GET /dashboard': [''],
    'GET /auth/me': [''],
  }
  // An export holds what is kept, deleted or not.
  const isRead = ({ method, path, route, params }: Operation) =>
    method === 'GET' &&
    !path.startsWith('/health') &&
    !path.endsWith('/export') &&
    (!params.length || route in queries || path.endsWith('/units'))
  /** All that the landlord and the manager are shown; the building of `made` stands where a path needs one. */
  const seen = async (paths: { route: string; path: string }[]) =>
    Object.fromEntries(
      await Promise.all(
        [people.owner, people.manager].flatMap((person, index) =>
          paths.flatMap(({ route, path }) =>
            queries[route]!.map(async asked => {
              const { status, body } = await person.call('GET', path + asked)
              expect([route, asked, status]).toEqual([
                route,
                asked,
                index && path.includes('/properties/') && !path.includes('search') ? expect.any(Number) : 200,
              ])
              if (body.data?.recent_activity) body.data.recent_activity = []
              return [`${index ? 'manager' : 'landlord'}: ${route}${asked}`, body] as const
            }),
          ),
        ),
      ),
    )

  test('every list has its queries', () => {
    expect(
      operations
        .filter(isRead)
        .map(({ route }) => route)
        .toSorted(),
    ).toEqual(Object.keys(queries).toSorted())
  })

  for (const [what, { path }] of Object.entries(deletions)) {
    test(`after ${what} was deleted`, async () => {
      const kept = await createUnit(people.owner)
      const places = (property: { id: number }) =>
        operations.filter(isRead).map(operation => ({
          route: operation.route,
          path: operation.path.replace('{id}', String(property.id)),
        }))
      // A unit and a draft are looked for in the building where they were, which stays.
      const before = await seen(places(kept.property))
      const {
        body: { data: unit },
      } = await people.owner.call('POST', `/properties/${kept.property.id}/units`, {
        unit_name: 'A-101',
        managed_by_id: people.manager.id,
      })
      const made =
        what === 'a property' ? await createAgreementIn(it, people) : await drawnUp(kept.property, unit)
      if (what === 'a property')
        await people.owner.call('DELETE', `/properties/${kept.property.id}/units/${unit.id}`)
      const meanwhile = await seen(places(kept.property))
      expect(
        Object.keys(before).filter(name => !Bun.deepEquals(before[name], meanwhile[name])).length,
      ).toBeGreaterThan(what === 'a draft' ? 10 : 12)
      expect((await people.owner.call('DELETE', path(made))).status).toBe(200)
      if (what === 'a draft')
        await people.owner.call('DELETE', `/properties/${kept.property.id}/units/${unit.id}`)
      expect(await seen(places(kept.property))).toEqual(before)
    })
  }

  test('the dashboard counts no ACTIVE agreement that is deleted, though no rule lets that happen', async () => {
    const places = [{ route: 'GET /dashboard', path: '/dashboard' }]
    const before = await seen(places)
    const { property, agreement } = await createAgreementIn(it, people, 'ACTIVE')
    const db = getKysely(it.em())
    await db
      .updateTable('agreements')
      .set({ agreement_start_date: '2020-01-01', agreement_end_date: '2090-01-01', rent_due_day: 1 })
      .where('id', '=', agreement.id)
      .execute()
    expect((await people.owner.call('GET', '/dashboard')).body.data.stats).toMatchObject({
      total_tenants: 1,
      pending_payments: 1,
    })
    await db.updateTable('agreements').set({ is_active: false }).where('id', '=', agreement.id).execute()
    await people.owner.call('DELETE', `/properties/${property.id}`)
    expect(await seen(places)).toEqual(before)
  })
})

async function drawnUp(
  property: AgreementFixture['property'],
  unit: AgreementFixture['unit'],
): Promise<AgreementFixture> {
  const {
    body: { data: agreement },
  } = await people.owner.call('POST', '/agreements', agreementTerms(unit.id, [people.tenant.id]))
  return { property, unit, agreement, signature_id: '' }
}

describe('nothing can be tied to what is deleted', () => {
  /** Fields of a body that name another record: what a deleted one is answered. */
  const references: Record<string, { deleted: (gone: Gone) => unknown; status: number }> = {
    property_unit_id: { deleted: ({ world }) => world.unit.id, status: 404 },
    tenant_ids: { deleted: ({ inactive }) => [inactive.id], status: 400 },
    signing_order: { deleted: ({ inactive }) => [inactive.id], status: 400 },
    managed_by_id: { deleted: ({ inactive }) => inactive.id, status: 400 },
    signer_id: { deleted: ({ inactive }) => inactive.id, status: 404 },
  }
  /** Named by the providers, and not records of ours. */
  const foreign = ['template_id', 'verification_id']
  type Gone = { world: AgreementFixture; inactive: TestUser }
  const naming = (schema: Schema): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      /_ids?$|_order$|^id$/.test(name)
        ? [name]
        : [inner, ...(inner.anyOf ?? [])].flatMap(part => naming(part.items ?? part)),
    )

  test('every field that names a record has its row', () => {
    const found = new Set(operations.flatMap(({ bodies: forms }) => forms.slice(0, 1).flatMap(naming)))
    expect([...found].filter(name => !foreign.includes(name)).toSorted()).toEqual(
      Object.keys(references).toSorted(),
    )
  })

  test('a body that names a deleted unit is 404, one that names an inactive user 400, or 404 where a signer is', async () => {
    const [gone, inactive, alive] = [
      await createAgreementIn(it, people),
      await signInUser(it.url),
      await createAgreementIn(it, people),
    ]
    await people.owner.call('DELETE', `/properties/${gone.property.id}`)
    await getKysely(it.em())
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', inactive.id)
      .execute()
    const base: Record<string, unknown> = {
      'POST /agreements': agreementTerms(alive.unit.id, [people.tenant.id]),
      'POST /properties/:id/units': { unit_name: 'B' },
      'POST /properties': { pin_code: 560048, property_type: 'pg' },
    }
    let tried = 0
    for (const operation of operations) {
      for (const name of naming(operation.bodies[0] ?? {}).filter(each => each in references)) {
        const { deleted, status } = references[name]!
        const value = deleted({ world: gone, inactive })
        const isNested = !operation.bodies[0]!.properties![name]
        const made = operation.path.endsWith('/revise')
          ? await createAgreementIn(it, people, 'PENDING')
          : alive
        const nested = { property_units: [{ unit_name: 'B', [name]: value }] }
        const answer = await people.owner.call(operation.method, toPath(operation.path, made), {
          ...(base[operation.route] as object),
          ...(isNested ? nested : { [name]: value }),
        })
        expect([operation.route, name, answer.status]).toEqual([operation.route, name, status])
        tried++
      }
    }
    expect(tried).toBeGreaterThan(9)
  })

  test('an inactive user is nobody: no OTP, no name, no sign-in', async () => {
    const user = await signInUser(it.url)
    await getKysely(it.em())
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', user.id)
      .execute()
    expect(
      (await sendRequest(it.url, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })).body.data,
    ).toMatchObject({ is_existing_user: false, user: null })
    expect(
      (
        await sendRequest(it.url, 'POST', '/auth/verify', {
          body: { phone_number: user.phone, otp: '123456' },
        })
      ).status,
    ).toBe(401)
  })
})
