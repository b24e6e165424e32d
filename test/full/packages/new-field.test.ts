import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createUnit, sendRequest } from '../../support/users'
import { root } from './project'
import { testScratchCopy } from './scratch-copy'

// An optional field of a unit is written in its contract and its entity, and nowhere else.

const FIELD = `parking_slots: optional(Type.Integer({ minimum: 0, maximum: 100 }), 'How many cars park with it')`

const { folder, run, running, kiraya } = testScratchCopy(async ({ addAfter }) => {
  await addAfter('sdk/contract/units.ts', '  floor_number: optional(', `  ${FIELD},`)
  const column = '    parking_slots: p.integer().nullable(),'
  await addAfter('db/entities/property-unit.ts', '    floor_number: p', column)
})

test('everything compiles', async () => {
  await run(join(root, 'node_modules/.bin/tsc'))
})

test('the API stores, changes, clears and limits it', async () => {
  const { landlord } = running
  const { unit, path } = await createUnit(landlord, { parking_slots: 2 })
  expect(unit.parking_slots).toBe(2)
  expect((await landlord.patch(path, { parking_slots: 3 })).data.parking_slots).toBe(3)
  expect((await landlord.get(path)).data.parking_slots).toBe(3)
  expect((await landlord.patch(path, { parking_slots: null })).data.parking_slots).toBeNull()
  expect((await createUnit(landlord)).unit.parking_slots).toBeNull()

  const refused = await landlord.patch(path, { parking_slots: 101 })
  const constraints = { maximum: 'must be at most 100' }
  const params = { minimum: 0, maximum: 100 }
  expect(refused.error.details).toEqual([
    { property: 'parking_slots', constraints, rule: 'maximum', params, label: 'Parking slots' },
  ])
})

test('an export of personal data has it', async () => {
  const { landlord } = running
  await createUnit(landlord, { parking_slots: 4 })
  const { tables } = (await landlord.get('/auth/me/export')).data
  expect(tables.property_units.at(-1)).toMatchObject({ parking_slots: 4 })
})

test('/openapi.json describes it', async () => {
  const { schemas } = (await sendRequest(running.url, 'GET', '/openapi.json')).body.components
  const described = { type: ['integer', 'null'], description: 'How many cars park with it' }
  for (const name of ['NewUnit', 'UnitChange', 'Unit'])
    expect([name, schemas[name].properties.parking_slots]).toEqual([name, expect.objectContaining(described)])
  expect(schemas.Unit.required).toContain('parking_slots')
  expect(schemas.NewUnit.required).not.toContain('parking_slots')
})

test('the types of the built SDK document it', async () => {
  await run(process.execPath, 'sdk/build.ts')
  const types = await Bun.file(join(folder, 'sdk/dist/esm/types.d.ts')).text()
  const find = (name: string) =>
    new RegExp(`interface ${name} \\{[^}]*?\\n  (/\\*\\*[^\\n]*\\n  parking_slots.*)`).exec(types)?.[1]
  const input =
    '/** How many cars park with it. From 0 to 100. */\n  parking_slots?: number | null | undefined'
  expect([find('NewUnit'), find('UnitChange')]).toEqual([input, input])
  expect(find('Unit')).toBe('/** How many cars park with it. */\n  parking_slots: number | null')
})

test('the CLI has a flag for it, and --json prints and selects it', async () => {
  const { property } = await createUnit(running.landlord)
  expect(await kiraya('unit', 'create', '--help')).toMatch(
    /--parking-slots <\w+> +how many cars park with it/,
  )
  expect(await kiraya('unit', 'update', '--help')).toContain('--parking-slots')

  const id = String(property.id)
  const flags = ['--unit-name', 'B-202', '--parking-slots', '5']
  expect(JSON.parse(await kiraya('unit', 'create', id, ...flags, '--json'))).toMatchObject({
    parking_slots: 5,
  })
  const listed = await kiraya('unit', 'list', id, '--json', 'unit_name,parking_slots')
  expect(JSON.parse(listed)).toEqual([
    { unit_name: 'A-101', parking_slots: null },
    { unit_name: 'B-202', parking_slots: 5 },
  ])
})
