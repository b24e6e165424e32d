import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { freshDatabase } from '../../support/database'
import { getPort, serverSettings, startProgram } from '../../support/process'
import { createLandlord, createUnit, sendRequest, type TestUser } from '../../support/users'
import { createProject, root } from './project'

// An optional field of a unit is written in its contract and its entity, and nowhere else.

const FIELD = `parking_slots: optional(Type.Integer({ minimum: 0, maximum: 100 }), 'How many cars park with it')`

const copy = createProject({})
let url: string
let landlord: TestUser
let stop = async () => {}

beforeAll(async () => {
  copyRepository()
  await addField()
  const database = await freshDatabase({ migrated: false })
  const env = { ...serverSettings, DATABASE_URL: database.url, PORT: '0' }
  const server = startProgram(['server/index.ts'], env, copy.folder)
  stop = async () => {
    await server.end('SIGTERM')
    await database.drop()
  }
  await server.listening
  url = `http://127.0.0.1:${getPort(server)}`
  landlord = await createLandlord(url)
})
afterAll(async () => {
  await stop()
  copy[Symbol.dispose]()
})

/** Copies the sources. Packages are linked, but for those of the workspace. */
function copyRepository() {
  const isSource = (path: string) => !['node_modules', 'dist', '.data'].includes(basename(path))
  for (const part of [
    'server',
    'sdk',
    'cli',
    'db',
    'README.md',
    'package.json',
    'tsconfig.json',
    'bunfig.toml',
  ])
    cpSync(join(root, part), join(copy.folder, part), { recursive: true, filter: isSource })

  const packages = join(copy.folder, 'node_modules')
  mkdirSync(join(packages, '@kiraya'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')).filter(each => each !== '@kiraya'))
    symlinkSync(join(root, 'node_modules', name), join(packages, name))
  for (const name of ['sdk', 'cli']) symlinkSync(join(copy.folder, name), join(packages, '@kiraya', name))
}

async function addField() {
  await addLine('sdk/contract/units.ts', '  floor_number: optional(', `  ${FIELD},`)
  await addLine(
    'db/entities/property-unit.ts',
    '    floor_number: p',
    '    parking_slots: p.integer().nullable(),',
  )
  await copy.run(process.execPath, 'server/process/migrate.ts', '--baseline')
}

const addLine = (path: string, start: string, line: string) =>
  replace(path, new RegExp(`^${RegExp.escape(start)}.*$`, 'm'), before => `${before}\n${line}`)

async function replace(path: string, pattern: RegExp, text: string | ((before: string) => string)) {
  const file = Bun.file(join(copy.folder, path))
  const before = await file.text()
  const after = before.replace(pattern, text as string)
  expect([path, after]).not.toEqual([path, before])
  await file.write(after)
}

test('everything compiles', async () => {
  await copy.run(join(root, 'node_modules/.bin/tsc'))
})

test('the API stores, changes, clears and limits it', async () => {
  const { unit, path } = await createUnit(landlord, { parking_slots: 2 })
  expect(unit.parking_slots).toBe(2)
  expect((await landlord.patch(path, { parking_slots: 3 })).data.parking_slots).toBe(3)
  expect((await landlord.get(path)).data.parking_slots).toBe(3)
  expect((await landlord.patch(path, { parking_slots: null })).data.parking_slots).toBeNull()
  expect((await createUnit(landlord)).unit.parking_slots).toBeNull()

  const refused = await landlord.patch(path, { parking_slots: 101 })
  const message = 'parking_slots must be at most 100'
  expect(refused.error.details).toEqual([{ property: 'parking_slots', constraints: { maximum: message } }])
})

test('an export of personal data has it', async () => {
  await createUnit(landlord, { parking_slots: 4 })
  const { tables } = (await landlord.get('/auth/me/export')).data
  expect(tables.property_units.at(-1)).toMatchObject({ parking_slots: 4 })
})

test('/openapi.json describes it', async () => {
  const { schemas } = (await sendRequest(url, 'GET', '/openapi.json')).body.components
  const described = { type: ['integer', 'null'], description: 'How many cars park with it' }
  for (const name of ['NewUnit', 'UnitChange', 'Unit'])
    expect([name, schemas[name].properties.parking_slots]).toEqual([name, expect.objectContaining(described)])
  expect(schemas.Unit.required).toContain('parking_slots')
  expect(schemas.NewUnit.required).not.toContain('parking_slots')
})

test('the types of the built SDK document it', async () => {
  await copy.run(process.execPath, 'sdk/build.ts')
  const types = await Bun.file(join(copy.folder, 'sdk/dist/esm/types.d.ts')).text()
  const find = (name: string) =>
    new RegExp(`interface ${name} \\{[^}]*?\\n  (/\\*\\*[^\\n]*\\n  parking_slots.*)`).exec(types)?.[1]
  const input =
    '/** How many cars park with it. From 0 to 100. */\n  parking_slots?: number | null | undefined'
  expect([find('NewUnit'), find('UnitChange')]).toEqual([input, input])
  expect(find('Unit')).toBe('/** How many cars park with it. */\n  parking_slots: number | null')
})

/** Runs the CLI of the copy as the landlord, and returns what it prints. */
async function kiraya(...args: string[]) {
  const env = { PATH: process.env.PATH, HOME: copy.folder, KIRAYA_URL: url, KIRAYA_TOKEN: landlord.token }
  const program = Bun.spawn([process.execPath, 'cli/index.ts', ...args], {
    cwd: copy.folder,
    env,
    stdout: 'pipe',
  })
  const output = await new Response(program.stdout).text()
  expect([output, await program.exited]).toEqual([output, 0])
  return output
}

test('the CLI has a flag for it, and --json prints and selects it', async () => {
  const { property } = await createUnit(landlord)
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
