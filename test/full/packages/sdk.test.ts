import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testServer } from '../../support/server'
import {
  createProject,
  EXPECTED_OUTPUT,
  IMPORT,
  installOffline,
  packSdk,
  REQUIRE,
  root,
  runProgram,
  useClient,
} from './project'

const server = testServer()
const DEPENDENCIES = ['ky', '@sinclair/typebox']

let folder: string
let tarball: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kiraya-tarball-'))
  tarball = await packSdk(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A program that uses types of every entry. */
const TYPED_PROGRAM = `
  import { createClient, getNextStep, type Agreement, type ClientOptions } from '@kiraya/sdk'
  import { createOperationsClient } from '@kiraya/sdk/operations'
  import { createSandboxClient } from '@kiraya/sdk/sandbox'
  import { signWebhook, verifyWebhook } from '@kiraya/sdk/webhooks'
  import { NewAgreement } from '@kiraya/sdk/contract'

  const options: ClientOptions = { baseUrl: 'http://localhost:3000', timeoutMs: 1000 }
  export const read = async (id: number): Promise<Agreement> => createClient(options).agreements.get(id)
  export const readAll = async (signal: AbortSignal) => {
    const { data, requestId } = await createClient(options).agreements.list({}, { signal, maxRetries: 0 }).withResponse()
    const every: Agreement[] = await createClient(options).agreements.list().toArray({ limit: 10 })
    return [...data.data, ...every, requestId]
  }
  export const others = [createOperationsClient, createSandboxClient, getNextStep, signWebhook, verifyWebhook]
  export const required: string[] | undefined = NewAgreement.required
  // @ts-expect-error A rent is a number.
  export const wrong: Promise<unknown> = createClient(options).agreements.update(1, { rent_amount: '1' })
`
const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', '--noEmit']
const LIBRARIES = ['--target', 'es2023', '--lib', 'es2023,dom,dom.iterable', '--types', '']
const COMPILERS: [name: string, file: string, flags: string[]][] = [
  ['a bundler', 'program.ts', ['--module', 'preserve', '--moduleResolution', 'bundler']],
  ['Node, as a module', 'program.mts', ['--module', 'nodenext', '--moduleResolution', 'nodenext']],
  ['Node, as CommonJS', 'program.cts', ['--module', 'nodenext', '--moduleResolution', 'nodenext']],
]

test.each(COMPILERS)('the types compile for %s', async (_, file, flags) => {
  using project = createProject({ [file]: TYPED_PROGRAM })
  await installOffline(project.folder, tarball, DEPENDENCIES)

  await project.run(join(root, 'node_modules/.bin/tsc'), ...STRICT, ...LIBRARIES, ...flags, file)
})

test('the declarations document methods and fields, and need TypeBox for the contract alone', async () => {
  using project = createProject({})
  await installOffline(project.folder, tarball, [])
  const dist = join(project.folder, 'node_modules/@kiraya/sdk/dist')

  for (const format of ['esm', 'cjs']) {
    const declarations = new Map<string, string>()
    for (const file of new Bun.Glob('**/*.d.ts').scanSync(join(dist, format)))
      declarations.set(file, await Bun.file(join(dist, format, file)).text())

    expect(declarations.get('types.d.ts')).toMatch(
      /\/\*\* The day of the month; .*\. From 1 to 31\. \*\/\s+rent_due_day\?: number \| undefined/,
    )
    expect(declarations.get('agreements.d.ts')).toContain(
      '@example\n     * const agreement = await kiraya.agreements.get(7)',
    )
    const withTypeBox = [...declarations].filter(([, text]) => /typebox|contract\//.test(text))
    expect(withTypeBox.filter(([file]) => !file.startsWith('contract/'))).toEqual([])
  }
})

const node = Bun.which('node')
const RUNTIMES: [name: string, program: string | null, file: string, importLine: string][] = [
  ['Node, as a module', node, 'program.mjs', IMPORT],
  ['Bun', process.execPath, 'program.ts', IMPORT],
]

test.each(RUNTIMES.filter(([, program]) => program))(
  'the installed package runs in %s',
  async (_, program, file, importLine) => {
    using project = createProject({ [file]: useClient(importLine, server.url) })
    await installOffline(project.folder, tarball, DEPENDENCIES)

    expect(JSON.parse(await project.run(program!, file))).toEqual(EXPECTED_OUTPUT)
  },
)

test('publint has no finding', async () => {
  const output = await runProgram([join(root, 'node_modules/.bin/publint'), 'run', tarball, '--strict'], root)
  expect(output).toContain('All good!')
})

test('@arethetypeswrong/cli has no finding', async () => {
  using project = createProject({})
  await project.run('npm', 'install', '--no-audit', '--no-fund', '@arethetypeswrong/cli@0.18.5')
  // Only the old `node10` cannot resolve all, which README.md does not promise; the compilers above hold the others.
  await project.run('npx', 'attw', tarball, '--ignore-rules', 'internal-resolution-error')
})

test.each([22, 24])('the tarball installs and runs in Node %d', async version => {
  using project = createProject({
    'program.mjs': useClient(IMPORT, server.url),
    'program.cjs': useClient(REQUIRE, server.url),
  })
  await project.run('npm', 'install', '--no-audit', '--no-fund', `node@${version}`, tarball)

  const program = join(project.folder, 'node_modules/.bin/node')
  expect(JSON.parse(await project.run(program, 'program.mjs'))).toEqual(EXPECTED_OUTPUT)
  expect(JSON.parse(await project.run(program, 'program.cjs'))).toEqual(EXPECTED_OUTPUT)
})
