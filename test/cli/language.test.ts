import { describe, expect, test } from 'bun:test'
import { reportError, UsageError } from '../../cli/exit-codes'
import { readLanguage, say } from '../../cli/messages'
import { en } from '../../cli/messages/en'
import { hi } from '../../cli/messages/hi'
import { createTerminal } from '../../cli/terminal'
import { NetworkError } from '../../sdk'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { createShell, OTP } from './shell'

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

test.each(Object.keys(en) as (keyof typeof en)[])('the sentence %s is there in Hindi', key => {
  const given = {
    flags: ['--otp'],
    seconds: 7,
    id: '17',
    phone: '9876543210',
    url: 'http://x',
    file: 'a.json',
  }
  const others = { action: 'x', step: 'sign', steps: 7, page: 2, pages: 3, total: 101 }
  const toText = (sentence: unknown) =>
    typeof sentence === 'function' ? String(sentence({ ...given, ...others })) : String(sentence)
  expect(toText(hi[key])).toMatch(/\p{Script=Devanagari}/u)
  expect(toText(hi[key])).not.toContain('undefined')
  expect(toText(en[key])).not.toMatch(/\p{Script=Devanagari}/u)
})

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
  expect([missing.exitCode, missing.err]).toEqual([2, 'टर्मिनल के बिना --phone देना ज़रूरी है\n'])
  const english = await shell.kiraya('login')
  expect([english.exitCode, english.err]).toEqual([2, '--phone is required in non-interactive mode\n'])
})

describe('a report', () => {
  function report(error: unknown) {
    const lines: string[] = []
    const terminal = { ...createTerminal(), env: HINDI, err: (line: string) => void lines.push(line) }
    return { exitCode: reportError(error, terminal), lines }
  }

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
