import { expect, test } from 'bun:test'
import type { Kiraya } from '../../sdk'
import { resolveProperty, resolveUnitPath } from '../../cli/names'

/** A client with so many houses, of which a search finds those with the text in their names. */
function stubClient(names: string[]) {
  const houses = names.map((alias_name, index) => ({
    id: index + 1,
    alias_name,
    city: 'Pune',
    pin_code: 411001,
  }))
  const list = async ({ q = '', limit }: { q?: string; limit: number }) => ({
    data: houses.filter(({ alias_name }) => alias_name.includes(q)).slice(0, limit),
    metadata: { total_pages: 1 },
  })
  return { properties: { list } } as unknown as Kiraya
}

const findMessage = (client: Kiraya, name: string) =>
  resolveProperty(client, name).then(
    id => id,
    (error: Error) => error.message,
  )

const many = Array.from({ length: 12 }, (_, index) => `House ${index + 1}`)

test.each([
  ['that contain the name', 'House'],
  ['of all, if none does', 'Villa'],
])('of a name that nothing has, ten records are listed: the first %s', async (_, name) => {
  const message = await findMessage(stubClient(many), name)
  expect<unknown>(message.match(/\(id \d+\)/g)).toEqual(
    many.slice(0, 10).map((__, index) => `(id ${index + 1})`),
  )
})

test('a name that twelve records have lists ten of them', async () => {
  const message = await findMessage(stubClient(many.map(() => 'Oak')), 'Oak')
  expect(message.match(/\(id \d+\)/g)).toHaveLength(10)
})

test('a name counts in any case, with blanks around it', async () => {
  expect(await findMessage(stubClient(['  Oak ', 'Oak Lane']), 'Oak')).toBe('1')
})

test('a unit is named after the first slash, since its own name may have more', async () => {
  const units = ['B/2', '2'].map((unit_name, index) => ({ id: index + 11, unit_name }))
  const list = async () => ({ data: units, metadata: { total_pages: 1 } })
  const client = { ...stubClient(['Oak']), units: { list } } as unknown as Kiraya
  expect(await resolveUnitPath(client, 'Oak / B/2')).toEqual({ propertyId: '1', unitId: '11' })
})

test.each(['A-101', '/A-101'])('the property of %p is missing', async text => {
  await expect(resolveUnitPath(stubClient(['']), text)).rejects.toThrow('as "White House/A-101"')
})

test('eleven digits are a name, since no id has so many', async () => {
  expect(await findMessage(stubClient(['12345678901']), '12345678901')).toBe('1')
  expect(await findMessage(stubClient([]), '1234567890')).toBe('1234567890')
})
