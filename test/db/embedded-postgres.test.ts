import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { prepareFolders, requireShortSocketPath } from '../../db/embedded-postgres/folders'
import { runProgram } from '../../db/embedded-postgres/child-process'
import { requireSuccess } from '../../db/embedded-postgres/programs'
import { databaseOfFile } from './database'

const { open } = await databaseOfFile({ migrated: false })
const leftovers = new Set<string>()
afterAll(async () => {
  for (const folder of leftovers) await rm(folder, { recursive: true, force: true })
})

async function createFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-folders-'))
  leftovers.add(folder)
  return folder
}

const isRoot = process.getuid?.() === 0
const getMode = async (path: string) => (await stat(path)).mode & 0o777

test('the cluster of these tests is private, and takes no connections over the network', async () => {
  const db = open({ poolSize: 1 })
  const [settings] = await db.sendStatement(
    `select current_setting('listen_addresses') as addresses, current_setting('timezone') as zone,
      current_setting('data_directory') as folder, current_setting('server_encoding') as encoding`,
    [],
  )
  const rules = 'select distinct type, auth_method from pg_hba_file_rules order by 1'
  const found = await db.sendStatement(rules, [])

  const { folder, ...others } = settings as Record<string, string>
  expect(others).toEqual({ addresses: '', zone: 'UTC', encoding: 'UTF8' })
  expect(await getMode(folder!)).toBe(0o700)
  expect(found).toEqual([
    { type: 'host', auth_method: 'reject' },
    { type: 'local', auth_method: 'trust' },
  ])
})

test('the folders of one data folder are the same for all, and no others can read them', async () => {
  const own = await createFolder()
  const inside = join(own, 'data')

  const first = await prepareFolders(inside, 'tests')
  leftovers.add(first.home)
  expect(await prepareFolders(inside, 'tests')).toEqual(first)
  expect(first.data).toBe(join(first.home, 'tests'))
  expect(first.binaries).toMatch(/\/postgresql-[^/]+$/)
  expect(dirname(first.binaries)).toBe(isRoot ? dirname(first.home) : first.home)
  expect(await getMode(first.home)).toBe(0o700)
  expect(await getMode(inside)).toBe(0o700)
  expect(await readdir(inside)).toEqual(isRoot ? ['postgresql-is-in'] : [])
  if (!isRoot) return
  expect(await readFile(join(inside, 'postgresql-is-in'), 'utf8')).toBe(`${first.home}\n`)
  expect([dirname(first.home), await getMode('/var/lib/kiraya')]).toEqual(['/var/lib/kiraya', 0o711])
  expect(await stat(first.home)).toMatchObject(first.owner!)
})

test('a folder whose socket has too long a path is refused, with the setting to change', () => {
  const folder = `/home/${'a'.repeat(86)}`
  requireShortSocketPath(`${folder}a`)
  expect(() => requireShortSocketPath(`${folder}é`)).toThrow(
    `The path of the socket ${folder}é/.s.PGSQL.5432 is too long; set DATA_DIR to a shorter path`,
  )
})

test.skipIf(!isRoot)('a note that says nothing is left as it is, and named', async () => {
  const own = await createFolder()
  const note = join(own, 'postgresql-is-in')
  await writeFile(note, '')

  await expect(prepareFolders(own, 'tests')).rejects.toThrow(`Cannot write ${note}`)
  expect(await readdir(own)).toEqual(['postgresql-is-in'])
})

test('a program that fails says so with all that it wrote', async () => {
  const failed = await runProgram(['sh', '-c', 'echo out; echo err >&2; exit 3'])
  expect(failed).toEqual({ ok: false, output: 'out\nerr' })
  expect(await runProgram(['echo', ' fine '])).toEqual({ ok: true, output: 'fine' })
  const folders = { ...(await prepareFolders(await createFolder(), 'tests')), data: '/the/data' }
  expect(() => requireSuccess(folders, failed)).toThrow(
    'The embedded PostgreSQL in /the/data does not start: out\nerr',
  )
  requireSuccess(folders, { ok: true, output: '' })
})
