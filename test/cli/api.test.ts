import { expect, test } from 'bun:test'
import { runCli } from '../../cli/program'
import { createTerminal } from '../../cli/terminal'
import { createStubServer } from '../sdk/stub-server'

/** What `kiraya api` prints and ends with when the server answers so. */
async function runApi(args: string[], ...responses: (() => Response)[]) {
  using server = createStubServer(...responses)
  const [out, err]: [string[], string[]] = [[], []]
  const terminal = {
    ...createTerminal(),
    env: { KIRAYA_URL: server.url, HOME: '/nonexistent' },
    isStdoutTty: false,
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
  }
  const exitCode = await runCli(['api', ...args], terminal)
  return { exitCode, out, err, requests: server.requests }
}

const answer = (body: string, type: string, status = 200) => {
  const headers = { 'content-type': type }
  return () => new Response(body, { headers, status })
}

test.each([
  ['nothing', answer('', 'text/plain'), []],
  ['a text', answer('a,b\n1,2', 'text/csv'), ['a,b\n1,2']],
  ['JSON', answer('{"id":1}', 'application/json; charset=utf-8'), ['{\n  "id": 1\n}']],
  ['a text of JSON', answer('"a"', 'application/json'), ['"a"']],
  ['what is JSON by its type alone', answer('', 'application/json'), []],
  ['what is JSON up to its middle', answer('{"id":', 'application/json'), ['{"id":']],
  ['problem JSON', answer('{"id":1}', 'application/problem+json'), ['{\n  "id": 1\n}']],
])('prints %s as it is', async (_, respond, printed) => {
  expect(await runApi(['GET', '/x'], respond)).toMatchObject({ exitCode: 0, out: printed, err: [] })
})

test('6: a failure is printed too, and its status named', async () => {
  const ran = await runApi(['GET', '/x'], answer('{"id":1}', 'application/json', 400))
  expect(ran).toMatchObject({ exitCode: 6, out: ['{\n  "id": 1\n}'], err: ['400 Bad Request'] })
})

const page = (data: unknown, metadata?: object) => () => Response.json({ data, metadata })

test('2: a list without its pages cannot be collected', async () => {
  const { exitCode, out } = await runApi(['GET', '/x', '--paginate'], page([1]))
  expect([exitCode, out]).toEqual([2, []])
})

test('each page is requested once, with the fields, until the last', async () => {
  const first = page([1], { page: 1, total_pages: 2 })
  const last = page([2], { page: 2, total_pages: 2 })
  const { out, requests } = await runApi(['get', 'x', '--paginate', '-F', 'limit=1'], first, last)
  expect(JSON.parse(out.join())).toEqual([1, 2])
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /x?limit=1&page=1',
    'GET /x?limit=1&page=2',
  ])
})

test.each(['properties', '/properties', '//properties'])('the path %s is one of the server', async path => {
  const { requests } = await runApi(['GET', path], page([]))
  expect(requests.map(request => request.path)).toEqual(['/properties'])
})
