import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import type { CliCommand } from '../../cli/command'
import { reportError, UsageError } from '../../cli/exit-codes'
import { readLanguage, say } from '../../cli/messages'
import { en } from '../../cli/messages/en'
import { toFieldHint, toFieldName } from '../../cli/messages/fields'
import { hi } from '../../cli/messages/hi'
import { createProgram } from '../../cli/program'
import { createTerminal } from '../../cli/terminal'
import { NetworkError, NotFoundError } from '../../sdk'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { CLEAR_LINE, runAsPerson } from './pty'
import { createActiveLease, createLandlordShell, createShell, OTP } from './shell'

const server = testServer()
const HINDI = { LANG: 'hi_IN.UTF-8' }

describe('the language is read from the environment', () => {
  test.each<[env: Record<string, string>, language: string]>([
    [{}, 'en'],
    [{ LANG: 'hi_IN.UTF-8' }, 'hi'],
    [{ LANG: 'hi' }, 'hi'],
    [{ LANG: 'en_IN.UTF-8' }, 'en'],
    [{ LANG: 'C.UTF-8' }, 'en'],
    [{ LANG: 'hil_PH' }, 'en'],
    [{ LANG: 'en_IN', LC_MESSAGES: 'hi_IN' }, 'hi'],
    [{ LANG: 'hi_IN', LC_ALL: 'C' }, 'en'],
    [{ LANG: 'hi_IN', LC_ALL: '' }, 'hi'],
  ])('%p is %s', (env, language) => {
    expect(readLanguage(env)).toBe(language as 'en')
  })
})

const keys = Object.keys(en) as (keyof typeof en)[]

/** Says a sentence with parameters that show where they are used. */
function sayIn(catalogue: Record<string, unknown>, key: string) {
  const used = new Set<string>()
  const params = new Proxy({} as Record<string, unknown>, {
    // A list of one reads like a text.
    get: (_, name: string) => {
      used.add(name)
      return [`<${name}>`]
    },
  })
  const sentence = catalogue[key]
  return { text: String(typeof sentence === 'function' ? sentence(params) : sentence), used }
}

test.each(keys)('the sentence %s is there in Hindi, with the same parameters', key => {
  const english = sayIn(en, key)
  const hindi = sayIn(hi, key)
  expect(hindi.text).toMatch(/\p{Script=Devanagari}|।/u)
  expect(hindi.text).not.toContain('undefined')
  expect(english.text).not.toMatch(/\p{Script=Devanagari}/u)
  expect(hindi.used).toEqual(english.used)
})

test('every sentence is said', async () => {
  const folder = join(import.meta.dir, '../../cli')
  const files = [...new Glob('**/*.ts').scanSync({ cwd: folder })].filter(
    file => !/^(messages|node_modules)\//.test(file),
  )
  const sources = await Promise.all(files.map(file => Bun.file(join(folder, file)).text()))
  const said = sources.join('')
  const unsaid = keys.filter(key => !said.includes(`'${key}'`) && !key.startsWith('event_'))
  expect(unsaid).toEqual([])
})

test('every field that a question may ask for has a name and a hint in Hindi', () => {
  const program = createProgram(createTerminal(), [], false)
  const isHindi = (text: string) => /\p{Script=Devanagari}|^YYYY/u.test(text)
  const wrong = [...walk(program)].flatMap(({ fields }) =>
    Object.entries(fields).filter(([name, { label = name, description }]) => {
      const hint = toFieldHint(label, description, 'hi')
      return !isHindi(toFieldName(label, 'hi')) || (hint !== undefined && !isHindi(hint))
    }),
  )
  expect(wrong.map(([name]) => name)).toEqual([])
})

function* walk(command: CliCommand): Generator<CliCommand> {
  yield command
  for (const child of command.commands) yield* walk(child as CliCommand)
}

test("the server's error and the advice are Hindi; codes, exit codes and JSON stay", async () => {
  using shell = createShell(server.url)

  const refused = await shell.kiraya('property list', { env: HINDI })
  expect([refused.exitCode, refused.out]).toEqual([4, ''])
  expect(refused.err).toMatch(
    /^पहले साइन इन करें: टोकन नहीं मिला या सही नहीं है \(UNAUTHORIZED, request [\da-f-]+\)\nसाइन इन करें: kiraya login --phone <number>\n$/,
  )

  const phone = freshPhone()
  const sent = await shell.kiraya(`login --phone ${phone}`, { env: HINDI })
  expect(sent.err).toBe(`ओटीपी भेजा जा रहा है\nआगे: kiraya login --phone ${phone} --otp <ओटीपी>\n`)

  const signedIn = await shell.kiraya(`login --phone ${phone} --otp ${OTP} --json`, { env: HINDI })
  expect(signedIn.err).toBe('')
  expect(signedIn.data).toMatchObject({ phone, status: 'NEEDS_PROFILE_COMPLETION' })
})

test('mistakes of usage are Hindi, with the flags as they are', async () => {
  using shell = createShell(server.url)
  const missing = await shell.kiraya('login', { env: HINDI })
  expect([missing.exitCode, missing.err]).toEqual([2, '--phone देना ज़रूरी है\n'])
  const english = await shell.kiraya('login')
  expect([english.exitCode, english.err]).toEqual([2, '--phone is required\n'])

  const wrong = await shell.kiraya('property create --pin-code five --property-type pg', { env: HINDI })
  expect(wrong.err).toBe('--pin-code में पूरी संख्या दें; अभी यह five है\n')
})

describe('at a terminal', () => {
  test('a person is asked in Hindi, and a confirmation takes हाँ', async () => {
    using shell = await createLandlordShell(server.url)
    const options = { url: server.url, home: shell.home, env: HINDI }

    const create = runAsPerson('property create --alias-name "White House"', options)
    await create.reply('पिन कोड', 'five')
    await create.reply('--pin-code में पूरी संख्या दें', `${CLEAR_LINE}560048`)
    await create.reply('प्रॉपर्टी का प्रकार', '')
    expect((await create.end()).exitCode).toBe(0)

    const refused = runAsPerson('property delete "White House"', options)
    await refused.reply('क्या आप प्रॉपर्टी White House और उसमें अपनी यूनिट हटाना चाहते हैं? (y/N)', 'नहीं')
    expect(await refused.end()).toMatchObject({ exitCode: 2, text: expect.stringContaining('रद्द किया गया') })
    const confirmed = runAsPerson('property delete "White House"', options)
    await confirmed.reply('(y/N)', 'हाँ')
    expect((await confirmed.end()).exitCode).toBe(0)

    const empty = await runAsPerson('property list', options).end()
    expect(empty.text).toBe('कुछ नहीं\n')
  })

  test('tables and timelines are Hindi; the names of columns and states stay', async () => {
    using shell = await createLandlordShell(server.url)
    const { draft, property } = await createActiveLease(shell, server.url)
    const options = { url: server.url, home: shell.home, env: HINDI }

    const units = await runAsPerson(`unit list ${property.id}`, options).end()
    expect(units.text).toMatch(/^ID +UNIT_NAME +ROOM_TYPE +IS_AVAILABLE/)
    expect(units.text).toMatch(/A-101 +– +नहीं/)

    const timeline = await runAsPerson(`agreement timeline ${draft.id}`, options).end()
    expect(timeline.text).toContain('Asha Rao ने ड्राफ़्ट बनाया')
    expect(timeline.text).toContain('Asha Rao ने Tara से हस्ताक्षर करने को कहा')
    expect(timeline.text).toContain('समझौता चालू हो गया')
    expect(timeline.text).toEndWith('किसी घटना में कोई बदलाव नहीं हुआ है\n')
  })
})

test('a name that nothing has is explained in Hindi', async () => {
  using shell = await createLandlordShell(server.url)
  const { err } = await shell.kiraya('agreement get AGR-1', { env: HINDI })
  expect(err).toBe('"AGR-1" नाम से कुछ नहीं मिला (समझौता)। आपके पास अभी एक भी नहीं है।\n')
})

describe('a report', () => {
  function report(error: unknown, isJson = false) {
    const lines: string[] = []
    const terminal = { ...createTerminal(), env: HINDI, err: (line: string) => void lines.push(line) }
    return { exitCode: reportError(error, terminal, { isJson }), lines }
  }

  test('as JSON names the reason, and says the rest in Hindi', () => {
    const error = new NotFoundError('यूनिट नहीं मिली', { code: 'NOT_FOUND', reason: 'unit_not_found' })
    expect(JSON.parse(report(error, true).lines[0]!).error).toEqual({
      code: 'NOT_FOUND',
      reason: 'unit_not_found',
      message: 'यूनिट नहीं मिली',
      advice: 'list कमांड से सही आईडी देखें',
      exit_code: 5,
    })
  })

  test('of a lost connection', () => {
    expect(report(new NetworkError('The server is unreachable', { code: 'NETWORK_ERROR' }))).toEqual({
      exitCode: 8,
      lines: [
        'सर्वर से संपर्क नहीं हो पाया या कनेक्शन टूट गया (NETWORK_ERROR)',
        'क्या सर्वर चल रहा है? उसका पता --url या KIRAYA_URL से दें',
      ],
    })
  })

  test('of a text that the catalogue does not have is English', () => {
    expect(report(new UsageError('Nothing to do'))).toEqual({ exitCode: 2, lines: ['Nothing to do'] })
    expect(report(new UsageError(say('cancelled'))).lines).toEqual(['रद्द किया गया: कुछ नहीं बदला'])
  })
})

test('an agreement that can no longer become what is awaited is named with its state first', () => {
  const past = say('agreement_past', { status: 'TERMINATED', awaited: 'ACTIVE' })
  for (const language of ['en', 'hi'] as const) expect(past(language)).toMatch(/TERMINATED.*ACTIVE/)
})
