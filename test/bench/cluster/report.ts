import { cpus } from 'node:os'
import { join } from 'node:path'
import { toMarkdownTable } from '../report'
import { print } from '../terminal'
import type { Failover } from './failover'
import { CONNECTIONS, type Measurement } from './measure-routes'

const PARTS = ['Kiraya', 'primary', 'PgBouncer', 'HAProxy', 'load']

type Results = {
  scale: string
  rounds: number
  measured: Measurement[]
  failover: Failover
}

/** Prints the report and writes it as Markdown and JSON. */
export async function writeReport(out: string, results: Results) {
  const { scale, rounds, measured, failover } = results
  const date = new Date().toISOString()
  const machine = `${cpus()[0]!.model.trim()}, ${cpus().length} cores`
  const where = `${machine}, shared by servers, databases and load`
  const how = `${scale} properties, ${CONNECTIONS} connections, the medians of ${rounds} rounds`
  const sections = [...new Set(measured.map(({ section }) => section))]
  const parts = [
    `${date.slice(0, 10)}, ${where}; ${how}. CPU in µs a request.`,
    ...sections.map(section => toSectionTable(section, measured)),
    toFailoverTable(failover),
  ]
  const text = `${parts.join('\n\n')}\n`
  print(`\n${text}`)
  const json = JSON.stringify({ date, machine, scale, rounds, measured, failover }, null, 2)
  await Bun.write(join(out, 'cluster.md'), text)
  await Bun.write(join(out, 'cluster.json'), `${json}\n`)
  print(`cluster.md and cluster.json are in ${out}`)
}

function toSectionTable(section: string, measured: Measurement[]) {
  const rows = measured.filter(each => each.section === section)
  const parts = PARTS.filter(part => rows.some(({ cpuUs }) => part in cpuUs))
  const head = [section, 'work', 'requests/s', 'p50 ms', 'p99 ms', ...parts]
  const toCells = ({ name, work, perSecond, p50, p99, cpuUs }: Measurement) => [
    name,
    work,
    perSecond.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
    ...parts.map(part => cpuUs[part]?.toFixed(0) ?? ''),
  ]
  return toMarkdownTable(head, rows.map(toCells))
}

function toFailoverTable(failover: Failover) {
  const figures = { ...failover, acknowledged: JSON.stringify(failover.acknowledged) }
  const rows = Object.entries(figures).map(([name, value]) => [name.replaceAll('_', ' '), String(value)])
  return toMarkdownTable(['failover', ''], rows)
}
