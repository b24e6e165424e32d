import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Context } from '../../cli/runtime/context'
import { importProperties } from '../../cli/sheets/import-properties'
import { toIdentity } from '../../cli/sheets/property-sheet'
import type { Property } from '../../sdk'
import { testServer } from '../support/server'
import { createLandlordShell, runAgainst, type Shell } from './shell'

const server = testServer()

const writeFile = ({ home }: Pick<Shell, 'home'>, name: string, lines: string[]) =>
  Bun.write(join(home, name), lines.join('\n'))

const heading =
  'property,pin_code,property_type,alias_name,common_amenities,unit_name,floor_number,unit_notes'

test('an export imports elsewhere and exports the same; a second import makes nothing twice', async () => {
  using shell = await createLandlordShell(server.url)
  using other = await createLandlordShell(server.url)
  await writeFile(shell, 'houses.csv', [
    heading,
    '1,560048,apartment,"White ""House"", east",Lift; Gym,A-101,-1,"Painted',
    'in May"',
    "1,560048,apartment,,,A-101,2,'=1+1",
    '2,600004,pg,அன்பு இல்லம்,"[""a;b"",""[c""]",,,',
    '3,600004,pg,அன்பு இல்லம்,"[""a;b"",""[c""]",,,',
    '4,700019,commercial,,,Shop 1,0,',
  ])

  const dryRun = await shell.getData('import properties houses.csv --dry-run')
  expect([dryRun, await shell.getData('property list')]).toEqual([
    { properties: 4, units: 3, dry_run: true },
    [],
  ])
  const imported = await shell.getData('import properties houses.csv')
  expect(imported).toEqual({ properties: 4, units: 3, dry_run: false })
  const exported = await shell.kiraya('export properties')
  expect(exported.out).toContain("'=1+1")
  expect(exported.out).toStartWith('\ufeffproperty,')
  for (const { home } of [shell, other]) await Bun.write(join(home, 'export.csv'), exported.out)
  await shell.getData('import properties houses.csv')
  for (const { kiraya, getData } of [shell, other]) {
    await getData('import properties export.csv')
    expect((await kiraya('export properties')).out).toBe(exported.out)
  }
  expect(await other.getData('property list')).toHaveLength(4)
})

test("6: the server's refusals have a line and column too, and the other properties are created", async () => {
  using shell = await createLandlordShell(server.url)
  await writeFile(shell, 'houses.csv', [
    heading,
    '1,999999,apartment,Unknown,,A-101,1,',
    '2,560048,apartment,Fine,,A-101,1,',
  ])

  const { exitCode, data } = await shell.kiraya('import properties houses.csv')

  expect([exitCode, data.errors[0]]).toMatchObject([6, { line: 2, column: 'city' }])
  expect(await shell.getData('property list')).toMatchObject([{ alias_name: 'Fine' }])
})

const oak = { id: 1, pin_code: 560048, property_type: 'pg', alias_name: 'Oak' }
const unit = (id: number, unit_name: string, landlord_id = 7) => ({ id, unit_name, landlord_id })

test.each([
  [
    'units in the order of their creation, and none of other landlords',
    [unit(12, 'B'), unit(13, 'X', 8), unit(11, 'A')],
    ['Oak,A', 'Oak,B'],
  ],
  ['a property without units too', [], ['Oak,']],
])('an export has %s', async (_, property_units, rows) => {
  const respond = (request: Request) => {
    const { pathname } = new URL(request.url)
    const metadata = { page: 1, limit: 100, total: 1, total_pages: 1 }
    if (pathname === '/properties') return Response.json({ success: true, data: [oak], metadata })
    const data = pathname === '/auth/me' ? { user: { id: 7 } } : { ...oak, property_units }
    return Response.json({ success: true, data })
  }
  const { out } = await runAgainst(respond, 'export properties', { env: { KIRAYA_TOKEN: 'a.b.c' } })
  const [head, ...lines] = out
    .trimEnd()
    .split('\n')
    .map(line => line.split(','))
  const [alias, name] = ['alias_name', 'unit_name'].map(column => head!.indexOf(column))
  expect(lines.map(cells => `${cells[alias!]},${cells[name!]}`)).toEqual(rows)
})

const house = { pin_code: 560048, property_type: 'pg' as const }
const place = { city: 'Bengaluru', district: 'Bengaluru Urban', state: 'Karnataka', country: 'India' }
const toStored = (changes: Partial<Property>) =>
  ({ ...house, ...place, alias_name: 'Bengaluru', ...changes }) as Property

describe('a property of a file', () => {
  test.each<[what: string, file: object, existing: Partial<Property>]>([
    ['has the name of its city, which the server gave it', {}, {}],
    [
      'has the name of its building',
      { society_building: 'Oak' },
      { society_building: 'Oak', alias_name: 'Oak' },
    ],
    ['has the name of its locality', { locality: 'HSR' }, { locality: 'HSR', alias_name: 'HSR' }],
    ['has the name that the file says', { alias_name: 'White House' }, { alias_name: 'White House' }],
    [
      'has its names in another spelling',
      { alias_name: 'রা\u09df', common_amenities: ["Children's  park"] },
      { alias_name: 'রা\u09af\u09bc', common_amenities: ['children’s park'] },
    ],
    ['has the country of the file', { country: 'Nepal' }, { country: 'Nepal' }],
  ])('is known again that %s', (_, file, existing) => {
    expect(toIdentity({ ...house, ...file })).toBe(toIdentity(toStored(existing)))
  })

  test.each<[what: string, file: object, existing: Partial<Property>]>([
    ['name', { alias_name: 'White House' }, {}],
    ['building', { society_building: 'Oak' }, { society_building: 'Elm', alias_name: 'Oak' }],
    ['survey number', { survey_number: '7' }, { survey_number: '8' }],
    ['road', { road_name: 'MG Road' }, { road_name: 'Ring Road' }],
    ['landmark', { landmark: 'Lake' }, { landmark: 'Park' }],
    ['locality', { locality: 'HSR', alias_name: 'Oak' }, { locality: 'BTM', alias_name: 'Oak' }],
    ['kind', { property_type: 'commercial' }, {}],
    ['PIN code', { pin_code: 560001 }, {}],
    ['country', {}, { country: 'Nepal' }],
    ['list of amenities', { common_amenities: ['Lift'] }, { common_amenities: ['Gym'] }],
  ])('is another one with another %s', (_, file, existing) => {
    expect(toIdentity({ ...house, ...file })).not.toBe(toIdentity(toStored(existing)))
  })

  test.each([
    [0, 3],
    [1, 2],
    [2, 1],
    [3, 0],
    [4, 0],
  ])('that is there three times, where %d exist, is created %d times', async (existing, created) => {
    const keys: string[] = []
    const found = Array.from({ length: existing }, (_, index) =>
      toStored({ id: index + 1, alias_name: 'Oak' }),
    )
    const get = async (id: number) => ({ ...toStored({ id }), property_units: [] })
    const create = async (_: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
      keys.push(idempotencyKey)
      return get(100)
    }
    const properties = { list: () => ({ toArray: async () => found }), get, create }
    const context = { client: async () => ({ properties }), printNote: () => {} } as unknown as Context
    const plan = { ...house, alias_name: 'Oak', property_units: [] }
    const rows = [2, 3, 4].map(line => ({ plan, line, unitLines: [] }))

    const locate = (line: number, column: string) => ({ line, column })
    expect(await importProperties(context, rows, locate)).toEqual([])
    expect([keys.length, new Set(keys).size]).toEqual([created, created])
  })
})
