import { statSync } from 'node:fs'
import type { Context } from '../runtime/context'
import { getCredentialsPath } from '../runtime/credentials'
import { ExitError } from '../runtime/errors'
import { describeConnectionFailure, findConnectionAdvice, toMessage } from '../runtime/report'
import { createVerb } from '../runtime/verbs'
import { colorState } from '../output/formats'
import { version } from '../package.json'

type Finding = { check: string; result: 'ok' | 'warning' | 'failed'; detail: string }
type Outcome = Omit<Finding, 'check'>
/** A text is a finding in order. */
type Check = (context: Context) => Promise<string | Outcome>

const MAX_SKEW_MS = 60_000

const warn = (detail: string) => ({ result: 'warning', detail }) as const

const checks: Record<string, Check> = {
  server: async ({ fetch, baseUrl }) => {
    const startedAt = performance.now()
    const response = await fetch(`${baseUrl}/health/ready`).catch(error => {
      const advice = findConnectionAdvice(error) ?? 'Set its address with --url or KIRAYA_URL'
      throw new Error(`${describeConnectionFailure(error)}. ${advice}`)
    })
    if (!response.ok) throw new Error(`${baseUrl} responds with ${response.status}; it is not ready`)
    return `${baseUrl} is ready, ${Math.round(performance.now() - startedAt)} ms`
  },
  version: async ({ fetch, baseUrl }) => {
    const response = await fetch(`${baseUrl}/openapi.json`)
    if (!response.ok) return warn(`kiraya ${version}; the server does not describe its API`)
    const { info } = (await response.json()) as { info: { version: string } }
    const detail = `kiraya ${version}, API ${info.version}`
    return info.version.split('.')[0] === version.split('.')[0] ? detail : warn(detail)
  },
  /** The header has seconds, so it may be a second behind. */
  clock: async ({ fetch, baseUrl }) => {
    const response = await fetch(`${baseUrl}/health/live`)
    const date = response.headers.get('date')
    if (!date) return warn('the server does not tell its time')
    const skewMs = Math.abs(Date.now() - Date.parse(date))
    const seconds = Math.floor(skewMs / 1_000)
    return skewMs > MAX_SKEW_MS
      ? warn(`${seconds} s between this machine and the server; set the clock`)
      : `${seconds} s between this machine and the server`
  },
  'sign-in': async context => {
    const command = context.toCommandLine('login --phone <number>')
    if (!context.token) return warn(`none for ${context.baseUrl}: ${command}`)
    const client = await context.client()
    const { user, status } = await client.auth.me()
    return `${user.phone}, ${status}, profile ${context.profile}`
  },
  'sign-in file': async ({ terminal }) => {
    const file = getCredentialsPath(terminal.env)
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat) return `${file} does not exist yet`
    const isOpen = process.platform !== 'win32' && (stat.mode & 0o077) !== 0
    if (isOpen) throw new Error(`others can read ${file}: chmod 600 ${file}`)
    return `${file}, readable by you alone`
  },
  /** An older Node does not get here: the launcher refuses it. */
  runtime: async () => {
    const { bun, node } = process.versions
    return bun ? `Bun ${bun}` : `Node ${node}`
  },
  /** Names settings, not their values: some are secrets. */
  environment: async ({ terminal: { env } }) => {
    const isSetting = /^(KIRAYA_\w+|NO_COLOR|BROWSER|XDG_CONFIG_HOME|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i
    const names = Object.keys(env).filter(name => isSetting.test(name) && env[name])
    if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
      return warn('NODE_TLS_REJECT_UNAUTHORIZED=0 accepts any certificate')
    return names.length > 0 ? `set: ${names.toSorted().join(', ')}` : 'nothing is set'
  },
}

export const verb = createVerb({}, async context => {
  const findings: Finding[] = []
  for (const [check, run] of Object.entries(checks)) {
    const finding = await runCheck(context, check, run)
    findings.push(finding)
    if (!context.isJsonOutput) context.terminal.out(toLine(context, finding))
  }
  if (context.isJsonOutput) context.show(findings)
  const failed = findings.filter(({ result }) => result === 'failed').map(({ check }) => check)
  if (failed.length > 0) throw new ExitError(`Failed: ${failed.join(', ')}`, 1)
})

async function runCheck(context: Context, check: string, run: Check): Promise<Finding> {
  try {
    const outcome = await run(context)
    return typeof outcome === 'string' ? { check, result: 'ok', detail: outcome } : { check, ...outcome }
  } catch (error) {
    return { check, result: 'failed', detail: toMessage(error) }
  }
}

function toLine({ style }: Context, { check, result, detail }: Finding) {
  const padded = result.padEnd(7)
  const state = style.isColored ? padded.replace(result, colorState(result)) : padded
  return `${state}  ${check.padEnd(12)}  ${detail}`
}
