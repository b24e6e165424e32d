import { expect, test } from 'bun:test'
import { readCredential } from '../../cli/credentials'
import { hashPassword } from '../../sdk/password'
import { createStubServer, dataResponse } from '../sdk/stub-server'
import { createShell } from './shell'

const respond = dataResponse({ access_token: 'a.b.c', user: { phone: '9876543210' }, message: 'Fine' })

test('a password from stdin loses its last line break and nothing else', async () => {
  using server = createStubServer(respond)
  using shell = createShell(server.url)

  await shell.kiraya('login --phone 9876543210 --password-stdin', { stdin: ' two \n blanks \r\n' })

  const password = await hashPassword('9876543210', ' two \n blanks ')
  expect(server.requests[0]!.body).toEqual({ phone_number: '9876543210', password })
})

test.each([
  ['logout', {}],
  ['logout --all', { all: true }],
])('%s sends %j', async (commandLine, body) => {
  using server = createStubServer(respond)
  using shell = createShell(server.url)
  expect((await shell.kiraya(commandLine)).exitCode).toBe(0)
  expect([server.requests[0]!.path, server.requests[0]!.body]).toEqual(['/auth/logout', body])
})

test.each(['tenant', 'manager'])('tenant create --role %s', async role => {
  using server = createStubServer(respond)
  using shell = createShell(server.url)
  expect((await shell.kiraya(`tenant create --phone 9876543210 --role ${role}`)).exitCode).toBe(0)
  expect(server.requests[0]!.body).toEqual({ phone_number: '9876543210', role })
})

test.each(['logout', 'auth erase --yes --otp 123456'])('%s removes the stored sign-in', async commandLine => {
  using server = createStubServer(respond)
  using shell = createShell(server.url)
  const readStored = () => readCredential({ HOME: shell.home }, 'default')
  await shell.kiraya('login --phone 9876543210 --otp 123456')
  expect(readStored()).toMatchObject({ token: 'a.b.c', phone: '9876543210', url: server.url })

  expect((await shell.kiraya(commandLine)).exitCode).toBe(0)

  expect(readStored()).toBeUndefined()
})
