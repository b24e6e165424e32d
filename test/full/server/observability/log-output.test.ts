import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from '../../../support/process'

const root = join(import.meta.dir, '../../../..')
/** A process that logs once more when it is told that the reader has gone, and then ends, as a server does. */
const program = `
  import { createLog } from './server/observability/log'
  const log = createLog('info', false)
  process.on('uncaughtException', error => log.fatal({ err: error }, 'Uncaught exception'))
  log.error('one')
  for await (const _ of console) break
  log[process.env.LEVEL]('two')
  await Bun.sleep(Number(process.env.WAIT_MS))
  process.exit(3)
`

test.each([
  ['info', '200'],
  ['info', '0'],
  ['error', '0'],
])('a process ends although what read its log has gone: %s, %s ms before the end', async (level, waitMs) => {
  const pipe = join(tmpdir(), `kiraya-log-${crypto.randomUUID()}`)
  Bun.spawnSync(['mkfifo', pipe])
  const reader = Bun.spawn(['head', '-n', '1', pipe], { stdout: 'pipe' })
  const child = Bun.spawn(['sh', '-c', 'exec "$0" -e "$2" > "$1"', process.execPath, pipe, program], {
    cwd: root,
    env: { PATH: process.env.PATH, LEVEL: level, WAIT_MS: waitMs },
    stdin: 'pipe',
    stderr: 'ignore',
  })

  expect(await new Response(reader.stdout).text()).toContain('"one"')
  await reader.exited
  rmSync(pipe)
  child.stdin.write('gone\n')
  await child.stdin.end()

  const ended = await Promise.race([child.exited, Bun.sleep(10_000)])
  child.kill('SIGKILL')
  expect(ended).toBe(3)
})

/** Runs a program to its end; the lines that it wrote, and its exit code. */
async function run(program: string, env: Record<string, string> = {}) {
  const child = startProgram(['-e', program], env)
  const exitCode = await child.end()
  return {
    lines: child
      .log()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
    exitCode,
  }
}

const toTheEnd = `
  import { createLog } from './server/observability/log'
  const log = createLog('info', false)
  for (const length of [3000, 3000, 1000, 5000, 4000, 90]) log.info('x'.repeat(length))
  process.exit(3)
`

test('a process writes what it has logged before it ends', async () => {
  const { lines, exitCode } = await run(toTheEnd)
  expect([lines.map(({ msg }) => msg.length), exitCode]).toEqual([[3000, 3000, 1000, 5000, 4000, 90], 3])
})

const killed = `
  import { createLog } from './server/observability/log'
  const log = createLog('info', false)
  if (process.env.LEVEL === 'audit') log.audit('user_erased', { user: 7 })
  else log[process.env.LEVEL]('the last line')
  process.kill(process.pid, 'SIGKILL')
`

test.each(['warn', 'error', 'fatal', 'audit'])(
  '%s: a process writes it before it can be killed',
  async level => {
    const { lines, exitCode } = await run(killed, { LEVEL: level })
    expect(lines).toMatchObject([level === 'audit' ? { audit: 'user_erased', user: 7 } : { level }])
    expect(exitCode).not.toBe(0)
  },
)
