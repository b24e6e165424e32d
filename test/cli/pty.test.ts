import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { testServer } from '../support/server'
import { createStubServer, dataResponse } from '../sdk/stub-server'
import { runAsPerson } from './pty'
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
  const options = { url: stub.url, home: shell.home, columns: 80, env: token, redirection }
  const shown = await runAsPerson(commandLine, options).end()
  const file = Bun.file(join(shell.home, 'output.txt'))
  return { ...shown, file: (await file.exists()) ? await file.text() : '' }
}

describe('a terminal shows', () => {
  test('a list as a table with columns as wide as their widest text', async () => {
    const rows = [
      { id: 1, property_id: 'x', alias_name: '東京 घर', property_type: 'pg', city: null, pin_code: 560048 },
      { id: 20, property_id: 'y', alias_name: 'A\u001b[31m\n', property_type: 'apartment', city: 'Pune' },
    ]

    const { exitCode, raw, text } = await showResponse(createPage(rows, 2), 'property list')

    expect(exitCode).toBe(0)
    expect(text.split('\n')).toEqual([
      'ID  ALIAS_NAME  PROPERTY_TYPE  CITY  PIN_CODE  LOCALITY  PROPERTY_ID',
      '1   東京 घर     pg             –     560048    –         x',
      '20  A [31m      apartment      Pune  –         –         y',
      'Page 1 of 2 (70 items); use --page for another',
      '',
    ])
    expect(raw).not.toContain('\u001b')
  })

  test('an empty list as None', async () => {
    expect((await showResponse(createPage([]), 'property list')).text).toBe('None\n')
  })

  test('a record with one field a line, and a table of its records that fits', async () => {
    const unit = { a: 1, b: 2, hidden: null, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, ninth: 'x'.repeat(60) }
    const record = { id: 1, alias_name: 'White House', amenities: ['lift'], units: [unit] }

    const { text } = await showResponse(dataResponse(record), 'property get 1')

    expect(text.split('\n')).toEqual([
      'id          1',
      'alias_name  White House',
      'amenities   lift',
      '',
      'units',
      'A  B  C  D  E  F  G  H',
      '1  2  3  4  5  6  7  8',
      '',
    ])
  })

  test('with --json the data alone', async () => {
    const { text } = await showResponse(createPage([{ id: 1 }], 2), 'property list --json')
    expect(text).toBe('[\n  {\n    "id": 1\n  }\n]\n')
  })
})

test('a list goes to a file as JSON, and the remark about its pages to the terminal', async () => {
  const { file, text } = await showResponse(
    createPage([{ id: 1 }], 2),
    'property list',
    '< /dev/null > output.txt',
  )
  expect(JSON.parse(file)).toEqual([{ id: 1 }])
  expect(text).toBe('Page 1 of 2 (70 items); use --page for another\n')
})

describe('a person at a terminal', () => {
  test.each([
    ['n', 2, 'Cancelled: nothing has changed'],
    ['y', 5, 'Property'],
  ])('confirms a deletion: %p ends with %d', async (reply, exitCode, lastLine) => {
    using shell = await createLandlordShell(server.url)
    const options = { url: server.url, home: shell.home }
    const person = runAsPerson('property delete 2147483647', options)
    await person.reply('Delete the property 2147483647 and your units in it? (y/N)', reply)
    expect(await person.end()).toMatchObject({ exitCode, text: expect.stringContaining(lastLine) })
  })

  test('is asked before an erasure; any other reply than yes changes nothing', async () => {
    using shell = await createLandlordShell(server.url)
    const person = runAsPerson(`auth erase --otp ${OTP}`, { url: server.url, home: shell.home })

    await person.reply(`Erase ${shell.phone} and all data stored about you, for good? (y/N)`, '')

    expect((await person.end()).exitCode).toBe(2)
    expect((await shell.kiraya('status')).exitCode).toBe(0)
  })
})

test('without stdin no question is asked, even if a terminal shows the output', async () => {
  using shell = createShell(server.url)
  const options = { url: server.url, home: shell.home, redirection: '< /dev/null' }
  const { exitCode, text } = await runAsPerson('login', options).end()
  expect([exitCode, text]).toEqual([2, '--phone is required\n'])
})
