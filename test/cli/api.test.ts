import { expect, test } from 'bun:test'
import { runAgainst } from './shell'

const answer = (body: string, type: string, status = 200) => {
  const headers = { 'content-type': type }
  return () => new Response(body, { headers, status })
}
const page = (data: unknown, metadata?: object) => () => Response.json({ data, metadata })

test.each([
  ['nothing', answer('', 'text/plain'), ''],
  ['a text', answer('a,b\n1,2', 'text/csv'), 'a,b\n1,2\n'],
  ['JSON', answer('{"id":1}', 'application/json; charset=utf-8'), '{\n  "id": 1\n}\n'],
  ['a text of JSON', answer('"a"', 'application/json'), '"a"\n'],
  ['what is JSON by its type alone', answer('', 'application/json'), ''],
  ['what is JSON up to its middle', answer('{"id":', 'application/json'), '{"id":\n'],
  ['problem JSON', answer('{"id":1}', 'application/problem+json'), '{\n  "id": 1\n}\n'],
])('prints %s as it is', async (_, respond, printed) => {
  expect(await runAgainst(respond, 'api GET /x')).toMatchObject({ exitCode: 0, out: printed, err: '' })
})

test('7: a page that cannot be read ends a list of all pages, and is shown as it is', async () => {
  const refuse = answer('{"id":1}', 'application/json', 403)
  const pages = [page([1], { page: 1, total_pages: 3 }), refuse]
  const { exitCode, data, calls } = await runAgainst(pages, 'api GET /x --paginate')
  expect([exitCode, data, calls.length]).toEqual([7, { id: 1 }, 2])
})
