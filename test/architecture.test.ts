import { expect, test } from 'bun:test'
import { dirname, join, relative } from 'node:path'
import { Glob } from 'bun'
import { createApp } from '../server/app'
import { readConfig } from '../server/config'
import { createLog } from '../server/observability/log'
import type { Deps } from '../server/deps'
import { createMarkdown } from '../server/process/help'
import { openDatabase } from '../db/database'

const root = join(import.meta.dir, '..')
const sources = [...new Glob('{server,sdk,cli,db}/**/*.ts').scanSync({ cwd: root })]
  .filter(file => !/node_modules|\/dist\//.test(file))
  .toSorted()
const transpiler = new Bun.Transpiler({ loader: 'ts' })
const readText = (file: string) => Bun.file(join(root, file)).text()

/** What a file imports, types included: folders of ours as paths below the root, packages by name. */
async function listImports(file: string) {
  const text = (await readText(file)).replace(/^#!.*/, '')
  const named = [...text.matchAll(/^(?:import|export|\})[^'"\n]*? from '([^']+)'|^import '([^']+)'/gm)].map(
    ([, from, bare]) => from ?? bare!,
  )
  const scanned = transpiler.scanImports(text).map(({ path }) => path)
  return [...new Set([...named, ...scanned])].map(path =>
    path.startsWith('.') ? relative(root, join(root, dirname(file), path)) : path,
  )
}
const imports = (
  await Promise.all(sources.map(async file => (await listImports(file)).map(path => [file, path] as const)))
).flat()

/** Lists the imports that a rule forbids, as `file → path`. */
const findImports = (isForbidden: (file: string, path: string) => boolean) =>
  imports.filter(each => isForbidden(...each)).map(each => each.join(' → '))

const NOUNS = 'auth profile dashboard properties units tenants leases invitations reports'

/** Files that a noun opens to the others, beside its service, queries and access. */
const openFiles: Record<string, string> = {
  // Who changes a password, is erased or invited is counted as a sign-in is.
  auth: 'otp sign-in-limits',
  units: 'deletion',
}

test('imports run one way: server → db and the contract, cli → sdk', () => {
  const isOurs = (path: string) => /^(server|sdk|cli|db|test)\/|^@kiraya\//.test(path)
  const allowed: Record<string, RegExp> = {
    sdk: /^sdk\//,
    // Columns take their enumerations from the contract.
    db: /^db\/|^@kiraya\/sdk\/contract$/,
    cli: /^cli\/|^@kiraya\/sdk(\/(operations|phone|sandbox|contract\/\w+))?$/,
    // The guides are sections of READMEs.
    server: /^server\/|^db\/|^@kiraya\/sdk\/contract$|\.md$/,
  }
  expect(sources.length).toBeGreaterThan(300)
  expect(findImports((file, path) => isOurs(path) && !allowed[file.split('/')[0]!]!.test(path))).toEqual([])
})

test('one noun knows another by its service, queries, access and open files alone', () => {
  const nouns = NOUNS.split(' ')
  // What all may know of a lease lies beside the folders of its room.
  const isOpen = (noun: string, file: string, isInFolder: boolean) =>
    noun === 'leases'
      ? !isInFolder
      : ['service', 'queries', 'access', ...(openFiles[noun]?.split(' ') ?? [])].includes(file)
  const isForbidden = (file: string, path: string) => {
    if (!file.startsWith('server/') || !path.startsWith('server/')) return false
    const toParts = (name: string) =>
      name
        .replace(/\/(listing|accounts)\//, '/')
        .split('/')
        .slice(1)
    const [from, to, part, ...deeper] = [toParts(file)[0]!, ...toParts(path)]
    if (from === to || !nouns.includes(from) || !nouns.includes(to!)) return false
    return !isOpen(to!, part!, deeper.length > 0)
  }
  expect(findImports(isForbidden)).toEqual([])
})

test('each folder of the books imports only from those to its left', () => {
  const folders = 'ledger charges payments deposits revisions statements lifecycle'.split(' ')
  const getPlace = (path: string) => folders.indexOf(/^server\/books\/(\w+)/.exec(path)?.[1] ?? '')
  const isForbidden = (file: string, path: string) => getPlace(file) >= 0 && getPlace(path) > getPlace(file)
  expect(findImports(isForbidden)).toEqual([])
})

test('leases import nothing of the books, and no part of them what stands above it', () => {
  const rules: [of: RegExp, above: RegExp][] = [
    [/^server\/leases\//, /^server\/(books|reports)\//],
    [/^server\/leases\/[\w-]+\.ts/, /^server\/leases\/\w+\//],
    [/^server\/leases\/signing\//, /^server\/leases\/(agreements|evidence)\//],
  ]
  const isForbidden = (file: string, path: string) =>
    rules.some(([of, above]) => of.test(file) && above.test(path))
  expect(findImports(isForbidden)).toEqual([])
})

test("a vendor's e-signing adapter is imported where the providers are created", () => {
  const toVendor = (path: string) => /^server\/providers\/signing\/(\w+)\//.exec(path)?.[1]
  const isForbidden = (file: string, path: string) =>
    !!toVendor(path) && toVendor(path) !== toVendor(file) && file !== 'server/providers/index.ts'
  expect(findImports(isForbidden)).toEqual([
    // The sandbox simulates Setu's protocols, so it signs webhooks as Setu does.
    'server/sandbox/signing-requests.ts → server/providers/signing/setu/signature',
    'server/sandbox/webhook-sender.ts → server/providers/signing/setu/signature',
  ])
})

test('only http/ and the routes speak Elysia, and only the settings read the environment', async () => {
  const speaksElysia = /^server\/(http\/|app\.ts|sandbox\/|(\w+\/)+([\w-]+-)?routes\.ts)/
  expect(findImports((file, path) => path === 'elysia' && !speaksElysia.test(file))).toEqual([])
  const environment: string[] = []
  for (const file of sources.filter(name => /^(server|db)\//.test(name)))
    if (/process\.env|Bun\.env/.test(await readText(file))) environment.push(file)
  expect(environment).toEqual([
    'db/embedded-postgres/programs.ts',
    'server/index.ts',
    'server/process/migrate.ts',
  ])
})

test('pg serves the job queue; everything else goes through the pool', () => {
  expect(imports.filter(([, path]) => path === 'pg').map(([file]) => file)).toEqual(['server/jobs/index.ts'])
})

function listRoutes() {
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgresql://nobody@localhost/none',
    JWT_SECRET: 'j'.repeat(32),
    ESIGN_WEBHOOK_SECRET: 'w'.repeat(32),
  })
  const app = createApp({
    config,
    db: openDatabase(config.DATABASE_URL!),
    log: createLog('silent', false),
    now: () => new Date(),
    ownUrl: () => '',
    publicUrl: () => '',
    otherSigning: [],
    signing: { webhookHeader: 'x-signature', webhookSchema: {} },
  } as unknown as Deps)
  const isPage = /^\/($|sandbox|docs|assets|favicon|openapi|receipts|signed|verified)/
  return app.routes.filter(({ path }) => !isPage.test(path))
}

test('every route declares what it answers, and one that reads a query says how', () => {
  const routes = listRoutes()
  expect(routes.length).toBeGreaterThan(80)
  const toNames = (found: typeof routes) => found.map(({ method, path }) => `${method} ${path}`)
  const getStatuses = ({ hooks }: (typeof routes)[number]) => Object.keys(hooks.response ?? {})
  // Unless the status is set before the handler, a route that declares 201 alone answers 200 with nothing stripped.
  const setsCreated = ({ hooks }: (typeof routes)[number]) =>
    String([hooks.transform].flat().map(hook => hook?.fn ?? hook)).includes('status = 201')

  expect(toNames(routes.filter(route => getStatuses(route).length === 0))).toEqual([])
  const without200 = routes.filter(route => !getStatuses(route).includes('200'))
  expect(toNames(without200.filter(route => !setsCreated(route)))).toEqual([])
  expect(toNames(routes.filter(({ hooks }) => hooks.query && !('~standard' in hooks.query)))).toEqual([])
})

test('the root, server/ and its rooms hold what belongs there and nothing else', async () => {
  const tracked = Bun.spawnSync(['git', 'ls-files'], { cwd: root }).stdout.toString().trim().split('\n')
  expect([...new Set(tracked.map(file => file.split('/')[0]!))].toSorted().join(' ')).toBe(
    '.ci .gitignore README.md bun.lock bunfig.toml cli db package.json sdk server test tsconfig.json',
  )
  expect(sources.filter(file => /^server\/[^/]+$/.test(file)).join(' ')).toBe(
    'server/app.ts server/config.ts server/deps.ts server/faults.ts server/index.ts',
  )
  const table = (await readText('README.md')).split('## Rooms of server/')[1]!.split('## Commands')[0]!
  const rooms = [...table.matchAll(/`(\w+)`(?=[^|]*\|[^|]*\|$)/gm)].map(([, room]) => room!)
  const folders = new Set(sources.flatMap(file => /^server\/(\w+)\//.exec(file)?.[1] ?? []))
  expect([...folders].filter(folder => !rooms.includes(folder))).toEqual([])
})

test('server/README.md has the tables of settings that the program prints', async () => {
  expect(await readText('server/README.md')).toContain(`\n${createMarkdown()}\n`)
})

test('every package is pinned to one version', async () => {
  for (const file of ['package.json', 'sdk/package.json', 'cli/package.json']) {
    const { dependencies, devDependencies } = JSON.parse(await readText(file))
    const versions = Object.entries<string>({ ...dependencies, ...devDependencies })
    const loose = versions.filter(([, version]) => !/^(\d+\.\d+\.\d+(-[\w.]+)?|workspace:\*)$/.test(version))
    expect([file, loose]).toEqual([file, []])
  }
})
