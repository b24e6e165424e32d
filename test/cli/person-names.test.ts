import { expect, test } from 'bun:test'
import { resolvePerson, resolveProperty, resolveUnit } from '../../cli/names'
import type { Kiraya } from '../../sdk'

const tara = { id: 21, first_name: 'Tara', last_name: 'Das', phone: '9123456789' }
const ravi = { id: 22, first_name: ' ravi ', last_name: null, phone: null }
const asha = { id: 7, first_name: 'Asha', last_name: 'Rao', phone: '9876543210' }

/** A client that knows two people, and what it was asked to search for. */
function createClient(people: object[] = [tara, ravi]) {
  const searches: unknown[] = []
  const list = async ({ q }: { q?: string }) => {
    searches.push(q)
    return { data: people, metadata: { total_pages: 1 } }
  }
  const client = { tenants: { list }, auth: { me: async () => ({ user: asha }) } } as unknown as Kiraya
  return { client, searches }
}

test.each([
  ['21', 21],
  ['Tara', 21],
  ['tara das', 21],
  ['+91 91234 56789', 21],
  ['9123456789', 21],
  ['Ravi', 22],
  ['Asha', 7],
  ['asha rao', 7],
  ['9876543210', 7],
])('%p is the person %d', async (text, id) => {
  expect(await resolvePerson(createClient().client, text)).toBe(id)
})

test.each([
  ['Tara Das', 'Tara'],
  ['  Tara   Das ', 'Tara'],
  ['+91 91234-56789', '9123456789'],
])('%p is searched for by %s', async (text, q) => {
  const { client, searches } = createClient()
  await resolvePerson(client, text).catch(() => {})
  expect(searches[0]).toBe(q)
})

test.each(['Das', 'Tar', '9123456780'])(
  '%p is no person, and those whom the user knows are listed',
  async text => {
    await expect(resolvePerson(createClient().client, text)).rejects.toThrow(
      'Tara Das +91 9123456789 (id 21)',
    )
  },
)

test('a first name that two people have is answered with both', async () => {
  const { client } = createClient([tara, { ...tara, id: 23, last_name: 'Rao' }])
  await expect(resolvePerson(client, 'Tara')).rejects.toThrow(/\(id 21\), .*\(id 23\)/)
})

test('a name is looked for on twenty pages of a hundred at most', async () => {
  const queries: object[] = []
  const list = async (query: object) => {
    queries.push(query)
    return { data: [{ id: queries.length, alias_name: 'Oak Lane' }], metadata: { total_pages: 50 } }
  }
  const client = { properties: { list } } as unknown as Kiraya
  await expect(resolveProperty(client, 'Oak')).rejects.toThrow('Oak')
  expect(queries).toEqual(
    Array.from({ length: 20 }, (_, index) => ({ q: 'Oak', limit: 100, page: index + 1 })),
  )
})

test('a unit that is named by its UUID is read for its number', async () => {
  const uuid = '6ba7b810-9dad-41d1-80b4-00c04fd430c8'
  const get = async (...given: unknown[]) => ({ id: given.join() === `1,${uuid}` ? 11 : 0 })
  const client = { units: { get } } as unknown as Kiraya
  expect(await resolveUnit(client, `1/${uuid}`)).toBe(11)
  expect(await resolveUnit(client, '1/12')).toBe(12)
  expect(await resolveUnit(client, '12')).toBe(12)
})
