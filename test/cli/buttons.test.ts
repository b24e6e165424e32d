import { expect, test } from 'bun:test'
import { isSandboxPage, pressButton } from '../../cli/sandbox-pages'
import { catchError, createStubServer } from '../sdk/stub-server'

const answer = (status: number) => () => new Response(null, { status, headers: { location: '/elsewhere' } })

test.each([200, 302, 303])('a button is pressed once where the page answers %d', async status => {
  using server = createStubServer(answer(status))
  await pressButton(`${server.url}/sandbox/sign/7`, 'sign')
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /sandbox/sign/7/sign',
  ])
})

test.each([400, 404, 410, 500])('a page that answers %d is named', async status => {
  using server = createStubServer(answer(status))
  const error = await catchError(pressButton(`${server.url}/sandbox/sign/7`, 'decline'))
  expect(error!.message).toContain(`${server.url}/sandbox/sign/7/decline`)
  expect(error!.message).toContain(String(status))
})

test.each([
  ['http://localhost:3000/sandbox/sign/7', true],
  ['https://example.com/api/sandbox/verify/v-1?from=app', true],
  ['https://example.com/sign/7', false],
  ['https://example.com/sandbox/files/7', false],
  ['https://example.com/sandbox/sign/', false],
  ['https://example.com/sandbox/sign/7/sign', false],
  ['https://example.com/?page=/sandbox/sign/7', false],
  ['sandbox/sign/7', false],
])('%s is a page of the sandbox: %p', (address, isPage) => {
  expect(isSandboxPage(address)).toBe(isPage)
})
