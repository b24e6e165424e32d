import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../../server/config'
import { getRefusal } from './environments'

const root = `${import.meta.dir}/../../..`
let folder: string
beforeEach(async () => {
  folder = await mkdtemp('/tmp/kiraya-config-')
})
afterEach(() => rm(folder, { recursive: true }))

const getMode = async (path: string) => (await stat(path)).mode & 0o777

test('secrets are generated once, readable by the owner alone, and the same at the next start', async () => {
  const env = { DATA_DIR: join(folder, 'below') }
  const config = readConfig(env)

  expect(readConfig(env)).toEqual(config)
  expect(Buffer.from(config.JWT_SECRET, 'base64url')).toHaveLength(32)
  const { JWT_SECRET, ESIGN_WEBHOOK_SECRET, CREDENTIALS_KEY } = config
  expect(new Set([JWT_SECRET, ESIGN_WEBHOOK_SECRET, CREDENTIALS_KEY]).size).toBe(3)
  expect(await getMode(env.DATA_DIR)).toBe(0o700)
  expect(await getMode(join(env.DATA_DIR, 'secrets.json'))).toBe(0o600)
  expect(await readdir(env.DATA_DIR)).toEqual(['secrets.json'])
})

test('a set secret replaces its generated one', () => {
  const { JWT_SECRET } = readConfig({ DATA_DIR: folder })
  const set = { JWT_SECRET: 'mine', ESIGN_WEBHOOK_SECRET: 'ours' }

  expect(readConfig({ DATA_DIR: folder, ESIGN_WEBHOOK_SECRET: 'ours' })).toMatchObject({ ...set, JWT_SECRET })
  expect(readConfig({ DATA_DIR: folder, ...set })).toMatchObject(set)
})

test('a secrets.json with only a JWT_SECRET is complete', async () => {
  await writeFile(join(folder, 'secrets.json'), JSON.stringify({ JWT_SECRET: 'kept' }))

  const config = readConfig({ DATA_DIR: folder })

  expect(config.JWT_SECRET).toBe('kept')
  expect(config.ESIGN_WEBHOOK_SECRET).toBe(readConfig({ DATA_DIR: folder }).ESIGN_WEBHOOK_SECRET)
})

test('instances that start together agree on the secrets', async () => {
  const code = `
    import { readConfig } from './server/config'
    console.log(readConfig({ DATA_DIR: process.env.FOLDER }).JWT_SECRET)
  `
  const instances = Array.from({ length: 3 }, () =>
    Bun.spawn([process.execPath, '-e', code], {
      cwd: root,
      env: { ...process.env, FOLDER: folder },
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  )
  const outputs = await Promise.all(instances.map(instance => new Response(instance.stdout).text()))
  const saved = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))

  expect(new Set(outputs)).toEqual(new Set([`${saved.JWT_SECRET}\n`]))
})

test.each(['', '{', '{}', 'null', '{"JWT_SECRET":5}', '{"JWT_SECRET":""}'])(
  'a secrets.json with %p is refused in one line',
  async content => {
    await writeFile(join(folder, 'secrets.json'), content)
    expect(getRefusal({ DATA_DIR: folder })).toMatch(/^DATA_DIR .*secrets\.json.*$/)
  },
)

test.each(['file', 'file/below'])('DATA_DIR=%s is refused in one line: it is not a folder', async path => {
  await writeFile(join(folder, 'file'), '')
  expect(getRefusal({ DATA_DIR: join(folder, path) })).toMatch(/^DATA_DIR must be .*$/)
})
