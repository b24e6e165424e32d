import { expect, test } from 'bun:test'
import { runCli } from '../../cli/program'
import { createTerminal } from '../../cli/terminal'
import { createStubServer, dataResponse } from '../sdk/stub-server'

test('9: a wait ends with its time, also where the next look would come later', async () => {
  using server = createStubServer(dataResponse({ id: 31, status: 'ACTIVE' }))
  const told: string[] = []
  const env = { KIRAYA_URL: server.url, KIRAYA_TOKEN: 'a.b.c', HOME: '/nonexistent' }
  const terminal = { ...createTerminal(), env, err: (text: string) => void told.push(text) }
  const args = 'wait agreement 31 --status completed --timeout 300ms --interval 1h'.split(' ')

  expect(await runCli(args, terminal)).toBe(9)
  expect(told).toEqual(['The agreement is still ACTIVE'])
})
