import { describe, expect, test } from 'bun:test'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { createStubServer, dataResponse } from '../sdk/stub-server'
import { runInPty } from './pty'
import { createLandlordShell, createShell, OTP } from './shell'

const server = testServer()
const token = { KIRAYA_TOKEN: 'a.b.c' }

const createPage =
  (data: unknown[], total_pages = 1) =>
  () =>
    Response.json({ success: true, data, metadata: { page: 1, limit: 50, total: 70, total_pages } })

/** Runs a command in a terminal against a server that gives one response. */
async function showResponse(respond: () => Response, commandLine: string, redirection?: string) {
  using stub = createStubServer(respond)
  using shell = createShell(stub.url)
  return await runInPty(shell, stub.url, commandLine, { env: token, redirection })
}

describe('a terminal shows', () => {
  test('a list as a table with columns as wide as their widest text', async () => {
    const rows = [
      { id: 1, property_id: 'x', alias_name: '東京 घर', property_type: 'pg', city: null, pin_code: 560048 },
      { id: 20, property_id: 'y', alias_name: 'A\u001b[31m\n', property_type: 'apartment', city: 'Pune' },
    ]

    const { exitCode, received, screen } = await showResponse(createPage(rows, 2), 'property list')

    expect(exitCode).toBe(0)
    expect(screen.split('\n')).toEqual([
      'ID  PROPERTY_ID  ALIAS_NAME  PROPERTY_TYPE  CITY  PIN_CODE',
      '1   x            東京 घर     pg             –     560048',
      '20  y            A [31m      apartment      Pune  –',
      'Page 1 of 2 (70 items); use --page for another',
      '',
    ])
    expect(received).not.toContain('\u001b')
  })

  test('an empty list as None', async () => {
    expect((await showResponse(createPage([]), 'property list')).screen).toBe('None\n')
  })

  test('a record with one field a line, and a table of the first eight columns of its records', async () => {
    const unit = { a: 1, b: 2, hidden: null, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, ninth: 9 }
    const record = { id: 1, alias_name: 'White House', amenities: ['lift'], units: [unit] }

    const { screen } = await showResponse(dataResponse(record), 'property get 1')

    expect(screen.split('\n')).toEqual([
      'id          1',
      'alias_name  White House',
      'amenities   ["lift"]',
      '',
      'units',
      'A  B  C  D  E  F  G  H',
      '1  2  3  4  5  6  7  8',
      '',
    ])
  })

  test('with --json the data alone', async () => {
    const { screen } = await showResponse(createPage([{ id: 1 }], 2), 'property list --json')
    expect(screen).toBe('[\n  {\n    "id": 1\n  }\n]\n')
  })
})

test('a list goes to a file as JSON, and the remark about its pages to the terminal', async () => {
  const { file, screen } = await showResponse(
    createPage([{ id: 1 }], 2),
    'property list',
    '< /dev/null > output.txt',
  )
  expect(JSON.parse(file)).toEqual([{ id: 1 }])
  expect(screen).toBe('Page 1 of 2 (70 items); use --page for another\n')
})

describe('a person at a terminal', () => {
  test('signs in by answering questions, which do not go to stdout', async () => {
    const phone = freshPhone()
    using shell = createShell(server.url)

    const { exitCode, file, unasked } = await runInPty(shell, server.url, 'login', {
      replies: [
        ['Mobile number: ', ` ${phone} `],
        ['One-time password: ', OTP],
      ],
      redirection: '> output.txt',
    })

    expect([exitCode, unasked]).toEqual([0, []])
    expect(JSON.parse(file)).toMatchObject({ phone, status: 'NEEDS_PROFILE_COMPLETION' })
  })

  test('is asked for everything that onboarding needs', async () => {
    const phone = freshPhone()
    using shell = createShell(server.url)

    const { exitCode, screen, unasked } = await runInPty(shell, server.url, 'onboard', {
      replies: [
        ['Mobile number: ', phone],
        ['One-time password: ', OTP],
        ['First name: ', 'Asha'],
        ['Last name: ', 'Rao'],
        ['E-mail: ', 'asha@example.com'],
        ['Press Enter when you are done. ', ''],
      ],
    })

    expect([exitCode, unasked]).toEqual([0, []])
    expect(screen).toContain('LOGIN_SUCCESSFUL')
  })

  test.each([
    ['n', 2, 'Cancelled: nothing has changed'],
    ['y', 5, 'Property'],
  ])('confirms a deletion: %p ends with %d', async (reply, exitCode, lastLine) => {
    using shell = await createLandlordShell(server.url)
    const deletion = await runInPty(shell, server.url, 'property delete 2147483647', {
      replies: [['Delete the property 2147483647 and your units in it? (y/N) ', reply]],
    })
    expect([deletion.exitCode, deletion.unasked]).toEqual([exitCode, []])
    expect(deletion.screen).toContain(lastLine)
  })

  test('is asked before an erasure; any other reply than yes changes nothing', async () => {
    using shell = await createLandlordShell(server.url)

    const { exitCode, unasked } = await runInPty(shell, server.url, `auth erase --otp ${OTP}`, {
      replies: [[`Erase ${shell.phone} and all data stored about you, for good? (y/N) `, '']],
    })

    expect([exitCode, unasked]).toEqual([2, []])
    expect((await shell.kiraya('status')).exitCode).toBe(0)
  })
})

test('without stdin no question is asked, even if a terminal shows the output', async () => {
  using shell = createShell(server.url)
  const options = { redirection: '< /dev/null' }
  const { exitCode, screen } = await runInPty(shell, server.url, 'login', options)
  expect([exitCode, screen]).toEqual([2, '--phone is required in non-interactive mode\n'])
})
