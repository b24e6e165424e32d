import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cases } from './cases'
import { root } from './processes'
import type { Report } from './report'
import { exitWithError } from './terminal'

const SCALES: Record<string, number> = { '1k': 1000, '100k': 100_000, '1m': 1_000_000 }

export async function readOptions() {
  const { values } = parseArgs({
    options: {
      scale: { type: 'string', default: '1k' },
      only: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      requests: { type: 'string' },
      seconds: { type: 'string', default: '2' },
      compare: { type: 'string' },
      out: { type: 'string', default: join(root, '.data/bench/report') },
      cold: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  })
  const { scale, only, requests, compare, cold, profile } = values
  const names = (profile ?? only)?.split(',')
  const isWithoutCases = cold && requests === undefined
  const earlier: Report | undefined = compare ? await Bun.file(compare).json() : undefined
  return {
    scale,
    owned: SCALES[scale] ?? exitWithError(`--scale must be one of ${Object.keys(SCALES).join(', ')}`),
    cases: names || !isWithoutCases ? selectCases(names) : [],
    pace: {
      rounds: Number(values.rounds),
      requests: requests === undefined ? undefined : Number(requests),
      seconds: Number(values.seconds),
    },
    earlier,
    out: resolve(values.out),
    isCold: cold,
    isProfile: profile !== undefined,
  }
}

/** `otp` selects `otp-a` and `otp-b`. */
function selectCases(names: string[] | undefined) {
  if (!names) return cases
  const matches = (caseName: string, name: string) => caseName === name || caseName.startsWith(`${name}-`)
  const unknown = names.filter(name => !cases.some(each => matches(each.name, name)))
  const known = cases.map(({ name }) => name).join(', ')
  if (unknown.length) exitWithError(`No such case: ${unknown.join(', ')}. There are ${known}`)
  return cases.filter(each => names.some(name => matches(each.name, name)))
}
