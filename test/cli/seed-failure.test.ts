import { expect, test } from 'bun:test'
import { runCli } from '../../cli/program'
import { createTerminal } from '../../cli/terminal'

test('6: after a failure of a seed no landlord is begun', async () => {
  const phones: string[] = []
  using server = Bun.serve({
    port: 0,
    fetch: async request => {
      if (request.method === 'GET') return Response.json({ success: true, data: {} })
      const { phone_number } = (await request.json()) as { phone_number: string }
      phones.push(phone_number)
      const error = { code: 'VALIDATION_ERROR', message: 'No such number' }
      return Response.json({ success: false, error }, { status: 400 })
    },
  })
  const told: string[] = []
  const env = { KIRAYA_URL: server.url.href, HOME: '/nonexistent' }
  const terminal = { ...createTerminal(), env, out: () => {}, err: (text: string) => void told.push(text) }

  expect(await runCli(['seed', '--landlords', '20'], terminal)).toBe(6)

  expect(phones).toHaveLength(4)
  expect(told.join('\n')).toContain('No such number')
})
