import { describe, expect, test } from 'bun:test'
import { dirname, join, relative } from 'node:path'
import { Glob } from 'bun'
import { createApp } from '../server/app'
import { readConfig, settings } from '../server/config'
import { createLog } from '../server/observability/log'
import type { Deps } from '../server/deps'
import { openDatabase } from '../db/database'

const root = join(import.meta.dir, '..')
const sources = [...new Glob('{server,sdk,cli,db}/**/*.ts').scanSync({ cwd: root })]
  .filter(file => !file.includes('node_modules'))
  .toSorted()
const transpiler = new Bun.Transpiler({ loader: 'ts' })

/** What a file imports, types included: folders of ours as paths below the root, packages by name. */
async function listImports(file: string) {
  const text = (await Bun.file(join(root, file)).text()).replace(/^#!.*/, '')
  const named = [...text.matchAll(/^(?:import|export|\})[^'"\n]*? from '([^']+)'|^import '([^']+)'/gm)].map(
    ([, from, bare]) => from ?? bare!,
  )
  const scanned = transpiler.scanImports(text).map(({ path }) => path)
  return [...new Set([...named, ...scanned])].map(path =>
    path.startsWith('.') ? relative(root, join(root, dirname(file), path)) : path,
  )
}

const NOUNS =
  'auth profile dashboard properties units tenants agreements invitations ' +
  'ledger charges payments deposits statements revisions reports'

/** Files that a noun opens to the others, beside its service, queries and access. */
const openFiles: Record<string, string> = {
  units: 'deletion',
  // What leases look like on paper, the record of what happened to one, whom it concerns, and how often a day.
  agreements: 'activities daily-limits lease-labels snapshots timeline',
  // All nouns of the books post into the ledger.
  ledger: 'accounts activities allocation books due-advances journals postings',
  // The schedule of a lease and its late fees: the rules, and what posts them into locked books.
  charges:
    'agreement-schedule labels late-fee-rules late-fee-posting opening rents revised-rents schedule-end schedule-view',
  deposits: 'settlement take-over',
  // What all documents say of a lease and its payments.
  statements: 'descriptions parties',
}

describe('imports run one way', () => {
  const ours = (path: string) => /^(server|sdk|cli|db|test)\/|^@kiraya\//.test(path)
  const allowed: Record<string, RegExp> = {
    sdk: /^sdk\//,
    db: /^db\//,
    cli: /^cli\/|^@kiraya\/sdk(\/(operations|phone|sandbox))?$/,
    // The guides are sections of READMEs.
    server: /^server\/|^db\/|^@kiraya\/sdk\/contract$|\.md$/,
  }

  test.each(sources)('%s', async file => {
    const imports = (await listImports(file)).filter(ours)
    expect(imports.filter(path => !allowed[file.split('/')[0]!]!.test(path))).toEqual([])
  })

  test('one noun knows another by its service, queries, access and open files alone', async () => {
    const nouns = NOUNS.split(' ')
    const isOpen = (noun: string, file: string) =>
      ['service', 'queries', 'access', ...(openFiles[noun]?.split(' ') ?? [])].includes(file)
    const wrong: string[] = []
    for (const file of sources.filter(name => name.startsWith('server/')))
      for (const path of (await listImports(file)).filter(name => name.startsWith('server/'))) {
        const [, from] = file.split('/')
        const [, to, part] = path.split('/')
        if (from !== to && nouns.includes(from!) && nouns.includes(to!) && !isOpen(to!, part!))
          wrong.push(`${file} → ${path}`)
      }
    expect(wrong).toEqual([])
  })

  test("a vendor's e-signing adapter is imported by the list of adapters alone", async () => {
    const signing = 'server/providers/signing/'
    const toVendor = (path: string) =>
      path.startsWith(signing) ? path.slice(signing.length).split('/')[0] : undefined
    const vendors = new Set(sources.filter(file => toVendor(file)?.endsWith('.ts') === false).map(toVendor))
    const imports: string[] = []
    for (const file of sources.filter(name => name !== `${signing}index.ts`))
      for (const path of await listImports(file)) {
        const vendor = toVendor(path)
        if (vendor && vendors.has(vendor) && vendor !== toVendor(file)) imports.push(`${file} → ${path}`)
      }
    expect(imports).toEqual([
      // The sandbox simulates Setu's protocols, so it signs webhooks as Setu does.
      'server/sandbox/signing-requests.ts → server/providers/signing/setu/signature',
      'server/sandbox/webhook-sender.ts → server/providers/signing/setu/signature',
    ])
  })
})

test('only http/ and the routes speak Elysia, and only the settings read the environment', async () => {
  const elysia: string[] = []
  const environment: string[] = []
  for (const file of sources.filter(name => name.startsWith('server/') || name.startsWith('db/'))) {
    if (
      (await listImports(file)).includes('elysia') &&
      !/^server\/(http\/|app\.ts|sandbox\/|\w+\/routes\.ts)/.test(file)
    )
      elysia.push(file)
    if (/process\.env|Bun\.env/.test(await Bun.file(join(root, file)).text())) environment.push(file)
  }
  expect(elysia).toEqual([])
  expect(environment).toEqual([
    'db/embedded-postgres/programs.ts',
    'server/index.ts',
    'server/process/backup.ts',
    'server/process/migrate.ts',
  ])
})

test('pg serves COPY, the lease of the embedded cluster and the job queue; everything else goes through the pool', async () => {
  const users: string[] = []
  for (const file of sources) if ((await listImports(file)).includes('pg')) users.push(file)
  expect(users).toEqual([
    'db/backup/dump.ts',
    'db/backup/restore.ts',
    'db/backup/tables.ts',
    'db/embedded-postgres/cluster-lease.ts',
    'server/jobs/index.ts',
  ])
})

describe('every route', () => {
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgresql://nobody@localhost/none',
    JWT_SECRET: 'j'.repeat(32),
    ESIGN_WEBHOOK_SECRET: 'w'.repeat(32),
  })
  const nowhere = () => ''
  const app = createApp({
    config,
    db: openDatabase(config.DATABASE_URL!),
    log: createLog('silent', false),
    now: () => new Date(),
    ownUrl: nowhere,
    publicUrl: nowhere,
    otherSigning: [],
    signing: { webhookHeader: 'x-signature', webhookSchema: {} },
  } as unknown as Deps)
  const routes = app.routes.filter(
    ({ path }) => !/^\/($|sandbox|docs|assets|favicon|openapi|receipts|signed|verified)/.test(path),
  )

  test.each(routes.map(route => [`${route.method} ${route.path}`, route] as const))(
    '%s declares what it answers',
    (_, { hooks }) => {
      const statuses = Object.keys(hooks.response ?? {})
      expect(statuses.length).toBeGreaterThan(0)
      // Unless the status is set before the handler, a route that declares 201 alone answers 200 with nothing stripped.
      if (!statuses.includes('200'))
        expect(String([hooks.beforeHandle].flat().map(hook => hook?.fn ?? hook))).toContain('status = 201')
    },
  )

  test('that reads a query says how', () => {
    const raw = routes.filter(({ hooks }) => hooks.query && !hooks.transform)
    expect(raw.map(({ path }) => path)).toEqual([])
  })
})

test('server/ has at its root only the entry, the app, the settings, the dependencies and the faults', () => {
  const atRoot = sources.filter(file => /^server\/[^/]+$/.test(file))
  expect(atRoot).toEqual([
    'server/app.ts',
    'server/config.ts',
    'server/deps.ts',
    'server/faults.ts',
    'server/index.ts',
  ])
})

test('the top level holds what belongs there and nothing else', async () => {
  const tracked = Bun.spawnSync(['git', 'ls-files'], { cwd: root }).stdout.toString().trim().split('\n')
  const top = new Set(tracked.map(file => file.split('/')[0]!))
  expect([...top].toSorted()).toEqual([
    '.ci',
    '.gitignore',
    'README.md',
    'bun.lock',
    'bunfig.toml',
    'cli',
    'db',
    'package.json',
    'sdk',
    'server',
    'test',
    'tsconfig.json',
  ])
})

test('every setting is in server/README.md, with its default and meaning', async () => {
  const readme = await Bun.file(join(root, 'server/README.md')).text()
  // The formatter pads the cells.
  const settingRow = /^\| `([A-Z0-9_]+)` *\| *(.*?) *\| *(.*?) *\|$/gm
  const rows = new Map(
    [...readme.matchAll(settingRow)].map(([, name, fallback, meaning]) => [name, { fallback, meaning }]),
  )
  for (const [name, { defaultText, meaning }] of Object.entries(settings))
    expect({ name, ...rows.get(name) }).toEqual({
      name,
      fallback: defaultText ? `\`${defaultText}\`` : '',
      meaning,
    })
  expect([...rows.keys()].filter(name => !Object.hasOwn(settings, name ?? ''))).toEqual([])
})

test('every folder of server/ is a room of README.md', async () => {
  const readme = await Bun.file(join(root, 'README.md')).text()
  const table = readme.split('## Rooms of server/')[1]!.split('## Commands')[0]!
  const rooms = new Set([...table.matchAll(/`(\w+)`(?=[^|]*\|[^|]*\|$)/gm)].map(([, room]) => room!))
  const folders = sources
    .map(file => /^server\/(\w+)\//.exec(file)?.[1])
    .filter(folder => folder !== undefined)
  expect([...new Set(folders)].filter(folder => folder !== 'dist' && !rooms.has(folder))).toEqual([])
})

test('every account of the ledger is in server/README.md', async () => {
  const source = await Bun.file(join(root, 'server/ledger/accounts.ts')).text()
  const type = source.split('export type Account =')[1]!.split('\n\n')[0]!
  const names = [...type.matchAll(/'(\w+)'/g)].map(([, name]) => name!)
  const readme = await Bun.file(join(root, 'server/README.md')).text()
  const accounts = readme.split('### Accounts')[1]!.split('| event')[0]!
  expect(names).toContain('deposit_transfer')
  expect(names.filter(name => !accounts.includes(`\`${name}\``))).toEqual([])
})

test('every package is pinned to one version', async () => {
  for (const file of ['package.json', 'sdk/package.json', 'cli/package.json']) {
    const { dependencies = {}, devDependencies = {} } = (await Bun.file(join(root, file)).json()) as Record<
      string,
      Record<string, string>
    >
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect(`${name} ${version}`).toMatch(/ (\d+\.\d+\.\d+(-[\w.]+)?|workspace:\*)$/)
  }
})
