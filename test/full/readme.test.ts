import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import { PICTURE } from '../../cli/smoke/maintenance'
import { freshDatabase } from '../support/database'
import { startTestServer } from '../support/server'

const root = join(import.meta.dir, '../..')
const OPS_TOKEN = 'a-token-of-the-operators-for-this-test'
const OPEN_SIGNATURES = 'npx kiraya sandbox state --query "join(\' \', signatures[].url)"'
const SIGN_ALL = `for url in $(${OPEN_SIGNATURES}); do npx kiraya sandbox sign "$url"; done`

const curl = Bun.which('curl')

/** Commands that other tests run, or that need what is not there. */
const runElsewhere: [command: RegExp, where: string][] = [
  ...(curl ? [] : [[/^curl /, 'this machine has no curl'] as [RegExp, string]]),
  [/^npx bun@\S+ install|bun start$|bun run dev$/, 'test/server/process starts the server'],
  [/^pg_(dump|restore) /, "PostgreSQL's own tools are not among the packages"],
]

/** What a person replies to the questions of a command, as flags: here no command has a terminal. */
const replies: [command: RegExp, flags: string][] = [
  [
    /^npx kiraya onboard --phone \d+$/,
    '--otp 123456 --first-name Asha --last-name Rao --email asha@example.com',
  ],
]

/** What a person does after a command. */
const deeds: [command: RegExp, deed: string][] = [
  [/^npx kiraya (open signing|agreement sign) /, SIGN_ALL],
  [/^npx kiraya login --profile tenant/, 'npx kiraya login --profile tenant --phone 9123456789 --otp 123456'],
]

/** What stands for a value that a reader has. */
const placeholders: [text: string, value: string][] = [
  ['http://localhost:3000/sandbox/sign/…', '$(npx kiraya sandbox state --query signatures[0].url)'],
  ['http://localhost:3000/sandbox/verify/…', '$(npx kiraya sandbox state --query checks[0].url)'],
  ['KIRAYA_OPS_TOKEN=…', `KIRAYA_OPS_TOKEN=${OPS_TOKEN}`],
  ['ops replay 17', 'ops replay "$(npx kiraya ops webhooks --query \'[0].id\')"'],
  ['payment bounce 12', 'payment bounce "$(npx kiraya payment list --status pending --query \'[0].id\')"'],
  ['payment receipt 12', 'payment receipt "$(npx kiraya payment list --status posted --query \'[0].id\')"'],
  ...['attach', 'update', 'status'].map((verb): [string, string] => [
    `maintenance ${verb} 7`,
    `maintenance ${verb} "$(npx kiraya maintenance list --query '[0].id')"`,
  ]),
  ['accept WH-1 3', 'accept WH-1 "$(npx kiraya rent-revision list WH-1 --query \'[0].id\')"'],
  ['agreement terminate WH-1', 'agreement terminate WH-3'],
  ['--settlement-id …', '--settlement-id "$(npx kiraya deposit get WH-3 --query settlement.settlement_id)"'],
  ...['settle', 'accept', 'post', 'download'].map((verb): [string, string] => [
    `deposit ${verb} WH-1`,
    `deposit ${verb} WH-3`,
  ]),
  ['--landlords 20 --scale 20', '--landlords 1 --scale 1'],
  ['http://localhost:3000', '$KIRAYA_URL'],
  [' localhost:3000', ' $KIRAYA_URL'],
]

const [neighbour, lease] = ['--profile neighbour', '--start 2026-12-01 --months 11 --rent 25000 --due-day 5']
/** A signature and an identity check that wait for a person. */
const openRequests = [
  'npx kiraya unit create "White House" --unit-name A-102',
  `npx kiraya agreement create --unit "White House/A-102" --tenant Tara --agreement-number WH-2 ${lease} \
    --notice-days 30 --document-url http://localhost:3000/sandbox/files/sample-lease.pdf`,
  'OPEN=yes npx kiraya agreement sign WH-2',
  `npx kiraya login ${neighbour} --phone 9000000018`,
  `npx kiraya login ${neighbour} --phone 9000000018 --otp 123456`,
  `npx kiraya profile complete ${neighbour} --first-name Devi --last-name Nair --email devi@example.com`,
  `npx kiraya kyc start ${neighbour}`,
]

/** A lease that began, so that it can end, with its deposit. */
const begunLease = [
  'npx kiraya unit create "White House" --unit-name A-103',
  `npx kiraya agreement create --unit "White House/A-103" --tenant Tara --agreement-number WH-3 \
    --start $(date +%F) --months 11 --rent 25000 --deposit 50000 --due-day 1 --notice-days 30 \
    --document-url http://localhost:3000/sandbox/files/sample-lease.pdf`,
  'npx kiraya agreement sign WH-3',
  'npx kiraya agreement sign WH-3 --signer Tara',
  'npx kiraya payment create WH-3 --amount 100000 --method upi',
]

/** A lease that was signed on paper. */
const paperLease = [
  'npx kiraya unit create "White House" --unit-name A-104',
  `npx kiraya agreement create --unit "White House/A-104" --tenant Tara --agreement-number WH-0 \
    --start 2024-04-01 --months 11 --rent 20000 --due-day 5 --notice-days 30`,
]

/** What a README takes for granted. */
const preparations: Record<string, string[]> = {
  'cli/README.md': [
    ...readCommands('README.md').filter(command => command.includes('kiraya')),
    ...begunLease,
    ...paperLease,
    ...openRequests,
  ],
  'sdk/README.md': ['npx kiraya onboard --phone 9876543210'],
}

const folder = mkdtempSync(join(tmpdir(), 'kiraya-readme-'))
beforeAll(() => {
  const bun = process.execPath
  writeProgram('npx', `case $1 in kiraya) shift; exec ${bun} ${root}/cli/index.ts "$@";; *) exit 99;; esac`)
  if (curl) writeProgram('curl', `exec ${curl} --fail "$@"`)
  writeProgram('bun', `exec ${bun} --cwd=${root} "$@"`)
})
afterAll(() => rmSync(folder, { recursive: true }))

const readmes = [...new Glob('**/README.md').scanSync({ cwd: root })]
  .filter(path => !/node_modules|dist|^\./.test(path) && readCommands(path).some(isRunHere))
  .toSorted()

// Each command starts a program, which takes its time on a loaded machine.
test.each(readmes)(
  'the commands of %s succeed from top to bottom',
  async path => {
    const server = await startTestServer({ env: { NODE_ENV: 'development', RUN_JOBS: 'true', OPS_TOKEN } })
    const database = await freshDatabase({ migrated: false })
    const commands = [...(preparations[path] ?? []), ...readCommands(path)].filter(isRunHere)

    const { exitCode, text } = await runShell(toScript(commands), {
      KIRAYA_URL: server.url,
      TOKEN: await signIn(server.url),
      DATABASE_URL: database.url,
    })
    expect(exitCode, text).toBe(0)
    expect(text.split('❯ ')).toHaveLength(1 + commands.length)

    await server.end()
    await database.drop()
  },
  180_000,
)

/** Reads the commands of all blocks of shell, one a line, without comments. */
function readCommands(path: string) {
  const text = readFileSync(join(root, path), 'utf8')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block!)
  return blocks
    .flatMap(block => block.replaceAll(/\s*\\\n\s*/g, ' ').split('\n'))
    .map(line => line.replace(/\s+# .*/, '').trim())
    .filter(Boolean)
}

function isRunHere(command: string) {
  return !runElsewhere.some(([pattern]) => pattern.test(command))
}

/** A command that fails ends the script. */
function toScript(commands: string[]) {
  const lines = commands.flatMap(command => {
    const [, flags = ''] = replies.find(([pattern]) => pattern.test(command)) ?? []
    const [, deed = ':'] = deeds.find(([pattern]) => pattern.test(command)) ?? []
    const filled = placeholders.reduce((line, [text, value]) => line.replaceAll(text, value), command)
    return [`printf '❯ %s\\n' ${quote(command)}`, `${filled} ${flags}`, deed]
  })
  return ['set -e', ...lines].join('\n')
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function writeProgram(name: string, script: string) {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
}

/** Runs a script in a folder and a home of its own. */
async function runShell(script: string, env: Record<string, string>) {
  const home = mkdtempSync(join(folder, 'home-'))
  writeFileSync(join(home, 'password.txt'), 'a long password of the test\n')
  writeFileSync(
    join(home, 'landlords.csv'),
    'phone,first_name,last_name,email\n9000000019,Ravi,Iyer,ravi@example.com\n',
  )
  writeFileSync(
    join(home, 'flats.csv'),
    'Building,Pin,Flat No,Tenant,Mobile,Rent,Advance,From,Period\nOak,560 048,7,Ravi,98450 11104,"25,000/-",1 L,15/04/2026,11\n',
  )
  writeFileSync(join(home, 'received.csv'), 'Date,Flat No,Amount,Mode\n15/11/2026,7,25000,UPI\n')
  writeFileSync(join(home, 'tap.jpg'), PICTURE)
  writeFileSync(join(home, 'property.json'), '{ "pin_code": 560048, "property_type": "apartment" }')
  const run = Bun.spawn(['sh', '-c', `exec 2>&1\n${script}`], {
    cwd: home,
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: home, DATA_DIR: home, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
  })
  const text = await new Response(run.stdout).text()
  return { exitCode: await run.exited, text }
}

async function signIn(url: string) {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as { data: { access_token: string } }
  }
  const phone_number = '9000000017'
  await post('/auth/send-otp', { phone_number })
  const { data } = await post('/auth/verify', { phone_number, otp: '123456' })
  return data.access_token
}
