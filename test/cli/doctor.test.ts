import { expect, test } from 'bun:test'
import { runCli } from '../../cli/program'
import { createTerminal } from '../../cli/terminal'

/** What the doctor finds at a server whose clock is ahead by so many seconds, or behind. */
async function findClock(seconds: number) {
  using server = Bun.serve({
    port: 0,
    fetch: () => {
      const headers = { date: new Date(Date.now() + 1000 * seconds).toUTCString() }
      return Response.json({ info: { version: '1.0.0' } }, { headers })
    },
  })
  const lines: string[] = []
  const terminal = {
    ...createTerminal(),
    env: { KIRAYA_URL: server.url.href, HOME: '/nonexistent' },
    out: (text: string) => void lines.push(text),
    err: () => {},
  }
  await runCli(['doctor', '--json', 'check,result'], terminal)
  const findings: { check: string; result: string }[] = JSON.parse(lines.join('\n'))
  return findings.find(({ check }) => check === 'clock')?.result
}

test.each([
  [0, 'ok'],
  [55, 'ok'],
  [-55, 'ok'],
  [70, 'warning'],
  [-70, 'warning'],
])('a clock that differs by %d s is %s', async (seconds, result) => {
  expect(await findClock(seconds)).toBe(result)
})
