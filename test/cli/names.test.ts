import { describe, expect, test } from 'bun:test'
import { UsageError } from '../../cli/runtime/errors'
import { resolvePerson, resolveProperty, resolveRecords, resolveUnit } from '../../cli/input/names'
import type { Context } from '../../cli/runtime/context'
import type { Kiraya } from '../../sdk'
import { PagePromise } from '../../sdk/pages'

type Query = { q?: string; limit: number; page?: number }
type Load = (query: Query) => { data: object[]; metadata: { total_pages: number } }

/** A method of the SDK for a list, whose pages are loaded so. */
const createListMethod = (load: Load) => (query: Query) =>
  new PagePromise<object>(async (page = query.page ?? 1) => {
    const { data, metadata } = load({ ...query, page })
    return { data: { data, metadata: { page, ...metadata } } } as never
  })

/** A client with so many houses, of which a search finds those with the text in their names, page by page. */
function stubClient(names: string[], units: string[] = []) {
  const list = (records: { name: string }[]) =>
    createListMethod(({ q = '', limit, page = 1 }) => {
      const data = records.filter(({ name }) => name.includes(q)).slice(limit * (page - 1), limit * page)
      return { data, metadata: { total_pages: 50 } }
    })
  const toRecords = (values: string[], firstId: number) =>
    values.map((name, index) => ({ id: firstId + index, name, alias_name: name, unit_name: name }))
  const houses = toRecords(names, 1).map(house => ({ ...house, city: 'Pune', pin_code: 411001 }))
  const unitRecords = toRecords(units, 11)
  const listUnits = createListMethod(() => ({ data: unitRecords, metadata: { total_pages: 1 } }))
  const ofProperty = { list: (_: unknown, query: Query) => listUnits(query) }
  return { properties: { list: list(houses) }, units: ofProperty } as unknown as Kiraya
}

describe('a property', () => {
  const resolve = (names: string[], name: string) =>
    resolveProperty(stubClient(names), name).catch((error: Error) => error.message)
  const listIds = async (names: string[], name: string) =>
    String(await resolve(names, name)).match(/\(id \d+\)/g)
  const many = Array.from({ length: 12 }, (_, index) => `House ${index + 1}`)
  const ten = many.slice(0, 10).map((_, index) => `(id ${index + 1})`)

  test.each([
    ['those that contain it', many, 'House'],
    ['all, if none does', many, 'Villa'],
    ['those that have it', many.map(() => 'Oak'), 'Oak'],
  ])('whose name is not one alone is answered with ten of %s', async (_, names, name) => {
    expect<unknown>(await listIds(names, name)).toEqual(ten)
  })

  test('whose name several have is a usage error', async () => {
    await expect(resolveProperty(stubClient(['Oak', 'Oak']), 'Oak')).rejects.toThrow(UsageError)
  })

  test.each([
    ['in any case, with blanks around it', ['  Oak ', 'Oak Lane'], 'Oak', '1'],
    ['on a later page of those that contain it', [...many, ...Array(150).fill('A-12'), 'A-1'], 'A-1', '163'],
    ['of eleven digits, since no id has so many', ['12345678901'], '12345678901', '1'],
    ['as an id', [], '1234567890', '1234567890'],
  ])('is found %s', async (_, names, name, id) => {
    expect(String(await resolve(names, name))).toBe(id)
  })

  test('is looked for on twenty pages of a hundred at most', async () => {
    const queries: object[] = []
    const list = createListMethod(query => {
      queries.push(query)
      const house = { id: queries.length, alias_name: 'Oak Lane' }
      const data = Array.from({ length: query.limit }, () => house)
      return { data, metadata: { total_pages: 50 } }
    })
    const client = { properties: { list } } as unknown as Kiraya
    await expect(resolveProperty(client, 'Oak')).rejects.toThrow('Oak')
    expect(queries).toEqual(queries.map((_, index) => ({ q: 'Oak', limit: 100, page: index + 1 })))
    expect(queries).toHaveLength(20)
  })
})

describe('the property of a unit', () => {
  test('is named before the first slash of a unit, whose own name may have more', async () => {
    const client = stubClient(['Oak'], ['B/2', '2'])
    expect(await resolveUnit(client, 'Oak / B/2')).toBe(11)
  })

  test('is followed by a unit whose name is digits; digits alone are an id, after an id they are either', async () => {
    const client = stubClient(['Oak', 'Elm'], ['20', '11'])
    const context = { client: async () => client } as unknown as Context
    const resolvePath = (...texts: string[]) => resolveRecords(context, ['property', 'unit'], texts)
    expect([await resolveUnit(client, 'Oak/11'), await resolveUnit(client, '11')]).toEqual([12, 11])
    await expect(resolveUnit(client, 'Oak/12')).rejects.toThrow('There is no unit "12"')
    expect(await resolvePath('Oak/11')).toEqual([1, 12])
    expect(await resolvePath('Oak', '11')).toEqual([1, 12])
    expect(await resolvePath('1', '12')).toEqual(['1', '12'])
    await expect(resolvePath('1', '11')).rejects.toThrow('is the id of a unit or the name of 11 (id 12)')
    await expect(resolvePath('11')).rejects.toThrow('Give its property before it')
  })

  test('of digits before a slash is refused if it is the id of one and the name of another', async () => {
    expect(await resolveUnit(stubClient(['1'], ['20']), '1/20')).toBe(11)
    await expect(resolveUnit(stubClient(['Oak', '1'], ['20']), '1/20')).rejects.toThrow('(id 2)')
  })

  test.each(['A-101', '/A-101'])('is missing in %p', async text => {
    await expect(resolveUnit(stubClient(['']), text)).rejects.toThrow('as "White House/A-101"')
  })
})

test('a unit that is named by its UUID is read for its number', async () => {
  const uuid = '6ba7b810-9dad-41d1-80b4-00c04fd430c8'
  const get = async (...given: unknown[]) => ({ id: given.join() === `1,${uuid}` ? 11 : 0 })
  const properties = { list: createListMethod(() => ({ data: [], metadata: { total_pages: 0 } })) }
  const client = { properties, units: { get } } as unknown as Kiraya
  expect(await resolveUnit(client, `1/${uuid}`)).toBe(11)
})

describe('an attachment', () => {
  const uuids = ['6ba7b810-9dad-41d1-80b4-00c04fd430c8', '6ba7b811-9dad-41d1-80b4-00c04fd430c8']
  const get = async () => ({ attachments: uuids.map(attachment_id => ({ attachment_id })) })
  const context = { client: async () => ({ maintenance: { get } }) } as unknown as Context
  const resolve = (text: string) =>
    resolveRecords(context, ['maintenance-request', 'attachment'], ['7', text])

  test.each([uuids[1]!, '6BA7B811', '6ba7b811-9dad'])('is found by %p', async text => {
    expect(await resolve(text)).toEqual(['7', uuids[1]!])
  })

  test.each([
    ['6ba7b81', 2],
    ['7', 0],
  ])('that %p begins is not the only one: there are %d', async (text, count) => {
    await expect(resolve(text)).rejects.toThrow(
      `The request has ${count} attachments that begin with ${text}`,
    )
  })
})

describe('a person', () => {
  const tara = { id: 21, first_name: 'Tara', last_name: 'Das', phone: '9123456789' }
  const rai = { id: 22, first_name: " রা\u09df  d'souza ", last_name: null, phone: null }
  const asha = { id: 7, first_name: 'Asha', last_name: 'Rao', phone: '9876543210' }

  /** A client that knows two people, and what it was asked to search for. */
  function createClient(people: object[] = [tara, rai]) {
    const searches: unknown[] = []
    const list = createListMethod(({ q }) => {
      searches.push(q)
      return { data: people, metadata: { total_pages: 1 } }
    })
    const client = { tenants: { list }, auth: { me: async () => ({ user: asha }) } } as unknown as Kiraya
    return { client, searches }
  }

  test.each([
    ['21', 21],
    ['Tara', 21],
    ['tara das', 21],
    ['+91 91234 56789', 21],
    ['9123456789', 21],
    ['রা\u09af\u09bc D’Souza', 22],
    ['Asha', 7],
    ['asha rao', 7],
    ['9876543210', 7],
  ])('%p is %d', async (text, id) => {
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

  test.each(['Das', 'Tar', '9123456780'])('%p is none: those whom the user knows are listed', async text => {
    await expect(resolvePerson(createClient().client, text)).rejects.toThrow(
      'Tara Das +91 9123456789 (id 21)',
    )
  })

  test('who shares a first name is answered with both', async () => {
    const { client } = createClient([tara, { ...tara, id: 23, last_name: 'Rao' }])
    await expect(resolvePerson(client, 'Tara')).rejects.toThrow(/\(id 21\), .*\(id 23\)/)
  })
})
