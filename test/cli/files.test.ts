import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createStubServer, dataResponse } from '../sdk/stub-server'
import { createShell } from './shell'

const BYTES = new Uint8Array([0xff, 0xd8, 0x00, 0xe2])

/** Runs commands in a home with a picture, on a server that answers so. */
async function run(respond: () => Response, ...commandLines: string[]) {
  using server = createStubServer(respond)
  using shell = createShell(server.url)
  await Bun.write(join(shell.home, 'tap.jpg'), BYTES)
  const ran = []
  for (const commandLine of commandLines) ran.push(await shell.kiraya(commandLine))
  return { ran, requests: server.requests, home: shell.home }
}

test('the bytes of a given file are attached; a dry run says how many they are', async () => {
  const { ran, requests } = await run(
    dataResponse({ size: 4 }),
    'maintenance attach 7 tap.jpg',
    'maintenance attach 7 tap.jpg --dry-run',
  )
  expect(requests.map(({ body }) => body)).toEqual(['\u00ff\u00d8\u0000\u00e2'])
  expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0])
  expect([ran[0]!.data, ran[1]!.data]).toMatchObject([{ size: 4 }, { method: 'POST', body: { bytes: 4 } }])
})

test.each([
  ['no.jpg', 'There is no file or folder no.jpg'],
  ['.', '. is a folder, not a file'],
])('1: what is no file, such as %p, is named before anything is sent', async (file, sentence) => {
  const { ran, requests } = await run(dataResponse(), `maintenance attach 7 ${file}`)
  expect([ran[0]!.exitCode, ran[0]!.err.trim(), requests]).toEqual([1, sentence, []])
})

const UUID = '6ba7b810-9dad-41d1-80b4-00c04fd430c8'
test.each([
  ['webp', BYTES],
  ['pdf', '%PDF-1.7'],
])('a download has the name of its request and a type by its bytes: %s', async (type, bytes) => {
  const { ran } = await run(() => new Response(bytes), `maintenance download 7 ${UUID}`)
  expect(ran[0]!.data).toEqual({ file: `maintenance-7-${UUID}.${type}`, bytes: bytes.length })
})
