import { expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
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
const readText = (file: string) => Bun.file(join(root, file)).text()

type Import = readonly [file: string, path: string]

const IMPORTED =
  /^(?:import|export|\})[^'"\n]*? from '(?<from>[^']+)'|^import '(?<bare>[^']+)'|\b(?:import|require)\('(?<called>[^']+)'\)/gm

/** What a file imports, types included: files of ours as paths below the root, packages by name. */
async function listImports(file: string) {
  const found = (await readText(file)).matchAll(IMPORTED)
  const paths = [...found].map(({ groups }) => groups!.from ?? groups!.bare ?? groups!.called!)
  return [...new Set(paths)].map(path => (path.startsWith('.') ? toFile(file, path) : path))
}

function toFile(importer: string, path: string) {
  const file = join(dirname(importer), path)
  return [`${file}.ts`, `${file}/index.ts`].find(name => sources.includes(name)) ?? file
}

const importsByFile = sources.map(async file => (await listImports(file)).map((path): Import => [file, path]))
const imports = (await Promise.all(importsByFile)).flat()
const importsOfServer = imports.filter(each => each.every(file => file.startsWith('server/')))

const toLines = (some: Import[]) => some.map(each => each.join(' → '))

/** Lists the imports that a rule forbids, as `file → path`. */
const findImports = (isForbidden: (file: string, path: string) => boolean) =>
  toLines(imports.filter(each => isForbidden(...each)))

/** The folders and files of server/ as the README draws its layers: from the lowest up, each from left to right. */
async function readLayers() {
  const section = (await readText('README.md')).split('## Layers of server/')[1]!
  const rows = section.split('```')[1]!.trimEnd().split('\n').slice(1)
  return rows.toReversed().flatMap(row => {
    const [, folder = '', names] = /^([\w-]+\/)?\s+(.+)$/.exec(row)!
    return names!.split(' | ').map(name => `server/${folder}${name}`.replace('/*', ''))
  })
}
const parts = await readLayers()

/** A file belongs to the part that names it most closely; -1 if none does. */
function findPlace(file: string) {
  const named = parts.filter(part => file === `${part}.ts` || file.startsWith(`${part}/`))
  return parts.indexOf(named.toSorted((one, other) => other.length - one.length)[0]!)
}

/** Drops imports until each file that is left imports another and is imported: these stand in a circle. */
function findCircles(all: Import[]): Import[] {
  const importers = new Set(all.map(([file]) => file))
  const imported = new Set(all.map(([, path]) => path))
  const left = all.filter(([file, path]) => imported.has(file) && importers.has(path))
  return left.length === all.length ? all : findCircles(left)
}

test('each part of the drawing has files, and each file of server/ has a part', () => {
  const files = sources.filter(file => file.startsWith('server/'))
  const used = new Set(files.map(findPlace))
  const undrawn = new Set(files.filter(file => findPlace(file) < 0).map(dirname))
  expect([...undrawn].map(folder => `draw ${folder} in README.md, Layers of server/`)).toEqual([])
  expect(parts.filter((_, place) => !used.has(place))).toEqual([])
})

test('imports of server/ run down, or to the left', () => {
  const isDrawn = (file: string) => findPlace(file) >= 0
  const isUp = ([file, path]: Import) => isDrawn(file) && findPlace(file) < findPlace(path)
  expect(importsOfServer.length).toBeGreaterThan(1000)
  expect(toLines(importsOfServer.filter(isUp))).toEqual([])
})

test('no files import each other in a circle', () => {
  expect(toLines(findCircles(imports))).toEqual([])
})

test('imports run one way: server → db and the contract, cli → sdk', () => {
  const isOurs = (path: string) => /^(server|sdk|cli|db|test)\/|^@kiraya\//.test(path)
  const allowed: Record<string, RegExp> = {
    sdk: /^sdk\//,
    // Columns take their enumerations from the contract.
    db: /^db\/|^@kiraya\/sdk\/contract$/,
    cli: /^cli\/|^@kiraya\/sdk(\/(operations|phone|sandbox|contract\/[\w-]+))?$/,
    // The guides are sections of READMEs.
    server: /^server\/|^db\/|^@kiraya\/sdk\/contract$|\.md$/,
  }
  expect(sources.length).toBeGreaterThan(300)
  expect(findImports((file, path) => isOurs(path) && !allowed[file.split('/')[0]!]!.test(path))).toEqual([])
})

test("a vendor's e-signing adapter is imported where the providers are created", () => {
  const toVendor = (path: string) => /^server\/providers\/signing\/(\w+)\//.exec(path)?.[1]
  const isForbidden = (file: string, path: string) =>
    !!toVendor(path) && toVendor(path) !== toVendor(file) && file !== 'server/providers/index.ts'
  expect(findImports(isForbidden)).toEqual([
    // The sandbox simulates Setu's protocols, so it signs webhooks as Setu does.
    'server/sandbox/signing-requests.ts → server/providers/signing/setu/signature.ts',
    'server/sandbox/webhook-sender.ts → server/providers/signing/setu/signature.ts',
  ])
})

test('only http/ and the routes speak Elysia, and only the settings read the environment', async () => {
  const speaksElysia = /^server\/(http\/|app\.ts|sandbox\/|([\w-]+\/)+([\w-]+-)?routes\.ts)/
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

test('times are of the clock in deps: three files read the machine’s, and one asks PostgreSQL', async () => {
  const isRead = (file: string) => /^(server|db)\//.test(file)
  const files = [...sources.filter(isRead), ...new Glob('db/migrations/*.sql').scanSync({ cwd: root })]
  const texts = await Promise.all(files.map(readText))
  // A wait; a token's `iat`, so that a token stays valid when the clock is moved back; and the clock itself.
  expect(files.filter((_, index) => /\bnew Date\(\)|\bDate\.now\(/.test(texts[index]!))).toEqual([
    'server/accounts/profile/start-kyc.ts',
    'server/http/tokens.ts',
    'server/process/server.ts',
  ])

  const readsInSql = /\bnow\(\)|\bcurrent_(date|time)|\blocaltime|_timestamp\(\)/i
  const toSql = (file: string, text: string) =>
    file.endsWith('.sql')
      ? text
      : text
          .replace(/\/\*\*[^]*?\*\/|\$\{[^}]*\}/g, '')
          .match(/`[^`]*`/g)
          ?.join('\n')
  const asking = files.filter((file, index) => readsInSql.test(toSql(file, texts[index]!) ?? ''))
  // It asks how long PostgreSQL's own processes have waited.
  expect(asking).toEqual(['server/process/read-replica.ts'])
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
  const isPage = /^\/($|sandbox|docs|assets|favicon|openapi|receipts|documents\/|signed|verified)/
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

test('the root, server/ and its layers hold what belongs there and nothing else', async () => {
  const tracked = Bun.spawnSync(['git', 'ls-files'], { cwd: root }).stdout.toString().trim().split('\n')
  expect([...new Set(tracked.map(file => file.split('/')[0]!))].toSorted().join(' ')).toBe(
    '.ci .gitignore README.md bun.lock bunfig.toml cli db package.json sdk server test tsconfig.json',
  )
  expect(sources.filter(file => /^server\/[^/]+$/.test(file)).join(' ')).toBe(
    'server/app.ts server/config.ts server/deps.ts server/errors.ts server/index.ts',
  )
})

test('server/settings/README.md has the tables of settings that the program prints', async () => {
  expect(await readText('server/settings/README.md')).toEndWith(`\n\n${createMarkdown()}`)
})

test('every package is pinned to one version', async () => {
  for (const file of ['package.json', 'sdk/package.json', 'cli/package.json']) {
    const { dependencies, devDependencies } = JSON.parse(await readText(file))
    const versions = Object.entries<string>({ ...dependencies, ...devDependencies })
    const loose = versions.filter(([, version]) => !/^(\d+\.\d+\.\d+(-[\w.]+)?|workspace:\*)$/.test(version))
    expect([file, loose]).toEqual([file, []])
  }
})
