import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { findCommand, listExamples, readHelp } from '../../cli/transcripts/help'
import { operations } from '../../operations'
import { findDocComment } from '../../sdk/doc-comments'
import { testServer } from '../../support/server'
import { sendRequest } from '../../support/requests'

// RECORD=samples writes what the description shows of the SDK and the CLI.

const root = join(import.meta.dir, '../../..')
const FILE = join(root, 'server/http/openapi/client-samples.json')
const PUBLIC_URL = 'https://api.example.com'
const server = testServer({
  env: { OPS_TOKEN: 'o'.repeat(32), SANDBOX_TOKEN: 's'.repeat(32), PUBLIC_URL },
})

/** The commands that are not called like the method of the SDK. */
const commandByMethod: Record<string, string> = {
  'auth.sendOtp': 'login',
  'auth.verify': 'login',
  'auth.login': 'login',
  'auth.me': 'status',
  'auth.logout': 'logout',
  'auth.exportMyData': 'auth export',
  'auth.eraseMyData': 'auth erase',
  'profile.startKyc': 'kyc start',
  'profile.completeKyc': 'kyc complete',
  'dashboard.get': 'dashboard',
  'agreements.setDocument': 'agreement update',
  'statements.pdf': 'statement download',
  'deposits.settlementPdf': 'deposit download',
  'operations.invite': 'import landlords',
  'sandbox.check': 'sandbox approve-kyc',
  'sandbox.addFailure': 'sandbox failure add',
  'sandbox.removeFailure': 'sandbox failure remove',
  'sandbox.clearFailures': 'sandbox failure clear',
  'sandbox.moveClock': 'sandbox clock advance',
  'sandbox.setEkyc': 'sandbox ekyc',
}
/** The other nouns of the CLI are in the singular. */
const nouns: Record<string, string> = { operations: 'ops', properties: 'property', books: 'books' }
const toKebabCase = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** `rentRevisions.propose` is `rent-revision propose`. */
function toCommand(method: string) {
  const [noun, verb] = toKebabCase(method).split('.') as [string, string]
  return commandByMethod[method] ?? `${nouns[noun] ?? noun.replace(/s$/, '')} ${verb}`
}

/** The command lines of the transcripts that do what they say, the shortest first. */
const transcripts = await Promise.all(
  [...new Glob('test/cli/transcripts/*.txt').scanSync(root)].map(file => Bun.file(join(root, file)).text()),
)
const lines = transcripts
  .join('\n')
  .split(/^\$ /m)
  .filter(run => !/^= \d+$|^ANSWER=|--dry-run/m.test(run))
  .map(run => run.split('\n')[0]!.replace(/^.*?(?=kiraya )|( --(json|query) \S+)?( \| cat)?$/g, ''))
  .toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))

/** The first example in the help of the command, or else the shortest line of a transcript. */
function findCommandLine(method: string) {
  const path = toCommand(method)
  const isOf = (line: string) => `${line} `.startsWith(`kiraya ${path} `)
  return listExamples(readHelp(findCommand(path.split(' ')))).find(isOf) ?? lines.find(isOf)
}

const findRow = (operation: string) => operations[operation.replace(/\{(\w+)\}/g, ':$1')]!

function toSample(operation: string) {
  const { sdk, body } = findRow(operation)
  const method = sdk[0]?.split(' ')[1] ?? ''
  return {
    sdk: findDocComment(method)?.example,
    cli: (method && findCommandLine(method)) || `kiraya api ${operation}${body ? ' --input body.json' : ''}`,
  }
}

type Sample = { lang: string; label: string; source: string }
type Operations = Record<string, Record<string, { 'x-codeSamples': Sample[] }>>

async function loadSamples(path: string) {
  const { body } = await sendRequest(server, 'GET', path)
  const found = Object.entries(body.paths as Operations).flatMap(([route, methods]) =>
    Object.entries(methods).map(
      ([method, described]) => [`${method.toUpperCase()} ${route}`, described['x-codeSamples']] as const,
    ),
  )
  return new Map(found)
}

test('the samples of the SDK and the CLI are from its doc comments, its help and its transcripts', async () => {
  const described = [...(await loadSamples('/openapi.json')).keys()].toSorted()
  const samples = JSON.parse(
    JSON.stringify(Object.fromEntries(described.map(each => [each, toSample(each)]))),
  )
  if (process.env.RECORD === 'samples') {
    await Bun.write(FILE, JSON.stringify(samples, null, 2))
    await Bun.$`node_modules/.bin/oxfmt -c .ci/oxfmt.json ${FILE}`.cwd(root).quiet()
  }
  expect(await Bun.file(FILE).json()).toEqual(samples)
})

test('every operation has a sample for curl and the CLI, and for the SDK if that has a method', async () => {
  const loaded = [...(await loadSamples('/openapi.json'))]
  const found = loaded.map(([operation, samples]) => [operation, samples.map(({ label }) => label)])
  const expected = loaded.map(([operation]) => [
    operation,
    findRow(operation).sdk.length > 0 ? ['curl', 'SDK', 'CLI'] : ['curl', 'CLI'],
  ])
  expect(found).toEqual(expected)
  expect(found.length).toBeGreaterThan(100)
  const sources = loaded.flatMap(([, samples]) => samples.map(({ source }) => source))
  expect(sources.filter(source => source.endsWith('\\'))).toEqual([])
})

const json = '  -H "Content-Type: application/json" \\\n  --data-binary '
test.each([
  ['a', 'PUT /profile/complete', `Bearer $TOKEN" \\\n${json}'{\n  "firstName": "Asha",\n`],
  [
    'b',
    'POST /agreements/{id}/renew',
    `-X POST \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -H "Idempotency-Key: $(uuidgen)"`,
  ],
  ['b', 'GET /payments/{id}/receipt', '" \\\n  --remote-name --remote-header-name'],
  ['b', 'GET /books/expiring', `/books/expiring?days=366' \\\n`],
  ['b', 'GET /operations/webhooks', 'Bearer $OPS_TOKEN"'],
  ['b', 'POST /sandbox/control/clock', 'Bearer $SANDBOX_TOKEN"'],
  [
    'b',
    'POST /maintenance-requests/{id}/attachments',
    `application/octet-stream" \\\n  --data-binary '@photo.jpg'`,
  ],
] as const)('in Variant %s curl sends %s with its example', async (variant, operation, part) => {
  const [curl] = (await loadSamples(`/openapi/${variant}.json`)).get(operation)!
  expect(curl!.source).toStartWith(`curl '${PUBLIC_URL}/`)
  expect(curl!.source).toContain(part)
})
