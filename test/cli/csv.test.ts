import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startSecondInstance, testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { createLandlordShell, createShell, type Shell } from './shell'

const server = testServer()

const writeFile = ({ home }: Shell, name: string, lines: string[]) =>
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

  const imported = await shell.kiraya('import properties houses.csv')
  const exported = await shell.kiraya('export properties')
  await Bun.write(join(shell.home, 'export.csv'), exported.out)
  await Bun.write(join(other.home, 'export.csv'), exported.out)
  const again = await shell.kiraya('import properties houses.csv')
  const exportedAgain = await shell.kiraya('import properties export.csv')
  const elsewhere = await other.kiraya('import properties export.csv')

  expect(imported.data).toEqual({ properties: 4, units: 3, dry_run: false })
  expect([again.exitCode, exportedAgain.exitCode, elsewhere.exitCode]).toEqual([0, 0, 0])
  expect((await shell.kiraya('export properties')).out).toBe(exported.out)
  expect((await other.kiraya('export properties')).out).toBe(exported.out)
  const { data } = await other.kiraya('property list')
  expect(data).toHaveLength(4)
  expect(exported.out).toContain("'=1+1")
})

test('errors name line and column, and then nothing is sent; so does a dry run', async () => {
  using shell = await createLandlordShell(server.url)
  await writeFile(shell, 'wrong.csv', [
    heading,
    '1,560048,apartment,Fine,,A-101,1,"two',
    'lines"',
    '2,56004,castle,,,A-101,ground,',
    '1,560048,apartment,Fine too,,,3,',
  ])
  await writeFile(shell, 'right.csv', [heading, '1,560048,apartment,Fine,,A-101,1,'])

  const wrong = await shell.kiraya('import properties wrong.csv')
  const dryRun = await shell.kiraya('import properties right.csv --dry-run')

  expect(wrong.exitCode).toBe(6)
  const places = wrong.data.errors.map(({ line, column }: Record<string, unknown>) => [line, column])
  expect(places).toEqual([
    [4, 'pin_code'],
    [4, 'property_type'],
    [4, 'floor_number'],
    [5, 'unit_name'],
    [5, 'alias_name'],
  ])
  expect(wrong.err).toContain('wrong.csv:4: pin_code: ')
  expect(dryRun.data).toEqual({ properties: 1, units: 1, dry_run: true })
  const { data } = await shell.kiraya('property list')
  expect(data).toEqual([])
})

test("the server's refusals have a line and column too, and the other properties are created", async () => {
  using shell = await createLandlordShell(server.url)
  await writeFile(shell, 'houses.csv', [
    heading,
    '1,999999,apartment,Unknown,,A-101,1,',
    '2,560048,apartment,Fine,,A-101,1,',
  ])

  const { exitCode, data } = await shell.kiraya('import properties houses.csv')

  expect(exitCode).toBe(6)
  expect(data.errors[0]).toMatchObject({ line: 2, column: 'city' })
  const properties = await shell.kiraya('property list')
  expect(properties.data).toMatchObject([{ alias_name: 'Fine' }])
})

test.each([
  ['an unknown column', ['pin_code,property,property_type,colour', '1,2,3,4']],
  ['a missing column', ['pin_code,property', '1,2']],
  ['an open quote', [heading, '1,"560048']],
  ['nothing', []],
])('a file with %s is refused as a whole', async (_, lines) => {
  using shell = createShell(server.url)
  await writeFile(shell, 'file.csv', lines)
  const { exitCode } = await shell.kiraya('import properties file.csv')
  expect(exitCode).toBe(2)
})

test('landlords from a file are signed in and fully onboarded, once', async () => {
  using shell = createShell(server.url)
  const [first, second] = [freshPhone(), freshPhone()]
  await writeFile(shell, 'landlords.csv', [
    'phone,first_name,last_name,email',
    `+91 ${first.slice(0, 5)} ${first.slice(5)},आशा,राव,asha@example.com`,
    `${second},Ravi,Rao,ravi@example.com`,
  ])

  const imported = await shell.kiraya('import landlords landlords.csv')
  const again = await shell.kiraya('import landlords landlords.csv')
  const statuses = await Promise.all([first, second].map(phone => shell.kiraya(`status --profile ${phone}`)))

  expect(imported.data).toEqual({ landlords: 2, dry_run: false })
  expect(again.exitCode).toBe(0)
  expect(statuses.map(({ data }) => [data.first_name, data.status])).toEqual([
    ['आशा', 'LOGIN_SUCCESSFUL'],
    ['Ravi', 'LOGIN_SUCCESSFUL'],
  ])
})

test('a landlord whom the server refuses is named by line and column, and the others are signed in', async () => {
  using shell = createShell(server.url)
  const phone = freshPhone()
  await writeFile(shell, 'landlords.csv', [
    'phone,first_name,last_name,email',
    `${freshPhone()},A\u202eB,Rao,asha@example.com`,
    `${phone},Ravi,Rao,ravi@example.com`,
  ])

  const { exitCode, data, err } = await shell.kiraya('import landlords landlords.csv')
  const status = await shell.kiraya(`status --profile ${phone}`)

  expect(exitCode).toBe(6)
  expect(data.errors).toMatchObject([{ line: 2, column: 'first_name' }])
  expect(err).toContain('The file has 1 error\n')
  expect(status.data.status).toBe('LOGIN_SUCCESSFUL')
})

test('landlords are signed in on a sandbox that has a token only after a yes', async () => {
  const guarded = await startSecondInstance(server, { SANDBOX_TOKEN: 'the token of the sandbox' })
  using shell = createShell(guarded.url)
  await writeFile(shell, 'l.csv', ['phone,first_name,last_name,email', `${freshPhone()},A,B,a@example.com`])
  const refused = await shell.kiraya('import landlords l.csv')
  const confirmed = await shell.kiraya('import landlords l.csv --yes')
  await guarded.stop()
  expect([refused.exitCode, confirmed.exitCode]).toEqual([2, 0])
})
