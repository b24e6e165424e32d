import { join } from 'node:path'
import { runProgram, type ProgramResult } from './child-process'
import type { ClusterFolders } from './folders'

/** Runs one of PostgreSQL's programs as the owner of the cluster. */
export function runPostgresProgram({ binaries, home, owner }: ClusterFolders, name: string, args: string[]) {
  return runProgram([join(binaries, 'bin', name), ...args], {
    ...owner,
    cwd: home,
    env: { PATH: process.env.PATH, TZ: 'UTC' },
  })
}

export function requireSuccess({ data }: ClusterFolders, { ok, output }: ProgramResult) {
  if (!ok) throw new Error(`The embedded PostgreSQL in ${data} does not start: ${output}`)
}
